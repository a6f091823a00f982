// How a server ends: what runs is finished, what idles is dropped, the storage is closed last.

import net from "node:net";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { memory } from "../../adapters/memory.js";
import { createActivityServer, micros, type Storage } from "../../src/index.js";
import { silentLogger } from "../../src/logger.js";
import { withFolder } from "../adapters/folder.js";
import { checkedFetch } from "../api/answer-check.js";
import { BUCKET, inTime, onPort, sender, withoutStrays, withServer } from "../harness.js";
import { codeOf } from "../refusals.js";
import { event, json, until } from "./client.js";
import { withHeldTimers } from "./held-timers.js";
import { connect, head, jsonRequest, withConnection } from "./raw.js";
import { bucketNamed, door, fill, watched } from "./storages.js";

const test = suite("the end of a server");

const INFO = head("GET /api/0/info", "Host: localhost");

/** A storage that writes down when it is closed, and lets nothing be done afterwards. */
function noting(inner: Storage, notes: string[]): Storage {
  return {
    ...inner,
    async close() {
      notes.push("storage closed");
      await inner.close();
    },
  };
}

async function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1");
    socket.on("connect", () => resolve(socket.destroy() !== undefined));
    socket.on("error", () => resolve(false));
  });
}

test("close() stops accepting, closes the storage once, and may be called again", async () => {
  const notes: string[] = [];
  await withServer({ storage: noting(memory(), notes) }, async ({ server, port, send }) => {
    json(await send("GET", "/api/0/info"));
    await inTime(Promise.all([server.close(), server.close()]), "close() twice at once");
    await inTime(server.close(), "close() again");
    await inTime(server[Symbol.asyncDispose](), "the disposal");
    assert.equal(notes, ["storage closed"]);
    assert.not(await isListening(port));
  });
});

test("close() without listen() closes the storage", async () => {
  const notes: string[] = [];
  const server = createActivityServer({ storage: noting(memory(), notes) });
  await inTime(server.close(), "close()");
  assert.equal(notes, ["storage closed"]);
});

test("connections without a request under way do not hold close() up", () =>
  withServer({}, async ({ server, port }) => {
    const kept = await connect(port);
    const fresh = await connect(port);
    const half = await connect(port);
    kept.write(INFO);
    json(await kept.answer());
    half.write("GET /api/0/inf");
    await inTime(server.close(), "close()");
    for (const connection of [kept, fresh, half]) await inTime(connection.rest(), "the connection");
  }));

/** Holds back every timer as long as a grace, until the body says that its time has come. */
async function withGraces(body: (endGraces: () => void) => Promise<void>): Promise<void> {
  const { setTimeout: start } = globalThis;
  const held: (() => void)[] = [];
  const hold = (then: () => void, millis = 0): unknown => {
    const isGrace = millis >= 1_000 && millis < 10_000;
    if (isGrace) held.push(then);
    return isGrace ? start(() => {}, 0) : start(then, millis);
  };
  globalThis.setTimeout = Object.assign(hold, start) as unknown as typeof setTimeout;
  try {
    await body(() => {
      for (const then of held) then();
    });
  } finally {
    globalThis.setTimeout = start;
  }
}

test("connections that never sent anything, or have their answer, are not waited for like a request", () => {
  const gate = door();
  let asked = false;
  const gated: Storage = {
    ...memory(),
    async deviceId() {
      asked = true;
      await gate.opened;
      return "device";
    },
  };
  return withServer({ storage: gated }, async ({ port, server }) => {
    const silent = await connect(port);
    const kept = await connect(port);
    const busy = await connect(port);
    kept.write(head("GET /api/0/buckets", "Host: localhost"));
    json(await kept.answer());
    busy.write(INFO);
    await until(() => asked, "the request reached the storage");
    await withGraces(async () => {
      const closed = server.close();
      gate.open();
      json(await inTime(busy.answer(), "the answer"));
      await inTime(closed, "close(), whose grace never ends");
    });
    for (const connection of [silent, kept, busy]) connection.socket.destroy();
  });
});

