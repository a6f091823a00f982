import type { ProtectedService } from "./protected-service.js";
import type { TrashEntry } from "./trash/entry.js";
import type { RestoredBucket, Restoring } from "./trash/restoring.js";
import { checkedNewBucketId, checkedText } from "./validation.js";

/** What was deleted and can be restored, for the program that the server lives in (docs/trash.md). */
export interface InProcessTrash {
  /** What is in it, the latest first. Times are in microseconds. */
  list(): Promise<TrashEntry[]>;
  /**
   * Puts an entry back: whole buckets, or events into their bucket, under their own ids where those are free.
   *
   * @param to another bucket id, or `merge: true` to put the events of a deleted bucket into one that has its id again
   * @throws ActivityError `NO_SUCH_ENTRY`, `CONFLICT` where the id of a bucket is taken
   */
  restore(entryId: string, to?: Restoring): Promise<RestoredBucket[]>;
  /** Deletes an entry for good (docs/trash.md#for-good). @returns whether there was one */
  delete(entryId: string): Promise<boolean>;
  /** Deletes everything in it for good. @returns what was in it */
  empty(): Promise<TrashEntry[]>;
}

export function createInProcessTrash(
  service: ProtectedService,
  { during }: { during<T>(work: () => Promise<T>): Promise<T> },
): InProcessTrash {
  return {
    list: () => during(() => service.listTrash()),
    restore: (entryId, { bucketId, merge } = {}) =>
      during(async () =>
        service.restoreTrash(checkedText(entryId, "entryId"), {
          merge: merge === true,
          ...(bucketId === undefined ? {} : { bucketId: checkedNewBucketId(bucketId) }),
        }),
      ),
    delete: (entryId) => during(async () => (await service.removeTrash([checkedText(entryId, "entryId")])).length > 0),
    empty: () => during(() => service.removeTrash()),
  };
}
