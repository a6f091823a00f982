import { EventBatch } from "../domain/batch.js";
import type { JsonValue } from "../domain/json.js";

/** One event, as a reference into a list of events. */
export interface EventItem {
  readonly list: EventBatch;
  readonly index: number;
}

/** A dict with string keys. */
export type Dict = ReadonlyMap<string, Value>;

/** A value of a variable (docs/reference/compatibility.md#evaluation). Values are immutable. */
export type Value = boolean | number | string | null | EventItem | EventBatch | readonly Value[] | Dict;

/** Name of a value's kind in messages. */
export type Kind = "boolean" | "number" | "text" | "none" | "event" | "events" | "list" | "dict";

/** The kind of a value. An empty list is a `list`, but is accepted where events are expected. */
export function kindOf(value: Value): Kind {
  if (value === null) return "none";
  if (typeof value === "string") return "text";
  if (typeof value === "boolean") return "boolean";
  if (typeof value === "number") return "number";
  if (Array.isArray(value)) return "list";
  if (value instanceof Map) return "dict";
  return value instanceof EventBatch ? "events" : "event";
}

export function isEventBatch(value: Value): value is EventBatch {
  return value instanceof EventBatch;
}

/** Whether a value is a list other than a list of events. */
export function isPlainList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

export function isListLike(value: Value): value is ListLike {
  return isPlainList(value) || isEventBatch(value);
}

export function isDict(value: Value): value is Dict {
  return value instanceof Map;
}

export function isEventItem(value: Value): value is EventItem {
  return kindOf(value) === "event";
}

/** Describes a value in messages. */
export function describeValue(value: Value): string {
  const names: Readonly<Record<Kind, string>> = {
    boolean: "a boolean",
    number: "a number",
    text: "a string",
    none: "none",
    event: "an event",
    events: "a list of events",
    list: "a list",
    dict: "a dict",
  };
  return names[kindOf(value)];
}

/** A sequence of items. */
export type ListLike = EventBatch | readonly Value[];

/** The items of a list; events become individual items. */
export function itemsOf(list: ListLike): readonly Value[] {
  if (!(list instanceof EventBatch)) return list;
  return Array.from({ length: list.length }, (_, index): EventItem => ({ list, index }));
}

/** Converts a value to JSON; `undefined` if it contains events, which never equal data. */
export function toJson(value: Value): JsonValue | undefined {
  if (isDict(value)) {
    const members: [string, JsonValue][] = [];
    for (const [key, member] of value) {
      const json = toJson(member);
      if (json === undefined) return undefined;
      members.push([key, json]);
    }
    return Object.fromEntries(members);
  }
  if (isPlainList(value)) {
    const items: JsonValue[] = [];
    for (const item of value) {
      const json = toJson(item);
      if (json === undefined) return undefined;
      items.push(json);
    }
    return items;
  }
  return typeof value === "object" && value !== null ? undefined : value;
}
