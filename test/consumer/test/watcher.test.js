import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestServer } from "activity-server/testing";
import { createWatcher } from "../src/watcher.js";

async function withServer(use) {
  const server = createTestServer();
  try {
    await use(server);
  } finally {
    await server.close();
  }
}

function watcherOf(server, options) {
  return createWatcher({ url: "http://localhost", fetch: server.fetch, now: server.clock, ...options });
}

test("one thing that goes on is one event", () =>
  withServer(async (server) => {
    const watcher = watcherOf(server, { look: () => ({ app: "Code" }) });
    const start = server.clock.now();
    for (let second = 0; second < 60; second += 5) {
      assert.equal(await watcher.tick(), true);
      server.clock.advance("5s");
    }
    assert.deepEqual(await server.events.read(watcher.bucketId).toArray(), [
      { id: 1, timestamp: start, duration: 55e6, data: { app: "Code" } },
    ]);
    assert.equal((await server.buckets.get(watcher.bucketId)).hostname, "test-host");
  }));

test("after a pause longer than the pulsetime a new event begins", () =>
  withServer(async (server) => {
    const watcher = watcherOf(server, { look: () => ({}) });
    for (const pause of ["10s", "11s", "10s"]) {
      await watcher.tick();
      server.clock.advance(pause);
    }
    assert.equal(await server.events.count(watcher.bucketId), 2);
  }));

test("what could not be delivered comes later, and nothing is lost", () =>
  withServer(async (server) => {
    let isDown = true;
    const fetch = (...args) => (isDown ? Promise.reject(new TypeError("fetch failed")) : server.fetch(...args));
    let looks = 0;
    const watcher = watcherOf(server, { fetch, look: () => ({ look: looks++ }) });
    assert.equal(await watcher.tick(), false);
    assert.equal(await watcher.tick(), false);
    isDown = false;
    assert.equal(await watcher.tick(), true);
    const events = await server.events.read(watcher.bucketId, { order: "oldest" }).toArray();
    assert.deepEqual(
      events.map(({ data }) => data.look),
      [0, 1, 2],
    );
  }));

test("it listens to what the server tells", () =>
  withServer(async (server) => {
    const heard = [];
    server.on("heartbeat", ({ bucketId, event }) => heard.push(`${bucketId} ${event.duration}`));
    const watcher = watcherOf(server, { look: () => ({}) });
    await watcher.tick();
    server.clock.advance("2s");
    await watcher.tick();
    assert.deepEqual(heard, ["focus-watcher 0", "focus-watcher 2000000"]);
  }));
