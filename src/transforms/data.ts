import { EventBatch } from "../domain/batch.js";
import { type JsonObject, type JsonValue, sameJson } from "../domain/json.js";
import { createArray, pick } from "./batches.js";
import { repeatWhile, STEP_EVENTS, type Steps } from "./steps.js";

/** Tests of data between two pauses. A test costs as much as several events. */
const STEP_TESTS = 1_024;
/** Share of events with new data above which results are no longer cached. */
const MAX_NEW_DATA = 0.75;

/** The value of a key; `undefined` if the data does not have it. Ignores inherited properties. */
export function ownValue(data: JsonObject, key: string): JsonValue | undefined {
  const value = data[key];
  // Objects inherit only functions, which JSON does not have, and `__proto__`. Calling `hasOwn` first would be slower.
  if (typeof value !== "function" && key !== "__proto__") return value;
  return Object.hasOwn(data, key) ? value : undefined;
}

/** A copy of data with a key set to a value. */
export function withValue(data: JsonObject, key: string, value: JsonValue): JsonObject {
  // A computed key creates an own property even for `__proto__`.
  return { ...data, [key]: value };
}

/** Equality of data. Optimized for adjacent events, which mostly share an object or differ in the first few values. */
export function sameData(a: JsonObject, b: JsonObject): boolean {
  if (a === b) return true;
  for (const key in a) {
    const value = a[key];
    const other = b[key];
    // Two objects need a deep comparison, and so does an inherited value, which is always an object.
    if (value !== other && (typeof value !== "object" || typeof other !== "object")) return false;
  }
  return sameJson(a, b);
}

/** Returns the cached result for some data, or computes it. */
export function memoize<T extends object>(
  known: Pick<WeakMap<JsonObject, T>, "get" | "set">,
  data: JsonObject,
  make: () => T,
): T {
  let made = known.get(data);
  if (made === undefined) {
    made = make();
    known.set(data, made);
  }
  return made;
}

/** Cost of tests or changes of data. */
export interface Effort {
  /** Cost of one call, relative to looking up a key and comparing its value. @default 1 */
  readonly cost?: number;
  /** Whether the calls since the last pause have used up the time slice. @default never */
  readonly isSliceOver?: (() => boolean) | undefined;
}

/**
 * Computes a result from data. `undefined` means that it needs a pause: call it again with the same data, and it
 * continues.
 */
export type Decide<T> = (data: JsonObject) => T | undefined;

/** Keeps the events whose data pass a test, which runs once per data object. */
export function* filterByData(events: EventBatch, test: Decide<boolean>, effort: Effort = {}): Steps<EventBatch> {
  const kept = new Uint32Array(events.length);
  let count = 0;
  yield* forEachData(events, {
    ...effort,
    decide: test,
    use(at, keep) {
      if (keep) kept[count++] = at;
    },
  });
  return count === events.length ? events : yield* pick(events, kept.subarray(0, count));
}

/** Replaces the data of events; the replacement is computed once per data object. Times and IDs do not change. */
export function* mapData(events: EventBatch, change: Decide<JsonObject>, effort: Effort = {}): Steps<EventBatch> {
  const { timestamps, durations, datas, ids } = events;
  const changed = createArray<JsonObject>(events.length);
  let changes = 0;
  yield* forEachData(events, {
    ...effort,
    decide: change,
    use(at, data) {
      changed[at] = data;
      if (data !== datas[at]) changes++;
    },
  });
  return changes === 0 ? events : EventBatch.of({ timestamps, durations, ids, datas: changed });
}

/** Callbacks for each event and its data. */
export interface DataWork<T> extends Effort {
  /** Called once per data object, or more often if few events share data. */
  readonly decide: Decide<T>;
  /** Called for each event, in order. */
  readonly use: (index: number, decision: T) => void;
}

/** Visits all events with a result computed from their data. Pauses more often if the computation is expensive. */
export function* forEachData<T>(
  { length, datas }: EventBatch,
  { decide, use, cost = 1, isSliceOver }: DataWork<T>,
): Steps<void> {
  const stepDecisions = Math.ceil(STEP_TESTS / Math.max(1, cost));
  let known: Map<JsonObject, T> | undefined = new Map();
  let decisions = 0;
  let at = 0;
  yield* repeatWhile(() => {
    const sliceEnd = Math.min(at + STEP_EVENTS, length);
    let mostDecisions = decisions + stepDecisions;
    let data: JsonObject | undefined;
    let decision: T | undefined;
    while (at < sliceEnd && decisions < mostDecisions) {
      const next = datas[at] as JsonObject;
      if (next !== data) {
        data = next;
        decision = known?.get(next);
        if (decision === undefined) {
          decision = decide(next);
          if (decision === undefined) break;
          decisions++;
          known?.set(next, decision);
          if (isSliceOver?.()) mostDecisions = decisions;
        }
      }
      use(at++, decision as T);
    }
    // If nearly every event has new data, caching costs more than it saves.
    if (at >= STEP_EVENTS && decisions > at * MAX_NEW_DATA) known = undefined;
    return at < length;
  });
}
