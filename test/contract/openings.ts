import type { Storage } from "../../src/storage/storage.js";
import { bucketOf, draftOf, type Scenario, type Stage } from "./case.js";
import { holds, rejects, same } from "./check.js";
import { awaitedLater } from "./watch.js";

/** How a storage comes to life: unopened, until `ready()` or any other call. */
export const openings: readonly Scenario[] = [
  { name: "a storage is an object that nobody can wait for", play: playNoThen },
  { name: "ready may be called again and again, one after the other and at once", play: playReady },
  { name: "whatever is called first opens the storage", play: playFirstCall },
  { name: "calls made at once on an unopened storage are all carried out", play: playAtOnce },
  { name: "a storage that was never used closes, and stays closed", play: playUnused },
  { name: "a storage may be closed while it opens", play: playCloseOpening },
];

/** Calls that may come first, with what a new storage answers; `undefined` where nothing is told of the answer. */
const FIRST_CALLS: readonly (readonly [string, (storage: Storage) => Promise<unknown>, unknown])[] = [
  ["listBuckets", async (storage) => (await storage.listBuckets()).length, 0],
  ["summaries", async (storage) => (await storage.summaries()).length, 0],
  ["getBucket", (storage) => storage.getBucket("window"), undefined],
  ["createBucket", async (storage) => (await storage.createBucket(bucketOf("window"), [draftOf(1)]))?.length, 1],
  ["updateBucket", (storage) => storage.updateBucket("window", { client: "other" }), false],
  ["deleteBucket", (storage) => storage.deleteBucket("window"), false],
  ["deviceId", async (storage) => (await storage.deviceId()).length, 36],
  ["settings.list", async (storage) => (await storage.settings.list()).size, 0],
  ["settings.get", (storage) => storage.settings.get("key"), undefined],
  ["settings.put", (storage) => storage.settings.put("key", 1), undefined],
  ["records.get", (storage) => storage.records("kind").get("key"), undefined],
  ["records.compareAndSet", (storage) => storage.records("kind").compareAndSet("key", undefined, 1), true],
  ["verify", async (storage) => (await storage.verify()).problems.length, 0],
];

async function playNoThen(stage: Stage): Promise<void> {
  holds("lazy", !("then" in stage.storage), "the storage has a `then`");
  await stage.storage.ready();
  holds("lazy", !("then" in stage.storage), "the opened storage has a `then`");
}

async function playReady(stage: Stage): Promise<void> {
  const { storage } = stage;
  await Promise.all([storage.ready(), storage.ready()]);
  await storage.createBucket(bucketOf("window"), [draftOf(1)]);
  await storage.ready();
  same("ready", await storage.countEvents("window"), 1, "events after another ready()");
  await stage.alsoReopened(async (reopened) => {
    await reopened.ready();
    same("ready", await reopened.countEvents("window"), 1, "events after ready()");
  });
}

async function playFirstCall(stage: Stage): Promise<void> {
  for (const [name, call, expected] of FIRST_CALLS) {
    same("lazy", await call(await stage.another()), expected, `${name} as the first call`);
  }
  const rejecting = await stage.another();
  await rejects("noSuchBucket", "NO_SUCH_BUCKET", "read as the first call", () => rejecting.read("window"));
  const backedUp = await stage.another();
  for await (const item of backedUp.backup()) {
    holds("lazy", item.kind === "record", `a new storage has a ${item.kind} in its backup`);
  }
  // A store that is taken before the opening works after it.
  const early = await stage.another();
  const { settings } = early;
  const records = early.records("kind");
  await settings.put("key", 1);
  await records.compareAndSet("key", undefined, 2);
  same(
    "lazy",
    [await settings.get("key"), await early.records("kind").get("key")],
    [1, 2],
    "values behind the opening",
  );
}

async function playAtOnce(stage: Stage): Promise<void> {
  const { storage } = stage;
  const created = storage.createBucket(bucketOf("window"));
  const calls = [
    storage.putEvents("window", [draftOf(1)]),
    storage.heartbeat("window", draftOf(2), 5),
    storage.mergeEvents("window", [draftOf(1), draftOf(9)]),
    storage.ready(),
    storage.settings.put("key", 1),
  ];
  await Promise.all([created, ...calls]);
  await stage.alsoReopened(async (reopened) => {
    same("callOrder", await reopened.countEvents("window"), 3, "events behind calls that were made at once");
  });
}

async function playUnused(stage: Stage): Promise<void> {
  const { storage } = stage;
  await storage.close();
  await storage.close();
  await rejects("closed", "STORAGE_CLOSED", "ready", () => storage.ready());
  await rejects("closed", "STORAGE_CLOSED", "listBuckets", () => storage.listBuckets());
  await rejects("closed", "STORAGE_CLOSED", "settings.get", () => storage.settings.get("key"));
  await rejects("closed", "STORAGE_CLOSED", "read", () => storage.read("window"));
  if (stage.keeps) same("close", (await (await stage.reopen()).listBuckets()).length, 0, "buckets after a reopening");
}

async function playCloseOpening(stage: Stage): Promise<void> {
  const { storage } = stage;
  const opening = awaitedLater(storage.ready().then(() => "opened"));
  await storage.close();
  const [outcome] = await Promise.allSettled([opening]);
  if (outcome.status === "rejected") {
    await rejects("closed", "STORAGE_CLOSED", "ready", () => Promise.reject(outcome.reason));
  }
  await rejects("closed", "STORAGE_CLOSED", "listBuckets", () => storage.listBuckets());
  if (!stage.keeps) return;
  const reopened = await stage.reopen();
  same("close", (await reopened.createBucket(bucketOf("window")))?.length, 0, "a bucket created after a reopening");
}
