import { EventBatch } from "../domain/batch.js";
import { type JsonObject, type JsonValue, sameJson } from "../domain/json.js";
import { arrayFor, pick } from "./batches.js";
import { STEP_EVENTS, type Steps, whileAny } from "./steps.js";

/** Tests of data from one pause to the next: one costs as much as several events. */
const STEP_TESTS = 1_024;
/** Share of events with data not seen before from which on decisions are not remembered. */
const MOST_NEW_DATA = 0.75;

/** The value of a key, or `undefined` when the data does not have it. What objects inherit does not count. */
export function ownValue(data: JsonObject, key: string): JsonValue | undefined {
  const value = data[key];
  // All that objects inherit are functions, which JSON does not have, and `__proto__`. Asking first would cost more.
  if (typeof value !== "function" && key !== "__proto__") return value;
  return Object.hasOwn(data, key) ? value : undefined;
}

/** A copy of data in which a key has another value. */
export function withValue(data: JsonObject, key: string, value: JsonValue): JsonObject {
  // A computed key makes a property of its own even of `__proto__`.
  return { ...data, [key]: value };
}

/** Equality of data. Made for neighbours in a list, which are mostly one object or differ in the first few values. */
export function sameData(a: JsonObject, b: JsonObject): boolean {
  if (a === b) return true;
  for (const key in a) {
    const value = a[key];
    const other = b[key];
    // Two objects need a closer look; so does an inherited value, which is one too.
    if (value !== other && (typeof value !== "object" || typeof other !== "object")) return false;
  }
  return sameJson(a, b);
}

/** What is known of some data, worked out when it is asked for first. */
export function remembered<T extends object>(
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

/** What decisions about data cost. */
export interface Effort {
  /** Of one decision, in comparison with looking up a key and matching its value. @default 1 */
  readonly cost?: number;
  /** Whether those since the last pause were so expensive that the next pause is due. @default never */
  readonly isSliceOver?: (() => boolean) | undefined;
}

/**
 * A decision about data. `undefined` means that it needs a pause first: it is asked for again, about the same data, and
 * keeps its place meanwhile.
 */
export type Decide<T> = (data: JsonObject) => T | undefined;

/** Keeps the events whose data pass a test, which is made once for each data object. */
export function* filterByData(events: EventBatch, test: Decide<boolean>, effort: Effort = {}): Steps<EventBatch> {
  const kept = new Uint32Array(events.length);
  let count = 0;
  yield* eachData(events, {
    ...effort,
    decide: test,
    use(at, keep) {
      if (keep) kept[count++] = at;
    },
  });
  return count === events.length ? events : yield* pick(events, kept.subarray(0, count));
}

/** Replaces the data of events; what by is decided once for each data object. Times and ids stay. */
export function* mapData(events: EventBatch, change: Decide<JsonObject>, effort: Effort = {}): Steps<EventBatch> {
  const { timestamps, durations, datas, ids } = events;
  const changed = arrayFor<JsonObject>(events.length);
  let changes = 0;
  yield* eachData(events, {
    ...effort,
    decide: change,
    use(at, data) {
      changed[at] = data;
      if (data !== datas[at]) changes++;
    },
  });
  return changes === 0 ? events : EventBatch.of({ timestamps, durations, ids, datas: changed });
}

/** What to do with each event, by its data. */
export interface DataWork<T> extends Effort {
  /** Called once for each data object, or more often where sharing is rare. */
  readonly decide: Decide<T>;
  /** Called for each event, in order. */
  readonly use: (index: number, decision: T) => void;
}

/** Goes through events and decides by data. Pauses more often where there is much to decide. */
export function* eachData<T>(
  { length, datas }: EventBatch,
  { decide, use, cost = 1, isSliceOver }: DataWork<T>,
): Steps<void> {
  const stepDecisions = Math.ceil(STEP_TESTS / Math.max(1, cost));
  let known: Map<JsonObject, T> | undefined = new Map();
  let decisions = 0;
  let at = 0;
  yield* whileAny(() => {
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
    // Where nearly every event brings new data, memoizing costs more than it saves.
    if (at >= STEP_EVENTS && decisions > at * MOST_NEW_DATA) known = undefined;
    return at < length;
  });
}
