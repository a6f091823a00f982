// A timesheet as text, for the page, files and printing. Pure.
import { labelOf } from "../../categories.js";
import type { CsvCell } from "../../csv.js";
import { formatTime } from "../../format.js";
import { common } from "../../texts/common.js";
import { locale } from "../../texts/language.js";
import { t as periods } from "../../texts/period.js";
import { t as shell } from "../../texts/shell.js";
import { t } from "../../texts/timesheet.js";
import { dateAt, timeAt } from "../../wall-clock.js";
import { hostText } from "../activity/names.js";
import {
  CATEGORY_KEY,
  type ColumnName,
  type LengthForm,
  REPORT_HEADING,
  type SheetChoice,
  type Step,
} from "./choice.js";
import { type Amounts, amountsOf, clientOf, type SheetClient } from "./clients.js";
import { decimalOf, formatMoney } from "./money.js";
import { type CellNote, type NotePlace, placeKey } from "./notes.js";
import { unitOf } from "./rounding.js";
import type { Sheet, SheetDay } from "./sheet.js";

/** Content of a cell. */
export interface DocumentCell {
  readonly text: string;
  /** In CSV: numbers with a decimal point and times of 24 hours, in every language. */
  readonly value: CsvCell;
  /** Position of a note on it; `undefined` if it cannot have one. */
  readonly place?: NotePlace | undefined;
  readonly note?: CellNote | undefined;
}

export interface DocumentColumn {
  readonly label: string;
  readonly isNumeric: boolean;
}

/** A sheet as text. `cells[0]` belongs to `columns[1]`, since the day is a column as well. */
export interface SheetDocument {
  readonly heading: string;
  /** Subject in one line: the period and the hosts. */
  readonly subject: string;
  /** Total time and amounts in one line. */
  readonly totals: string;
  readonly columns: readonly DocumentColumn[];
  readonly rows: readonly { readonly date: string; readonly day: string; readonly cells: readonly DocumentCell[] }[];
  readonly sums: readonly DocumentCell[];
  /** How the time was computed. */
  readonly remarks: readonly string[];
}

/** Context of the texts. */
export interface Wording {
  readonly choice: SheetChoice;
  readonly clients: readonly SheetClient[];
  readonly notes: ReadonlyMap<string, CellNote>;
  readonly zone: string;
  readonly startOfDay: string;
  /** Description of the period. */
  readonly period: string;
  /** Included hosts. */
  readonly hosts: readonly string[];
  /** Conditions of the counted time. */
  readonly filter: readonly string[];
}

/** A column with its cells. */
interface ColumnCells extends DocumentColumn {
  readonly cell: (day: SheetDay, index: number) => DocumentCell;
  readonly sum: DocumentCell;
}

/** Text of an empty cell. */
const NOTHING = "–";
const EMPTY: DocumentCell = { text: "", value: "" };

/** The selected heading; "" for none. */
export function headingOf({ heading }: SheetChoice): string {
  return heading === REPORT_HEADING ? t("report") : heading;
}

export function documentOf(sheet: Sheet, wording: Wording): SheetDocument {
  const { choice, notes, clients } = wording;
  const amounts = amountsOf(sheet, choice, clients);
  const timed = timeColumns(sheet, wording);
  const columns = [...timed, ...amounts.map(amountColumn), ...(choice.details ? clockColumns(sheet, wording) : [])];
  if (choice.titles) {
    const cell = ({ titles }: SheetDay): DocumentCell => wordsCell(titles.join("; "));
    columns.push({ label: common("titles"), isNumeric: false, cell, sum: EMPTY });
  }
  const notesOn = (day: SheetDay): readonly string[] => notesOf(day, timed, notes);
  if (sheet.days.some((day) => notesOn(day).length > 0)) {
    const cell = (day: SheetDay): DocumentCell => wordsCell(notesOn(day).join("; "));
    columns.push({ label: t("notes"), isNumeric: false, cell, sum: EMPTY });
  }
  return {
    heading: headingOf(choice) || shell("timesheet"),
    subject: [wording.period, ...(choice.details ? [hostsText(wording.hosts)] : [])].join(" · "),
    totals: totalsOf(sheet, wording, amounts),
    columns: [{ label: periods("day"), isNumeric: false }, ...columns],
    rows: sheet.days.flatMap((day, index) =>
      choice.empty || day.total > 0 || notesOn(day).length > 0
        ? [{ date: day.date, day: dayLabel(day.date), cells: columns.map(({ cell }) => cell(day, index)) }]
        : [],
    ),
    sums: columns.map(({ sum }) => sum),
    remarks: remarksOf(sheet, wording, amounts.length > 0),
  };
}

