// How much a server stores, and what it refuses to store over its quota.
import path from "node:path";
import { createStorage } from "unstorage";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../adapters/leveldb/index.js";
import { memory } from "../adapters/memory.js";
import { unstorage } from "../adapters/unstorage/index.js";
import { type ActivityServer, createActivityServer, micros, type Storage } from "../src/index.js";
import { countUsage } from "../src/storage/usage.js";
import { withFolder } from "./adapters/folder.js";
import { withServer } from "./harness.js";
import { codeOf } from "./refusals.js";

const test = suite("usage and quota");

const BUCKET = { type: "t", client: "c", hostname: "h" };
const MINUTE = 60_000_000;
const START = 1_709_251_200_000_000;

/** A minute of the tests. */
function at(minute: number): ReturnType<typeof micros> {
  return micros(START + minute * MINUTE);
}

const STORAGES: Readonly<Record<string, (folder: string) => Storage>> = {
  memory: () => memory(),
  leveldb: (folder) => leveldb({ path: path.join(folder, "data") }),
  unstorage: () => unstorage({ storage: createStorage() }),
};

/** Events a minute apart, each with other data. */
function events(
  count: number,
  from = 0,
  app = "app",
): { timestamp: ReturnType<typeof micros>; data: { app: string } }[] {
  return Array.from({ length: count }, (_, index) => ({
    timestamp: at(from + index),
    data: { app: `${app} ${from + index}` },
  }));
}

/** Text that no engine compresses much. */
function noise(length: number, seed: number): string {
  let text = "";
  for (let state = seed + 1; text.length < length; state = (state * 48_271) % 2_147_483_647) text += state.toString(36);
  return text.slice(0, length);
}

function beat(server: ActivityServer, minute: number, app = `app ${minute}`): Promise<unknown> {
  return server.heartbeat("b", { timestamp: at(minute), data: { app } }, "90s");
}

for (const [name, make] of Object.entries(STORAGES)) {
  const served = (
    options: Partial<Parameters<typeof createActivityServer>[0]>,
    body: (server: ActivityServer, storage: Storage) => Promise<void>,
  ): Promise<void> =>
    withFolder((folder) => {
      const storage = make(folder);
      return withServer({ door: "process", ...options, storage, buckets: ["b"] }, ({ server }) =>
        body(server, storage),
      );
    });

  test(`${name}: usage counts buckets, events, settings and the trash`, () =>
    served({}, async (server, storage) => {
      const empty = await server.usage();
      assert.equal([empty.buckets, empty.events, empty.trashBytes], [1, 0, 0]);
      assert.ok(empty.bytes > 0 && empty.bytes < 300);
      await server.events.insert("b", events(2_000));
      await server.buckets.create("gone", BUCKET, events(1_000));
      await server.settings.put("k", "x".repeat(1_000));
      const full = await server.usage();
      assert.equal([full.buckets, full.events, full.trashBytes], [2, 3_000, 0]);
      assert.ok(full.bytes > empty.bytes + 3_000 * 10 + 1_000, `${full.bytes} bytes`);
      await server.buckets.delete("gone");
      const deleted = await server.usage();
      assert.equal([deleted.buckets, deleted.events], [1, 2_000]);
      assert.ok(deleted.trashBytes > 1_000 * 10 && deleted.bytes < full.bytes);
      assert.equal((await storage.verify()).buckets, 2, "the storage has the trash as well");
      await server.trash.empty();
      const emptied = await server.usage();
      assert.equal([emptied.events, emptied.trashBytes, emptied.bytes], [2_000, 0, deleted.bytes]);
      await server.close();
      assert.is(await codeOf(server.usage()), "STORAGE_CLOSED");
    }));

  test(`${name}: what a storage counts itself agrees with reading everything`, () =>
    served({}, async (server, storage) => {
      await server.events.insert("b", events(1_500));
      await server.settings.put("k", { a: 1 });
      const { usage: _, ...plain } = storage;
      const [own, read] = [await server.usage(), await countUsage(plain)];
      assert.equal([own.buckets, own.events], [read.buckets, read.events]);
    }));

  test(`${name}: events over the quota are refused with 507, and deletions make room`, () =>
    served({ quota: { events: 10 } }, async (server) => {
      await server.events.insert("b", events(8));
      assert.is(await codeOf(server.events.insert("b", events(3, 8))), "QUOTA_EXCEEDED");
      await server.events.insert("b", events(2, 8));
      assert.is((await server.usage()).events, 10);
      assert.is(await codeOf(beat(server, 20)), "QUOTA_EXCEEDED");
      const response = await server.fetch("/api/0/buckets/b/events", {
        ...{ method: "POST", headers: { "content-type": "application/json" } },
        body: JSON.stringify([{ timestamp: "2024-03-01T00:00:00Z", data: {} }]),
      });
      assert.equal([response.status, response.headers.get("retry-after")], [507, "300"]);
      assert.match(((await response.json()) as { message: string }).message, "the quota of 10 events is used up");
      assert.is((await server.usage()).events, 10);
      const [event] = await server.events.read("b").toArray();
      await server.events.delete("b", event?.id ?? 0);
      await beat(server, 20);
      assert.is(await codeOf(beat(server, 40)), "QUOTA_EXCEEDED");
      assert.is((await server.usage()).events, 10);
    }));

  test(`${name}: bytes count the trash, so emptying it makes room`, () =>
    served({ quota: { bytes: 20_000 } }, async (server) => {
      const big = (from: number) => [{ timestamp: at(from), data: { app: noise(6_000, from) } }];
      for (const minute of [0, 1, 2]) await server.events.insert("b", big(minute));
      assert.is(await codeOf(server.events.insert("b", big(3))), "QUOTA_EXCEEDED");
      assert.is(await codeOf(server.settings.put("k", noise(3_000, 9))), "QUOTA_EXCEEDED");
      assert.is(
        await codeOf(server.buckets.create("new", { ...BUCKET, data: { x: noise(3_000, 9) } })),
        "QUOTA_EXCEEDED",
      );
      await server.buckets.delete("b");
      await server.buckets.create("b", BUCKET);
      assert.is(await codeOf(server.events.insert("b", big(3))), "QUOTA_EXCEEDED");
      await server.trash.empty();
      await server.events.insert("b", big(3));
    }));
}

