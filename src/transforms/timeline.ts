import type { EventBatch } from "../domain/batch.js";
import type { JsonObject } from "../domain/json.js";
import type { Micros } from "../domain/time.js";
import { firstWhere } from "../util/binary-search.js";
import { pick } from "./batches.js";
import { radixOrder } from "./radix.js";
import { sortByStartAndDuration } from "./sort.js";
import { inSlices, type Steps } from "./steps.js";

const NONE = -1;

/** The times at which events begin or end, and what covers the time from each of them to the next. */
export class Timeline {
  /** Ascending, each time once. */
  readonly times: Float64Array;
  readonly length: number;
  readonly #events: EventBatch;
  /** Index of the event that covers the time from a point to the next one. */
  readonly covers: Int32Array;
  /** Index of an event of no length at a point. */
  readonly instants: Int32Array;

  constructor(events: EventBatch, times: Float64Array) {
    this.#events = events;
    this.times = times;
    this.length = times.length;
    this.covers = new Int32Array(times.length).fill(NONE);
    this.instants = new Int32Array(times.length).fill(NONE);
  }

  /** When a point is; behind the last one never. */
  timeOf(point: number): Micros {
    return point < this.length ? (this.times[point] as number) : Number.POSITIVE_INFINITY;
  }

  /** The first point after an instant. */
  pointAfter(instant: Micros): number {
    return firstWhere(0, this.length, (at) => (this.times[at] as number) > instant);
  }

  /**
   * The data of what covers a slice that ends at `point` or before.
   *
   * @param beginsAtPoint whether it begins at the point before; otherwise it begins where its event does
   * @param endsAtPoint whether it ends at the point; otherwise it ends where its event does
   */
  dataOver(point: number, beginsAtPoint: boolean, endsAtPoint: boolean): JsonObject | undefined {
    const before = point - 1;
    let event = before < 0 ? NONE : (this.covers[before] as number);
    const instantBefore = beginsAtPoint ? (this.instants[before] as number) : NONE;
    // What begins in the same instant has some length, and so ends later.
    if (instantBefore !== NONE && !(event !== NONE && this.#events.timestamps[event] === this.times[before])) {
      event = instantBefore;
    }
    const instant = endsAtPoint ? (this.instants[point] as number) : NONE;
    if (instant !== NONE) event = instant;
    return event === NONE ? undefined : this.#events.datas[event];
  }
}

/**
 * Lays events out in time. Of several that cover a time the one that started last counts, of these the one that ends
 * last, of these the first in the list; negative lengths do not count.
 */
export function* timelineOf(list: EventBatch): Steps<Timeline> {
  const events = yield* sortByStartAndDuration(yield* withoutNegative(list));
  const line = new Timeline(events, yield* pointsOf(events));
  // Events that began, the one that counts on top. Those that are over stay below until nothing lies on them.
  const begun: number[] = [];
  let next = 0;
  yield* inSlices(line.length, (from, to) => {
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
      line.covers[point] = begun.at(-1) ?? NONE;
    }
  });
  return line;
}

function* withoutNegative(list: EventBatch): Steps<EventBatch> {
  const kept = new Uint32Array(list.length);
  let count = 0;
  yield* inSlices(list.length, (from, to) => {
    for (let at = from; at < to; at++) if ((list.durations[at] as number) >= 0) kept[count++] = at;
  });
  return count === list.length ? list : yield* pick(list, kept.subarray(0, count));
}

/** Starts and ends of events that ascend by start, each time once. */
function* pointsOf(events: EventBatch): Steps<Float64Array> {
  const { length, timestamps } = events;
  const ends = new Float64Array(length);
  for (let at = 0; at < length; at++) ends[at] = events.endAt(at);
  const order = yield* radixOrder(ends, "ascending");
  const points = new Float64Array(2 * length);
  let count = 0;
  let atStart = 0;
  // The last time is an end.
  yield* inSlices(length, (from, to) => {
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
