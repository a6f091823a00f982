// Computes a timesheet from reports of its days. Pure.
import { isWithin, keyOf } from "../../categories.js";
import type { Part } from "../../period.js";
import type { Report } from "../../report.js";
import { CATEGORY_KEY, type ColumnName, type SheetChoice } from "./choice.js";
import { clientOf, type SheetClient } from "./clients.js";
import { columnList, isPart, titleList } from "./requests.js";
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
  /** Whether columns omit time of other clients. */
  readonly omitsClients: boolean;
}

/** Maximum number of automatic columns. */
const MAX_AUTOMATIC = 7;
/** Smaller remainders in the column for others are rounding errors. */
const MIN_OTHERS = 0.5;

/** A day of a report. */
export type Bin = Report["bins"][number];
type BinRow = NonNullable<Bin["lists"]>[string]["rows"][number];

interface Group {
  readonly name: ColumnName;
  readonly seconds: number;
}

interface Answer {
  readonly groups: readonly Group[];
  /** Counted time, and its ends in Unix milliseconds. */
  readonly seconds: number;
  readonly first: number | undefined;
  readonly last: number | undefined;
  /** Lengths of the breaks between the ends, in seconds. */
  readonly breaks: readonly number[];
  readonly titles: readonly string[];
}

/** Maximum number of titles per day. */
const MAX_TITLES = 5;

/**
 * @param reports bins of the requested reports, a bin per day
 * @param clients whose time is only in columns with their rate
 */
