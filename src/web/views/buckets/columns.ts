import type { ClientEvent } from "../../../client/client-types.js";
import type { JsonObject, JsonValue } from "../../../domain/json.js";

/**
 * Fields that watchers of a kind write, in the order in which they are read
 * (docs/compatibility.md#buckets-of-watchers).
 */
const FIELDS: ReadonlyMap<string, readonly string[]> = new Map([
  ["currentwindow", ["app", "title"]],
  ["afkstatus", ["status"]],
  ["web.tab.current", ["title", "url"]],
  ["app.editor.activity", ["project", "file", "language"]],
  ["general.stopwatch", ["label", "running"]],
]);

const MOST_COLUMNS = 4;

/** The fields of events that get a column: those of the type, or else the most frequent ones that hold plain values. */
export function columnsOf(type: string, events: readonly ClientEvent[]): readonly string[] {
  const usual = FIELDS.get(type) ?? [];
  const present = usual.filter((field) => events.some(({ data }) => fieldOf(data, field) !== undefined));
  return present.length > 0 || events.length === 0 ? (present.length > 0 ? present : usual) : frequentFields(events);
}

function frequentFields(events: readonly ClientEvent[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { data } of events) {
    for (const [field, value] of Object.entries(data)) {
      if (typeof value !== "object" || value === null) counts.set(field, (counts.get(field) ?? 0) + 1);
    }
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_COLUMNS)
    .map(([field]) => field);
}

/** An own field of data; `undefined` when it is not there, whatever objects inherit. */
export function fieldOf(data: JsonObject, field: string): JsonValue | undefined {
  return Object.hasOwn(data, field) ? data[field] : undefined;
}

/** A value as a cell shows it: texts as they are, the rest as JSON. */
export function cellText(value: JsonValue | undefined): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Fields that have no column. */
export function otherFields(data: JsonObject, columns: readonly string[]): readonly string[] {
  return Object.keys(data).filter((field) => !columns.includes(field));
}

/** Data that a new event of a type may begin with, as text to be filled in. */
export function templateOf(type: string): string {
  const fields = FIELDS.get(type) ?? [];
  return JSON.stringify(Object.fromEntries(fields.map((field) => [field, ""])), undefined, 2);
}
