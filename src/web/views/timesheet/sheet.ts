// Computes a timesheet from the responses for its days. Pure.
import { isJsonObject, type JsonValue } from "../../../domain/json.js";
import { isWithin, keyOf, UNCATEGORIZED } from "../../categories.js";
import type { Part } from "../../period.js";
import { readName } from "../../program-text.js";
import { CATEGORY_KEY, type ColumnName, type SheetChoice } from "./choice.js";
import { roundRow, roundTo, unitOf } from "./rounding.js";

/** A column of times. */
export interface SheetColumn {
  /** `undefined` for time without a column. */
  readonly name: ColumnName | undefined;
  /** Total of the period. */
  readonly seconds: number;
}

/** A day, in seconds; timestamps in Unix milliseconds. */
export interface SheetDay {
  readonly date: string;
  readonly start: number;
  /** In column order. */
  readonly cells: readonly number[];
  readonly total: number;
  /** Start of the first and end of the last counted activity; `undefined` on a day without any. */
  readonly first: number | undefined;
  readonly last: number | undefined;
  /** Gaps between first and last in all activity, even if it is not counted. */
  readonly breaks: number;
  readonly breakCount: number;
  readonly titles: readonly string[];
}

/** A complete sheet with the selected rounding. */
export interface Sheet {
  readonly columns: readonly SheetColumn[];
  readonly days: readonly SheetDay[];
  /** Totals of the columns, and the grand total. */
  readonly sums: readonly number[];
  readonly total: number;
  readonly breaks: number;
  /** Total without rounding. */
  readonly exact: number;
}

/** Maximum number of automatic columns. */
const MOST_AUTOMATIC = 7;
/** Smaller remainders in the column for others are rounding errors. */
const MIN_OTHERS = 0.5;

interface Group {
  readonly name: ColumnName;
  readonly seconds: number;
}

/** In Unix milliseconds. */
interface Stretch {
  readonly start: number;
  readonly end: number;
}

interface Answer {
  readonly groups: readonly Group[];
  readonly seconds: number;
  /** All activity, and the counted part. */
  readonly active: readonly Stretch[];
  readonly counted: readonly Stretch[];
  readonly titles: readonly string[];
}

/** @param answers results of the program, one per day */
export function createSheet(days: readonly Part[], answers: readonly JsonValue[], choice: SheetChoice): Sheet {
  const read = days.map((_, index) => readAnswer(answers[index], choice.by));
  const names = choice.columns.length > 0 ? choice.columns : automaticColumns(read, choice.by);
  const raw = read.map(({ groups, seconds }) => computeCells(groups, seconds, names, choice.by));
  const withOthers = raw.some((cells) => (cells[names.length] ?? 0) > MIN_OTHERS);
  const width = names.length + (withOthers ? 1 : 0);
  const unit = unitOf(choice);
  const rows = days.map(({ date, start }, index): SheetDay => {
    const { active = [], counted = [], titles = [] } = read[index] ?? {};
    const { cells, total } = roundRow((raw[index] ?? []).slice(0, width), unit, choice.sum);
    const first = counted[0]?.start;
    const last = counted.length > 0 ? Math.max(...counted.map(({ end }) => end)) : undefined;
    const between = active.filter((one) => one.end > (first ?? 0) && one.start < (last ?? 0));
    const pauses = findBreaks(between, choice.breakMinutes * 60_000);
    return {
      ...{ date, start, cells, total, first, last, titles },
      breaks: roundTo(pauses.reduce((sum, millis) => sum + millis, 0) / 1000, unit),
      breakCount: pauses.length,
    };
  });
  const sums = Array.from({ length: width }, (_, at) => rows.reduce((sum, { cells }) => sum + (cells[at] ?? 0), 0));
  return {
    columns: sums.map((seconds, at) => ({ name: names[at], seconds })),
    days: rows,
    sums,
    total: rows.reduce((sum, { total }) => sum + total, 0),
    breaks: rows.reduce((sum, { breaks }) => sum + breaks, 0),
    exact: read.reduce((sum, { seconds }) => sum + seconds, 0),
  };
}

