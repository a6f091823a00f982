// The methods of the API without HTTP: what goes in here comes out there, and the other way round.

import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { ActivityError, type ActivityServer, createActivityServer, type ErrorCode, micros } from "../../src/index.js";
import type { StoredEvent } from "../../src/storage/index.js";
import { checkedFetch } from "../api/answer-check.js";
import { textOf } from "../client/failure-of.js";
import { withServer } from "../harness.js";

const test = suite("in process");

const BUCKET = { type: "currentwindow", client: "test", hostname: "box" };
const T0 = Date.parse("2024-03-01T10:00:00Z") * 1000;

async function withClock(body: (server: ActivityServer) => Promise<void>): Promise<void> {
  await withServer({ door: "process", hostname: "box", clock: () => T0 / 1000 }, async ({ server }) => {
    await server.buckets.create("b", BUCKET);
    await body(server);
  });
}

async function get(server: ActivityServer, path: string): Promise<unknown> {
  const answer = await checkedFetch(`http://localhost/api/0${path}`, {}, server.fetch);
  return answer.json();
}

async function refuses(call: () => unknown, code: ErrorCode, message: RegExp): Promise<void> {
  const thrown = await new Promise((resolve) => resolve(call())).then(
    () => `nothing refused ${String(call)}`,
    (error: unknown) => error,
  );
  assert.ok(ActivityError.is(thrown), String(thrown));
  assert.is(thrown.code, code);
  assert.match(thrown.message, message);
}

test("events are inserted, read in pieces or at once, counted and deleted", () =>
  withClock(async (server) => {
    const { events } = server;
    const one = await events.insert("b", { timestamp: new Date(T0 / 1000), duration: { micros: 10 }, data: { n: 1 } });
    const others = await events.insert("b", [{ timestamp: micros(T0 + 20) }, { timestamp: "2024-03-01T10:00:01Z" }]);
    assert.equal(one, { id: one.id, timestamp: T0, duration: 10, data: { n: 1 } });
    assert.is(others.length, 2);
    const all = await events.read("b").toArray();
    assert.equal(all, [others[1], others[0], one]);
    assert.equal(await events.read("b", { order: "oldest", limit: 1 }).toArray(), [one]);
    assert.equal(await events.read("b", { start: micros(T0 + 4), end: micros(T0 + 6) }).toArray(), [
      { ...one, timestamp: T0 + 4, duration: 2 },
    ]);
    assert.equal(await events.read("b", { start: micros(T0 + 6), end: micros(T0) }).toArray(), []);
    const seen: StoredEvent[] = [];
    for await (const event of events.read("b")) seen.push(event);
    assert.equal(seen, all);
    for await (const chunk of events.read("b").chunks()) assert.equal(chunk, all);
    assert.is(await events.count("b"), 3);
    assert.is(await events.count("b", { end: micros(T0 + 20) }), 2);
    assert.equal(await events.get("b", one.id as number), one);
    assert.ok(await events.delete("b", one.id as number));
    assert.is(await events.delete("b", one.id as number), undefined);
    await refuses(() => events.get("b", one.id as number), "NO_SUCH_EVENT", /no event with id/);
    assert.equal(await events.insert("b", []), []);
    assert.is(((await get(server, "/buckets/b/events")) as unknown[]).length, 2);
  }));

test("a reader that is left early lets go of the storage", async () => {
  let open = 0;
  const inner = memory();
  const storage: typeof inner = {
    ...inner,
    async read(...given) {
      const { version, batches } = await inner.read(...given);
      return { version, batches: counted(batches) };
    },
  };
  async function* counted<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
    open++;
    try {
      yield* items;
    } finally {
      open--;
    }
  }
  await withServer({ door: "process", storage }, async ({ server }) => {
    const events = Array.from({ length: 5000 }, (_, n) => ({ timestamp: micros(n) }));
    await server.buckets.create("b", BUCKET, events);
    for await (const { id } of server.events.read("b")) if (id > 0) break;
    assert.is(open, 0);
    for await (const chunk of server.events.read("b").chunks()) if (chunk.length > 0) break;
    assert.is(open, 0);
  });
});

test("settings are kept as copies", () =>
  withClock(async ({ settings }) => {
    const value = { a: [1] };
    await settings.put("k", value);
    value.a.push(2);
    assert.equal(await settings.get("k"), { a: [1] });
    await refuses(() => settings.put("k".repeat(128), 1), "INVALID_INPUT", /^key must be .*127/);
    const nothing = undefined as unknown as null;
    await refuses(() => settings.put("k", nothing), "INVALID_INPUT", /must be a JSON value, got nothing/);
  }));

