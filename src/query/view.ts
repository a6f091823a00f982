import { noSuchBucket } from "../errors.js";
import type { EventSource } from "./source.js";

/** The buckets that exist for somebody who asks. */
export interface BucketView {
  /** The same for everybody who sees the same buckets: results are kept by it. */
  readonly key: string;
  sees(bucketId: string): boolean;
}

/** A source in which only the buckets of a view exist. */
export function sourceSeenBy(view: BucketView, source: EventSource): EventSource {
  async function refuseUnseen(bucketId: string): Promise<void> {
    // What an id leads to has to be seen as well: else a redirect would open a bucket.
    const isSeen = view.sees(bucketId) && view.sees((await source.leadsTo?.(bucketId)) ?? bucketId);
    if (!isSeen) throw noSuchBucket(bucketId);
  }

  return {
    versions: (ids) => source.versions(ids),
    listBuckets: async () => (await source.listBuckets()).filter(({ id }) => view.sees(id)),
    async readEvents(bucketId, ...rest) {
      await refuseUnseen(bucketId);
      return source.readEvents(bucketId, ...rest);
    },
    async countEvents(bucketId, start, end) {
      await refuseUnseen(bucketId);
      return source.countEvents(bucketId, start, end);
    },
  };
}
