// A server in a process of its own: prints its address, and closes when its standard input ends.
import { createActivityServer } from "../../src/index.js";
import { storageOf } from "./grounds.js";

const server = createActivityServer({
  storage: storageOf(JSON.parse(process.argv[2] as string)),
  hostname: "desk",
});
const { url } = await server.listen({ port: 0 });
console.log(url);
process.stdin.resume();
process.stdin.on("end", () => void server.close().then(() => process.exit(0)));
