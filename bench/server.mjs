// A measured server: plain JavaScript on the built package, started by bench/children.ts with an IPC channel.
// node bench/server.mjs memory | leveldb FOLDER [DURABILITY] | postgres URL [NAMESPACE] | floor | synced-floor FOLDER
import http from "node:http";
import { answerParent } from "./probe.mjs";

/** The last one is a durability, or a namespace of PostgreSQL. */
const [kind, place, detail] = process.argv.slice(2);
/** What the floor answers, by URL; `""` stands for every other URL. */
let answers = new Map([["", Buffer.from("{}")]]);

const { port, close, addKey } = kind.endsWith("floor") ? await listenFloor() : await listenOurs();
answerParent(
  {
    answers(given) {
      answers = given;
    },
    close,
    addKey,
  },
  port,
);

async function listenOurs() {
  const { createActivityServer } = await import("activity-server");
  const server = createActivityServer({ storage: await openStorage() });
  const listener = await server.listen({ port: 0, host: "127.0.0.1" });
  const addKey = async (scopes) => (await server.keys.add({ name: "bench", scopes })).key;
  return { port: listener.port, close: () => server.close(), addKey };
}

async function openStorage() {
  if (kind === "memory") return (await import("activity-server/memory")).memory();
  if (kind === "leveldb") return (await import("activity-server/leveldb")).leveldb({ path: place, durability: detail });
  const { postgres } = await import("activity-server/postgres");
  return postgres({ connectionString: place, namespace: detail });
}

/**
 * The least that any JSON server on node:http does: collect the body, parse it, send bytes that are ready. The synced
 * floor puts the body of each POST into LevelDB in between, and sends them when it was forced to the disk.
 */
async function listenFloor() {
  const log = kind === "floor" ? undefined : await openLog();
  const server = http.createServer((request, response) => {
    if (request.method === "GET") return send(request, response);
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const text = (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)).toString();
      JSON.parse(text);
      if (log === undefined) send(request, response);
      else log.put(request.url, text, () => send(request, response));
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: server.address().port, close: () => log?.close() };
}

function send(request, response) {
  const body = answers.get(request.url) ?? answers.get("");
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
  response.end(body);
}

/** Puts, each acknowledged after an fsync; what arrives while a batch is written goes into the next one. */
async function openLog() {
  const { ClassicLevel } = await import("classic-level");
  const level = new ClassicLevel(place, { keyEncoding: "utf8", valueEncoding: "utf8" });
  await level.open();
  let waiting = [];
  let writing = false;
  async function write() {
    writing = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      const puts = batch.map(({ key, value }) => ({ type: "put", key, value }));
      await level.batch(puts, { sync: true });
      for (const { done } of batch) done();
    }
    writing = false;
  }
  return {
    put(key, value, done) {
      waiting.push({ key, value, done });
      if (!writing) write();
    },
    close: () => level.close(),
  };
}
