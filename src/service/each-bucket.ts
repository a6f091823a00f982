import type { EventBatch } from "../domain/batch.js";
import { ifCode } from "../errors.js";
import type { EventRange, EventRead, Storage } from "../storage/storage.js";

/**
 * Iterates the IDs of all buckets for sequential work. A bucket that is renamed in the meantime appears under the new
 * ID as well; a deleted one may still appear.
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

/** Reads a bucket that may be deleted in the meantime. @returns `undefined` if it does not exist */
export function readIfExists(storage: Storage, bucketId: string, range?: EventRange): Promise<EventRead | undefined> {
  return storage.read(bucketId, range).catch(ifCode("NO_SUCH_BUCKET", undefined));
}

/** The events of a bucket that may be deleted in the meantime; then it has none. */
export async function* readBatchesIfExists(
  storage: Storage,
  bucketId: string,
  range?: EventRange,
): AsyncGenerator<EventBatch> {
  const read = await readIfExists(storage, bucketId, range);
  if (read !== undefined) yield* read.batches;
}
