// What the option storage takes, and when anything of it is opened.
import fs from "node:fs/promises";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { memory } from "../../adapters/memory.js";
import { createActivityServer, micros, type Storage, type StorageSource } from "../../src/index.js";
import { silentLogger } from "../../src/logger.js";
import { withFolder } from "../adapters/folder.js";
import { recordingLogger, withoutStrays } from "../harness.js";
import { codeOf, refusalOf } from "../refusals.js";
import { ADAPTERS } from "./client.js";
import { withHeldTimers } from "./held-timers.js";
import { door } from "./storages.js";

const test = suite("the option storage");

const BUCKET = { type: "t", client: "c", hostname: "h" };

/** Every way to give one storage. */
const WAYS: Readonly<Record<string, (storage: Storage) => StorageSource>> = {
  "a storage": (storage) => storage,
  "a promise of one": (storage) => Promise.resolve(storage),
  "a function": (storage) => () => storage,
  "a function that gives a promise": (storage) => async () => storage,
};

for (const [way, give] of Object.entries(WAYS)) {
  for (const [adapter, withStorage] of Object.entries(ADAPTERS)) {
    test(`${way} of ${adapter} serves over HTTP and in process, and is closed`, () =>
      withStorage(async (storage) => {
        const server = createActivityServer({ storage: give(storage) });
        await server.buckets.create("b", BUCKET);
        await server.heartbeat("b", { timestamp: "2024-03-01", data: {} }, "1s");
        const beats = Array.from({ length: 20 }, (_, second) =>
          server.heartbeat("b", { timestamp: micros(Date.UTC(2024, 2, 1, 0, 0, second) * 1000), data: {} }, "1s"),
        );
        await Promise.all(beats);
        const answer = await server.fetch("/api/0/buckets/b/events");
        const events = (await answer.json()) as { duration: number }[];
        assert.equal(
          events.map(({ duration }) => duration),
          [19],
          "in the order of the calls",
        );
        const facts = await server.fetch("/server.json");
        assert.is(((await facts.json()) as { storage: string }).storage, adapter);
        assert.is((await server.fetch("/api/0/health")).status, 200);
        assert.is((await server.fetch("/api/0/export")).status, 200);
        await server.fetch("/api/0/settings/k", {
          ...{ method: "POST", headers: { "content-type": "application/json" }, body: "1" },
        });
        assert.equal(await server.settings.list(), { k: 1 });
        await server.close();
        assert.is(await codeOf(storage.listBuckets()), "STORAGE_CLOSED");
      }));
  }
}

test("making a server opens nothing: no folder, no function called, nothing that keeps the process", () =>
  withFolder(async (folder) => {
    let called = 0;
    const before = process.getActiveResourcesInfo();
    const servers = [
      createActivityServer({ storage: leveldb({ path: path.join(folder, "a") }) }),
      createActivityServer({
        storage: () => {
          called++;
          return leveldb({ path: path.join(folder, "b") });
        },
      }),
    ];
    assert.equal(process.getActiveResourcesInfo(), before);
    for (const server of servers) await server.close();
    assert.equal([called, await fs.readdir(folder)], [0, []]);
  }));

test("a function is called once, however many calls need the storage at once", async () => {
  let called = 0;
  const server = createActivityServer({
    storage: async () => {
      called++;
      return memory();
    },
  });
  await Promise.all([server.buckets.list(), server.fetch("/api/0/info"), server.fetch("/api/0/buckets")]);
  assert.is(called, 1);
  await server.close();
});

test("a function that fails is called again by the next request, and nothing is said of it to clients", async () => {
  const { logger, errors } = recordingLogger();
  let called = 0;
  const storage = (): Storage => {
    if (++called <= 2) throw new Error("the secret store is away");
    return memory();
  };
  const server = createActivityServer({ storage, logger });
  for (let time = 0; time < 2; time++) {
    const answer = await server.fetch("/api/0/buckets");
    assert.is(answer.status, 500);
    assert.not.match(await answer.text(), "secret");
  }
  assert.is((await server.fetch("/api/0/buckets")).status, 200);
  assert.equal([called, errors.map(String)], [3, new Array(2).fill("Error: the secret store is away")]);
  await server.close();
});

test("what is no storage is said in the log, and listen() rejects", async () => {
  const { logger, errors } = recordingLogger();
  const server = createActivityServer({ storage: (() => undefined) as unknown as () => Storage, logger });
  assert.is((await server.fetch("/api/0/buckets")).status, 500);
  assert.match(String(errors[0]), /storage must resolve to a storage, got undefined; use a storage such as memory\(\)/);
  assert.is(await codeOf(server.listen({ port: 0 })), "STORAGE_UNUSABLE");
  await server.close();
});

test("a promise that rejects is told to whoever needs the storage, and ends nothing", () =>
  withoutStrays(async () => {
    const server = createActivityServer({ storage: Promise.reject(new Error("no database")) });
    await new Promise((resolve) => setImmediate(resolve));
    assert.match(await refusalOf(server.buckets.list()), "no database");
    await server.close();
  }));

test("a storage that comes while the server closes serves what waits for it, and is closed", async () => {
  const storage = memory();
  let give: ((storage: Storage) => void) | undefined;
  const server = createActivityServer({ storage: () => new Promise((resolve) => (give = resolve)) });
  const listed = server.buckets.list();
  const closing = server.close();
  give?.(storage);
  await closing;
  assert.equal(await listed, []);
  assert.is(await codeOf(storage.listBuckets()), "STORAGE_CLOSED");
});

test("close() resolves only when the storage is closed, however long that takes", async () => {
  const { opened, open } = door();
  const storage: Storage = { ...memory(), close: () => opened };
  const server = createActivityServer({ storage: async () => storage });
  await server.buckets.create("b", BUCKET);
  await withHeldTimers(5000, async ({ goOff }) => {
    let isClosed = false;
    const closing = server.close().then(() => {
      isClosed = true;
    });
    for (let turn = 0; turn < 20; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
      goOff();
    }
    assert.not.ok(isClosed);
    open();
    await closing;
  });
});

test("the logger of the server reaches the storage, and its notices of health the server", async () => {
  const given: unknown[] = [];
  const inner: Storage = {
    ...memory(),
    useLogger: (logger) => void given.push(logger),
    health: () => ({ state: "degraded", problems: [] }),
  };
  const server = createActivityServer({ storage: () => inner, logger: silentLogger });
  assert.equal(await (await server.fetch("/api/0/health")).json(), { status: "degraded" });
  assert.is(given.length, 1);
  await server.close();
});

test.run();
