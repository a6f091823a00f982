import type { EventBatch } from "../domain/batch.js";
import { ifCode } from "../errors.js";
import type { EventRange, EventRead, Storage } from "../storage/storage.js";

/**
 * Ids of all buckets, for work on one after the other. A bucket that gets another id in the meantime comes under that
 * one as well; one that is deleted may come all the same.
 */
export async function* eachBucketId(storage: Pick<Storage, "listBuckets">): AsyncGenerator<string> {
  const seen = new Set<string>();
  for (;;) {
    const others = (await storage.listBuckets()).filter(({ id }) => !seen.has(id));
    if (others.length === 0) return;
    for (const { id } of others) {
      seen.add(id);
      yield id;
    }
  }
}

/** Reads a bucket, which may be deleted in the meantime. @returns `undefined` if it does not exist */
export function readIfThere(storage: Storage, bucketId: string, range?: EventRange): Promise<EventRead | undefined> {
  return storage.read(bucketId, range).catch(ifCode("NO_SUCH_BUCKET", undefined));
}

/** The events of a bucket, which may be deleted in the meantime: then it has none. */
export async function* batchesIfThere(
  storage: Storage,
  bucketId: string,
  range?: EventRange,
): AsyncGenerator<EventBatch> {
  const read = await readIfThere(storage, bucketId, range);
  if (read !== undefined) yield* read.batches;
}
