import type { Storage } from "../storage/storage.js";

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
