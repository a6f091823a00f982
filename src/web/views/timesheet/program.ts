// The program that a timesheet runs for each day. Pure.
import { type Category, isWithin, namesOf, UNCATEGORIZED } from "../../categories.js";
import { allEditLines } from "../../editor-programs.js";
import { printName, printText } from "../../program-text.js";
import { type Classifying, eventLines } from "../../programs.js";
import type { Source } from "../activity/source.js";
import { CATEGORY_KEY, type ColumnName, PROJECT_KEY, type SheetChoice } from "./choice.js";

/** Maximum number of titles per day. */
const MOST_TITLES = 5;
/** Maximum number of columns to choose from automatically. */
const MOST_GROUPS = 100;

/**
 * Returns `{ groups, active, counted?, duration, titles? }`: the time per value of the key, all activity, the counted
 * activity if it differs, and the counted duration. `undefined` if a host has no suitable buckets.
 *
 * @param names all existing categories
 */
export function sheetProgram(
  source: Source,
  choice: SheetChoice,
  classifying: Classifying,
  names: readonly ColumnName[],
): string | undefined {
  const isByProject = choice.by === PROJECT_KEY;
  if (isByProject ? source.hostEditors.length === 0 : source.sources.length === 0) return undefined;
  const lines = isByProject
    ? [...allEditLines(source.hostEditors, classifying)]
    : eventLines(source.sources, classifying, source.hosts.kind === "all");
  const isChosen = choice.columns.length > 0;
  const isPart = isChosen && !choice.others;
  const key = printText(choice.by);
  lines.push("chosen = events;");
  if (isChosen) lines.push(`chosen = filter_keyvals(events, ${key}, ${valuesOf(choice, names)});`);
  lines.push(
    `counted = ${isPart ? "chosen" : "events"};`,
    `groups = sort_by_duration(merge_events_by_keys(chosen, [${key}]));`,
    ...(isChosen ? [] : [`groups = limit_events(groups, ${MOST_GROUPS});`]),
    // Uncounted activity is not a break.
    "active = period_union(events, []);",
    "duration = sum_durations(counted);",
  );
  const members = ['"groups": groups', '"active": active', '"duration": duration'];
  if (isPart) members.push('"counted": period_union(counted, [])');
  if (choice.titles) {
    const keys = isByProject ? '["project", "file"]' : '["app", "title"]';
    const titles = `sort_by_duration(merge_events_by_keys(counted, ${keys}))`;
    lines.push(`titles = limit_events(${titles}, ${MOST_TITLES});`);
    members.push('"titles": titles');
  }
  return [...lines, `RETURN = { ${members.join(", ")} };`].join("\n");
}

/** A selected category with its subcategories; for other keys, the values unchanged. */
function valuesOf({ by, columns }: SheetChoice, names: readonly ColumnName[]): string {
  if (by !== CATEGORY_KEY) return `[${columns.map(([value = ""]) => printText(value)).join(", ")}]`;
  const wanted = new Map<string, ColumnName>(columns.map((name) => [JSON.stringify(name), name]));
  for (const name of names) {
    if (columns.some((column) => isWithin(name, column))) wanted.set(JSON.stringify(name), name);
  }
  return `[${[...wanted.values()].map(printName).join(", ")}]`;
}

/** Categories that can be columns: existing ones, and uncategorized. */
export function choosableNames(categories: readonly Category[]): readonly ColumnName[] {
  return [...namesOf(categories).filter(([top]) => top !== UNCATEGORIZED), [UNCATEGORIZED]];
}
