// Options of a timesheet: in the address, and in a setting as the default. Pure.
import { isJsonObject, type JsonObject, type JsonValue } from "../../../domain/json.js";
import { type Category, namesOf, UNCATEGORIZED } from "../../categories.js";

/** Key of the setting. */
export const TIMESHEET = "timesheet";

/** A column: the levels of a category, or a single value of another key. */
export type ColumnName = readonly string[];

/** Rounding of cells, in seconds: exact, 1, 6, 15 or 30 minutes. */
export const STEPS = [1, 60, 360, 900, 1800] as const;
export type Step = (typeof STEPS)[number];

/** How rounded cells and sums relate. */
export const SUMS = ["row", "cells", "row_up", "cells_up"] as const;
export type Sum = (typeof SUMS)[number];

/** Formats of durations. */
export const FORMS = ["time", "hours"] as const;
export type LengthForm = (typeof FORMS)[number];

/** Options of a timesheet. */
export interface SheetChoice {
  /** The key whose values are the columns: `$category`, `project` of editors, or another key of windows. */
  readonly by: string;
  /** Empty: those with the most time. */
  readonly columns: readonly ColumnName[];
  /** Whether to include time without a column, in a separate column. */
  readonly others: boolean;
  /** Minimum length of a break, in minutes without activity. */
  readonly breakMinutes: number;
  readonly step: Step;
  /** `row`: the row's sum is rounded, and its cells add up to it; `cells`: each cell is rounded separately; or up. */
  readonly sum: Sum;
  readonly form: LengthForm;
  /** Whether to list the longest titles of each day. */
  readonly titles: boolean;
  /** Whether to list days without time. */
  readonly empty: boolean;
  /** Whether to show first, last, breaks, devices and the exact sum. */
  readonly details: boolean;
  /** Whether to show the amounts of clients. */
  readonly amounts: boolean;
  /** The heading as typed; `REPORT_HEADING`, or "" for the default. */
  readonly heading: string;
}

export const CATEGORY_KEY: string = "$category";
export const PROJECT_KEY: string = "project";
/** Placeholder for the heading of a work report in the current language. */
export const REPORT_HEADING: string = "$report";

export const DEFAULT_CHOICE: SheetChoice = {
  by: CATEGORY_KEY,
  columns: [],
  others: true,
  breakMinutes: 15,
  step: 60,
  sum: "row",
  form: "time",
  titles: false,
  empty: true,
  details: true,
  amounts: false,
  heading: "",
};

/** Maximum number of columns that fit on a page. */
export const MAX_COLUMNS = 24;
const LONGEST_NAME = 500;
const LONGEST_HEADING = 200;
export const LONGEST_BREAK = 1440;

/** Parses the address; missing options are those stored, or the defaults. */
export function choiceOf(params: URLSearchParams, stored: JsonValue | undefined): SheetChoice {
  const given: Record<string, JsonValue> = {};
  for (const [name, value] of params) given[name] = value;
  return readChoice(given, readChoice(isJsonObject(stored) ? stored : {}, DEFAULT_CHOICE));
}

function readChoice(given: JsonObject, before: SheetChoice): SheetChoice {
  const by = choiceText(given["by"], LONGEST_NAME) || before.by;
  const minutes = Number(given["break"] ?? Number.NaN);
  const heading = given["heading"];
  return {
    by,
    columns: readColumns(given["columns"]) ?? (by === before.by ? before.columns : []),
    others: flagOf(given["others"], before.others),
    breakMinutes: Number.isInteger(minutes) && minutes >= 1 && minutes <= LONGEST_BREAK ? minutes : before.breakMinutes,
    step: STEPS.find((step) => String(step) === String(given["round"])) ?? before.step,
    sum: SUMS.find((sum) => sum === given["sum"]) ?? before.sum,
    form: FORMS.find((form) => form === given["form"]) ?? before.form,
    titles: flagOf(given["titles"], before.titles),
    empty: flagOf(given["empty"], before.empty),
    details: flagOf(given["details"], before.details),
    amounts: flagOf(given["amounts"], before.amounts),
    heading: heading === undefined ? before.heading : choiceText(heading, LONGEST_HEADING),
  };
}

function choiceText(value: JsonValue | undefined, most: number): string {
  return typeof value === "string" ? value.trim().slice(0, most) : "";
}

function flagOf(value: JsonValue | undefined, before: boolean): boolean {
  return value === "1" || value === "0" ? value === "1" : before;
}

function readColumns(value: JsonValue | undefined): readonly ColumnName[] | undefined {
  if (typeof value !== "string") return undefined;
  let list: unknown;
  try {
    list = JSON.parse(value);
  } catch {
    return undefined;
  }
  if (!Array.isArray(list)) return undefined;
  const names = new Map<string, ColumnName>();
  for (const item of list as readonly unknown[]) if (isName(item)) names.set(JSON.stringify(item), item);
  return [...names.values()].slice(0, MAX_COLUMNS);
}

/** Whether a value is a list of levels. */
export function isName(item: unknown): item is ColumnName {
  return Array.isArray(item) && item.length > 0 && item.every((level) => typeof level === "string");
}

/** The options as strings, for the address and the setting. */
export function printChoice(choice: SheetChoice): Readonly<Record<string, string>> {
  return {
    by: choice.by,
    columns: JSON.stringify(choice.columns),
    others: choice.others ? "1" : "0",
    break: String(choice.breakMinutes),
    round: String(choice.step),
    sum: choice.sum,
    form: choice.form,
    titles: choice.titles ? "1" : "0",
    empty: choice.empty ? "1" : "0",
    details: choice.details ? "1" : "0",
    amounts: choice.amounts ? "1" : "0",
    heading: choice.heading,
  };
}

/** Options of a work report to share: the category Work, or the first one, without other time. */
export function workReport(before: SheetChoice, categories: readonly ColumnName[]): SheetChoice {
  const tops = categories.filter((name) => name.length === 1);
  const work = tops.find(([name]) => name?.toLowerCase() === "work") ?? tops[0];
  const columns =
    before.by === CATEGORY_KEY && before.columns.length > 0 ? before.columns : work === undefined ? [] : [work];
  const heading = before.heading || REPORT_HEADING;
  return { ...before, by: CATEGORY_KEY, columns, others: false, titles: false, heading };
}

/** Categories that can be columns: existing ones, and uncategorized. */
export function choosableNames(categories: readonly Category[]): readonly ColumnName[] {
  return [...namesOf(categories).filter(([top]) => top !== UNCATEGORIZED), [UNCATEGORIZED]];
}
