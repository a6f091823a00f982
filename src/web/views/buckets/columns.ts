import type { ClientEvent } from "../../../client/client-types.js";
import type { JsonObject, JsonValue } from "../../../domain/json.js";

/** Fields that watchers of a type write, in display order (docs/reference/compatibility.md#buckets-of-watchers). */
const FIELDS: ReadonlyMap<string, readonly string[]> = new Map([
  ["currentwindow", ["app", "title"]],
  ["afkstatus", ["status"]],
  ["web.tab.current", ["title", "url"]],
  ["app.editor.activity", ["project", "file", "language"]],
  ["general.stopwatch", ["label", "running"]],
]);

const MAX_COLUMNS = 4;

/** Fields of events with a column: from the type, or else the most frequent ones with simple values. */
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
    .slice(0, MAX_COLUMNS)
    .map(([field]) => field);
}

/** An own field of data; `undefined` if it is missing or inherited. */
export function fieldOf(data: JsonObject, field: string): JsonValue | undefined {
  return Object.hasOwn(data, field) ? data[field] : undefined;
}

/** Formats a value for a cell: strings verbatim, others as JSON. */
export function cellText(value: JsonValue | undefined): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Fields without a column. */
export function otherFields(data: JsonObject, columns: readonly string[]): readonly string[] {
  return Object.keys(data).filter((field) => !columns.includes(field));
}

/** Template for the data of a new event, as text. */
export function templateOf(type: string): string {
  const fields = FIELDS.get(type) ?? [];
  return JSON.stringify(Object.fromEntries(fields.map((field) => [field, ""])), undefined, 2);
}
