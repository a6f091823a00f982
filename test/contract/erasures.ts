import type { Storage } from "../../src/storage/storage.js";
import { bucketOf, draftOf, drain, idsOf, read, type Scenario, type Stage } from "./case.js";
import { holds, rejects, same, sameBuckets, sameEvents, sameValue, show } from "./check.js";

/**
 * What can be seen of an erasure through the storage; what is left in files, only a test of the adapter can tell. A
 * storage without the method has nothing to do for it.
 */
export const erasures: readonly Scenario[] = [
  { name: "eraseDeleted: what was deleted stays gone, and all else stays as it was", play: playErase },
  { name: "eraseDeleted: there may be nothing to erase, and twice may be asked at once", play: playNothing },
  { name: "eraseDeleted: writing goes on meanwhile", play: playBusy },
  { name: "eraseDeleted: a read that was begun before comes to its end", needs: "snapshotReads", play: playRead },
  { name: "eraseDeleted: rejects after close", needs: "eraseDeleted", play: playClosed },
];

async function erase(storage: Storage): Promise<void> {
  await storage.eraseDeleted?.();
}

async function playErase(stage: Stage): Promise<void> {
  const { storage } = stage;
  const many = Array.from({ length: 4_000 }, (_, index) => draftOf(index * 10, 5, index % 9));
  const stored = (await storage.createBucket(bucketOf("window"), many)) ?? [];
  await storage.createBucket(bucketOf("gone"), many);
  await storage.heartbeat("window", draftOf(90_000, 0, "beat"), 10);
  const half = idsOf(stored.filter((_, index) => index % 2 === 0));
  await storage.deleteEvents("window", half);
  const [replaced] = await storage.putEvents("window", [{ ...draftOf(7, 7, "replaced"), id: stored[1]?.id ?? 0 }]);
  await storage.deleteBucket("gone");
  await storage.settings.put("kept", { kept: true });
  await storage.settings.put("gone", 1);
  await storage.settings.delete("gone");
  await storage.records("kind").compareAndSet("key", undefined, "kept");
  const [buckets, events] = [await storage.listBuckets(), await read(storage, "window", { order: "oldest" })];
  await erase(storage);
  await stage.alsoReopened(async (again) => {
    sameBuckets("eraseDeleted", await again.listBuckets(), buckets, "buckets behind it");
    sameEvents("eraseDeleted", await read(again, "window", { order: "oldest" }), events, "events behind it");
    same("eraseDeleted", await again.getEvent("window", half[7] ?? 0), undefined, "a deleted event behind it");
    const found = await again.getEvent("window", replaced?.id ?? 0);
    sameEvents("eraseDeleted", found === undefined ? [] : [found], replaced ? [replaced] : [], "a replaced event");
    same("eraseDeleted", show([...(await again.settings.list())]), show([["kept", { kept: true }]]), "settings");
    sameValue("eraseDeleted", await again.records("kind").get("key"), "kept", "a record");
    const { problems } = await again.verify();
    same("verifySound", problems.length, 0, `problems behind it: ${show(problems)}`);
  });
  const [beat] = await stage.storage.putEvents("window", [draftOf(95_000)]);
  const most = Math.max(...idsOf(events), ...half);
  holds("ids", (beat?.id ?? 0) > most, `the id ${beat?.id} was given out behind ${most}`);
}

async function playNothing({ storage }: Stage): Promise<void> {
  await erase(storage);
  await storage.createBucket(bucketOf("window"), [draftOf(1), draftOf(2)]);
  await Promise.all([erase(storage), erase(storage)]);
  await storage.deleteBucket("window");
  await Promise.all([erase(storage), erase(storage)]);
  same("eraseDeleted", (await storage.listBuckets()).length, 0, "buckets");
}

async function playBusy(stage: Stage): Promise<void> {
  const { storage } = stage;
  await storage.createBucket(bucketOf("window"));
  let isDone = false;
  const erasing = (async () => {
    for (let round = 0; round < 3; round++) await erase(storage);
  })().finally(() => {
    isDone = true;
  });
  let count = 0;
  for (let round = 0; round === 0 || (!isDone && round < 200); round++) {
    const drafts = Array.from({ length: 200 }, (_, index) => draftOf(index * 100 + round, 3, round));
    const ids = idsOf(await storage.putEvents("window", drafts));
    count += 200 - (await storage.deleteEvents("window", ids.slice(100)));
    await storage.heartbeat("window", draftOf(1_000_000 + round * 10, 0, round), 0);
    count++;
    await new Promise(setImmediate);
  }
  await erasing;
  await stage.alsoReopened(async (again) => {
    same("eraseDeleted", await again.countEvents("window"), count, "events that were written meanwhile");
    same("eraseDeleted", (await read(again, "window")).length, count, "events that were read behind it");
  });
}

async function playRead({ storage }: Stage): Promise<void> {
  const drafts = Array.from({ length: 6_000 }, (_, index) => draftOf(index * 10, 1, index % 9));
  const stored = (await storage.createBucket(bucketOf("window"), drafts)) ?? [];
  const { batches } = await storage.read("window", { order: "oldest" });
  await storage.deleteEvents("window", idsOf(stored.slice(1_000)));
  const erasing = erase(storage);
  sameEvents("snapshot", await drain(batches), stored, "a read whose events are erased meanwhile");
  await erasing;
  same("eraseDeleted", await storage.countEvents("window"), 1_000, "events that are left");
}

async function playClosed({ storage }: Stage): Promise<void> {
  await storage.createBucket(bucketOf("window"));
  await storage.close();
  await rejects("closed", "STORAGE_CLOSED", "eraseDeleted", () => erase(storage));
}
