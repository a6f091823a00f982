import type { EventList } from "../domain/event-list.js";
import { type JsonObject, type JsonValue, sameJson } from "../domain/json.js";

/** One event, taken out of a list of events. */
export interface EventItem {
  readonly list: EventList;
  readonly index: number;
}

/** A dict; keys are any text. */
export type Dict = ReadonlyMap<string, Value>;

/** What a variable can hold (contract query.md 3). Values never change. */
export type Value = boolean | number | string | null | EventItem | EventList | readonly Value[] | Dict;

/** How messages call a kind of value. */
export type Kind = "boolean" | "number" | "text" | "none" | "event" | "events" | "list" | "dict";

/** The kind of a value. An empty list is a list, though it fits wherever events are wanted. */
export function kindOf(value: Value): Kind {
  if (value === null) return "none";
  if (typeof value === "string") return "text";
  if (typeof value === "boolean") return "boolean";
  if (typeof value === "number") return "number";
  if (Array.isArray(value)) return "list";
  if (value instanceof Map) return "dict";
  return "starts" in value ? "events" : "event";
}

export function isEventList(value: Value): value is EventList {
  return kindOf(value) === "events";
}

/** How a message names a value. */
export function described(value: Value): string {
  const names: Readonly<Record<Kind, string>> = {
    boolean: "a boolean",
    number: "a number",
    text: "a text",
    none: "none",
    event: "an event",
    events: "a list of events",
    list: "a list",
    dict: "a dict",
  };
  return names[kindOf(value)];
}

/** Kinds that are compared with each other: a list of events is a list as well. */
function comparedKind(value: Value): Kind {
  const kind = kindOf(value);
  return kind === "events" ? "list" : kind;
}

/** Whether two values may be compared at all. */
export function areComparable(a: Value, b: Value): boolean {
  return comparedKind(a) === comparedKind(b);
}

/** Deep equality; the ids of events do not count, and none equals nothing (contract query.md 3). */
export function sameValue(a: Value, b: Value): boolean {
  if (a === null || b === null || comparedKind(a) !== comparedKind(b)) return false;
  if (typeof a !== "object" || typeof b !== "object") return a === b;
  if (a instanceof Map) return sameDict(a, b as Dict);
  if (comparedKind(a) === "list") return sameList(itemsOf(a as ListLike), itemsOf(b as ListLike));
  return sameEvent(a as EventItem, b as EventItem);
}

/** What holds items one after another. */
export type ListLike = EventList | readonly Value[];

/** The items of a list, events one by one. */
export function itemsOf(list: ListLike): readonly Value[] {
  if (!("starts" in list)) return list;
  return Array.from({ length: list.length }, (_, index): EventItem => ({ list, index }));
}

function sameList(a: readonly Value[], b: readonly Value[]): boolean {
  return a.length === b.length && a.every((item, index) => sameValue(item, b[index] as Value));
}

function sameDict(a: Dict, b: Dict): boolean {
  if (a.size !== b.size) return false;
  for (const [key, value] of a) {
    const other = b.get(key);
    if (other === undefined || !sameValue(value, other)) return false;
  }
  return true;
}

function sameEvent(a: EventItem, b: EventItem): boolean {
  return (
    a.list.starts[a.index] === b.list.starts[b.index] &&
    a.list.durations[a.index] === b.list.durations[b.index] &&
    sameJson(a.list.datas[a.index] as JsonObject, b.list.datas[b.index] as JsonObject)
  );
}

/** A value as JSON; `undefined` when it holds events, which data cannot be compared with. */
export function jsonOf(value: Value): JsonValue | undefined {
  if (value === null || typeof value !== "object") return value;
  if (value instanceof Map) {
    const members: [string, JsonValue][] = [];
    for (const [key, member] of value as Dict) {
      const json = jsonOf(member);
      if (json === undefined) return undefined;
      members.push([key, json]);
    }
    return Object.fromEntries(members);
  }
  if (!Array.isArray(value)) return undefined;
  const items: JsonValue[] = [];
  for (const item of value as readonly Value[]) {
    const json = jsonOf(item);
    if (json === undefined) return undefined;
    items.push(json);
  }
  return items;
}
