// The least that a JSON server on node:http does: it collects and parses the body, and sends bytes that are ready.
// node bench/floor.mjs PORT [FOLDER]: with a folder, it stores the body of each POST in LevelDB first, with an fsync.
import http from "node:http";
import { commands } from "./probe.mjs";

const [port, folder] = process.argv.slice(2);
/** Responses by URL; `""` is for every other URL. */
let answers = new Map([["", Buffer.from("{}")]]);
commands.answers = (given) => {
  answers = given;
};

const put = folder === undefined ? (_key, _value, done) => done() : await openLog();
const server = http.createServer((request, response) => {
  const send = () => {
    const body = answers.get(request.url) ?? answers.get("");
    response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
    response.end(body);
  };
  if (request.method === "GET") return send();
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const text = (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)).toString();
    if (text !== "") JSON.parse(text);
    put(request.url, text, send);
  });
});
server.listen(Number(port), "127.0.0.1");

/** Puts that arrive while a batch is written go into the next batch. */
async function openLog() {
  const { ClassicLevel } = await import("classic-level");
  const level = new ClassicLevel(folder, { keyEncoding: "utf8", valueEncoding: "utf8" });
  await level.open();
  let waiting = [];
  let isWriting = false;
  async function write() {
    isWriting = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await level.batch(
        batch.map(({ key, value }) => ({ type: "put", key, value })),
        { sync: true },
      );
      for (const { done } of batch) done();
    }
    isWriting = false;
  }
  return (key, value, done) => {
    waiting.push({ key, value, done });
    if (!isWriting) write();
  };
}
