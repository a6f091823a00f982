import { noSuchBucket } from "../errors.js";
import type { EventSource } from "./source.js";

/** The buckets that a caller can see. */
export interface BucketView {
  /** Equal for callers that see the same buckets; part of the result cache's key. */
  readonly key: string;
  /** Whether it shows no bucket at all, as for a watcher's key, which only writes. */
  readonly isEmpty: boolean;
  sees(bucketId: string): boolean;
}

/** Restricts a source to the buckets of a view. */
export function restrictSource(view: BucketView, source: EventSource): EventSource {
  async function assertVisible(bucketId: string): Promise<void> {
    // The redirect's target must be visible as well; otherwise a redirect would expose a hidden bucket.
    const isSeen = view.sees(bucketId) && view.sees((await source.resolveRedirect?.(bucketId)) ?? bucketId);
    if (!isSeen) throw noSuchBucket(bucketId);
  }

  return {
    versions: (ids) => source.versions(ids),
    listBuckets: async () => (await source.listBuckets()).filter(({ id }) => view.sees(id)),
    async readEvents(bucketId, ...rest) {
      await assertVisible(bucketId);
      return source.readEvents(bucketId, ...rest);
    },
    async countEvents(bucketId, start, end) {
      await assertVisible(bucketId);
      return source.countEvents(bucketId, start, end);
    },
  };
}
