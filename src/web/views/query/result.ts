// Classifies a program's result into tables and bars.
import { isJsonObject, type JsonObject, type JsonValue } from "../../../domain/json.js";
import { t } from "../../texts/query.js";

/** An event of a result; missing or unusual members are shown unchanged. */
export interface ResultEvent {
  readonly timestamp: string;
  /** Seconds. */
  readonly duration: number;
  readonly data: JsonObject;
}

/** A part of a result, with its path: `window.app_events`; empty for the whole. */
export type Section =
  | { readonly kind: "events"; readonly path: string; readonly events: readonly ResultEvent[] }
  | { readonly kind: "list"; readonly path: string; readonly items: readonly JsonValue[] }
  | { readonly kind: "values"; readonly path: string; readonly entries: readonly (readonly [string, JsonValue])[] };

/** A bar of a chart. */
export interface ResultBar {
  readonly label: string;
  readonly value: number;
  /** Category that determines its color. */
  readonly category: readonly string[] | undefined;
}

/** Deeper dicts are shown as JSON. */
const DEEPEST = 4;
/** Maximum number of columns; further members are in the JSON. */
const MAX_COLUMNS = 12;
/** Number of rows to examine for columns. */
const LOOKED_AT = 1000;

/** Splits a result into lists and dicts of simple values. Empty dicts and lists are parts as well. */
export function sectionsOf(value: JsonValue, path = "", depth = 0): Section[] {
  if (isList(value)) return [listSection(value, path)];
  if (!isJsonObject(value)) return [{ kind: "values", path, entries: [[path === "" ? "result" : path, value]] }];
  const entries = Object.entries(value);
  const isBranch = ([, member]: readonly [string, JsonValue]) =>
    isList(member) || (isJsonObject(member) && depth < DEEPEST && Object.keys(member).length > 0);
  const leaves = entries.filter((entry) => !isBranch(entry));
  const values: Section[] =
    leaves.length > 0 || entries.length === 0 ? [{ kind: "values", path, entries: leaves }] : [];
  const branches = entries
    .filter(isBranch)
    .flatMap(([key, member]) => sectionsOf(member, path === "" ? key : `${path}.${key}`, depth + 1));
  return [...values, ...branches];
}

function listSection(list: readonly JsonValue[], path: string): Section {
  const events = list.length > 0 && list.every(isEvent);
  return events ? { kind: "events", path, events: list } : { kind: "list", path, items: list };
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function isEvent(value: JsonValue): value is JsonObject & ResultEvent {
  if (!isJsonObject(value)) return false;
  const { timestamp, duration, data } = value;
  return typeof timestamp === "string" && typeof duration === "number" && isJsonObject(data);
}

/** Keys with a column in a table of objects: the most frequent first, without rare ones. */
export function columnsOf(objects: readonly JsonObject[]): string[] {
  const counts = new Map<string, number>();
  for (const object of objects.slice(0, LOOKED_AT)) {
    for (const key of Object.keys(object)) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  // Stable: equally frequent keys keep their order.
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_COLUMNS)
    .map(([key]) => key);
}

/** Formats a value for a cell: strings verbatim, lists of strings as a path, anything else as JSON. */
export function cellText(value: JsonValue | undefined): string {
  if (value === undefined) return "";
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string"))
    return value.join(" > ");
  return JSON.stringify(value);
}

/** Shortens a text without splitting characters. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) ? length - 1 : length;
  return `${text.slice(0, end)}…`;
}

/** The largest bars of a part: events by duration, or numeric values. */
export function barsOf(section: Section, most: number): ResultBar[] {
  if (section.kind === "events") {
    const longest = [...section.events].sort((a, b) => b.duration - a.duration).slice(0, most);
    const key = findDistinctKey(longest.map(({ data }) => data));
    return longest.map(({ data, duration }) => ({
      label: labelOfData(data, key),
      value: duration,
      category: COARSE.has(key) ? undefined : categoryOf(data),
    }));
  }
  const entries: readonly (readonly [string, JsonValue])[] =
    section.kind === "values" ? section.entries : section.items.map((item, at) => [String(at + 1), item]);
  const numbers = entries.flatMap(([label, value]) =>
    typeof value === "number" ? [{ label, value, category: undefined }] : [],
  );
  return numbers.sort((a, b) => b.value - a.value).slice(0, most);
}

/** Keys that lists are grouped by, coarsest first. */
const DISTINCT_KEYS = ["$category", "$domain", "project", "language", "app", "status", "file", "url", "title", "label"];

/** Keys whose groups have the category of an arbitrary event. */
const COARSE: ReadonlySet<string | undefined> = new Set(["$domain", "project", "language", "app", "status"]);

/** The coarsest key that distinguishes data, since other members of a group come from an arbitrary event. */
function findDistinctKey(all: readonly JsonObject[]): string | undefined {
  const isDistinct = (key: string): boolean =>
    all.every((data) => Object.hasOwn(data, key)) &&
    new Set(all.map((data) => cellText(data[key]))).size === all.length;
  return DISTINCT_KEYS.find(isDistinct);
}

/** @param key the key for the label; if omitted, uses the usual keys of events */
function labelOfData(data: JsonObject, key: string | undefined): string {
  if (key !== undefined) return cellText(data[key]);
  const known = ["app", "url", "title", "file", "status"].filter((name) => Object.hasOwn(data, name));
  const members = known.length > 0 ? known : Object.keys(data).slice(0, 3);
  return members.length > 0 ? members.map((name) => cellText(data[name])).join(" · ") : t("noData");
}

function categoryOf({ $category }: JsonObject): readonly string[] | undefined {
  return isTexts($category) ? $category : undefined;
}

function isTexts(value: JsonValue | undefined): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string");
}
