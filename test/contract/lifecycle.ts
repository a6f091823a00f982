import { ActivityError, type ErrorCode } from "../../src/errors.js";
import type { Storage } from "../../src/storage/storage.js";
import { isObject } from "./answers.js";
import { bucketOf, draftOf, read, type Scenario, type Stage } from "./case.js";
import { broken, holds, rejects, same, sameBuckets, sameEvents, show } from "./check.js";

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Every method, by name; of a backup its first pull. */
const METHODS: Readonly<Record<string, (storage: Storage, bucketId: string) => Promise<unknown>>> = {
  ready: (storage) => storage.ready(),
  deviceId: (storage) => storage.deviceId(),
  listBuckets: (storage) => storage.listBuckets(),
  getBucket: (storage, id) => storage.getBucket(id),
  summaries: (storage) => storage.summaries(),
  "summaries of an id": (storage, id) => storage.summaries([id]),
  createBucket: (storage) => storage.createBucket(bucketOf("new")),
  "createBucket with events": (storage) => storage.createBucket(bucketOf("new"), [draftOf(1)]),
  updateBucket: (storage, id) => storage.updateBucket(id, { client: "other" }),
  deleteBucket: (storage, id) => storage.deleteBucket(id),
  putEvents: (storage, id) => storage.putEvents(id, [draftOf(1)]),
  "putEvents of nothing": (storage, id) => storage.putEvents(id, []),
  "putEvents with an id": (storage, id) => storage.putEvents(id, [{ ...draftOf(1), id: 1 }]),
  mergeEvents: (storage, id) => storage.mergeEvents(id, [draftOf(1)]),
  "mergeEvents of nothing": (storage, id) => storage.mergeEvents(id, []),
  heartbeat: (storage, id) => storage.heartbeat(id, draftOf(1), 1),
  getEvent: (storage, id) => storage.getEvent(id, 1),
  "read of a bucket": (storage, id) => storage.read(id),
  "read with limit 0": (storage, id) => storage.read(id, { limit: 0 }),
  countEvents: (storage, id) => storage.countEvents(id),
  "countEvents of a range": (storage, id) => storage.countEvents(id, { start: 0, end: 1 }),
  deleteEvents: (storage, id) => storage.deleteEvents(id, [1]),
  "deleteEvents of nothing": (storage, id) => storage.deleteEvents(id, []),
  "settings.get": (storage) => storage.settings.get("key"),
  "settings.list": (storage) => storage.settings.list(),
  "settings.put": (storage) => storage.settings.put("key", 1),
  "settings.delete": (storage) => storage.settings.delete("key"),
  "records.get": (storage) => storage.records("kind").get("key"),
  "records.list": (storage) => storage.records("kind").list(),
  "records.compareAndSet": (storage) => storage.records("kind").compareAndSet("key", undefined, 1),
  "first pull of backup": (storage) => storage.backup()[Symbol.asyncIterator]().next(),
  verify: (storage) => storage.verify(),
};

/** Those that reject for a bucket that does not exist; the others answer `false`, `undefined` or an empty list. */
const NEED_BUCKET = Object.keys(METHODS).filter((name) => /Events|heartbeat|getEvent|read /.test(name));

export const lifecycle: readonly Scenario[] = [
  { name: "traits tell adapter, durability, snapshot reads and multi-process use", play: playTraits },
  { name: "a storage that promises durability is tested with reopen", play: playKeeps },
  { name: "a storage for several processes is tested with two at once", play: playShares },
  { name: "the device id is a random UUID and stays the same", play: playDeviceId },
  { name: "two storages share nothing", play: playTwoStorages },
  { name: "a bucket that does not exist rejects every method that names one", play: playUnknownBucket },
  { name: "after close every method rejects", play: playClosed },
  { name: "close may be called twice, one after the other and at once", play: playCloseTwice },
  { name: "close waits for the writes under way", play: playCloseWaits },
  { name: "close does not wait for a reader that stopped pulling", play: playCloseReader },
  { name: "a read that close cuts off rejects or goes on to its end", play: playCutRead },
  { name: "a backup that close cuts off rejects or goes on to its end", play: playCutBackup },
];

