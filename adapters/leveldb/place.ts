import { byTime, type StoredEvent } from "../../src/domain/event.js";
import type { Operation } from "./database.js";
import { divide, sealRun } from "./fold.js";
import type { BlockSource } from "./read.js";
import { eventsOf } from "./segment.js";
import { mayHold, type SegmentEntry } from "./segment-entry.js";
import type { Shelf } from "./shelf.js";

/** Reads segments for a change, with nothing else changing the bucket meanwhile. */
export type WithBlocks = <T>(
  segments: readonly SegmentEntry[],
  use: (blockOf: BlockSource) => Promise<T>,
) => Promise<T>;

/**
 * Puts events into a bucket, over those of the same ids.
 *
 * @param givenIds the ids that callers brought: only these can be in the bucket already
 * @returns at once, unless a segment may hold one of these ids and must be read
 */
export function placeIn(
  shelf: Shelf,
  events: readonly StoredEvent[],
  givenIds: readonly number[],
  withBlocks: WithBlocks,
): Operation[] | Promise<Operation[]> {
  const sealedIds = givenIds.filter((id) => shelf.tail.get(id) === undefined);
  const segments = segmentsFor(shelf, sealedIds);
  if (segments.length === 0) return placeFresh(shelf, events);
  return withBlocks(segments, async (blockOf) => {
    const { operations } = await takeOut(shelf, segments, new Set(sealedIds), blockOf);
    return [...operations, ...placeFresh(shelf, events)];
  });
}

function placeFresh(shelf: Shelf, events: readonly StoredEvent[]): Operation[] {
  const [only] = events;
  if (only !== undefined && events.length === 1) return shelf.putInTail([only]);
  const held = events.filter(({ id }) => shelf.tail.get(id) !== undefined);
  const fresh = held.length === 0 ? [...events] : events.filter(({ id }) => shelf.tail.get(id) === undefined);
  // In this order: which event is the newest decides what may be sealed.
  const replaced = shelf.putInTail(held);
  const { runs, loose } = divide(shelf, fresh.sort(byTime));
  return [...replaced, ...shelf.putInTail(loose), ...runs.flatMap((run) => sealRun(shelf, run))];
}

/** What a deletion did. */
export interface Removal {
  readonly operations: Operation[];
  readonly count: number;
}

/** Takes events out of a bucket; at once, unless a segment may hold one of them and must be read. */
export function removeFrom(
  shelf: Shelf,
  eventIds: ReadonlySet<number>,
  withBlocks: WithBlocks,
): Removal | Promise<Removal> {
  const events = Array.from(eventIds, (id) => shelf.tail.get(id)).filter((event) => event !== undefined);
  const sealedIds = [...eventIds].filter((id) => shelf.tail.get(id) === undefined);
  const segments = segmentsFor(shelf, sealedIds);
  if (segments.length === 0) return { operations: shelf.takeFromTail(events), count: events.length };
  return withBlocks(segments, async (blockOf) => {
    const { operations, count } = await takeOut(shelf, segments, new Set(sealedIds), blockOf);
    return { operations: [...shelf.takeFromTail(events), ...operations], count: count + events.length };
  });
}

function segmentsFor({ directory }: Shelf, eventIds: readonly number[]): SegmentEntry[] {
  if (eventIds.length === 0) return [];
  return directory.entries.filter((entry) => eventIds.some((id) => mayHold(entry, id)));
}

/** Takes events out of sealed segments. All of these are read before the first is changed. */
async function takeOut(
  shelf: Shelf,
  segments: readonly SegmentEntry[],
  eventIds: ReadonlySet<number>,
  blockOf: BlockSource,
): Promise<Removal> {
  const contents: [SegmentEntry, StoredEvent[]][] = [];
  for (const entry of segments) contents.push([entry, eventsOf(await blockOf(entry))]);
  const operations: Operation[] = [];
  let count = 0;
  for (const [entry, events] of contents) {
    const remaining = events.filter(({ id }) => !eventIds.has(id));
    if (remaining.length === events.length) continue;
    count += events.length - remaining.length;
    operations.push(...shelf.unseal(entry, remaining));
  }
  return { operations, count };
}