test("an export is the document of the API, and an import takes it in every shape", () =>
  withClock(async (server) => {
    await server.events.insert("b", [{ timestamp: micros(T0), duration: "1.5s", data: { text: "ü😀\u0000" } }]);
    const text = await textOf(server.export());
    assert.equal(JSON.parse(text), await get(server, "/export"));
    assert.is(await textOf(server.export("b")), text);
    const bytes = new TextEncoder().encode(text);
    const half = text.indexOf("\ud83d") + 1;
    const sources: readonly (() => Parameters<ActivityServer["import"]>[0])[] = [
      () => text,
      () => bytes,
      () => JSON.parse(text) as { buckets: object },
      () => server.export(),
      () => [text.slice(0, half), text.slice(half)],
      () => [bytes.slice(0, 7), text.slice(7)],
      () => new Blob([bytes]).stream(),
      () => new Response(text).body as ReadableStream<Uint8Array>,
    ];
    for (const source of sources) {
      await withServer({ door: "process" }, async ({ server: other }) => {
        assert.equal(await other.import(source()), {
          bucketsCreated: 1,
          bucketsMerged: 0,
          eventsImported: 1,
          eventsKnown: 0,
          eventsInvalid: 0,
        });
        assert.equal(await other.events.read("b").toArray(), await server.events.read("b").toArray());
        assert.is((await other.import(text)).eventsKnown, 1);
      });
    }
  }));

test("what cannot be right is refused before anything is written", () =>
  withClock(async (server) => {
    const { buckets, events } = server;
    await refuses(() => buckets.create("", BUCKET), "INVALID_INPUT", /^bucketId must be/);
    await refuses(() => buckets.get(5 as unknown as string), "INVALID_INPUT", /^bucketId must be/);
    await refuses(() => buckets.create("x", BUCKET, null as never), "INVALID_INPUT", /^events must/);
    await refuses(() => buckets.create("x", BUCKET, "xx" as never), "INVALID_INPUT", /^events must be/);
    const locked = new Response("{}").body as ReadableStream<Uint8Array>;
    locked.getReader();
    await refuses(() => server.import(locked), "INVALID_INPUT", /^the document must be /);
    await refuses(() => events.insert("none", { timestamp: micros(T0) }), "NO_SUCH_BUCKET", /'none'/);
    await refuses(() => events.read("b", { start: "x" }), "INVALID_INPUT", /^start/);
    await refuses(() => events.read("none").toArray(), "NO_SUCH_BUCKET", /'none'/);
    await refuses(
      () => server.heartbeat("b", { timestamp: micros(T0) }, 60 as never),
      "INVALID_INPUT",
      /^pulsetime must be .*"60s"/,
    );
    await refuses(() => server.import("{"), "INVALID_INPUT", /not JSON/);
    await refuses(() => server.import(5 as unknown as string), "INVALID_INPUT", /^the document must be /);
    await refuses(() => server.import([5 as unknown as string]), "INVALID_INPUT", /^a piece of the document must be /);
    await refuses(() => server.import({ nothing: 1 } as unknown as string), "INVALID_INPUT", /"buckets"/);
    assert.is(await events.count("b"), 0);
    assert.is((await buckets.list()).length, 1);
  }));

test("close() waits for a write under way, so that an import is never cut in the middle", async () => {
  const storage = memory();
  const server = createActivityServer({ storage });
  const events = Array.from({ length: 3000 }, (_, n) => ({ timestamp: new Date(n).toISOString(), data: {} }));
  const importing = server.import({ buckets: { b: { ...BUCKET, events } } });
  await server.close();
  assert.is((await importing).eventsImported, 3000);
});

test("close() waits for reads under way as well, to their end or until they are left", async () => {
  for (const leave of [false, true]) {
    const server = createActivityServer({ storage: memory() });
    await server.buckets.create(
      "b",
      BUCKET,
      Array.from({ length: 5000 }, (_, n) => ({ timestamp: micros(n) })),
    );
    const reader = server.events.read("b").chunks()[Symbol.asyncIterator]();
    const first = await reader.next();
    let isClosed = false;
    const closing = server.close().then(() => {
      isClosed = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    assert.is(isClosed, false);
    if (leave) await reader.return?.();
    let count = (first.value as unknown[]).length;
    for (let next = await reader.next(); !next.done; next = await reader.next()) count += next.value.length;
    if (!leave) assert.is(count, 5000);
    await closing;
  }
});

test("a bucket without a name, which only imports can bring, can be read and deleted", () =>
  withClock(async ({ buckets, events, ...server }) => {
    await server.import({ buckets: { "": BUCKET } });
    assert.is((await buckets.get("")).id, "");
    await events.insert("", { timestamp: micros(T0) });
    await buckets.delete("");
    await refuses(() => buckets.get(""), "NO_SUCH_BUCKET", /''/);
  }));

test.run();
