import { firstWhere } from "../util/binary-search.js";
import type { JsonObject } from "./json.js";
import type { Micros } from "./time.js";

/** What happened in a span of time, before it has an id. Never changed in place. */
export interface EventDraft {
  /** Start, microseconds since 1970-01-01 UTC. */
  readonly timestamp: Micros;
  /** Length in microseconds; may be negative (docs/api.md#durations). */
  readonly duration: Micros;
  readonly data: JsonObject;
  /** Integer from 1 to 2^53 - 1. Given: replaces that event of the bucket, or is taken over if nobody has it. */
  readonly id?: number;
}

/** An event that the storage holds. */
export interface StoredEvent extends EventDraft {
  readonly id: number;
}

/** What became of a draft: as it is stored, or without an id where a privacy rule dropped it. */
export interface AcceptedDraft extends Omit<EventDraft, "id"> {
  readonly id: number | null;
}

/**
 * Ids from here on, which only callers can bring, do not move the counter: a single stray one could use it up. New ids
 * do not come near them in the lifetime of any server.
 */
export const COUNTED_IDS_END: number = Number.MAX_SAFE_INTEGER - 2 ** 32;

/**
 * The counter of new ids after some ids are taken: above all of them.
 *
 * @param nextId the id that would be given out next
 */
export function counterAbove(nextId: number, takenIds: Iterable<number>): number {
  let next = nextId;
  for (const id of takenIds) if (id >= next && id < COUNTED_IDS_END) next = id + 1;
  return next;
}

/** Drafts that have got ids. */
export interface NumberedEvents {
  /** In the order of the drafts. */
  readonly events: StoredEvent[];
  /** Ids that the drafts brought. */
  readonly givenIds: readonly number[];
  /** The counter behind them. */
  readonly nextId: number;
}

/**
 * Gives ids to drafts: new ones lie above every id that one of the drafts brings. From `COUNTED_IDS_END` on, where a
 * caller can push the counter, ids in use are passed over.
 *
 * @param nextId the id that would be given out next
 * @param isTaken whether an event of the bucket may have an id already
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

/** Where an event ends, in microseconds. Before its start when the duration is negative. */
export function endOf(event: Pick<EventDraft, "timestamp" | "duration">): Micros {
  return event.timestamp + event.duration;
}

/** What decides the place of an event. */
export type OrderedEvent = Pick<StoredEvent, "timestamp" | "id">;

/** The order of events in a bucket: by (timestamp, id), ascending. */
export function byTime(a: OrderedEvent, b: OrderedEvent): number {
  return a.timestamp - b.timestamp || a.id - b.id;
}

/**
 * Tells whether a span touches a range, both ends of both included (docs/compatibility.md#reading).
 * The same test serves events of negative duration.
 */
export function overlaps(event: EventDraft, start: Micros, end: Micros): boolean {
  return event.timestamp <= end && event.timestamp + event.duration >= start;
}

/**
 * The first position in a list sorted by (timestamp, id) at which an event with this time and id may stand.
 *
 * @returns index from 0 to `events.length`
 */
export function positionOf(events: readonly StoredEvent[], timestamp: Micros, id: number): number {
  return firstWhere(0, events.length, (at) => {
    const event = events[at] as StoredEvent;
    return event.timestamp > timestamp || (event.timestamp === timestamp && event.id >= id);
  });
}
