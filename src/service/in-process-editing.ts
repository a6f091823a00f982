import { type DomainOf, decode, type InputOf } from "../api/codec.js";
import { SCHEMA_LIST } from "../api/schemas.js";
import type { ActivityEvent } from "../domain/activity-event.js";
import type { TimeInput } from "../domain/time.js";
import type { DeletionOptions } from "./in-process.js";
import type { InProcessEvents as EventMethods } from "./in-process-methods.js";
import { PROGRAM } from "./program-source.js";
import type { ProtectedService } from "./protected-service.js";
import type { DeletedEvents } from "./trash/entry.js";
import type { MatchingDeletion, SelectionInput } from "./trash/matching.js";
import { checkedBucketId, checkedId } from "./validation.js";

/** Changes of events that are there, for the program that the server lives in. */
export interface InProcessEditing extends EventMethods {
  split(bucketId: string, eventId: number, at: TimeInput): Promise<ActivityEvent[]>;
  move(bucketId: string, eventId: number, bucket: string): Promise<ActivityEvent>;
  /**
   * Deletes the events of a bucket that have one of the ids, in one step.
   *
   * @returns how many there were, and the trash entry that restores them
   * @throws ActivityError `INVALID_INPUT`, `NO_SUCH_BUCKET`, `VETOED`
   */
  deleteMany(bucketId: string, eventIds: readonly number[], options?: DeletionOptions): Promise<DeletedEvents>;
  /**
   * Deletes events by range and filter, in one step, or counts them (docs/trash.md#by-range-and-filter).
   *
   * @throws ActivityError `INVALID_INPUT`, `NO_SUCH_BUCKET`, `VETOED`
   */
  deleteMatching(bucketId: string, selection: InputOf<"DeletionByFilter">): Promise<DomainOf<"EventsDeletion">>;
}

export function editingOf(
  service: ProtectedService,
  { during }: { during<T>(work: () => Promise<T>): Promise<T> },
): Omit<InProcessEditing, keyof EventMethods> {
  return {
    deleteMany: (bucketId, eventIds, { permanent } = {}) =>
      during(async () => {
        const ids = eventIds.map((eventId, index) => checkedId(eventId, `event ${index}`));
        return service.deleteEvents(checkedBucketId(bucketId), ids, permanent === true);
      }),
    deleteMatching: (bucketId, given) =>
      during(async (): Promise<MatchingDeletion> => {
        const selection = decode(SCHEMA_LIST.DeletionByFilter, given, "", PROGRAM) as SelectionInput;
        return service.deleteMatching(checkedBucketId(bucketId), selection);
      }),
  };
}
