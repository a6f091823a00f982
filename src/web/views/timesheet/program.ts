// The program that a timesheet asks of each of its days. Pure.
import { type Category, isWithin, namesOf, UNCATEGORIZED } from "../../categories.js";
import { allEditLines } from "../../editor-programs.js";
import { printName, printText } from "../../program-text.js";
import { type Classifying, eventLines } from "../../programs.js";
import type { Source } from "../activity/source.js";
import { CATEGORY_KEY, type ColumnName, PROJECT_KEY, type SheetChoice } from "./choice.js";

/** Titles that are listed of a day. */
const MOST_TITLES = 5;
/** Columns that are chosen from, when nobody has chosen. */
const MOST_GROUPS = 100;

/**
 * `{ groups, active, counted?, duration, titles? }`: the time of each value of the key, when there was any activity,
 * when there was some that counts where not all does, and all that counts. `undefined` where a host has nothing to ask.
 *
 * @param names all categories that there are
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
    // What does not count is activity all the same, and no break.
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

/** A chosen category with all below it; of another key the values as they are. */
function valuesOf({ by, columns }: SheetChoice, names: readonly ColumnName[]): string {
  if (by !== CATEGORY_KEY) return `[${columns.map(([value = ""]) => printText(value)).join(", ")}]`;
  const wanted = new Map<string, ColumnName>(columns.map((name) => [JSON.stringify(name), name]));
  for (const name of names) {
    if (columns.some((column) => isWithin(name, column))) wanted.set(JSON.stringify(name), name);
  }
  return `[${[...wanted.values()].map(printName).join(", ")}]`;
}

/** Categories that can be columns: those that there are, and what has none. */
export function choosableNames(categories: readonly Category[]): readonly ColumnName[] {
  return [...namesOf(categories).filter(([top]) => top !== UNCATEGORIZED), [UNCATEGORIZED]];
}
