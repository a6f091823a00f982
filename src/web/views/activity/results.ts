// Parses responses of query programs defensively: event data can contain anything. Pure.
import { isJsonObject, type JsonObject, type JsonValue } from "../../../domain/json.js";
import { UNCATEGORIZED } from "../../categories.js";
import { createCondition } from "../../filter/handle.js";
import { MOST_ROWS } from "../../program-lists.js";
import { readName } from "../../program-text.js";

/** A row with a duration. */
export interface Row {
  /** Unique among the rows. */
  readonly key: string;
  /** Displayed label; "" if the events have none. */
  readonly label: string;
  /** Additional text, such as a title's app. */
  readonly note?: string | undefined;
  readonly seconds: number;
  readonly category?: readonly string[] | undefined;
  /** The filter condition for it. */
  readonly handle?: string | undefined;
  /** Whether `#` in the label is a placeholder for numbers. */
  readonly isFolded?: boolean | undefined;
  /** Its time by category, longest first. */
  readonly parts?: readonly CategoryTime[] | undefined;
}

/** Lists that can be requested in full. */
export type ListName = "apps" | "titles" | "sites";

/** Time of a category without its subcategories. */
export interface CategoryTime {
  readonly name: readonly string[];
  readonly seconds: number;
}

/** The numbers of a period. */
export interface Summary {
  readonly seconds: number;
  /** Total of several hosts without overlaps. */
  readonly once?: number;
  readonly apps: readonly Row[];
  readonly titles: readonly Row[];
  readonly categories: readonly CategoryTime[];
  readonly sites: readonly Row[];
}

/** Maximum length of displayed strings. */
const MOST_CHARACTERS = 2000;
/** Smaller remainders are rounding errors, in seconds. */
const MIN_REST = 1;
/** Shorter rows are hidden, in seconds. */
const MIN_ROW = 0.05;

/** Parses the response of a program for one or several hosts. */
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
  apps: ({ app }) => [formatValue(app), undefined, createCondition("app", app)],
  titles: ({ title, classname, app }) => [
    formatValue(title ?? classname),
    formatValue(app),
    title === undefined ? createCondition("classname", classname) : createCondition("title", title),
  ],
  sites: ({ $domain: site }) => [formatValue(site), undefined, createCondition("site", site)],
  projects: ({ project }) => [formatValue(project), undefined, createCondition("project", project)],
};

/** Parses a list that was requested in full. */
export function readRows(list: ListName, answer: JsonValue | undefined): readonly Row[] {
  return rowsOf(answer, LABELS[list], { whole: 0, rows: Number.POSITIVE_INFINITY });
}

/** Equal for rows of two lists about the same thing. */
export function identityOf({ label, note }: Row): string {
  return JSON.stringify([label, note ?? ""]);
}

/** Adds times by category to apps. */
function withParts(apps: readonly Row[], parts: JsonValue | undefined): readonly Row[] {
  const byApp = new Map<string, CategoryTime[]>();
  for (const { data, seconds } of selectEvents(parts)) {
    if (seconds <= 0) continue;
    const label = formatValue(data["app"]);
    byApp.set(label, [...(byApp.get(label) ?? []), { name: categoryOf(data), seconds }]);
  }
  return apps.map((row) => (byApp.has(row.label) ? { ...row, parts: byApp.get(row.label) } : row));
}

/** Parses the response for a bar of a chart, or the same part of a complete one. */
export function readCategoryTimes(answer: JsonValue | undefined): readonly CategoryTime[] {
  return selectEvents(objectOf(answer)["cat_events"]).map(({ data, seconds }) => ({ name: categoryOf(data), seconds }));
}

/** Parses the projects of editors. */
export function readProjects(answer: JsonValue | undefined, rows: number = MOST_ROWS): readonly Row[] {
  const { projects, duration } = objectOf(answer);
  return rowsOf(projects, LABELS.projects, { whole: secondsOf(duration), rows });
}

/** Sums times by top-level category, longest first. */
export function sumByTopCategory(times: readonly CategoryTime[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { name, seconds } of times) {
    const [top = UNCATEGORIZED] = name;
    sums.set(top, (sums.get(top) ?? 0) + seconds);
  }
  return new Map([...sums].sort(([, one], [, other]) => other - one));
}

/** A category including its subcategories, with its position in the tree. */
export interface CategoryRow {
  readonly name: readonly string[];
  /** Including subcategories. */
  readonly seconds: number;
}

/** The tree of categories with time, depth-first, siblings longest first. */
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

/** Rows of a list, and one for time without a name, so that the sum matches. */
function rowsOf(
  value: JsonValue | undefined,
  labels: Labels,
  { whole, rows: most }: { readonly whole: number; readonly rows: number },
): readonly Row[] {
  const events = selectEvents(value);
  const rows = events.map(({ data, seconds }, index): Row => {
    const [label, note, handle] = labels(data);
    return { key: `${index} ${label.slice(0, 80)}`, label, note, seconds, category: categoryOf(data), handle };
  });
  const shown = rows.filter(({ seconds }) => seconds >= MIN_ROW);
  // The remainder of a truncated list is beyond its end.
  if (events.length >= most) return shown;
  const rest = whole - sumSeconds(shown);
  return rest > MIN_REST ? withNameless(shown, rest) : shown;
}

/** Total of all rows, in seconds. */
export function sumSeconds(rows: readonly Pick<Row, "seconds">[] = []): number {
  return rows.reduce((sum, { seconds }) => sum + seconds, 0);
}

function withNameless(rows: readonly Row[], rest: number): readonly Row[] {
  const isNameless = ({ label, note }: Row): boolean => label === "" && !note;
  const before = rows.find(isNameless) ?? { key: "nameless", label: "", seconds: 0 };
  const nameless = { ...before, seconds: before.seconds + rest };
  return [...rows.filter((row) => !isNameless(row)), nameless].sort((a, b) => b.seconds - a.seconds);
}

/** The valid events of a response. */
export function selectEvents(
  value: JsonValue | undefined,
): readonly { readonly data: JsonObject; readonly seconds: number }[] {
  if (!Array.isArray(value)) return [];
  const events: readonly JsonValue[] = value;
  return events.flatMap((event) =>
    isJsonObject(event) ? [{ data: objectOf(event["data"]), seconds: secondsOf(event["duration"]) }] : [],
  );
}

/** The category in event data. */
export function categoryOf(data: JsonObject): readonly string[] {
  const name = data["$category"];
  if (!Array.isArray(name) || name.length === 0) return [UNCATEGORIZED];
  const levels: readonly JsonValue[] = name;
  return levels.map((level) => readName(formatValue(level)));
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function secondsOf(value: JsonValue | undefined): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

/** Formats a value: strings verbatim, anything else as JSON. */
export function formatValue(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}
