// What a program has answered, sorted into what can be shown as tables and bars.
import { isJsonObject, type JsonObject, type JsonValue } from "../../../domain/json.js";
import { t } from "../../texts/query.js";

/** An event of a result; what is missing or odd in it is shown as it is. */
export interface ResultEvent {
  readonly timestamp: string;
  /** Seconds. */
  readonly duration: number;
  readonly data: JsonObject;
}

/** A part of a result, with its place in it: `window.app_events`; empty for the whole. */
export type Section =
  | { readonly kind: "events"; readonly path: string; readonly events: readonly ResultEvent[] }
  | { readonly kind: "list"; readonly path: string; readonly items: readonly JsonValue[] }
  | { readonly kind: "values"; readonly path: string; readonly entries: readonly (readonly [string, JsonValue])[] };

/** A bar of a chart. */
export interface ResultBar {
  readonly label: string;
  readonly value: number;
  /** Of a category, whose colour it then has. */
  readonly category: readonly string[] | undefined;
}

/** Dicts beyond this depth are shown as JSON. */
const DEEPEST = 4;
/** Columns of a table; further members are in the JSON. */
const MOST_COLUMNS = 12;
/** Rows that are looked at to find out about columns. */
const LOOKED_AT = 1000;

/** Takes a result apart: lists, and dicts of single values; an empty dict and an empty list are parts as well. */
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

/** Keys that a table of objects needs columns for: those of most objects first, none for what only few of many have. */
export function columnsOf(objects: readonly JsonObject[]): string[] {
  const counts = new Map<string, number>();
  for (const object of objects.slice(0, LOOKED_AT)) {
    for (const key of Object.keys(object)) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  // Sorting keeps the order of keys that are equally frequent.
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_COLUMNS)
    .map(([key]) => key);
}

/** What a cell says about a value: texts as they are, lists of texts as a path, all else as JSON. */
export function cellText(value: JsonValue | undefined): string {
  if (value === undefined) return "";
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string"))
    return value.join(" > ");
  return JSON.stringify(value);
}

/** The start of a long text, for where there is little room; whole characters only. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) ? length - 1 : length;
  return `${text.slice(0, end)}…`;
}

/** Largest bars of a part: of events by their duration, of values that are numbers. */
export function barsOf(section: Section, most: number): ResultBar[] {
  if (section.kind === "events") {
    const longest = [...section.events].sort((a, b) => b.duration - a.duration).slice(0, most);
    const key = tellingKey(longest.map(({ data }) => data));
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

/** What lists are grouped by, the coarsest first. */
const TELLING = ["$category", "$domain", "project", "language", "app", "status", "file", "url", "title", "label"];

/** Of a group by one of these the category is that of any one event. */
const COARSE: ReadonlySet<string | undefined> = new Set(["$domain", "project", "language", "app", "status"]);

/** The coarsest member that tells data apart, since of a group the others are those of any one event. */
function tellingKey(all: readonly JsonObject[]): string | undefined {
  const tells = (key: string): boolean =>
    all.every((data) => Object.hasOwn(data, key)) &&
    new Set(all.map((data) => cellText(data[key]))).size === all.length;
  return TELLING.find(tells);
}

/** @param key the member to name it by; without one it is named by all that people know events by */
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
