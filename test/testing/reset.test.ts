// long: 300 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  bucket,
  createTestServer,
  event,
  heartbeats,
  realisticDay,
  TEST_START,
  type TestServer,
  toExport,
  toWire,
} from "../../src/testing/index.js";
import { checkedFetch } from "../api/answer-check.js";
import { sendJson } from "../api/sending.js";
import { sizeOf } from "../faults/sizes.js";
import { withTestServer } from "../harness.js";
import { codeOf } from "../refusals.js";
import { everythingOf, JSON_TYPE, someWork } from "./servers.js";

const test = suite("reset of a test server");

const WINDOW = bucket();

test("after a reset it is as at the start, byte for byte", async () => {
  await withTestServer({}, async (server) => {
    const before = await everythingOf(server);
    await someWork(server);
    const filled = await everythingOf(server);
    await server.reset();
    assert.is(await everythingOf(server), before);
    assert.is(server.clock.now(), TEST_START);
    await someWork(server);
    assert.is(await everythingOf(server), filled);
  });
});

test("a reset takes the clock to where it began", async () => {
  await withTestServer({ clock: "2024-05-06" }, async (server) => {
    server.clock.set("2030-01-01");
    await server.reset();
    assert.is(server.clock.now(), Date.UTC(2024, 4, 6) * 1000);
  });
});

test("who listens goes on listening after a reset", async () => {
  await withTestServer({}, async (server) => {
    const heard: string[] = [];
    server.on("bucket", ({ bucketId, action }) => heard.push(`${action} ${bucketId}`));
    await server.buckets.create("a", WINDOW);
    await server.reset();
    await server.buckets.create("a", WINDOW);
    assert.equal(heard, ["created a", "created a"]);
  });
});

test("what was under way when it was reset is gone, and nobody was told of a fault", async () => {
  const faults: unknown[] = [];
  const logger = { info() {}, warn() {}, error: (fault: unknown) => faults.push(fault) };
  const day = realisticDay();
  await withTestServer({ logger }, async (server) => {
    for (let round = 0; round < sizeOf("RESETS", { short: 2, long: 5 }); round++) {
      await server.load(day);
      const underWay = [
        server.import(toExport([realisticDay({ hostname: "a" }), realisticDay({ hostname: "b" })])),
        server.import(JSON.stringify(toExport(realisticDay({ seed: 2 })))),
        sendJson(server, "POST", "/api/0/import", toExport(realisticDay({ hostname: "c" }))),
        server.load(realisticDay({ hostname: "d" })),
        ...Array.from({ length: 20 }, (_, index) =>
          sendJson(server, "POST", `/api/0/buckets/${index}`, { ...toWire(WINDOW), events: [toWire(event())] }),
        ),
        ...heartbeats({ every: "1s", for: "20s" }).map((beat) => server.heartbeat(day.window.bucket.id, beat, 0)),
        server.settings.put("theme", "dark"),
        server.events.read(day.window.bucket.id).toArray(),
        checkedFetch("/api/0/export", {}, server.fetch).then((answer) => answer.text()),
      ];
      const ended = Promise.allSettled(underWay);
      await server.reset();
      assert.equal(await server.buckets.list(), []);
      assert.equal(await server.settings.list(), {});
      const outcomes = await ended;
      assert.equal(
        outcomes.filter(({ status }) => status === "rejected"),
        [],
      );
      assert.equal(await server.buckets.list(), []);
    }
  });
  assert.equal(faults, []);
});

test("clients that go on writing over a socket see no fault when it is reset", async () => {
  const faults: unknown[] = [];
  const logger = { info() {}, warn() {}, error: (fault: unknown) => faults.push(fault) };
  await withTestServer({ logger }, async (server) => {
    const { url } = await server.listen();
    const statuses = new Set<number>();
    async function watcher(name: string): Promise<void> {
      for (const beat of heartbeats({ every: "1s", for: "40s" })) {
        const path = `${url}/api/0/buckets/${name}`;
        const send = (to: string, body: unknown): Promise<Response> =>
          checkedFetch(to, { method: "POST", headers: JSON_TYPE, body: JSON.stringify(body) });
        statuses.add((await send(path, toWire(WINDOW))).status);
        const answer = await send(`${path}/heartbeat?pulsetime=1`, toWire(beat));
        statuses.add(answer.status);
        await answer.text();
      }
    }
    const watchers = Promise.all(["a", "b", "c", "d"].map(watcher));
    for (let round = 0; round < 10; round++) await server.reset();
    await watchers;
    // 404 is a beat behind a reset whose bucket had been created before it.
    assert.equal(
      [...statuses].filter((status) => ![200, 304, 404].includes(status)),
      [],
    );
    await server.reset();
    assert.equal(await server.buckets.list(), []);
  });
  assert.equal(faults, []);
});

test("a read that has begun goes on over a reset with what was there", async () => {
  await withTestServer({}, async (server) => {
    const events = heartbeats({ every: "1s", for: "1h" });
    await server.load({ bucket: WINDOW, events });
    let seen = 0;
    for await (const chunk of server.events.read(WINDOW.id).chunks()) {
      if (seen === 0) await server.reset();
      seen += chunk.length;
    }
    assert.is(seen, events.length);
    assert.equal(await server.buckets.list(), []);
  });
});

test("a request whose body does not come does not hold up a reset", async () => {
  await withTestServer({}, async (server) => {
    let finish: (() => void) | undefined;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        finish = () => {
          controller.enqueue(new TextEncoder().encode(JSON.stringify(toWire(WINDOW))));
          controller.close();
        };
      },
    });
    const init = { method: "POST", headers: JSON_TYPE, body, duplex: "half" };
    const answer = server.fetch("/api/0/buckets/late", init as RequestInit);
    await server.reset();
    finish?.();
    assert.is((await answer).status, 200);
    assert.equal(
      (await server.buckets.list()).map(({ id }) => id),
      ["late"],
    );
  });
});

test("a reset works while a test has stopped the timers", async () => {
  await withTestServer({}, async (server) => {
    await server.buckets.create("a", WINDOW);
    const { setImmediate, setTimeout } = globalThis;
    try {
      Object.assign(globalThis, { setImmediate: () => 0, setTimeout: () => 0 });
      await server.reset();
    } finally {
      Object.assign(globalThis, { setImmediate, setTimeout });
    }
    assert.equal(await server.buckets.list(), []);
  });
});

test("several resets at once are as one", async () => {
  await withTestServer({}, async (server) => {
    await someWork(server);
    await Promise.all([server.reset(), server.reset(), server.reset()]);
    assert.equal(await server.buckets.list(), []);
    assert.is((await server.events.insert(await created(server), event())).id, 1);
  });
});

test("closing during a reset leaves it closed", async () => {
  const server = createTestServer();
  await server.buckets.create("a", WINDOW);
  await Promise.all([server.reset(), server.close()]);
  assert.is(await codeOf(server.buckets.list()), "STORAGE_CLOSED");
});

async function created(server: TestServer): Promise<string> {
  await server.buckets.create(WINDOW.id, WINDOW);
  return WINDOW.id;
}

test.run();
