// A measured server: plain JavaScript on the built package, started by bench/children.ts with an IPC channel.
// node bench/server.mjs memory | leveldb FOLDER | floor
import http from "node:http";
import { answerParent } from "./probe.mjs";

const [kind, folder] = process.argv.slice(2);
/** What the floor answers, by URL; `""` stands for every other URL. */
let answers = new Map([["", Buffer.from("{}")]]);

const { port, close } = kind === "floor" ? await listenFloor() : await listenOurs();
answerParent(
  {
    answers(given) {
      answers = given;
    },
    close,
  },
  port,
);

async function listenOurs() {
  const { createActivityServer } = await import("activity-server");
  const storage =
    kind === "memory"
      ? (await import("activity-server/memory")).memory()
      : await (await import("activity-server/leveldb")).leveldb({ path: folder });
  const server = createActivityServer({ storage });
  const listener = await server.listen({ port: 0, host: "127.0.0.1" });
  return { port: listener.port, close: () => server.close() };
}

/** The least that any JSON server on node:http does: collect the body, parse it, send bytes that are ready. */
async function listenFloor() {
  const server = http.createServer((request, response) => {
    if (request.method === "GET") return send(request, response);
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      JSON.parse((chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)).toString());
      send(request, response);
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: server.address().port, close() {} };
}

function send(request, response) {
  const body = answers.get(request.url) ?? answers.get("");
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
  response.end(body);
}
