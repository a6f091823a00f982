import type { EventBatch } from "../domain/batch.js";
import { type JsonObject, sameJson } from "../domain/json.js";
import type { Micros } from "../domain/time.js";
import { BatchBuilder, idAt, NO_DATA } from "./batches.js";
import { memoize, ownValue, sameData, withValue } from "./data.js";
import { repeatWhile, STEP_EVENTS, type Steps } from "./steps.js";
import { createTimeline, type Timeline } from "./timeline.js";

/** Decides which value wins if both events have the key. */
export type FieldConflict = "base_wins" | "sub_wins";

/**
 * Adds details from another watcher to events, e.g. an editor's file to the editor's window
 * (docs/reference/compatibility.md#subwatchers). Cuts each event where events of the other list start and end, and
 * copies some keys from the event that covers the slice. If several cover it, the one with the latest start wins, then
 * the one with the latest end. Equal adjacent slices of one event are joined again. Order, total time and IDs of `base`
 * do not change.
 *
 *     base   [--------A--------]  [-B-]
 *     sub       [--x--]
 *               [----y---]
 *     result [A][--A+y--][--A--]  [-B-]
 *
 * A zero-length event in `sub` covers both slices that it separates. Events in `base` without a positive duration do
 * not change; events in `sub` with a negative duration are ignored.
 *
 * @param made receives the number of events so far before each pause, since overlapping base events can multiply. It
 * may throw.
 */
export function* mergeSubwatcherFields(
  base: EventBatch,
  sub: EventBatch,
  keys: readonly string[],
  conflict: FieldConflict,
  made?: (events: number) => void,
): Steps<EventBatch> {
  if (base.length === 0 || sub.length === 0 || keys.length === 0) return base;
  const line = yield* createTimeline(sub);
  const slices = new BatchBuilder(base.length + line.length);
  const enrich = createEnricher(keys, conflict);
  const state: Slicing = {
    base,
    line,
    enrich,
    slices,
    stepSlices: Math.ceil(STEP_EVENTS / keys.length),
    at: 0,
    point: 0,
    from: Number.NaN,
    pieceStart: 0,
    piece: NO_DATA,
  };
  yield* repeatWhile(() => {
    const more = sliceSome(state);
    made?.(slices.length);
    return more;
  });
  return slices.finish();
}

/** Progress: the current event, and its piece that may still grow. */
interface Slicing {
  readonly base: EventBatch;
  readonly line: Timeline;
  readonly enrich: (data: JsonObject, from: JsonObject) => JsonObject;
  readonly slices: BatchBuilder;
  at: number;
  /** Slices between two pauses. */
  readonly stepSlices: number;
  /** The first point of the timeline after `from`. */
  point: number;
  /** Start of the next slice; NaN before the first one of the event. */
  from: Micros;
  pieceStart: Micros;
  piece: JsonObject;
}

function sliceSome(state: Slicing): boolean {
  const { base, line, enrich, slices } = state;
  for (let round = 0; round < state.stepSlices; round++) {
    if (state.at === base.length) return false;
    const start = base.timestamps[state.at] as number;
    const end = start + (base.durations[state.at] as number);
    const data = base.datas[state.at] as JsonObject;
    const isFirst = Number.isNaN(state.from);
    if (isFirst) {
      state.from = start;
      state.pieceStart = start;
      state.piece = data;
      state.point = line.pointAfter(start);
    }
    if (state.from < end) {
      const to = Math.min(end, line.timeOf(state.point));
      const covering = line.dataOver(state.point, state.from > start, to < end);
      const next = covering === undefined ? data : enrich(data, covering);
      if (!isFirst && !sameData(state.piece, next)) {
        slices.add(state.pieceStart, state.from - state.pieceStart, state.piece, idAt(base.ids, state.at));
        state.pieceStart = state.from;
      }
      state.piece = next;
      state.point++;
      state.from = to;
    }
    if (state.from < end) continue;
    slices.add(state.pieceStart, end - state.pieceStart, state.piece, idAt(base.ids, state.at));
    state.at++;
    state.from = Number.NaN;
  }
  return true;
}

/** Copies keys between data, computing each pair of data once. */
function createEnricher(
  keys: readonly string[],
  conflict: FieldConflict,
): (data: JsonObject, from: JsonObject) => JsonObject {
  const known = new Map<JsonObject, Map<JsonObject, JsonObject>>();
  function copied(data: JsonObject, from: JsonObject): JsonObject {
    let enriched = data;
    for (const key of keys) {
      const own = ownValue(data, key);
      const value = ownValue(from, key);
      if (value === undefined || (own !== undefined && (conflict === "base_wins" || sameJson(own, value)))) continue;
      enriched = withValue(enriched, key, value);
    }
    return enriched;
  }
  return (data, from) => {
    const ofData = memoize(known, data, () => new Map<JsonObject, JsonObject>());
    return memoize(ofData, from, () => copied(data, from));
  };
}
