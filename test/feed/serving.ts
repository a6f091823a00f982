// A server in a process of its own: `serving.ts PLACE PORT`, where PLACE is a data folder or the URL of a database. It
// prints its port.
import { leveldb } from "../../adapters/leveldb/index.js";
import { postgres } from "../../adapters/postgres/index.js";
import { createActivityServer } from "../../src/index.js";

const [place = "", port] = process.argv.slice(2);
const storage = place.startsWith("postgres:") ? postgres({ connectionString: place }) : leveldb({ path: place });
const server = createActivityServer({ storage, feedReaders: 2000 });
const listening = await server.listen({ port: Number(port) });
console.log(listening.port);
