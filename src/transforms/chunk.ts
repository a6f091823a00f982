import type { EventBatch } from "../domain/batch.js";
import { type JsonObject, type JsonValue, sameJson } from "../domain/json.js";
import type { Micros } from "../domain/time.js";
import { BatchBuilder, idAt } from "./batches.js";
import { ownValue } from "./data.js";
import { forEachSlice, type Steps } from "./steps.js";

/**
 * Joins adjacent events with the same value of a key (docs/reference/compatibility.md#chunks). A chunk has the start,
 * data and ID of its first event, and the sum of all durations. Events without the key are skipped and do not end a
 * chunk.
 */
export function* chunkEventsByKey(events: EventBatch, key: string): Steps<EventBatch> {
  const state: Chunking = {
    events,
    key,
    chunks: new BatchBuilder(events.length / 2),
    first: 0,
    sum: 0,
    value: undefined,
  };
  yield* forEachSlice(events.length, (from, to) => chunkSlice(state, from, to));
  endChunk(state);
  return state.chunks.finish();
}

/** Progress, including the chunk that may still grow. */
interface Chunking {
  readonly events: EventBatch;
  readonly key: string;
  readonly chunks: BatchBuilder;
  /** Index of its first event. */
  first: number;
  sum: Micros;
  /** Value that its events share; `undefined` before the first chunk. */
  value: JsonValue | undefined;
}

function chunkSlice(state: Chunking, from: number, to: number): void {
  const { durations, datas } = state.events;
  let data: JsonObject | undefined;
  let value: JsonValue | undefined;
  for (let at = from; at < to; at++) {
    const next = datas[at] as JsonObject;
    if (next !== data) {
      data = next;
      value = ownValue(next, state.key);
    }
    if (value === undefined) continue;
    if (state.value !== undefined && sameJson(value, state.value)) {
      state.sum += durations[at] as number;
      continue;
    }
    endChunk(state);
    state.first = at;
    state.sum = durations[at] as number;
    state.value = value;
  }
}

function endChunk({ events, chunks, first, sum, value }: Chunking): void {
  if (value === undefined) return;
  chunks.add(events.timestamps[first] as number, sum, events.datas[first] as JsonObject, idAt(events.ids, first));
}
