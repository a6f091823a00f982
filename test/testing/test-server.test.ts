import { suite } from "uvu";
import * as assert from "uvu/assert";
import { veto } from "../../src/index.js";
import {
  bucket,
  createTestServer,
  event,
  fakeClock,
  realisticDay,
  type TestServerOptions,
  toExport,
} from "../../src/testing/index.js";
import { checkedFetch } from "../api/answer-check.js";
import { withTestServer } from "../harness.js";
import { codeOf, refusalOf } from "../refusals.js";
import { assertRefused, wrong } from "./refusal.js";
import { everythingOf, someWork } from "./servers.js";

const test = suite("test server");

const WINDOW = bucket();

test("it can be used at once, and behind await as well", () =>
  withTestServer({}, async (server) => {
    assert.is((await server.fetch("/api/0/info")).status, 200);
    assert.is(await server, server);
  }));

test("two of one seed cannot be told apart, two of different seeds can", async () => {
  const shown: string[] = [];
  for (const seed of [1, 1, 2]) {
    await withTestServer({ seed }, async (server) => {
      await someWork(server);
      shown.push(await everythingOf(server));
    });
  }
  assert.is(shown[0], shown[1]);
  assert.is.not(shown[0], shown[2]);
});

test("it opens no port until it is asked to, and then a free one of loopback", async () => {
  const sockets = (): string[] => process.getActiveResourcesInfo().filter((name) => name.includes("TCP"));
  const before = sockets().length;
  let served = "";
  await withTestServer({}, async (server) => {
    await someWork(server);
    assert.is(sockets().length, before);
    const { url, port } = await server.listen();
    assert.is(url, `http://127.0.0.1:${port}`);
    assert.ok(port > 0);
    served = `${url}/api/0/info`;
    assert.is((await checkedFetch(served)).status, 200);
  });
  const [outcome] = await Promise.allSettled([fetch(served)]);
  assert.is(outcome?.status, "rejected");
});

test("builders and days go in as they are", async () => {
  const clock = fakeClock("2024-05-06T07:08:09.123456Z");
  await withTestServer({ clock }, async (server) => {
    assert.is(server.clock, clock);
    const day = realisticDay();
    await server.buckets.create(WINDOW.id, WINDOW);
    assert.equal(await server.events.insert(WINDOW.id, event()), { ...event(), id: 1 });
    assert.is((await server.heartbeat(WINDOW.id, event(), 0)).id, 1);
    await server.load({ bucket: bucket({ id: "own" }), events: [event(), event()] });
    assert.is(await server.events.count("own"), 2);
    assert.equal(await server.import(toExport(day)), {
      bucketsCreated: 3,
      bucketsMerged: 1,
      eventsImported: 1013 + 19 + 369 + 272,
      eventsKnown: 0,
      eventsInvalid: 0,
    });
  });
});

test("a loaded day reads back as it was made", async () => {
  await withTestServer({}, async (server) => {
    const day = realisticDay({ timezone: "Asia/Kathmandu" });
    await server.load(day);
    let id = 1;
    for (const { bucket: made, events } of [day.window, day.afk, day.web, day.editor]) {
      const { start: _, end: __, ...record } = await server.buckets.get(made.id);
      assert.equal(record, made);
      const stored = await server.events.read(made.id, { order: "oldest" }).toArray();
      assert.equal(
        stored,
        events.map((one) => ({ ...one, id: id++ })),
      );
    }
  });
});

test("a bucket that is there takes the events of a load", async () => {
  await withTestServer({}, async (server) => {
    const filled = { bucket: WINDOW, events: [event()] };
    await server.load([filled, { ...filled, bucket: bucket({ name: "other" }) }]);
    assert.is(await server.events.count(WINDOW.id), 2);
    assert.is((await server.buckets.get(WINDOW.id)).name, null);
  });
});

test("hooks, keys and other options are passed on", async () => {
  const hooks = {
    beforeInsert() {
      throw veto("nothing on Fridays");
    },
  };
  await withTestServer({ hooks, apiKey: "secret", hostname: "desk", testing: false }, async (server) => {
    assert.is((await checkedFetch("/api/0/buckets", {}, server.fetch)).status, 401);
    const info = await (await checkedFetch("/api/0/info", {}, server.fetch)).json();
    assert.equal([info.hostname, info.testing], ["desk", false]);
    assert.is(await refusalOf(server.load({ bucket: WINDOW, events: [event()] })), "VETOED: nothing on Fridays");
  });
});

test("after closing, as after await using, calls are refused with a code", async () => {
  const server = createTestServer();
  await server[Symbol.asyncDispose]();
  assert.is(await refusalOf(server.reset()), "STORAGE_CLOSED: the server is closed");
  assert.is(await refusalOf(server.listen()), "STORAGE_CLOSED: the server is closed");
  assert.is(await codeOf(server.buckets.list()), "STORAGE_CLOSED");
  assert.is(await codeOf(server.load(realisticDay())), "STORAGE_CLOSED");
  assert.is((await checkedFetch("/api/0/info", {}, server.fetch)).status, 503);
  await server.close();
});

test("wrong options are refused before anything is made", () => {
  const wrongly = (options: unknown) => () => createTestServer(wrong<TestServerOptions>(options));
  assertRefused(wrongly({ seed: "a" }), "seed must be");
  assert.throws(wrongly({ clock: "noon" }), /^start of the clock must be /);
  assert.throws(
    wrongly({ clock: Date.now }),
    (thrown: unknown) =>
      thrown instanceof TypeError && thrown.message === "clock must be a fakeClock() or a time, got another function",
  );
  assert.throws(
    wrongly({ storage: {} }),
    (thrown: unknown) =>
      thrown instanceof TypeError &&
      thrown.message === "a test server has its own storage; use createActivityServer to choose another",
  );
  assert.throws(wrongly({ bodyLimitBytes: -1 }), /bodyLimitBytes/);
});

test.run();