test("a request that does not go on, and a response that is not taken, are cut when their grace is over", async () => {
  const storage = memory();
  await fill(storage, "b", 20_000, 1000);
  await withServer({ storage }, async ({ port, server }) => {
    const taker = await connect(port);
    taker.socket.pause();
    taker.write(head("GET /api/0/export", "Host: localhost"));
    const request = jsonRequest("POST /api/0/settings/x", "1", "Host: localhost", "Expect: 100-continue");
    const giver = await connect(port);
    giver.write(request.slice(0, -1));
    assert.is((await giver.answer())?.status, 100);
    await withGraces(async (endGraces) => {
      let isClosed = false;
      const closed = server.close().then(() => {
        isClosed = true;
      });
      assert.not(await isListening(port));
      assert.not(isClosed);
      endGraces();
      await inTime(closed, "close()");
    });
    taker.socket.destroy();
    giver.socket.destroy();
  });
});

/** Each request, held up inside the storage. */
const HELD: Readonly<Record<string, string>> = {
  "a heartbeat": jsonRequest(
    "POST /api/0/buckets/b/heartbeat?pulsetime=1",
    JSON.stringify(event(0)),
    "Host: localhost",
  ),
  "an insertion": jsonRequest("POST /api/0/buckets/b/events", JSON.stringify([event(0)]), "Host: localhost"),
  "a creation": jsonRequest("POST /api/0/buckets/c", JSON.stringify(BUCKET), "Host: localhost"),
  "an import": jsonRequest(
    "POST /api/0/import",
    JSON.stringify({ buckets: { b: { ...BUCKET, events: [event(0)] } } }),
    "Host: localhost",
  ),
  "a read": head("GET /api/0/buckets/b/events", "Host: localhost"),
  "a list": head("GET /api/0/buckets", "Host: localhost"),
};

for (const [name, bytes] of Object.entries(HELD)) {
  test(`close() waits for a request under way, and its storage stays open that long: ${name}`, async () => {
    const notes: string[] = [];
    const gate = door();
    const inner = memory();
    await inner.createBucket(bucketNamed("b"));
    let held = 0;
    const holding = new Proxy(noting(inner, notes), {
      get(target, key) {
        const verb = Reflect.get(target, key) as unknown;
        if (typeof verb !== "function" || key === "close" || key === "ready" || key === "records") return verb;
        return async (...args: unknown[]) => {
          held++;
          await gate.opened;
          return Reflect.apply(verb as (...all: unknown[]) => unknown, target, args);
        };
      },
    });
    await withServer({ storage: holding }, async ({ server, port }) => {
      await withConnection(port, async (connection) => {
        connection.write(bytes);
        await until(() => held > 0, "the request reached the storage");
        const closed = server.close().then(() => notes.push("closed"));
        await new Promise((resolve) => setImmediate(resolve));
        assert.equal(notes, []);
        gate.open();
        const answer = await inTime(connection.answer(), "the answer");
        assert.is(answer?.status, 200, String(answer?.body));
        await inTime(closed, "close()");
        assert.equal(notes, ["storage closed", "closed"]);
      });
    });
  });
}

test("an export that is being read when close() is called comes whole", async () => {
  const inner = memory();
  await fill(inner, "b", 20_000, 1000);
  const storage = watched(inner);
  await withServer({ storage }, async ({ server, port }) => {
    const notes: string[] = [];
    await withConnection(port, async ({ socket, write }) => {
      let text = 0;
      let tail = "";
      socket.removeAllListeners("data");
      socket.pause();
      write(head("GET /api/0/export", "Host: localhost"));
      await until(() => storage.reads.batches > 2, "the export was begun");
      const closed = server.close().then(() => notes.push("closed"));
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
      assert.equal(notes, [], "close() did not wait");
      socket.on("data", (piece) => {
        text += piece.length;
        tail = (tail + piece.subarray(-20).toString("latin1")).slice(-20);
      });
      socket.resume();
      await inTime(closed, "close()");
      await until(() => tail.endsWith("0\r\n\r\n"), "the last piece came");
      assert.ok(text > 20_000_000);
      assert.match(tail, "]}}}");
    });
  });
});