test("heartbeats that extend an event use nothing up, and the count at the start includes what was stored", async () => {
  const kept = memory();
  const storage = { ...kept, close: async () => {} };
  const first = createActivityServer({ storage });
  await first.buckets.create("b", BUCKET, events(5));
  await first.close();
  await withServer({ door: "process", storage, quota: { events: 7 } }, async ({ server }) => {
    for (let minute = 10; minute < 3_000; minute++) await beat(server, minute, "same");
    assert.is((await server.usage()).events, 6);
    await beat(server, 5_000);
    assert.is(await codeOf(beat(server, 6_000)), "QUOTA_EXCEEDED");
  });
});

test("writes that wait for the first count keep their order", async () => {
  await withServer({ door: "process", buckets: ["b"], quota: { events: 1_000 } }, async ({ server }) => {
    const beats = Array.from({ length: 50 }, (_, minute) => beat(server, minute, "same"));
    await Promise.all(beats);
    assert.equal(
      (await server.events.read("b").toArray()).map(({ duration }) => duration),
      [49 * MINUTE],
    );
  });
});

test("an import over the quota stops, and what is known uses nothing up", async () => {
  await withServer({ door: "process", quota: { events: 100 } }, async ({ server }) => {
    const document = (count: number) => ({
      buckets: { b: { ...BUCKET, id: "b", events: events(count).map(({ timestamp, data }) => wire(timestamp, data)) } },
    });
    await server.import(document(90));
    await server.import(document(90));
    assert.is(await codeOf(server.import(document(120))), "QUOTA_EXCEEDED");
    assert.ok((await server.usage()).events <= 100);
    await server.import(document(99));
    assert.is((await server.usage()).events, 99);
  });
});

function wire(timestamp: number, data: object): object {
  return { timestamp: new Date(timestamp / 1000).toISOString(), duration: 0, data };
}

test("a full server still serves reads, deletions, and changes that add nothing", async () => {
  await withServer({ door: "process", buckets: ["b"], quota: { events: 2, bytes: 10_000 } }, async ({ server }) => {
    await server.events.insert("b", events(2));
    const [event] = await server.events.read("b").toArray();
    assert.is(await codeOf(server.events.split("b", event?.id ?? 0, at(0))), "QUOTA_EXCEEDED");
    await server.settings.put("k", 1);
    await server.settings.put("k", null);
    await server.buckets.update("b", { name: "n" });
    await server.buckets.create("empty", BUCKET);
    const deleted = await server.events.delete("b", event?.id ?? 0);
    await server.events.insert("b", events(1, 9));
    assert.is(await codeOf(server.trash.restore(deleted?.entry ?? "")), "QUOTA_EXCEEDED");
    await server.buckets.delete("b", { permanent: true });
    await server.trash.empty();
    await server.buckets.create("b", BUCKET, events(2));
    assert.is(await codeOf(beat(server, 9)), "QUOTA_EXCEEDED");
  });
});

test("a storage that cannot be counted refuses the write with its error, and the next one counts again", async () => {
  let failure: Error | undefined = new Error("no count");
  const kept = memory();
  const usage = async () => {
    if (failure !== undefined) throw failure;
    return countUsage(kept);
  };
  await withServer({ door: "process", storage: { ...kept, usage }, quota: { events: 2 } }, async ({ server }) => {
    assert.is(await server.buckets.create("b", BUCKET).catch((thrown: unknown) => thrown), failure);
    failure = undefined;
    await server.buckets.create("b", BUCKET);
  });
});

test("quotas that cannot work are refused", () => {
  for (const quota of [1, null, { events: -1 }, { bytes: 0.5 }, { bytes: "1" }, { event: 1 }, [1]]) {
    const make = () => createActivityServer({ storage: memory(), quota: quota as object });
    assert.throws(make, "{ events, bytes }", JSON.stringify(quota));
  }
});

test.run();
