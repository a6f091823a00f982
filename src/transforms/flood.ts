import type { EventBatch } from "../domain/batch.js";
import type { JsonObject } from "../domain/json.js";
import type { Micros } from "../domain/time.js";
import { BatchBuilder, emptyBatch, idAt } from "./batches.js";
import { sameData } from "./data.js";
import { sortByStartAndDuration } from "./sort.js";
import { forEachSlice, type Steps } from "./steps.js";

/** Shorter overlaps result from inexact watcher clocks, and are split like gaps. */
const MAX_CLOCK_OVERLAP = 100_000;

/**
 * Closes short gaps between events, which only result from the watcher's polling, and removes overlaps
 * (docs/reference/compatibility.md#flooding).
 *
 *     same data        [--A--]  [--A--]      ->  [------A-----]
 *     different data   [--A--]  [--B--]      ->  [---A--][-B--]     split in the middle, the odd microsecond to B
 *     longer gap       [--A--]     [--B--]   ->  unchanged
 *     overlap          [---A------]
 *                         [-B-]              ->  [-A][-B-]          the later event wins; A does not resume
 *
 * @param pulsetimeMicros maximum length of gaps to close; not negative
 * @returns ascending by start, without overlaps and without zero-length events
 */
export function* flood(events: EventBatch, pulsetimeMicros: Micros): Steps<EventBatch> {
  const sorted = yield* sortByStartAndDuration(events);
  if (sorted.length === 0) return emptyBatch;
  const state = startFlooding(sorted, pulsetimeMicros);
  yield* forEachSlice(sorted.length, (from, to) => floodSlice(state, Math.max(from, 1), to));
  const { flooded, start, end, data, id } = state;
  if (end > start && makeRoom(flooded, start, end, data)) flooded.add(start, end - start, data, id);
  return flooded.finish();
}

/** Progress, including the current event. */
interface Flooding {
  readonly sorted: EventBatch;
  readonly pulsetimeMicros: Micros;
  readonly flooded: BatchBuilder;
  start: Micros;
  end: Micros;
  data: JsonObject;
  id: number;
  /** Whether it starts at the end of the last finished event, with different data. */
  followsLast: boolean;
}

function startFlooding(sorted: EventBatch, pulsetimeMicros: Micros): Flooding {
  const start = sorted.timestamps[0] as number;
  const end = start + (sorted.durations[0] as number);
  const flooded = new BatchBuilder(sorted.length);
  const [data, id] = [sorted.datas[0] as JsonObject, idAt(sorted.ids, 0)];
  return { sorted, pulsetimeMicros, flooded, start, end, data, id, followsLast: false };
}

function floodSlice(state: Flooding, from: number, to: number): void {
  const { pulsetimeMicros, flooded } = state;
  const { timestamps, durations, datas, ids } = state.sorted;
  let { start, end, data, id, followsLast } = state;
  for (let at = from; at < to; at++) {
    let nextStart = timestamps[at] as number;
    const nextEnd = nextStart + (durations[at] as number);
    const nextData = datas[at] as JsonObject;
    const gap = nextStart - end;
    let isSplit = false;
    if (gap <= pulsetimeMicros) {
      if (sameData(data, nextData)) {
        // A split overlap may have moved the start after the next event's start.
        if (nextStart < start) {
          start = nextStart;
          followsLast = false;
        }
        if (nextEnd > end) end = nextEnd;
        id = 0;
        continue;
      }
      if (gap > -MAX_CLOCK_OVERLAP) {
        end += Math.floor(gap / 2);
        nextStart = end;
        isSplit = true;
      }
    }
    // Most gaps are split, and their events need no second comparison.
    const isAdded = end > start && (followsLast || makeRoom(flooded, start, end, data));
    if (isAdded) flooded.add(start, end - start, data, id);
    followsLast = isSplit && isAdded;
    start = nextStart;
    end = nextEnd;
    data = nextData;
    id = idAt(ids, at);
  }
  state.start = start;
  state.end = end;
  state.data = data;
  state.id = id;
  state.followsLast = followsLast;
}

/**
 * Removes an event's time range from the previous events.
 *
 * @returns `false` if the last one has the same data and now covers the range
 */
function makeRoom(kept: BatchBuilder, start: Micros, end: Micros, data: JsonObject): boolean {
  while (kept.length > 0 && kept.lastEnd >= start) {
    if (sameData(kept.lastData, data)) {
      if (end > kept.lastEnd) kept.endLast(end);
      kept.clearLastId();
      return false;
    }
    if (kept.lastEnd === start) break;
    if (kept.lastStart < start) {
      kept.endLast(start);
      break;
    }
    kept.dropLast();
  }
  return true;
}
