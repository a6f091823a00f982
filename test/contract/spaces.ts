import { createMainSpace, isInTrash, trashBucketId } from "../../src/storage/space.js";
import type { Storage } from "../../src/storage/storage.js";
import { bucketOf, draftOf, read, type Scenario, type Stage, withBucket } from "./case.js";
import { holds, rejects, same, sameBuckets, sameEvents, show } from "./check.js";

/** The trash: buckets that exist in the storage, and not in its main space. */
export const spaces: readonly Scenario[] = [
  { name: "trash: a bucket moves there and back in one step, as it was", needs: "transact", play: playMove },
];

const HIDDEN = trashBucketId("entry", 0);

async function playMove(stage: Stage): Promise<void> {
  const raw = await withBucket(stage);
  await raw.createBucket(bucketOf("other"));
  const drafts = Array.from({ length: 300 }, (_, index) => draftOf(index * 10, 5, index % 3));
  await raw.putEvents("window", drafts);
  const [events, summaries] = [await read(raw, "window"), await raw.summaries()];

  const pages = createMainSpace(raw).changes?.()[Symbol.asyncIterator]();
  await pages?.next();
  await createMainSpace(raw).transactWithTrash(["window"], [HIDDEN], () => [
    { kind: "rename", bucketId: "window", newId: HIDDEN },
  ]);
  const { value } = (await pages?.next()) ?? {};
  for (const change of value?.changes ?? []) {
    holds("trash", !("bucketId" in change && isInTrash(change.bucketId)), `the feed tells ${show(change)}`);
  }
  await pages?.return?.();
  await stage.alsoReopened(async (storage) => {
    await expectHidden(storage);
    sameBuckets("trash", await storage.listBuckets(), [bucketOf(HIDDEN), bucketOf("other")], "both spaces");
    same("trash", await bucketsInBackup(storage), [HIDDEN, "other"], "buckets of a backup");
    same("trash", (await storage.verify()).problems.length, 0, "problems");
  });

  // The ID is free in the meantime, and what was moved there later makes room again.
  const main = createMainSpace(stage.storage);
  await main.createBucket(bucketOf("window"), [draftOf(1)]);
  await main.deleteBucket("window");
  await main.transactWithTrash(["window"], [HIDDEN], () => [{ kind: "rename", bucketId: HIDDEN, newId: "window" }]);
  await stage.alsoReopened(async (storage) => {
    sameBuckets("trash", await createMainSpace(storage).summaries(), summaries, "what is back");
    sameEvents("trash", await read(storage, "window"), events, "events that are back");
  });
}

/** Demands that the main space has no bucket of the trash, and cannot get one. */
async function expectHidden(storage: Storage): Promise<void> {
  const main = createMainSpace(storage);
  sameBuckets("trash", await main.listBuckets(), [bucketOf("other")], "buckets of the main space");
  same("trash", (await main.summaries()).map(({ id }) => id).join(), "other", "summaries of the main space");
  same("trash", (await main.summaries([HIDDEN])).length, 0, "a summary of a bucket of the trash");
  same("trash", await main.getBucket(HIDDEN), undefined, "a bucket of the trash");
  same("trash", await main.updateBucket(HIDDEN, { name: "seen" }), false, "an update in the trash");
  same("trash", await main.deleteBucket(HIDDEN), false, "a deletion in the trash");
  await rejects("trash", "INVALID_INPUT", "a creation in the trash", () => main.createBucket(bucketOf(HIDDEN)));
  const refused: Readonly<Record<string, () => Promise<unknown>>> = {
    putEvents: () => main.putEvents(HIDDEN, [draftOf(1)]),
    mergeEvents: () => main.mergeEvents(HIDDEN, [draftOf(1)]),
    heartbeat: () => main.heartbeat(HIDDEN, draftOf(1), 1),
    getEvent: () => main.getEvent(HIDDEN, 1),
    read: () => main.read(HIDDEN),
    countEvents: () => main.countEvents(HIDDEN),
    deleteEvents: () => main.deleteEvents(HIDDEN, [1]),
    transact: () => main.transact(["other", HIDDEN], () => []),
    transactWithTrash: () => main.transactWithTrash([HIDDEN], [], () => []),
  };
  for (const [name, call] of Object.entries(refused)) await rejects("trash", "NO_SUCH_BUCKET", name, call);
}

async function bucketsInBackup(storage: Storage): Promise<string[]> {
  const ids: string[] = [];
  for await (const item of storage.backup()) if (item.kind === "bucket") ids.push(item.bucket.id);
  return ids;
}
