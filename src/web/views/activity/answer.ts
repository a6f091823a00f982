// What comes back from the programs, read with care: data of events can be anything. Pure.
import { isJsonObject, type JsonObject, type JsonValue } from "../../../domain/json.js";
import { UNCATEGORIZED } from "../../categories.js";
import { handleOf } from "../../filter/handle.js";
import { MOST_ROWS } from "../../program-lists.js";
import { readName } from "../../program-text.js";

/** Something that took time. */
export interface Row {
  /** Differs from that of other rows. */
  readonly key: string;
  /** For people; "" when the events do not say. */
  readonly label: string;
  /** What belongs to it, such as the app of a title. */
  readonly note?: string | undefined;
  readonly seconds: number;
  readonly category?: readonly string[] | undefined;
  /** The condition of a filter that finds it. */
  readonly handle?: string | undefined;
  /** Whether `#` in the label stands for numbers. */
  readonly isFolded?: boolean | undefined;
  /** The same time by category, the longest first. */
  readonly parts?: readonly CategoryTime[] | undefined;
}

/** Lists that can be asked for whole. */
export type ListName = "apps" | "titles" | "sites";

/** Time of a category without those below it. */
export interface CategoryTime {
  readonly name: readonly string[];
  readonly seconds: number;
}

/** The numbers of a period. */
export interface Summary {
  readonly seconds: number;
  /** The same of several hosts with what they did at the same time counted once. */
  readonly once?: number;
  readonly apps: readonly Row[];
  readonly titles: readonly Row[];
  readonly categories: readonly CategoryTime[];
  readonly sites: readonly Row[];
}

/** Longest text that is put into the page; more of it is nothing that somebody reads. */
const MOST_CHARACTERS = 2000;
/** Less is rounding, in seconds. */
const LEAST_REST = 1;
/** Less is shown as nothing, in seconds. */
const LEAST_ROW = 0.05;

/** Reads the answer of a program for a host or for several. */
export function readSummary(answer: JsonValue | undefined, rows: number = MOST_ROWS): Summary {
  const whole = objectOf(answer);
  const window = isJsonObject(whole["window"]) ? whole["window"] : whole;
  const { domains, duration } = objectOf(whole["browser"]);
  const seconds = secondsOf(window["duration"]);
  const { once } = whole;
  return {
    seconds,
    ...(typeof once === "number" ? { once } : {}),
    apps: withParts(rowsOf(window["app_events"], LABELS.apps, { whole: seconds, rows }), window["app_parts"]),
    titles: rowsOf(window["title_events"], LABELS.titles, { whole: seconds, rows }),
    categories: readCategoryTimes(window),
    sites: rowsOf(domains, LABELS.sites, { whole: secondsOf(duration), rows }),
  };
}

type Labels = (data: JsonObject) => readonly [label: string, note?: string | undefined, handle?: string | undefined];

const LABELS: Readonly<Record<ListName | "projects", Labels>> = {
  apps: ({ app }) => [textOf(app), undefined, handleOf("app", app)],
  titles: ({ title, classname, app }) => [
    textOf(title ?? classname),
    textOf(app),
    title === undefined ? handleOf("classname", classname) : handleOf("title", title),
  ],
  sites: ({ $domain: site }) => [textOf(site), undefined, handleOf("site", site)],
  projects: ({ project }) => [textOf(project), undefined, handleOf("project", project)],
};

/** Reads a list that was asked for whole. */
export function readRows(list: ListName, answer: JsonValue | undefined): readonly Row[] {
  return rowsOf(answer, LABELS[list], { whole: 0, rows: Number.POSITIVE_INFINITY });
}

/** Tells rows of two lists that are about the same thing. */
export function identityOf({ label, note }: Row): string {
  return JSON.stringify([label, note ?? ""]);
}

/** Apps with their times by category. */
function withParts(apps: readonly Row[], parts: JsonValue | undefined): readonly Row[] {
  const byApp = new Map<string, CategoryTime[]>();
  for (const { data, seconds } of eventsOf(parts)) {
    if (seconds <= 0) continue;
    const label = textOf(data["app"]);
    byApp.set(label, [...(byApp.get(label) ?? []), { name: categoryOf(data), seconds }]);
  }
  return apps.map((row) => (byApp.has(row.label) ? { ...row, parts: byApp.get(row.label) } : row));
}