/** The columns of times and their total, which a sheet without details shows once. */
function timeColumns({ columns, sums, total }: Sheet, { choice, notes }: Wording): ColumnCells[] {
  const isOnly = !choice.details && columns.length === 1;
  const noted = (cell: DocumentCell, place: NotePlace): DocumentCell => ({
    ...{ ...cell, place, note: notes.get(placeKey(place)) },
  });
  const labelOfColumn = (name: ColumnName | undefined): string => {
    if (isOnly) return common("time");
    return columnLabel(choice.details ? name : name?.slice(-1), choice.by);
  };
  const timed = columns.map(({ name }, at): ColumnCells => {
    const cell = (day: SheetDay): DocumentCell => {
      const own = lengthCell(day.cells[at] ?? 0, choice);
      return name === undefined ? own : noted(own, { date: day.date, by: choice.by, column: name });
    };
    return { label: labelOfColumn(name), isNumeric: true, cell, sum: lengthCell(sums[at] ?? 0, choice) };
  });
  if (isOnly) return timed;
  const cell = (day: SheetDay): DocumentCell => {
    const whole = lengthCell(day.total, choice);
    // Notes on whole days may be about other clients.
    return choice.details ? noted(whole, { date: day.date }) : whole;
  };
  return [...timed, { label: t("total"), isNumeric: true, cell, sum: lengthCell(total, choice) }];
}

function amountColumn({ currency, places, days, total }: Amounts): ColumnCells {
  const amountCell = (minor: bigint): DocumentCell => {
    const decimal = decimalOf(minor, places);
    return { text: minor === 0n ? NOTHING : formatMoney(decimal, currency, locale.value), value: Number(decimal) };
  };
  return {
    ...{ label: t("amount", { currency }), isNumeric: true, sum: amountCell(total) },
    cell: (_, index) => amountCell(days[index] ?? 0n),
  };
}

/** First, last and breaks. */
function clockColumns(sheet: Sheet, { choice, zone }: Wording): ColumnCells[] {
  const clock = (instant: number | undefined, { date }: SheetDay): DocumentCell => {
    if (instant === undefined) return { text: NOTHING, value: "" };
    const later = daysAfter(instant, date, zone);
    return { text: `${formatTime(instant, zone)}${later}`, value: `${timeAt(instant, zone)}${later}` };
  };
  const pauses = (day: SheetDay): DocumentCell => {
    const { text, value } = lengthCell(day.breaks, choice);
    return { text: day.breakCount > 0 ? `${text} (${day.breakCount})` : NOTHING, value };
  };
  return [
    { label: t("first"), isNumeric: true, cell: (day) => clock(day.first, day), sum: EMPTY },
    { label: t("last"), isNumeric: true, cell: (day) => clock(day.last, day), sum: EMPTY },
    { label: t("breaks"), isNumeric: true, cell: pauses, sum: lengthCell(sheet.breaks, choice) },
  ];
}

function lengthCell(seconds: number, choice: SheetChoice): DocumentCell {
  const plain = printLength(seconds, choice, "en");
  return {
    text: seconds > 0 ? printLength(seconds, choice) : NOTHING,
    value: choice.form === "hours" ? Number(plain) : plain,
  };
}

function wordsCell(text: string): DocumentCell {
  return { text, value: text };
}

/** Notes of a day, each with its column if there are several. */
function notesOf(day: SheetDay, timed: readonly ColumnCells[], notes: Wording["notes"]): readonly string[] {
  if (notes.size === 0) return [];
  return timed.flatMap(({ label, cell }) => {
    const { note } = cell(day, 0);
    if (note === undefined) return [];
    return [note.column === undefined || timed.length === 1 ? note.text : `${label}: ${note.text}`];
  });
}

