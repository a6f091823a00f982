import type { ErrorCode } from "../../src/errors.js";
import type { Storage } from "../../src/storage.js";
import { bucketOf, draftOf, read, type Scenario, type Stage } from "./case.js";
import { holds, rejects, same, sameBuckets, sameEvents } from "./check.js";

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Every method that returns a promise (reading: its first pull), by name. */
const METHODS: Readonly<Record<string, (storage: Storage, bucketId: string) => Promise<unknown>>> = {
  deviceId: (storage) => storage.deviceId(),
  listBuckets: (storage) => storage.listBuckets(),
  getBucket: (storage, id) => storage.getBucket(id),
  createBucket: (storage) => storage.createBucket(bucketOf("new")),
  updateBucket: (storage, id) => storage.updateBucket(id, { client: "other" }),
  deleteBucket: (storage, id) => storage.deleteBucket(id),
  putEvents: (storage, id) => storage.putEvents(id, [draftOf(1)]),
  "putEvents of nothing": (storage, id) => storage.putEvents(id, []),
  "putEvents with an id": (storage, id) => storage.putEvents(id, [{ ...draftOf(1), id: 1 }]),
  heartbeat: (storage, id) => storage.heartbeat(id, draftOf(1), 1),
  getEvent: (storage, id) => storage.getEvent(id, 1),
  "first pull of readEvents": (storage, id) => firstPull(storage, id),
  "first pull of readEvents with limit 0": (storage, id) => firstPull(storage, id, 0),
  countEvents: (storage, id) => storage.countEvents(id),
  "countEvents of a range": (storage, id) => storage.countEvents(id, { start: 0, end: 1 }),
  deleteEvents: (storage, id) => storage.deleteEvents(id, [1]),
  "deleteEvents of nothing": (storage, id) => storage.deleteEvents(id, []),
  "settings.get": (storage) => storage.settings.get("key"),
  "settings.list": (storage) => storage.settings.list(),
  "settings.put": (storage) => storage.settings.put("key", 1),
  "settings.delete": (storage) => storage.settings.delete("key"),
};

/** Those that reject for a bucket that does not exist; the others answer `false` or `undefined`. */
const NEED_BUCKET = Object.keys(METHODS).filter((name) => /Events|heartbeat|getEvent/.test(name));

export const lifecycle: readonly Scenario[] = [
  { name: "traits tell adapter, durability, snapshot reads and multi-process use", play: playTraits },
  { name: "a storage that promises durability is tested with reopen", play: playKeeps },
  { name: "the device id is a random UUID and stays the same", play: playDeviceId },
  { name: "two storages share nothing", play: playTwoStorages },
  { name: "a bucket that does not exist rejects every method that names one", play: playUnknownBucket },
  { name: "after close every method rejects", play: playClosed },
  { name: "close may be called twice, one after the other and at once", play: playCloseTwice },
  { name: "close waits for the writes under way", play: playCloseWaits },
  { name: "close does not wait for a reader that stopped pulling", play: playCloseReader },
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
  const [event] = await other.putEvents("window", [draftOf(1)]);
  same("ids", event?.id, 1, "first id of another storage");
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
  writes.push(storage.deleteBucket("old"), storage.deleteEvents("window", [1]), storage.deviceId());
  writes.push(storage.updateBucket("window", { client: "changed" }));
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
  const reader = storage.readEvents("window")[Symbol.asyncIterator]();
  await reader.next();
  await storage.close();
  // Whether the reader goes on or rejects is up to the adapter; it may not wait for ever.
  await reader.next().catch(() => undefined);
  await reader.return?.().catch(() => undefined);
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

async function rejectAll(storage: Storage, code: ErrorCode, names: readonly string[], bucketId: string): Promise<void> {
  const promise = code === "STORAGE_CLOSED" ? "closed" : "noSuchBucket";
  for (const name of names) {
    await rejects(promise, code, name, () => (METHODS[name] as (typeof METHODS)[string])(storage, bucketId));
  }
}

async function firstPull(storage: Storage, bucketId: string, limit?: number): Promise<unknown> {
  const range = limit === undefined ? {} : { limit };
  return storage.readEvents(bucketId, range)[Symbol.asyncIterator]().next();
}
