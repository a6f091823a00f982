// Parts of a period that are summed up separately.
import { EventBatch } from "../domain/batch.js";
import type { Micros } from "../domain/time.js";
import { NO_DATA } from "../transforms/batches.js";
import { periodIntersect } from "../transforms/period.js";
import { sortByStartAndDuration } from "../transforms/sort.js";
import { forEachSlice, type Steps } from "../transforms/steps.js";
import { coverOnce, PULSETIME_MICROS } from "./cover.js";

/** How far beyond an inner border events count: they close gaps across it. */
const CONTEXT_MICROS: Micros = PULSETIME_MICROS + 1_000_000;

/** A part of a period. Its borders are those of the period, or inner ones. */
export interface Piece {
  readonly start: Micros;
  readonly end: Micros;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** The range of events that a part depends on. */
export function rangeOf({ start, end, isFirst, isLast }: Piece): { readonly start: Micros; readonly end: Micros } {
  return { start: isFirst ? start : start - CONTEXT_MICROS, end: isLast ? end : end + CONTEXT_MICROS };
}

/** Inner borders at which overlapping events prevent a separate sum. */
export interface Crossings {
  atStart: boolean;
  atEnd: boolean;
}

/**
 * Finds overlapping events near the inner borders of a part. Which of them counts can depend on events far away. Events
 * that do not overlap only depend on their neighbors, which `rangeOf` includes, so that a cut between them or within
 * one changes nothing.
 *
 */
function* findCrossings(events: EventBatch, piece: Piece, crossings: Crossings): Steps<void> {
  if (piece.isFirst && piece.isLast) return;
  const sorted = yield* sortByStartAndDuration(events);
  const afterStart = piece.start + CONTEXT_MICROS;
  const beforeEnd = piece.end - CONTEXT_MICROS;
  /** The events so far that overlap each other. */
  let [start, end, isSingle] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, true];
  const judge = (): void => {
    if (isSingle) return;
    if (start <= afterStart) crossings.atStart ||= !piece.isFirst;
    if (end >= beforeEnd) crossings.atEnd ||= !piece.isLast;
  };
  yield* forEachSlice(sorted.length, (from, to) => {
    for (let at = from; at < to; at++) {
      const nextStart = sorted.timestamps[at] as number;
      const nextEnd = sorted.endAt(at);
      if (nextStart < end || nextEnd < nextStart) {
        isSingle = false;
        end = Math.max(end, nextEnd, nextStart);
        continue;
      }
      judge();
      [start, end, isSingle] = [nextStart, nextEnd, true];
    }
  });
  judge();
}

/** The events of a bucket in a part of a period, without overlaps. @param crossings notes what prevents that */
export function* coveredIn(events: EventBatch, piece: Piece, crossings: Crossings): Steps<EventBatch> {
  yield* findCrossings(events, piece, crossings);
  return yield* within(yield* coverOnce(events), piece);
}

/** The parts of events within a part of a period. @param events ascending, without overlaps */
function* within(events: EventBatch, { start, end }: Piece): Steps<EventBatch> {
  if (events.length === 0) return events;
  if ((events.timestamps[0] as number) >= start && events.endAt(events.length - 1) <= end) return events;
  return yield* periodIntersect(events, EventBatch.from([{ timestamp: start, duration: end - start, data: NO_DATA }]));
}