/** Reads the answer for a bar of a chart, or the same part of a whole one. */
export function readCategoryTimes(answer: JsonValue | undefined): readonly CategoryTime[] {
  return eventsOf(objectOf(answer)["cat_events"]).map(({ data, seconds }) => ({ name: categoryOf(data), seconds }));
}

/** Reads the projects of editors. */
export function readProjects(answer: JsonValue | undefined, rows: number = MOST_ROWS): readonly Row[] {
  const { projects, duration } = objectOf(answer);
  return rowsOf(projects, LABELS.projects, { whole: secondsOf(duration), rows });
}

/** Adds times of categories up by the first level, the longest first. */
export function byTopCategory(times: readonly CategoryTime[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { name, seconds } of times) {
    const [top = UNCATEGORIZED] = name;
    sums.set(top, (sums.get(top) ?? 0) + seconds);
  }
  return new Map([...sums].sort(([, one], [, other]) => other - one));
}

/** A category with all below it, where it stands in the tree. */
export interface CategoryRow {
  readonly name: readonly string[];
  /** With those below it. */
  readonly seconds: number;
}

/** The tree of categories that took time, from the top to the bottom, the longest of neighbours first. */
export function categoryRows(times: readonly CategoryTime[]): readonly CategoryRow[] {
  interface Node extends CategoryRow {
    seconds: number;
    readonly children: Map<string, Node>;
  }
  const roots = new Map<string, Node>();
  for (const { name, seconds } of times) {
    let level = roots;
    for (const [depth, part] of name.entries()) {
      const node: Node = level.get(part) ?? { name: name.slice(0, depth + 1), seconds: 0, children: new Map() };
      node.seconds += seconds;
      level.set(part, node);
      level = node.children;
    }
  }
  const listed = (nodes: Map<string, Node>): CategoryRow[] =>
    [...nodes.values()]
      .sort((a, b) => b.seconds - a.seconds)
      .flatMap(({ name, seconds, children }) => [{ name, seconds }, ...listed(children)]);
  return listed(roots);
}

/** Rows of a list, and one for what it has no name for, so that they add up to the whole. */
function rowsOf(
  value: JsonValue | undefined,
  labels: Labels,
  { whole, rows: most }: { readonly whole: number; readonly rows: number },
): readonly Row[] {
  const events = eventsOf(value);
  const rows = events.map(({ data, seconds }, index): Row => {
    const [label, note, handle] = labels(data);
    return { key: `${index} ${label.slice(0, 80)}`, label, note, seconds, category: categoryOf(data), handle };
  });
  const shown = rows.filter(({ seconds }) => seconds >= LEAST_ROW);
  // Of a list that was cut, the rest is what comes behind its end.
  if (events.length >= most) return shown;
  const rest = whole - sumOf(shown);
  return rest > LEAST_REST ? withNameless(shown, rest) : shown;
}

/** Of all rows, in seconds. */
export function sumOf(rows: readonly Pick<Row, "seconds">[] = []): number {
  return rows.reduce((sum, { seconds }) => sum + seconds, 0);
}

function withNameless(rows: readonly Row[], rest: number): readonly Row[] {
  const isNameless = ({ label, note }: Row): boolean => label === "" && !note;
  const before = rows.find(isNameless) ?? { key: "nameless", label: "", seconds: 0 };
  const nameless = { ...before, seconds: before.seconds + rest };
  return [...rows.filter((row) => !isNameless(row)), nameless].sort((a, b) => b.seconds - a.seconds);
}

/** Events of an answer, as far as they are any. */
export function eventsOf(
  value: JsonValue | undefined,
): readonly { readonly data: JsonObject; readonly seconds: number }[] {
  if (!Array.isArray(value)) return [];
  const events: readonly JsonValue[] = value;
  return events.flatMap((event) =>
    isJsonObject(event) ? [{ data: objectOf(event["data"]), seconds: secondsOf(event["duration"]) }] : [],
  );
}

/** The category that data have. */
export function categoryOf(data: JsonObject): readonly string[] {
  const name = data["$category"];
  if (!Array.isArray(name) || name.length === 0) return [UNCATEGORIZED];
  const levels: readonly JsonValue[] = name;
  return levels.map((level) => readName(textOf(level)));
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function secondsOf(value: JsonValue | undefined): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

/** A value for people: texts as they are, anything else as JSON. */
export function textOf(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}
