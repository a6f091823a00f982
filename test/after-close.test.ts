// own process: timers of storages that other files have left would count.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../adapters/leveldb/index.js";
import { memory } from "../adapters/memory.js";
import { createActivityServer, type Storage } from "../src/index.js";
import { START_MAINTENANCE } from "../src/util/in-process.js";
import { BUCKET, sender } from "./harness.js";

const test = suite("after close()");

/** Caches drop what they have when nobody has asked for a while: nothing is loaded or written then. */
const ONLY_FORGETS = /lru-cache/;

/** Runs the body. @returns where timers were started that are still pending after it */
async function pendingAfter(body: () => Promise<void>): Promise<string[]> {
  const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis;
  const places = new Map<unknown, string>();
  const place = () => (new Error().stack ?? "").split("\n").slice(3, 5).join("");
  const clear = (timer: Parameters<typeof clearTimeout>[0]): void => {
    places.delete(timer);
    clearTimeout(timer);
  };
  globalThis.setTimeout = ((call: (...given: unknown[]) => void, millis: number, ...given: unknown[]) => {
    const timer = setTimeout(() => {
      places.delete(timer);
      call(...given);
    }, millis);
    places.set(timer, place());
    return timer;
  }) as typeof setTimeout;
  globalThis.setInterval = ((call: () => void, millis: number) => {
    const timer = setInterval(call, millis);
    places.set(timer, place());
    return timer;
  }) as typeof setInterval;
  Object.assign(globalThis, { clearTimeout: clear, clearInterval: clear });
  try {
    await body();
  } finally {
    Object.assign(globalThis, { setTimeout, clearTimeout, setInterval, clearInterval });
  }
  return [...places.values()];
}

async function useServer(storage: Storage): Promise<void> {
  const server = createActivityServer({ storage, hostname: "box" });
  const { port } = await server.listen({ port: 0 });
  const { send, close } = sender(port);
  await server.buckets.create("window", BUCKET, [{ timestamp: "2024-03-01T10:00:00Z", duration: "5s" }]);
  await send("GET", "/api/0/buckets/window/events");
  await send("POST", "/api/0/query", {
    timeperiods: ["2024-03-01T00:00:00Z/2024-03-02T00:00:00Z"],
    query: ['RETURN = query_bucket("window");'],
  });
  await server.buckets.delete("window");
  server.on("change", () => {});
  close();
  await server.close();
}

test("no timer of a server is pending", async () => {
  const pending = await pendingAfter(() => useServer(memory()));
  assert.equal(
    pending.filter((place) => !ONLY_FORGETS.test(place)),
    [],
  );
});

test("no timer of a server over a folder is pending", async () => {
  const path = await mkdtemp(join(tmpdir(), "after-close-"));
  try {
    const pending = await pendingAfter(() => useServer(leveldb({ path })));
    assert.equal(
      pending.filter((place) => !ONLY_FORGETS.test(place)),
      [],
    );
  } finally {
    await rm(path, { recursive: true });
  }
});

test("what a launcher starts after close() starts none", async () => {
  const pending = await pendingAfter(async () => {
    const server = createActivityServer({ storage: memory() });
    await server.close();
    server[START_MAINTENANCE]();
  });
  assert.equal(pending, []);
});

test.run();
