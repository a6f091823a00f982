import type { Storage } from "../../src/storage.js";
import { bucketOf, draftOf, type Scenario, type Stage, withBucket } from "./case.js";
import { holds } from "./check.js";

/** What an adapter says of changes, where it says something: whoever keeps answers relies on it. */
export const revisions: readonly Scenario[] = [
  { name: "revision: another one after every change, the same after reads", play: playChanges },
  { name: "revision: a bucket that is made again has another one", play: playAgain },
  { name: "revision: that of all buckets follows what describes them", play: playBuckets },
];

/** Makes a change and demands that it shows. */
async function changes(what: string, read: () => string | undefined, change: () => Promise<unknown>): Promise<void> {
  const before = read();
  await change();
  holds("revision", read() !== before, `${what} left it ${JSON.stringify(before)}`);
}

function revisionOf(storage: Storage, bucketId?: string): () => string | undefined {
  return () => storage.revision?.(bucketId);
}

async function playChanges(stage: Stage): Promise<void> {
  const { storage } = stage;
  if (storage.revision === undefined) return;
  await withBucket(stage);
  const read = revisionOf(storage, "window");
  await changes("a put", read, () => storage.putEvents("window", [draftOf(10, 5), draftOf(30, 5)]));
  await changes("a late put", read, () => storage.putEvents("window", [draftOf(0, 1)]));
  await changes("a first heartbeat", read, () => storage.heartbeat("window", draftOf(100, 0), 5));
  await changes("a heartbeat that merges", read, () => storage.heartbeat("window", draftOf(103, 0), 5));
  const [event] = await storage.putEvents("window", [draftOf(200, 1)]);
  const id = event?.id as number;
  await changes("a replacement", read, () => storage.putEvents("window", [{ ...draftOf(200, 2), id }]));
  await changes("a deletion", read, () => storage.deleteEvents("window", [id]));
  const many = Array.from({ length: 3000 }, (_, n) => draftOf(1000 + n, 1));
  await changes("a large put", read, () => storage.putEvents("window", many));
  const before = read();
  for await (const _ of storage.readEvents("window"));
  await storage.countEvents("window", { start: 0 });
  await storage.getBucket("window");
  await storage.createBucket(bucketOf("other"));
  holds("revision", typeof before === "string", `expected a text, got ${typeof before}`);
  holds("revision", storage.revision("none") === undefined, "an unknown bucket has one");
}

async function playAgain(stage: Stage): Promise<void> {
  const { storage } = stage;
  if (storage.revision === undefined) return;
  await withBucket(stage);
  await storage.putEvents("window", [draftOf(10, 5)]);
  await changes("making it again", revisionOf(storage, "window"), async () => {
    await storage.deleteBucket("window");
    await storage.createBucket(bucketOf("window"));
    await storage.putEvents("window", [draftOf(11, 5)]);
  });
}

async function playBuckets(stage: Stage): Promise<void> {
  const { storage } = stage;
  if (storage.revision === undefined) return;
  await withBucket(stage);
  const read = revisionOf(storage);
  await changes("a creation", read, () => storage.createBucket(bucketOf("other")));
  await changes("an update", read, () => storage.updateBucket("other", { hostname: "elsewhere" }));
  await changes("a deletion", read, () => storage.deleteBucket("other"));
}
