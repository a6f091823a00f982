// For a test, in a process with a small heap: stores events that all differ, queries them, prints the response.
import { leveldb } from "../../adapters/leveldb/index.js";
import { createActivityServer, micros } from "../../src/index.js";

const [, , path = "", count = "0", ...lines] = process.argv;

const logger = { error() {}, warn() {}, info() {} };
const server = createActivityServer({ storage: leveldb({ path, logger }), logger, basePath: "/" });
await server.buckets.create("b", { type: "t", client: "c", hostname: "h" });
for (let at = 0; at < Number(count); at += 1000) {
  const events = Array.from({ length: 1000 }, (_, index) => ({
    timestamp: micros((at + index) * 1000),
    duration: { seconds: 1 },
    data: { app: `app ${index % 50}`, title: `the title of page ${at + index}, as long as titles often are` },
  }));
  await server.events.insert("b", events);
}
const body = JSON.stringify({ timeperiods: ["1970-01-01/1970-02-01"], query: lines });
const headers = { "content-type": "application/json" };
const response = await server.fetch(new Request("http://localhost/api/0/query", { method: "POST", headers, body }));
const reply = await response.text();
process.stdout.write(`${response.status} ${reply.slice(0, 300)}`);
await server.close();
