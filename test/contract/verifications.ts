import { trashBucketId } from "../../src/storage/space.js";
import type { Storage } from "../../src/storage/storage.js";
import type { StorageUsage } from "../../src/storage/usage.js";
import { bucketOf, draftOf, idsOf, type Scenario, type Stage } from "./case.js";
import { holds, same, show } from "./check.js";

/** What a check of everything says of a sound storage. */
export const verifications: readonly Scenario[] = [
  { name: "verify: a sound storage has no problems, and everything is counted", play: playSound },
  { name: "verify: progress grows up to the whole", play: playProgress },
  { name: "verify: finds nothing wrong while writes go on", play: playBusy },
  { name: "usage: counts what there is, and the trash apart", needs: "usage", play: playUsage },
];

async function playSound(stage: Stage): Promise<void> {
  const empty = await stage.storage.verify();
  same("verify", [empty.buckets, empty.events], [0, 0], "buckets and events of a new storage");
  const { storage } = stage;
  const many = Array.from({ length: 4_000 }, (_, index) => draftOf(index * 10, 5, index % 9));
  const stored = (await storage.createBucket(bucketOf("window"), many)) ?? [];
  await storage.deleteEvents("window", idsOf(stored.slice(1_000, 1_500)));
  await storage.heartbeat("window", draftOf(90_000), 5);
  await storage.createBucket(bucketOf("empty"));
  await storage.createBucket(bucketOf("gone"), many);
  await storage.deleteBucket("gone");
  await storage.settings.put("key", 1);
  await stage.alsoReopened(async (reopened) => {
    const { problems, buckets, events, bytes } = await reopened.verify();
    same("verifySound", problems.length, 0, `problems: ${show(problems)}`);
    same("verify", [buckets, events], [2, 3_501], "buckets and events");
    holds("verify", bytes >= 0, `${bytes} bytes were read`);
  });
}

async function playUsage(stage: Stage): Promise<void> {
  const { storage } = stage;
  const usageOf = async (counted: Storage): Promise<StorageUsage> => (await counted.usage?.()) as StorageUsage;
  same("usage", show(await usageOf(storage)), show(NO_USAGE), "a new storage");
  const many = Array.from({ length: 4_000 }, (_, index) => draftOf(index * 10, 5, index));
  const stored = (await storage.createBucket(bucketOf("window"), many)) ?? [];
  await storage.deleteEvents("window", idsOf(stored.slice(1_000, 1_500)));
  await storage.createBucket(bucketOf("empty"));
  await storage.heartbeat("empty", draftOf(90_000), 5);
  await storage.createBucket(bucketOf(trashBucketId("entry", 0)), many);
  await storage.settings.put("key", "x".repeat(1_000));
  await stage.alsoReopened(async (reopened) => {
    const { buckets, events, bytes, trashBytes } = await usageOf(reopened);
    same("usage", [buckets, events], [2, 3_501], "buckets and events");
    holds("usage", bytes > 3_501 + 1_000 && trashBytes > 4_000, `${bytes} bytes, and ${trashBytes} in the trash`);
  });
  await stage.storage.deleteBucket(trashBucketId("entry", 0));
  same("usage", (await usageOf(stage.storage)).trashBytes, 0, "bytes of an empty trash");
}

const NO_USAGE: StorageUsage = { buckets: 0, events: 0, bytes: 0, trashBytes: 0 };

async function playProgress(stage: Stage): Promise<void> {
  const drafts = Array.from({ length: 4_000 }, (_, index) => draftOf(index * 10, 5, index % 9));
  await stage.storage.createBucket(bucketOf("window"), drafts);
  await stage.alsoReopened(async (storage) => {
    let last = 0;
    await storage.verify(({ doneBytes, totalBytes }) => {
      const isGrowing = doneBytes >= last && doneBytes <= totalBytes;
      holds("verify", isGrowing, `${doneBytes} of ${totalBytes} bytes were told behind ${last}`);
      last = doneBytes;
    });
  });
}

async function playBusy(stage: Stage): Promise<void> {
  const { storage } = stage;
  await storage.createBucket(bucketOf("window"));
  let isDone = false;
  const verifying = (async () => {
    const reports = [];
    for (let round = 0; round < 5; round++) reports.push(await storage.verify());
    return reports;
  })().finally(() => {
    isDone = true;
  });
  for (let round = 0; !isDone && round < 500; round++) {
    const drafts = Array.from({ length: 200 }, (_, index) => draftOf(index * 100 + round, 3, round));
    const stored = await storage.putEvents("window", drafts);
    await storage.deleteEvents("window", idsOf(stored).slice(100));
    await new Promise(setImmediate);
  }
  for (const { problems } of await verifying) {
    same("verifySound", problems.length, 0, `problems during writes: ${show(problems)}`);
  }
}
