import type { EventList } from "../domain/event-list.js";
import type { JsonObject, JsonValue } from "../domain/json.js";
import { type Effort, filterByData, ownValue } from "./data.js";
import { jsonKey } from "./json-key.js";
import type { Steps } from "./list.js";
import { TextAsker, type TextTest } from "./text-test.js";

/** Keeps the events whose value of a key equals one of `values`, as JSON (contract query.md 5.3). */
export function filterKeyvals(events: EventList, key: string, values: readonly JsonValue[]): Steps<EventList> {
  return filterByData(events, valueTest(key, values));
}

/** Keeps the events that `filterKeyvals` drops, those without the key among them. */
export function excludeKeyvals(events: EventList, key: string, values: readonly JsonValue[]): Steps<EventList> {
  const dropped = valueTest(key, values);
  return filterByData(events, (data) => !dropped(data));
}

/**
 * Keeps the events whose value of a key is a text that matches (contract query.md 5.3).
 *
 * @param matches called once for each data object that has a text there
 */
export function filterKeyvalsRegex(
  events: EventList,
  key: string,
  matches: TextTest,
  effort: Effort = {},
): Steps<EventList> {
  const asker = new TextAsker();
  function test(data: JsonObject): boolean | undefined {
    const value = ownValue(data, key);
    return typeof value === "string" && asker.ask(matches, value);
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
