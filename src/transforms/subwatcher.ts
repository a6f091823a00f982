import type { EventBatch } from "../domain/batch.js";
import { type JsonObject, sameJson } from "../domain/json.js";
import type { Micros } from "../domain/time.js";
import { BatchBuilder, idAt, NO_DATA } from "./batches.js";
import { ownValue, remembered, sameData, withValue } from "./data.js";
import { STEP_EVENTS, type Steps, whileAny } from "./steps.js";
import { type Timeline, timelineOf } from "./timeline.js";

/** Which value stays where both events have the key. */
export type FieldConflict = "base_wins" | "sub_wins";

/**
 * Adds to events what another watcher saw at the same time, e.g. the file of an editor to the window of the editor
 * (docs/compatibility.md#subwatchers): cuts each of them where events of the other list begin and end, and copies some
 * keys from the one that covers the slice. Of several the one that started last covers, of these the one that ends
 * last. Slices of one event that turn out equal are joined again. Order, total time and ids of `base` stay.
 *
 *     base   [--------A--------]  [-B-]
 *     sub       [--x--]
 *               [----y---]
 *     result [A][--A+y--][--A--]  [-B-]
 *
 * An event of no length in `sub` covers both slices that it parts. Events of `base` that have no length, or a negative
 * one, stay as they are; those of `sub` with a negative length do not count.
 *
 * @param made is told how many events there are so far, before each pause: base events that overlap each other can make
 *   many more than went in. It may throw.
 */
export function* mergeSubwatcherFields(
  base: EventBatch,
  sub: EventBatch,
  keys: readonly string[],
  conflict: FieldConflict,
  made?: (events: number) => void,
): Steps<EventBatch> {
  if (base.length === 0 || sub.length === 0 || keys.length === 0) return base;
  const line = yield* timelineOf(sub);
  const slices = new BatchBuilder(base.length + line.length);
  const enrich = enricher(keys, conflict);
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
  yield* whileAny(() => {
    const more = sliceSome(state);
    made?.(slices.length);
    return more;
  });
  return slices.finish();
}

/** How far it came: the current event, and its piece that may still grow. */
interface Slicing {
  readonly base: EventBatch;
  readonly line: Timeline;
  readonly enrich: (data: JsonObject, from: JsonObject) => JsonObject;
  readonly slices: BatchBuilder;
  at: number;
  /** Slices from one pause to the next. */
  readonly stepSlices: number;
  /** The first point of the timeline after `from`. */
  point: number;
  /** Where the next slice begins; NaN before the first one of the event. */
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

/** Copies keys between data; each pair of data is worked out once. */
function enricher(
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
    const ofData = remembered(known, data, () => new Map<JsonObject, JsonObject>());
    return remembered(ofData, from, () => copied(data, from));
  };
}