test("a response whose head cannot be written ends its read, and close() does not wait for it", async () => {
  const inner = memory();
  await fill(inner, "b", 20_000);
  const storage = watched(inner);
  await withServer({ door: "process", storage }, ({ server, errors }) =>
    onPort(
      (request, response) => {
        const { writeHead } = response;
        response.writeHead = () => {
          // Only once, so that the error can be sent.
          response.writeHead = writeHead;
          throw new Error("a head that the program around refuses");
        };
        return server.nodeHandler(request, response);
      },
      async ({ port }) => {
        const response = await fetch(`http://127.0.0.1:${port}/api/0/export`);
        assert.is(response.status, 500);
        await response.text();
        await withHeldTimers(5000, async () => {
          await inTime(server.close(), "close()", 10);
        });
        assert.equal(storage.reads.open, 0);
        assert.is(errors.splice(0).length, 1);
      },
    ),
  );
});

test("a request of fetch() that runs when close() is called is finished before the storage is closed", async () => {
  const notes: string[] = [];
  const inner = memory();
  await fill(inner, "b", 20_000, 200);
  const server = createActivityServer({ storage: noting(inner, notes) });
  const answer = await server.fetch(new Request("http://localhost/api/0/export"));
  const closed = server.close();
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(notes, []);
  const { buckets } = (await answer.json()) as { buckets: { b: { events: unknown[] } } };
  assert.is(buckets.b.events.length, 20_000);
  await inTime(closed, "close()");
  assert.equal(notes, ["storage closed"]);
});

test("a listener can be closed alone, and twice", () =>
  withServer({}, async ({ server, port, send }) => {
    const other = await server.listen({ port: 0 });
    assert.ok(await isListening(other.port));
    await inTime(Promise.all([other.close(), other.close()]), "close()");
    await inTime(other.close(), "close() again");
    assert.not(await isListening(other.port));
    json(await send("GET", "/api/0/info"));
    assert.ok(await isListening(port));
  }));

test("nothing can be done after close(), and whoever asks is told", async () => {
  await withoutStrays(async () => {
    const server = createActivityServer({ storage: memory(), logger: silentLogger });
    await server.close();
    const beat = { timestamp: micros(0) };
    const calls: readonly (() => unknown)[] = [
      () => server.listen({ port: 0 }),
      () => server.on("heartbeat", () => undefined),
      () => server.buckets.list(),
      () => server.buckets.create("b", { type: "", client: "", hostname: "" }),
      () => server.events.insert("b", beat),
      () => server.events.read("b").toArray(),
      () => server.heartbeat("b", beat, "1s"),
      () => server.export()[Symbol.asyncIterator]().next(),
      () => server.import({ buckets: { b: { type: "", client: "", hostname: "" } } }),
      () => server.settings.put("x", 1),
    ];
    for (const call of calls) {
      assert.is(await codeOf(new Promise((resolve) => resolve(call()))), "STORAGE_CLOSED", String(call));
    }
    for (const [method, path] of [
      ["GET", "/api/0/info"],
      ["GET", "/api/0/buckets"],
      ["GET", "/api/0/export"],
      ["POST", "/api/0/settings/x"],
      ["POST", "/api/0/import"],
    ] as const) {
      const body = path.endsWith("import") ? '{"buckets":{"b":{"type":"","client":"","hostname":""}}}' : "1";
      const init = { method, headers: { "content-type": "application/json" }, ...(method === "POST" && { body }) };
      const answer = await checkedFetch(`http://localhost${path}`, init, server.fetch);
      assert.is(answer.status, 503, path);
      assert.type(((await answer.json()) as { message: unknown }).message, "string");
    }
  });
});

test("a listen() that close() overtakes leaves no open socket", () =>
  withServer({}, async ({ server }) => {
    const opening = server.listen({ port: 0 }).then(
      (listener) => listener.port,
      () => undefined,
    );
    await inTime(server.close(), "close()");
    const port = await opening;
    if (port !== undefined) assert.not(await isListening(port), `port ${port} still accepts connections`);
  }));

test("a folder can be opened again as soon as close() has resolved, with all that was written", () =>
  withFolder(async (folder) => {
    for (let round = 0; round < 3; round++) {
      const server = createActivityServer({ storage: await leveldb({ path: folder }) });
      const { port } = await server.listen({ port: 0 });
      const { send, close } = sender(port);
      assert.is((await send("POST", "/api/0/buckets/b", BUCKET)).status, round === 0 ? 200 : 304);
      json(await send("POST", "/api/0/buckets/b/heartbeat?pulsetime=0", event(round, { round })));
      assert.is(json(await send("GET", "/api/0/buckets/b/events/count")), round + 1);
      close();
      await inTime(server.close(), "close()");
    }
  }));

test.run();