export function createSheet(
  days: readonly Part[],
  reports: readonly (readonly Bin[])[],
  choice: SheetChoice,
  clients: readonly SheetClient[] = [],
): Sheet {
  const { by, columns } = choice;
  const rule: ColumnRule = { by, clients: by === CATEGORY_KEY ? clients : [] };
  const found = reports.map((bins) => new Map(bins.map((bin) => [Date.parse(bin.start), bin])));
  const read = days.map(({ start }) => readAnswer(found[0]?.get(start), found.at(-1)?.get(start), choice, rule));
  const names = columns.length > 0 ? columns : automaticColumns(read, rule);
  const raw = read.map(({ groups, seconds }) => computeCells(groups, seconds, names, rule));
  const withOthers = raw.some((cells) => (cells[names.length] ?? 0) > MIN_OTHERS);
  const width = names.length + (withOthers ? 1 : 0);
  const unit = unitOf(choice);
  const rows = days.map(({ date, start }, index): SheetDay => {
    const { first, last, breaks = [], titles = [] } = read[index] ?? {};
    const { cells, total } = roundRow((raw[index] ?? []).slice(0, width), unit, choice.sum);
    return {
      ...{ date, start, cells, total, first, last, titles },
      breaks: roundTo(
        breaks.reduce((sum, seconds) => sum + seconds, 0),
        unit,
      ),
      breakCount: breaks.length,
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
    omitsClients: (reports[0] ?? []).some((bin) =>
      (bin.lists?.[columnList(by)]?.rows ?? []).some((row) => {
        const name = nameOf(row);
        return findColumn(name, names, rule) < 0 && findColumn(name, names, { by, clients: [] }) >= 0;
      }),
    ),
  };
}

/** How time belongs to columns. */
interface ColumnRule {
  readonly by: string;
  readonly clients: readonly SheetClient[];
}

/** The columns with the most time, categories by their client or their top level. */
function automaticColumns(answers: readonly Answer[], { by, clients }: ColumnRule): readonly ColumnName[] {
  const sums = new Map<string, Group>();
  for (const { name, seconds } of answers.flatMap(({ groups }) => groups)) {
    const column = by === CATEGORY_KEY ? (clientOf(name, clients)?.category ?? name.slice(0, 1)) : name;
    const key = keyOf(column);
    sums.set(key, { name: column, seconds: (sums.get(key)?.seconds ?? 0) + seconds });
  }
  const longest = [...sums.values()].filter(({ seconds }) => seconds > 0).sort((a, b) => b.seconds - a.seconds);
  return longest.slice(0, MAX_AUTOMATIC).map(({ name }) => name);
}

/** The time of each column, followed by the time without one. */
function computeCells(
  groups: readonly Group[],
  whole: number,
  names: readonly ColumnName[],
  rule: ColumnRule,
): number[] {
  const cells = names.map(() => 0);
  for (const { name, seconds } of groups) {
    const at = findColumn(name, names, rule);
    if (at >= 0) cells[at] = (cells[at] ?? 0) + seconds;
  }
  return [...cells, Math.max(0, whole - cells.reduce((sum, one) => sum + one, 0))];
}

/** A category belongs to the deepest matching column, unless that has the rate of another client. */
function findColumn(name: ColumnName, names: readonly ColumnName[], { by, clients }: ColumnRule): number {
  let found = -1;
  for (const [at, column] of names.entries()) {
    const fits = by === CATEGORY_KEY ? isWithin(name, column) : name[0] === column[0];
    if (fits && column.length > (names[found]?.length ?? 0)) found = at;
  }
  const client = clientOf(names[found], clients);
  return client === undefined || client === clientOf(name, clients) ? found : -1;
}

function nameOf({ name, key }: BinRow): ColumnName {
  return name ?? [key ?? ""];
}

/** @param titled the same day of the report with the titles */
function readAnswer(bin: Bin | undefined, titled: Bin | undefined, choice: SheetChoice, rule: ColumnRule): Answer {
  const { by, columns } = choice;
  const list = bin?.lists?.[columnList(by)];
  const isCounted = (name: ColumnName): boolean => !isPart(choice) || findColumn(name, columns, rule) >= 0;
  const rows = (list?.rows ?? []).filter((row) => isCounted(nameOf(row)));
  // Rows beyond the limit are missing, so that the list itself has the whole.
  const ends = isPart(choice) ? rows : [list];
  const first = least(ends.flatMap((one) => one?.first ?? []));
  const last = most(ends.flatMap((one) => one?.last ?? []));
  return {
    groups: rows.map((row) => ({ name: nameOf(row), seconds: row.seconds })),
    seconds: isPart(choice) ? sumOf(rows) : (list?.seconds ?? 0),
    ...{ first, last },
    breaks: (bin?.breaks ?? [])
      .filter(({ start, end }) => Date.parse(start) >= (first ?? Infinity) && Date.parse(end) <= (last ?? -Infinity))
      .map(({ seconds }) => seconds),
    titles: titlesOf(titled?.lists?.[titleList(by)]?.rows ?? [], by, isCounted),
  };
}

/** The longest titles, with the time in counted columns. */
function titlesOf(rows: readonly BinRow[], by: string, isCounted: (name: ColumnName) => boolean): readonly string[] {
  const sums = new Map<string, number>();
  for (const { key, app, seconds, categories = [] } of rows) {
    const title = (key ?? "").slice(0, MAX_TITLE);
    const counted =
      by === CATEGORY_KEY
        ? sumOf(categories.filter(({ name }) => isCounted(name)))
        : (by === "app" && !isCounted([app ?? ""])) || (by === "title" && !isCounted([key ?? ""]))
          ? 0
          : seconds;
    if (title !== "" && counted > 0) sums.set(title, (sums.get(title) ?? 0) + counted);
  }
  const longest = [...sums].sort(([, one], [, other]) => other - one);
  return longest.slice(0, MAX_TITLES).map(([title]) => title);
}

/** Maximum length of a title. */
const MAX_TITLE = 200;

function least(times: readonly string[]): number | undefined {
  return times.length === 0 ? undefined : times.reduce((least, time) => Math.min(least, Date.parse(time)), Infinity);
}

function most(times: readonly string[]): number | undefined {
  return times.length === 0 ? undefined : times.reduce((most, time) => Math.max(most, Date.parse(time)), -Infinity);
}

function sumOf(rows: readonly { readonly seconds: number }[]): number {
  return rows.reduce((sum, { seconds }) => sum + seconds, 0);
}
