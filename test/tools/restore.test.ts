import { join } from "node:path";
import { createStorage } from "unstorage";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { memory } from "../../adapters/memory.js";
import { unstorage } from "../../adapters/unstorage/index.js";
import { parseBackup } from "../../src/codec/parse-backup.js";
import type { StoredEvent } from "../../src/domain/event.js";
import { type RestoreProgress, restoreBackup } from "../../src/storage/backup.js";
import type { Storage } from "../../src/storage/storage.js";
import { withFolder } from "../adapters/folder.js";
import { refusalOf } from "../refusals.js";
import { bucket, bytesOf, filled } from "./backups.js";

const test = suite("restore");

async function eventsOf(storage: Storage, bucketId: string): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  const { batches } = await storage.read(bucketId, { order: "oldest" });
  for await (const batch of batches) events.push(...batch.events());
  return events;
}

/** Storages of every kind, each new. */
const KINDS: readonly (readonly [name: string, make: (folder: string) => Storage])[] = [
  ["memory", () => memory()],
  ["leveldb", (folder) => leveldb({ path: folder })],
  ["unstorage", () => unstorage({ storage: createStorage() })],
];

for (const [name, make] of KINDS) {
  test(`a backup of ${name} fills every other adapter`, () =>
    withFolder(async (folder) => {
      const source = make(join(folder, "source"));
      const original = await bytesOf((await filled()).backup());
      await restoreBackup(source, () => parseBackup([original]));
      const bytes = await bytesOf(source.backup());
      for (const [kind, makeTarget] of KINDS) {
        const target = makeTarget(join(folder, `to-${kind}`));
        await restoreBackup(target, () => parseBackup([bytes]));
        assert.equal(await linesOf(target), await linesOf(source), kind);
        await target.close();
      }
      await source.close();
    }));
}

/** What a backup holds; settings and records stand in no order. */
async function linesOf(storage: Storage): Promise<string[]> {
  const lines = (await bytesOf(storage.backup())).toString().trimEnd().split("\n").slice(0, -1);
  const isLoose = (line: string): boolean => /^\{"kind":"(setting|record)"/.test(line);
  return [...lines.filter(isLoose).sort(), ...lines.filter((line) => !isLoose(line))];
}

test("a new storage becomes like the old one, and gets its device id, whichever it had", async () => {
  const source = await filled();
  const bytes = await bytesOf(source.backup());
  const target = memory();
  await target.deviceId();
  const progress: RestoreProgress[] = [];
  const report = await restoreBackup(target, () => parseBackup([bytes]), {
    onProgress: (told) => void progress.push(told),
  });
  assert.equal(report, { settings: 2, records: 2, buckets: 3, bucketsMerged: 0, events: 2504 });
  assert.equal(await linesOf(target), await linesOf(source));
  assert.is(await target.deviceId(), await source.deviceId());
  assert.equal(progress.at(-1), { step: "write", doneEvents: 2504, totalEvents: 2504 });
});

test("of a damaged backup nothing is written", async () => {
  const bytes = await bytesOf((await filled()).backup());
  bytes[bytes.length - 10] = 0x30 + (((bytes[bytes.length - 10] as number) + 1) % 10);
  const target = memory();
  assert.match(await refusalOf(restoreBackup(target, () => parseBackup([bytes]))), /damaged/);
  assert.equal(await target.listBuckets(), []);
  assert.is((await target.settings.list()).size, 0);
});

for (const [what, fill] of [
  ["a bucket", (storage: Storage) => storage.createBucket(bucket("mine"))],
  ["a setting", (storage: Storage) => storage.settings.put("mine", 1)],
  ["a key", (storage: Storage) => storage.records("mine").compareAndSet("a", undefined, 1)],
] as const) {
  test(`a storage that holds ${what} is refused`, async () => {
    const bytes = await bytesOf((await filled()).backup());
    const target = memory();
    await fill(target);
    assert.match(await refusalOf(restoreBackup(target, () => parseBackup([bytes]))), /must be empty, got .*mine/);
  });
}

test("merging keeps what is there, adds what is missing, and twice adds nothing", async () => {
  const bytes = await bytesOf((await filled()).backup());
  const target = memory();
  const deviceId = await target.deviceId();
  await target.settings.put("plain", "mine");
  await target.createBucket({ ...bucket("many"), type: "mine" }, [
    { id: 7, timestamp: 3, duration: 1, data: { n: 3 } },
    { id: 8, timestamp: 4, duration: 9, data: { mine: true } },
  ]);
  const merged = await restoreBackup(target, () => parseBackup([bytes]), { merge: true });
  assert.equal(merged, { settings: 1, records: 1, buckets: 2, bucketsMerged: 1, events: 2503 });
  assert.is(await target.deviceId(), deviceId);
  assert.is(await target.settings.get("plain"), "mine");
  assert.is((await target.getBucket("many"))?.type, "mine");
  const events = await eventsOf(target, "many");
  assert.is(events.length, 2501);
  assert.equal(events.filter(({ id }) => id === 7 || id === 8).length, 2);
  const again = await restoreBackup(target, () => parseBackup([bytes]), { merge: true });
  assert.equal(again, { settings: 0, records: 0, buckets: 0, bucketsMerged: 3, events: 0 });
});

test("merging brings no redirect to the ID of a bucket", async () => {
  const source = memory();
  const redirect = (from: string) => ({ from, to: "new", created: 0, until: null });
  await source.createBucket(bucket("new"));
  for (const id of ["old", "gone"]) await source.records("redirects").compareAndSet(id, undefined, redirect(id));
  const bytes = await bytesOf(source.backup());
  const target = memory();
  await target.createBucket(bucket("old"));
  await restoreBackup(target, () => parseBackup([bytes]), { merge: true });
  assert.equal([...(await target.records("redirects").list()).keys()], ["gone"]);
});

test("merging closes no circle of redirects", async () => {
  const redirect = (from: string, to: string) => ({ from, to, created: 0, until: null });
  const source = memory();
  const target = memory();
  for (const [storage, from, to] of [
    [source, "a", "b"],
    [source, "x", "a"],
    [target, "b", "c"],
    [target, "c", "a"],
  ] as const) {
    await storage.records("redirects").compareAndSet(from, undefined, redirect(from, to));
  }
  const bytes = await bytesOf(source.backup());
  await restoreBackup(target, () => parseBackup([bytes]), { merge: true });
  assert.equal([...(await target.records("redirects").list()).keys()].sort(), ["b", "c", "x"]);
});

test("equal events are all restored by merging, wherever the steps are cut", async () => {
  const source = memory();
  const twins = Array.from({ length: 25_000 }, (_, index) => {
    return { timestamp: index < 9_990 || index > 20_010 ? index : 9_990, duration: 0, data: {} };
  });
  await source.createBucket(bucket("twins"), twins);
  const bytes = await bytesOf(source.backup());
  const target = memory();
  await target.createBucket(bucket("twins"));
  const { events } = await restoreBackup(target, () => parseBackup([bytes]), { merge: true });
  assert.is(events, 25_000);
});

test.run();
