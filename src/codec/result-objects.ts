import type { EventBatch } from "../domain/batch.js";
import type { JsonObject, JsonValue } from "../domain/json.js";
import { microsToSeconds, serializeTimestamp } from "../domain/time.js";
import type { Dict, Value } from "../query/values.js";
import { isDict, isEventBatch, isPlainList } from "../query/values.js";

/** Values between two pauses. */
const STEP_VALUES = 4096;

/** Creates objects, and pauses at each `yield` so that the caller can run other work. */
type Making<T> = Generator<undefined, T, undefined>;

/** Values created since the last pause. */
interface Work {
  done: number;
}

/**
 * Copies the results of a query to new objects, which the caller may change. They equal the parsed output of
 * `ResultSerializer`.
 */
export function* copyResults(results: readonly Value[]): Making<JsonValue[]> {
  return yield* copyList(results, { done: 0 });
}

function* copyValue(value: Value, work: Work): Making<JsonValue> {
  if (typeof value !== "object" || value === null) return copyScalar(value);
  if (isDict(value)) return yield* copyDict(value, work);
  if (isPlainList(value)) return yield* copyList(value, work);
  if (isEventBatch(value)) return yield* copyEvents(value, work);
  return copyEvent(value.list, value.index, work);
}

function* copyList(items: readonly Value[], work: Work): Making<JsonValue[]> {
  const made: JsonValue[] = [];
  for (const item of items) {
    if (isDue(work)) yield;
    made.push(isScalar(item) ? copyScalar(item) : yield* copyValue(item, work));
  }
  return made;
}

function* copyDict(members: Dict, work: Work): Making<JsonObject> {
  const made: [string, JsonValue][] = [];
  for (const [key, value] of members) {
    if (isDue(work)) yield;
    made.push([key, isScalar(value) ? copyScalar(value) : yield* copyValue(value, work)]);
  }
  // Defines keys, since `__proto__` is an ordinary key.
  return Object.fromEntries(made);
}

function* copyEvents(list: EventBatch, work: Work): Making<JsonObject[]> {
  const made: JsonObject[] = [];
  while (made.length < list.length) if (addEvents(made, list, work)) yield;
  return made;
}

/** Adds events, and returns whether a pause is due. */
function addEvents(made: JsonObject[], list: EventBatch, work: Work): boolean {
  while (made.length < list.length) {
    made.push(copyEvent(list, made.length, work));
    if (isDue(work)) return true;
  }
  return false;
}

function copyEvent({ timestamps, durations, datas, ids }: EventBatch, index: number, work: Work): JsonObject {
  return {
    id: ids?.[index] || null,
    timestamp: serializeTimestamp(timestamps[index] as number),
    duration: normalizeZero(microsToSeconds(durations[index] as number)),
    data: copyOf(datas[index] as JsonObject, work),
  };
}

/** Copies data, since the storage and all events with equal data share it. */
function copyOf<T extends JsonValue>(value: T, work: Work): T;
function copyOf(value: JsonValue, work: Work): JsonValue {
  work.done++;
  if (isScalar(value)) return copyScalar(value);
  if (Array.isArray(value)) return value.map((item: JsonValue) => copyOf(item, work));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copyOf(member, work)]));
}

function isScalar(value: unknown): value is string | number | boolean | null {
  return typeof value !== "object" || value === null;
}

function copyScalar<T>(value: T): T | number {
  return typeof value === "number" ? normalizeZero(value) : value;
}

/** JSON output has no negative zero. */
function normalizeZero(number: number): number {
  return number + 0;
}

function isDue(work: Work): boolean {
  if (++work.done < STEP_VALUES) return false;
  work.done = 0;
  return true;
}
