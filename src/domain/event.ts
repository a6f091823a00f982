import { firstWhere } from "../util/binary-search.js";
import type { JsonObject } from "./json.js";
import type { Micros } from "./time.js";

/** An activity during a time range, before it has an ID. Immutable. */
export interface EventDraft {
  /** Start, microseconds since 1970-01-01 UTC. */
  readonly timestamp: Micros;
  /** Duration in microseconds; may be negative (docs/reference/api.md#durations). */
  readonly duration: Micros;
  readonly data: JsonObject;
  /**
   * Integer from 1 to 2^53 - 1. If set, replaces the bucket's event with this ID, or assigns the ID if it is unused.
   */
  readonly id?: number;
}

/** An event in the storage. */
export interface StoredEvent extends EventDraft {
  readonly id: number;
}

/** The result of storing a draft: the stored event, or one without an ID if a privacy rule dropped it. */
export interface AcceptedDraft extends Omit<EventDraft, "id"> {
  readonly id: number | null;
}

/**
 * IDs from here up do not advance the counter: only clients can choose them, and a single one could use up all IDs.
 * Assigned IDs never get this far.
 */
export const COUNTED_IDS_END: number = Number.MAX_SAFE_INTEGER - 2 ** 32;

/**
 * The ID counter after some IDs are taken: above all of them.
 *
 * @param nextId the next ID to assign
 */
export function counterAbove(nextId: number, takenIds: Iterable<number>): number {
  let next = nextId;
  for (const id of takenIds) if (id >= next && id < COUNTED_IDS_END) next = id + 1;
  return next;
}

/** Drafts with IDs. */
export interface NumberedEvents {
  /** In the order of the drafts. */
  readonly events: StoredEvent[];
  /** IDs that the drafts already had. */
  readonly givenIds: readonly number[];
  /** The next ID to assign afterwards. */
  readonly nextId: number;
}

/**
 * Assigns IDs to drafts, above all IDs that the drafts already have. From `COUNTED_IDS_END` up, which only clients can
 * reach, it skips used IDs.
 *
 * @param nextId the next ID to assign
 * @param isTaken whether an event of the bucket may have an ID
 */
export function numbered(
  drafts: readonly EventDraft[],
  nextId: number,
  isTaken: (id: number) => boolean = () => false,
): NumberedEvents {
  const givenIds: number[] = [];
  for (const { id } of drafts) if (id !== undefined) givenIds.push(id);
  let next = counterAbove(nextId, givenIds);
  function newId(): number {
    while (next >= COUNTED_IDS_END && (isTaken(next) || givenIds.includes(next))) next++;
    return next++;
  }
  const events = drafts.map(({ id, timestamp, duration, data }) => ({ id: id ?? newId(), timestamp, duration, data }));
  return { events, givenIds, nextId: next };
}

/** End of an event in microseconds. Before its start if the duration is negative. */
export function endOf(event: Pick<EventDraft, "timestamp" | "duration">): Micros {
  return event.timestamp + event.duration;
}

/** Fields that determine the position of an event. */
export type OrderedEvent = Pick<StoredEvent, "timestamp" | "id">;

/** Sort order of events in a bucket: by (timestamp, id), ascending. */
export function byTime(a: OrderedEvent, b: OrderedEvent): number {
  return a.timestamp - b.timestamp || a.id - b.id;
}

/**
 * Whether an event touches a range, including all ends (docs/reference/compatibility.md#reading). Applies to negative
 * durations as well.
 */
export function overlaps(event: EventDraft, start: Micros, end: Micros): boolean {
  return event.timestamp <= end && event.timestamp + event.duration >= start;
}

/**
 * The first position for an event in a list sorted by (timestamp, id).
 *
 * @returns index from 0 to `events.length`
 */
export function positionOf(events: readonly StoredEvent[], timestamp: Micros, id: number): number {
  return firstWhere(0, events.length, (at) => {
    const event = events[at] as StoredEvent;
    return event.timestamp > timestamp || (event.timestamp === timestamp && event.id >= id);
  });
}
