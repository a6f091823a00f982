import { type ActivityEvent, activityEvent } from "../domain/activity-event.js";
import type { TimeInput } from "../domain/time.js";
import { microsOf, type RangeInput, rangeOf } from "./input-coercion.js";
import type { ProtectedService } from "./protected-service.js";
import type { DeletedEvents } from "./trash/entry.js";
import {
  type BucketSelection,
  type DeletionInput,
  type DeletionSelection,
  type MatchingDeletion,
  readSelection,
  textsOf,
} from "./trash/matching.js";
import { checkedBucketId, checkedId, checkedText } from "./validation.js";

/** Which events to delete: those that overlap the range and meet the rest. */
export type SelectionInput = DeletionInput & Pick<RangeInput, "start" | "end">;

/** How to delete them. */
export interface SelectionOptions {
  /** Count only. @default false */
  readonly preview?: boolean;
  /** Past the trash (docs/trash.md#for-good). @default false */
  readonly permanent?: boolean;
}

/** Changes of events that are there, for the program that the server lives in. */
export interface InProcessEditing {
  /**
   * Deletes the events of a bucket that have one of the ids, in one step.
   *
   * @returns how many there were, and the trash entry that restores them
   * @throws ActivityError `INVALID_INPUT`, `NO_SUCH_BUCKET`, `VETOED`
   */
  deleteMany(
    bucketId: string,
    eventIds: readonly number[],
    options?: Pick<SelectionOptions, "permanent">,
  ): Promise<DeletedEvents>;
  /**
   * Deletes events by range and filter, in one step, or counts them (docs/trash.md#by-range-and-filter).
   *
   * @throws ActivityError `INVALID_INPUT`, `NO_SUCH_BUCKET`, `VETOED`
   */
  deleteMatching(bucketId: string, selection: SelectionInput, options?: SelectionOptions): Promise<MatchingDeletion>;
  /** The same of several buckets: one step, one entry of the trash. @throws ActivityError `INVALID_INPUT`, `VETOED` */
  deleteMatchingIn(
    buckets: BucketSelection,
    selection: SelectionInput,
    options?: SelectionOptions,
  ): Promise<MatchingDeletion>;
  /**
   * Makes two events of one; the first keeps the id.
   *
   * @throws ActivityError `INVALID_INPUT`, `NO_SUCH_BUCKET`, `NO_SUCH_EVENT`, `VETOED`
   */
  split(bucketId: string, eventId: number, at: TimeInput): Promise<readonly ActivityEvent[]>;
  /**
   * Moves an event to another bucket.
   *
   * @returns the event, with the id that it has there
   * @throws ActivityError `INVALID_INPUT`, `NO_SUCH_BUCKET`, `NO_SUCH_EVENT`, `VETOED`
   */
  move(bucketId: string, eventId: number, targetId: string): Promise<ActivityEvent>;
}

export function editingOf(
  service: ProtectedService,
  { during }: { during<T>(work: () => Promise<T>): Promise<T> },
): InProcessEditing {
  return {
    deleteMany: (bucketId, eventIds, { permanent } = {}) =>
      during(async () => {
        const ids = eventIds.map((eventId, index) => checkedId(eventId, `event ${index}`));
        return service.deleteEvents(checkedBucketId(bucketId), ids, permanent === true);
      }),
    deleteMatching: (bucketId, selection, options) =>
      during(async () => service.deleteMatching(checkedBucketId(bucketId), selectionOf(selection), optionsOf(options))),
    deleteMatchingIn: ({ buckets, hosts }, selection, options) =>
      during(async () => {
        const chosen = { buckets: textsOf(buckets, "buckets"), hosts: textsOf(hosts, "hosts") };
        return service.deleteMatchingIn(chosen, selectionOf(selection), optionsOf(options));
      }),
    split: (bucketId, eventId, at) =>
      during(async () => {
        const id = checkedId(eventId, "the event");
        const halves = await service.splitEvent(checkedBucketId(bucketId), id, microsOf(at, "at"));
        return halves.map((half) => activityEvent(half));
      }),
    move: (bucketId, eventId, targetId) =>
      during(async () => {
        const id = checkedId(eventId, "the event");
        return activityEvent(await service.moveEvent(checkedBucketId(bucketId), id, checkedText(targetId, "targetId")));
      }),
  };
}

function selectionOf({ start, end, ...rest }: SelectionInput): DeletionSelection {
  const range = { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) };
  return { ...rangeOf(range), ...readSelection(rest) };
}

function optionsOf({ preview = false, permanent = false }: SelectionOptions = {}) {
  return { isPreview: preview === true, isPermanent: permanent === true };
}
