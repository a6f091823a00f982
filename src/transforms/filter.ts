import type { EventBatch } from "../domain/batch.js";
import type { JsonObject, JsonValue } from "../domain/json.js";
import { jsonKey } from "../domain/json-key.js";
import { type Effort, filterByData, ownValue } from "./data.js";
import type { Steps } from "./steps.js";
import { type TextTest, TextTestRunner } from "./text-test.js";

/** Keeps the events whose value of a key equals one of `values` as JSON (docs/reference/compatibility.md#filters). */
export function filterKeyvals(events: EventBatch, key: string, values: readonly JsonValue[]): Steps<EventBatch> {
  return filterByData(events, valueTest(key, values));
}

/** Keeps the events that `filterKeyvals` drops, including those without the key. */
export function excludeKeyvals(events: EventBatch, key: string, values: readonly JsonValue[]): Steps<EventBatch> {
  const dropped = valueTest(key, values);
  return filterByData(events, (data) => !dropped(data));
}

/**
 * Keeps the events whose value of a key is a matching string (docs/reference/compatibility.md#filters).
 *
 * @param matches called once per data object with a string under the key
 */
export function filterKeyvalsRegex(
  events: EventBatch,
  key: string,
  matches: TextTest,
  effort: Effort = {},
): Steps<EventBatch> {
  const runner = new TextTestRunner();
  function test(data: JsonObject): boolean | undefined {
    const value = ownValue(data, key);
    return typeof value === "string" && runner.run(matches, value);
  }
  return filterByData(events, test, effort);
}

function valueTest(key: string, values: readonly JsonValue[]): (data: JsonObject) => boolean {
  const plain = new Set<JsonValue>();
  const nested = new Set<string>();
  for (const value of values) {
    if (isNested(value)) nested.add(jsonKey(value));
    else plain.add(value);
  }
  return (data) => {
    const value = ownValue(data, key);
    if (value === undefined) return false;
    return isNested(value) ? nested.size > 0 && nested.has(jsonKey(value)) : plain.has(value);
  };
}

function isNested(value: JsonValue): boolean {
  return typeof value === "object" && value !== null;
}