async function playTraits({ storage }: Stage): Promise<void> {
  const { adapter, durability, snapshotReads, multiProcess } = storage.traits;
  holds("traits", typeof adapter === "string" && adapter !== "", "traits.adapter is not a name");
  holds("traits", ["nothing", "process-crash", "power-loss"].includes(durability), `traits.durability: ${durability}`);
  same("traits", typeof snapshotReads, "boolean", "type of traits.snapshotReads");
  same("traits", typeof multiProcess, "boolean", "type of traits.multiProcess");
}

async function playKeeps({ storage, keeps }: Stage): Promise<void> {
  same("visible", keeps, storage.traits.durability !== "nothing", "data outlive a reopening (see ContractOptions)");
}

async function playShares({ storage, shares }: Stage): Promise<void> {
  holds("multiProcess", shares || !storage.traits.multiProcess, "traits.multiProcess without `second` in the options");
}

async function playDeviceId(stage: Stage): Promise<void> {
  const calls = await Promise.all([1, 2, 3].map(() => stage.storage.deviceId()));
  const first = calls[0] as string;
  holds("deviceId", UUID_V4.test(first), `${first} is not a random UUID`);
  same("deviceId", calls, [first, first, first], "three first calls at once");
  await stage.alsoReopened(async (storage) => same("deviceId", await storage.deviceId(), first, "a later call"));
}

async function playTwoStorages(stage: Stage): Promise<void> {
  const { storage } = stage;
  const other = await stage.another();
  await storage.createBucket(bucketOf("window"));
  await storage.putEvents("window", [draftOf(1)]);
  await storage.settings.put("key", 1);
  same("deviceId", (await storage.deviceId()) === (await other.deviceId()), false, "another storage has the same id");
  same("listBuckets", (await other.listBuckets()).length, 0, "buckets of another storage");
  same("settingsGet", await other.settings.get("key"), undefined, "a setting of another storage");
  await other.createBucket(bucketOf("window"));
  const stored = await other.putEvents("window", [draftOf(2, 0, "other")]);
  sameEvents("read", await read(other, "window"), stored, "events of another storage");
  same("read", (await read(storage, "window"))[0]?.timestamp, 1, "the event of the first storage");
}

async function playUnknownBucket(stage: Stage): Promise<void> {
  const { storage } = stage;
  await storage.createBucket(bucketOf("window"));
  await rejectAll(storage, "NO_SUCH_BUCKET", NEED_BUCKET, "windo");
  same("noSuchBucket", (await storage.listBuckets()).length, 1, "number of buckets after the rejections");
  await storage.deleteBucket("window");
  await rejectAll(storage, "NO_SUCH_BUCKET", NEED_BUCKET, "window");
  await stage.alsoReopened(async (reopened) => {
    same("noSuchBucket", (await reopened.listBuckets()).length, 0, "number of buckets after the rejections");
    await rejectAll(reopened, "NO_SUCH_BUCKET", NEED_BUCKET, "window");
  });
}

async function playClosed({ storage }: Stage): Promise<void> {
  await storage.createBucket(bucketOf("window"));
  await storage.putEvents("window", [draftOf(1)]);
  await storage.close();
  await rejectAll(storage, "STORAGE_CLOSED", Object.keys(METHODS), "window");
  await rejectAll(storage, "STORAGE_CLOSED", Object.keys(METHODS), "unknown");
}

async function playCloseTwice({ storage }: Stage): Promise<void> {
  await storage.createBucket(bucketOf("window"));
  await Promise.all([storage.close(), storage.close()]);
  same("close", await storage.close(), undefined, "result of a third close");
}

async function playCloseWaits(stage: Stage): Promise<void> {
  const { storage } = stage;
  for (const id of ["window", "old"]) await storage.createBucket(bucketOf(id));
  const writes: Promise<unknown>[] = [];
  for (let index = 0; index < 20; index++) {
    writes.push(storage.putEvents("window", [draftOf(index * 10, 0, index)]));
    writes.push(storage.heartbeat("window", draftOf(1_000 + index, 0, "beat"), 5));
    writes.push(storage.settings.put(`key ${index}`, index));
    writes.push(storage.createBucket(bucketOf(`new ${index}`)));
  }
  writes.push(storage.deleteBucket("old"), storage.deleteEvents("window", [1]));
  writes.push(storage.updateBucket("window", { client: "changed" }), storage.mergeEvents("window", [draftOf(5_000)]));
  writes.push(storage.records("kind").compareAndSet("key", undefined, 1));
  let ended = 0;
  for (const write of writes) write.then(count, count);
  function count(): void {
    ended++;
  }
  await storage.close();
  // What resolved together with the close gets its turn to be counted.
  await new Promise(setImmediate);
  same("close", ended, writes.length, "writes that had ended when close resolved");
  const outcomes = await Promise.allSettled(writes);
  const refused = outcomes.find((outcome) => outcome.status === "rejected");
  holds("close", refused === undefined, `a write before close was refused: ${refused?.reason}`);
  if (!stage.keeps) return;
  const reopened = await stage.reopen();
  same("close", (await reopened.listBuckets()).length, 21, "number of buckets after close and reopening");
  same("close", (await reopened.settings.list()).size, 20, "number of settings after close and reopening");
  same("close", await reopened.records("kind").get("key"), 1, "a record after close and reopening");
  same("close", (await reopened.getBucket("window"))?.client, "changed", "client after close and reopening");
  holds("close", (await read(reopened, "window")).length >= 20, "events are missing after close and reopening");
}