/** The columns with the most time, categories by their top level. */
function automaticColumns(answers: readonly Answer[], by: string): readonly ColumnName[] {
  const sums = new Map<string, Group>();
  for (const { name, seconds } of answers.flatMap(({ groups }) => groups)) {
    const column = by === CATEGORY_KEY ? name.slice(0, 1) : name;
    const key = keyOf(column);
    sums.set(key, { name: column, seconds: (sums.get(key)?.seconds ?? 0) + seconds });
  }
  const longest = [...sums.values()].filter(({ seconds }) => seconds > 0).sort((a, b) => b.seconds - a.seconds);
  return longest.slice(0, MOST_AUTOMATIC).map(({ name }) => name);
}

/** The time of each column, followed by the time without one. */
function computeCells(groups: readonly Group[], whole: number, names: readonly ColumnName[], by: string): number[] {
  const cells = names.map(() => 0);
  for (const { name, seconds } of groups) {
    const at = findColumn(name, names, by);
    if (at >= 0) cells[at] = (cells[at] ?? 0) + seconds;
  }
  return [...cells, Math.max(0, whole - cells.reduce((sum, one) => sum + one, 0))];
}

/** A category belongs to the deepest matching column. */
function findColumn(name: ColumnName, names: readonly ColumnName[], by: string): number {
  let found = -1;
  for (const [at, column] of names.entries()) {
    const fits = by === CATEGORY_KEY ? isWithin(name, column) : name[0] === column[0];
    if (fits && column.length > (names[found]?.length ?? 0)) found = at;
  }
  return found;
}

/** Gaps of at least `least` milliseconds. */
function findBreaks(active: Answer["active"], least: number): number[] {
  const gaps: number[] = [];
  let end = active[0]?.end ?? 0;
  for (const stretch of active) {
    if (stretch.start - end >= least) gaps.push(stretch.start - end);
    end = Math.max(end, stretch.end);
  }
  return gaps;
}

function readAnswer(answer: JsonValue | undefined, by: string): Answer {
  const { groups, active, counted, duration, titles } = isJsonObject(answer ?? null)
    ? (answer as Record<string, JsonValue>)
    : {};
  return {
    groups: parseEvents(groups).map(({ data, seconds }) => ({ name: columnName(data[by], by), seconds })),
    seconds: secondsOf(duration),
    active: stretchesOf(active),
    counted: stretchesOf(counted ?? active),
    titles: [...new Set(parseEvents(titles).map(({ data }) => titleOf(data)))].filter((title) => title !== ""),
  };
}

function stretchesOf(value: JsonValue | undefined): Stretch[] {
  return parseEvents(value)
    .map(({ start, seconds }) => ({ start, end: start + seconds * 1000 }))
    .filter(({ start, end }) => end > start)
    .sort((a, b) => a.start - b.start);
}

function parseEvents(
  value: JsonValue | undefined,
): { readonly data: Readonly<Record<string, JsonValue>>; readonly start: number; readonly seconds: number }[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly JsonValue[]).flatMap((event) => {
    if (!isJsonObject(event)) return [];
    const { data, timestamp, duration } = event;
    const start = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN;
    if (Number.isNaN(start)) return [];
    return [
      {
        data: isJsonObject(data ?? null) ? (data as Record<string, JsonValue>) : {},
        start,
        seconds: secondsOf(duration),
      },
    ];
  });
}

function columnName(value: JsonValue | undefined, by: string): ColumnName {
  if (by !== CATEGORY_KEY) return [cellText(value)];
  if (!Array.isArray(value) || value.length === 0) return [UNCATEGORIZED];
  return (value as readonly JsonValue[]).map((level) => readName(cellText(level)));
}

function titleOf({ title, classname, file }: Readonly<Record<string, JsonValue>>): string {
  return cellText(title ?? file ?? classname).slice(0, 200);
}

function cellText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function secondsOf(value: JsonValue | undefined): number {
  return typeof value === "number" && Number.isFinite(value) ? Math.max(0, value) : 0;
}
