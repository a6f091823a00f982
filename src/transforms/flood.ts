import type { EventBatch } from "../domain/batch.js";
import type { JsonObject } from "../domain/json.js";
import type { Micros } from "../domain/time.js";
import { BatchBuilder, emptyBatch, idAt } from "./batches.js";
import { sameData } from "./data.js";
import { sortByStartAndDuration } from "./sort.js";
import { inSlices, type Steps } from "./steps.js";

/**
 * Closes the short gaps between events, which only come from the pace of the watcher (docs/compatibility.md#flooding).
 *
 *     same data        [--A--]  [--A--]      ->  [------A-----]
 *     different data   [--A--]  [--B--]      ->  [---A--][-B--]     split in the middle, the odd microsecond to B
 *     pulsetime away   [--A--]     [--B--]   ->  both stay
 *
 * Events of the same data that overlap are joined too; overlapping events of different data stay as they are.
 *
 * @param pulsetimeMicros gaps shorter than this are closed
 * @returns ascending by start
 */
export function* flood(events: EventBatch, pulsetimeMicros: Micros): Steps<EventBatch> {
  const sorted = yield* sortByStartAndDuration(events);
  if (sorted.length === 0) return emptyBatch;
  const state = startOf(sorted, pulsetimeMicros);
  yield* inSlices(sorted.length, (from, to) => floodSlice(state, Math.max(from, 1), to));
  state.flooded.add(state.start, state.end - state.start, state.data, state.id);
  return state.flooded.finish();
}

/** How far it came: what is done, and the current event. */
interface Flooding {
  readonly sorted: EventBatch;
  readonly pulsetimeMicros: Micros;
  readonly flooded: BatchBuilder;
  start: Micros;
  end: Micros;
  data: JsonObject;
  id: number;
}

function startOf(sorted: EventBatch, pulsetimeMicros: Micros): Flooding {
  const start = sorted.timestamps[0] as number;
  const end = start + (sorted.durations[0] as number);
  const flooded = new BatchBuilder(sorted.length);
  return { sorted, pulsetimeMicros, flooded, start, end, data: sorted.datas[0] as JsonObject, id: idAt(sorted.ids, 0) };
}

function floodSlice(state: Flooding, from: number, to: number): void {
  const { pulsetimeMicros, flooded } = state;
  const { timestamps, durations, datas, ids } = state.sorted;
  let { start, end, data, id } = state;
  for (let at = from; at < to; at++) {
    let nextStart = timestamps[at] as number;
    const nextEnd = nextStart + (durations[at] as number);
    const nextData = datas[at] as JsonObject;
    const gap = nextStart - end;
    if (gap < pulsetimeMicros) {
      if (sameData(data, nextData)) {
        if (nextEnd > end) end = nextEnd;
        id = 0;
        continue;
      }
      if (gap >= 0) {
        end += Math.floor(gap / 2);
        nextStart = end;
      }
    }
    flooded.add(start, end - start, data, id);
    start = nextStart;
    end = nextEnd;
    data = nextData;
    id = idAt(ids, at);
  }
  state.start = start;
  state.end = end;
  state.data = data;
  state.id = id;
}