async function playCloseReader(stage: Stage): Promise<void> {
  const { storage } = stage;
  await storage.createBucket(bucketOf("window"));
  const events = await storage.putEvents(
    "window",
    Array.from({ length: 5_000 }, (_, index) => draftOf(index)),
  );
  const before = await storage.listBuckets();
  const reader = (await storage.read("window")).batches[Symbol.asyncIterator]();
  await reader.next();
  const backup = storage.backup()[Symbol.asyncIterator]();
  await backup.next();
  await storage.close();
  // It may go on or reject, but not wait for ever.
  await reader.next().catch(() => undefined);
  await reader.return?.().catch(() => undefined);
  await backup.return?.().catch(() => undefined);
  if (!stage.keeps) return;
  const reopened = await stage.reopen();
  sameBuckets("visible", await reopened.listBuckets(), before, "after a close with an open reader");
  sameEvents(
    "visible",
    await read(reopened, "window", { order: "oldest" }),
    events,
    "after a close with an open reader",
  );
}

/** Tells how many items there are, or demands that they end with the rejection of a closed storage. */
async function countOrClosed(items: AsyncIterable<unknown>): Promise<number | undefined> {
  let count = 0;
  try {
    for await (const item of items) {
      count += isBatch(item) ? item.length : 1;
    }
    return count;
  } catch (error) {
    if (!ActivityError.is(error) || error.code !== "STORAGE_CLOSED") broken("closed", `what was left: ${show(error)}`);
    return undefined;
  }
}

function isBatch(item: unknown): item is { readonly length: number } {
  return isObject(item) && "length" in item && typeof item.length === "number";
}

async function playCutRead({ storage }: Stage): Promise<void> {
  await storage.createBucket(bucketOf("window"));
  const drafts = Array.from({ length: 6_000 }, (_, index) => draftOf(index * 10, 1, index % 9));
  await storage.putEvents("window", drafts);
  const begun = await storage.read("window", { order: "oldest" });
  const fresh = await storage.read("window");
  const iterator = begun.batches[Symbol.asyncIterator]();
  const first = await iterator.next();
  await storage.close();
  const rest = await countOrClosed({ [Symbol.asyncIterator]: () => iterator });
  const count = (first.value?.length ?? 0) + (rest ?? 0);
  holds("closed", rest === undefined || count === 6_000, `a read ended after ${count} of 6000 events`);
  const all = await countOrClosed(fresh.batches);
  holds("closed", all === undefined || all === 6_000, `a read ended after ${all} of 6000 events`);
}

async function playCutBackup({ storage }: Stage): Promise<void> {
  for (const id of ["window", "afk", "web"]) await storage.createBucket(bucketOf(id), [draftOf(1)]);
  const expected = await countOrClosed(storage.backup());
  const iterator = storage.backup()[Symbol.asyncIterator]();
  await iterator.next();
  await storage.close();
  const rest = await countOrClosed({ [Symbol.asyncIterator]: () => iterator });
  holds("closed", rest === undefined || rest + 1 === expected, `a backup ended after ${rest} more items`);
}

async function rejectAll(storage: Storage, code: ErrorCode, names: readonly string[], bucketId: string): Promise<void> {
  const promise = code === "STORAGE_CLOSED" ? "closed" : "noSuchBucket";
  for (const name of names) {
    await rejects(promise, code, name, () => (METHODS[name] as (typeof METHODS)[string])(storage, bucketId));
  }
}
