import type { EventBatch } from "../domain/batch.js";
import type { JsonObject } from "../domain/json.js";
import type { Micros } from "../domain/time.js";
import { firstWhere } from "../util/binary-search.js";
import { pick } from "./batches.js";
import { radixOrder } from "./radix.js";
import { sortByStartAndDuration } from "./sort.js";
import { forEachSlice, type Steps } from "./steps.js";

const NONE = -1;

/** The points in time at which events start or end, and the event that covers each gap between them. */
export class Timeline {
  /** Ascending, without duplicates. */
  readonly times: Float64Array;
  readonly length: number;
  readonly #events: EventBatch;
  /** Index of the event that covers the time from a point to the next one. */
  readonly coveringEvents: Int32Array;
  /** Index of a zero-length event at a point. */
  readonly instants: Int32Array;

  constructor(events: EventBatch, times: Float64Array) {
    this.#events = events;
    this.times = times;
    this.length = times.length;
    this.coveringEvents = new Int32Array(times.length).fill(NONE);
    this.instants = new Int32Array(times.length).fill(NONE);
  }

  /** Time of a point; infinity after the last one. */
  timeOf(point: number): Micros {
    return point < this.length ? (this.times[point] as number) : Number.POSITIVE_INFINITY;
  }

  /** The first point after a timestamp. */
  pointAfter(instant: Micros): number {
    return firstWhere(0, this.length, (at) => (this.times[at] as number) > instant);
  }

  /**
   * Data of the event that covers a slice, which ends at `point` or before.
   *
   * @param beginsAtPoint whether it starts at the previous point; otherwise it starts with its base event
   * @param endsAtPoint whether it ends at the point; otherwise it ends with its base event
   */
  dataOver(point: number, beginsAtPoint: boolean, endsAtPoint: boolean): JsonObject | undefined {
    const before = point - 1;
    let event = before < 0 ? NONE : (this.coveringEvents[before] as number);
    const instantBefore = beginsAtPoint ? (this.instants[before] as number) : NONE;
    // An event with the same start has a positive duration, and therefore ends later.
    if (instantBefore !== NONE && !(event !== NONE && this.#events.timestamps[event] === this.times[before])) {
      event = instantBefore;
    }
    const instant = endsAtPoint ? (this.instants[point] as number) : NONE;
    if (instant !== NONE) event = instant;
    return event === NONE ? undefined : this.#events.datas[event];
  }
}

/**
 * Creates the timeline of a list. If several events cover a time, the one with the latest start wins, then the one with
 * the latest end, then the first in the list. Negative durations are ignored.
 */
export function* createTimeline(list: EventBatch): Steps<Timeline> {
  const events = yield* sortByStartAndDuration(yield* withoutNegative(list));
  const line = new Timeline(events, yield* collectPoints(events));
  // Stack of started events, the winning one on top. Finished ones stay until they are on top.
  const begun: number[] = [];
  let next = 0;
  yield* forEachSlice(line.length, (from, to) => {
    for (let point = from; point < to; point++) {
      const time = line.times[point] as number;
      for (; next < events.length && events.timestamps[next] === time; next++) {
        const duration = events.durations[next] as number;
        const isRepetition =
          next > 0 && events.timestamps[next - 1] === time && events.durations[next - 1] === duration;
        if (isRepetition) continue;
        if (duration > 0) begun.push(next);
        else line.instants[point] = next;
      }
      while (begun.length > 0 && events.endAt(begun.at(-1) as number) <= time) begun.pop();
      line.coveringEvents[point] = begun.at(-1) ?? NONE;
    }
  });
  return line;
}

function* withoutNegative(list: EventBatch): Steps<EventBatch> {
  const kept = new Uint32Array(list.length);
  let count = 0;
  yield* forEachSlice(list.length, (from, to) => {
    for (let at = from; at < to; at++) if ((list.durations[at] as number) >= 0) kept[count++] = at;
  });
  return count === list.length ? list : yield* pick(list, kept.subarray(0, count));
}

/** Starts and ends of events sorted by start, ascending and without duplicates. */
function* collectPoints(events: EventBatch): Steps<Float64Array> {
  const { length, timestamps } = events;
  const ends = new Float64Array(length);
  for (let at = 0; at < length; at++) ends[at] = events.endAt(at);
  const order = yield* radixOrder(ends, "ascending");
  const points = new Float64Array(2 * length);
  let count = 0;
  let atStart = 0;
  // The last point is always an end.
  yield* forEachSlice(length, (from, to) => {
    for (let atEnd = from; atEnd < to; atEnd++) {
      const end = ends[order[atEnd] as number] as number;
      for (; atStart < length && (timestamps[atStart] as number) < end; atStart++) {
        if (count === 0 || points[count - 1] !== timestamps[atStart]) points[count++] = timestamps[atStart] as number;
      }
      if (count === 0 || points[count - 1] !== end) points[count++] = end;
    }
  });
  return points.slice(0, count);
}