/** `37.25 h · €3,166.25 · €85.00 per hour`. */
function totalsOf({ total, columns }: Sheet, { choice, clients }: Wording, amounts: readonly Amounts[]): string {
  const time =
    choice.form === "hours" ? t("stepHours", { hours: printLength(total, choice) }) : printLength(total, choice);
  const money = amounts.map((one) => formatMoney(decimalOf(one.total, one.places), one.currency, locale.value));
  const rates = new Set(
    columns.map(({ name }) => {
      const { rate, currency } = clientOf(name, clients) ?? {};
      return rate !== undefined && currency !== undefined ? formatMoney(rate, currency, locale.value) : "";
    }),
  );
  // Several rates would need the time of each.
  const [only = ""] = amounts.length > 0 && rates.size === 1 ? rates : [];
  return [`${t("total")}: ${time}`, ...money, ...(only === "" ? [] : [t("perHour", { amount: only })])].join(" · ");
}

const ROUNDED = {
  row: "roundedRow",
  cells: "roundedCells",
  row_up: "roundedRowUp",
  cells_up: "roundedCellsUp",
} as const;

/** With one column, each day is one cell. */
const ROUNDED_DAY = {
  row: "roundedDay",
  cells: "roundedDay",
  row_up: "roundedDayUp",
  cells_up: "roundedDayUp",
} as const;

function remarksOf(sheet: Sheet, { choice, zone, startOfDay, filter }: Wording, hasAmounts: boolean): string[] {
  const { details, columns, by, sum } = choice;
  const isNested = columns.some((one) => columns.some((other) => isBelow(one, other)));
  const exact = printLength(sheet.exact, { form: choice.form, step: 1 });
  return [
    ...(details ? [t(choice.others || columns.length === 0 ? "all" : "counted")] : []),
    ...(filter.length > 0 ? [t("filter", { conditions: filter.join(", ") })] : []),
    ...(by === CATEGORY_KEY && isNested ? [t("deepest")] : []),
    ...(sheet.omitsClients ? [t("otherClients")] : []),
    t(sheet.columns.length === 1 ? ROUNDED_DAY[sum] : ROUNDED[sum], { step: stepText(choice) }),
    ...(hasAmounts ? [t("roundedAmounts")] : []),
    ...(details ? [t("exactly", { length: exact }), t("pauses", { count: choice.breakMinutes })] : []),
    ...(details ? [t("days", { start: startOfDay, zone })] : []),
  ];
}

function isBelow(name: ColumnName, other: ColumnName): boolean {
  return name.length > other.length && other.every((level, depth) => level === name[depth]);
}

function hostsText(hosts: readonly string[]): string {
  return t("hosts", { count: hosts.length, names: hosts.map(hostText).join(", ") });
}

/** The rounding unit: minutes, or the share of an hour. */
export function stepText({ form, step }: Pick<SheetChoice, "form" | "step">): string {
  if (form === "time") return t(`step${step}`);
  const hours = (unitOf({ form, step }) / 3600).toLocaleString(locale.value, { maximumFractionDigits: 4 });
  return t("stepHours", { hours });
}

/** The label of a column. */
function columnLabel(name: ColumnName | undefined, by: string): string {
  if (name === undefined) return t("others");
  if (by === CATEGORY_KEY) return labelOf(name);
  return name[0] || t("nameless");
}

/** `Mon, Nov 16`. */
export function dayLabel(date: string): string {
  const format = new Intl.DateTimeFormat(locale.value, {
    ...{ timeZone: "UTC", weekday: "short", month: "short", day: "numeric" },
  });
  return format.format(new Date(date));
}

/** `3:05`, `3:05:09`, or hours such as `3.25`: with the precision of the rounding. */
export function printLength(
  seconds: number,
  { form, step }: { readonly form: LengthForm; readonly step: Step },
  tag: string = locale.value,
): string {
  const digits = { 1: 4, 60: 2, 360: 1, 900: 2, 1800: 1 }[step];
  if (form === "hours") {
    const options = { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false };
    return (seconds / 3600).toLocaleString(tag, options);
  }
  const whole = Math.round(seconds);
  const two = (count: number): string => String(count).padStart(2, "0");
  const minutes = `${Math.floor(whole / 3600)}:${two(Math.floor((whole % 3600) / 60))}`;
  return step === 1 ? `${minutes}:${two(whole % 60)}` : minutes;
}

/** The number of days after a date: ` +1`; "" for the same day. */
function daysAfter(instant: number, date: string, zone: string): string {
  const days = Math.round((Date.parse(dateAt(instant, zone)) - Date.parse(date)) / 86_400_000);
  return days > 0 ? ` +${days}` : "";
}
