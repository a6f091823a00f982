// A timesheet as text, for the page, files and printing. Pure.
import { labelOf } from "../../categories.js";
import { formatTime } from "../../format.js";
import { common } from "../../texts/common.js";
import { locale } from "../../texts/language.js";
import { t as periods } from "../../texts/period.js";
import { t as shell } from "../../texts/shell.js";
import { t } from "../../texts/timesheet.js";
import { dateAt } from "../../wall-clock.js";
import { hostText } from "../activity/names.js";
import {
  CATEGORY_KEY,
  type ColumnName,
  type LengthForm,
  REPORT_HEADING,
  type SheetChoice,
  type Step,
} from "./choice.js";
import { type CellNote, type NotePlace, placeKey } from "./notes.js";
import { unitOf } from "./rounding.js";
import type { Sheet, SheetDay } from "./sheet.js";

/** Content of a cell. */
export interface DocumentCell {
  readonly text: string;
  /** Position of a note on it; `undefined` if it cannot have one. */
  readonly place?: NotePlace;
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
  readonly columns: readonly DocumentColumn[];
  readonly rows: readonly { readonly date: string; readonly day: string; readonly cells: readonly DocumentCell[] }[];
  readonly sums: readonly string[];
  /** How the time was computed. */
  readonly remarks: readonly string[];
}

/** Context of the texts. */
export interface Wording {
  readonly choice: SheetChoice;
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

/** Text of an empty cell. */
const NOTHING = "–";

/** The selected heading; "" for none. */
export function headingOf({ heading }: SheetChoice): string {
  return heading === REPORT_HEADING ? t("report") : heading;
}

export function documentOf(sheet: Sheet, wording: Wording): SheetDocument {
  const { choice, notes } = wording;
  const length = (seconds: number): string => (seconds > 0 ? printLength(seconds, choice) : NOTHING);
  const numeric = (label: string): DocumentColumn => ({ label, isNumeric: true });
  return {
    heading: headingOf(choice) || shell("timesheet"),
    subject: `${wording.period} · ${hostsText(wording.hosts)}`,
    columns: [
      { label: periods("day"), isNumeric: false },
      ...sheet.columns.map(({ name }) => numeric(columnLabel(name, choice.by))),
      ...[t("total"), t("first"), t("last"), t("breaks")].map(numeric),
      ...(choice.titles ? [{ label: common("titles"), isNumeric: false }] : []),
    ],
    rows: sheet.days.map((day) => {
      const noted = (text: string, place: NotePlace): DocumentCell => ({
        ...{ text, place, note: notes.get(placeKey(place)) },
      });
      return {
        date: day.date,
        day: dayLabel(day.date),
        cells: [
          ...day.cells.map((seconds, at): DocumentCell => {
            const column = sheet.columns[at]?.name;
            const text = length(seconds);
            return column === undefined ? { text } : noted(text, { date: day.date, by: choice.by, column });
          }),
          noted(length(day.total), { date: day.date }),
          ...[day.first, day.last].map((at) => ({ text: printClock(at, day, wording.zone) || NOTHING })),
          { text: day.breakCount > 0 ? `${length(day.breaks)} (${day.breakCount})` : NOTHING },
          ...(choice.titles ? [{ text: day.titles.join("; ") }] : []),
        ],
      };
    }),
    sums: [
      ...sheet.sums.map(length),
      ...[length(sheet.total), "", "", length(sheet.breaks)],
      ...(choice.titles ? [""] : []),
    ],
    remarks: remarksOf(sheet, wording),
  };
}

function remarksOf(sheet: Sheet, { choice, zone, startOfDay, filter }: Wording): string[] {
  const isNested = choice.columns.some((one) => choice.columns.some((other) => isBelow(one, other)));
  return [
    choice.others || choice.columns.length === 0 ? t("all") : t("counted"),
    ...(filter.length > 0 ? [t("filter", { conditions: filter.join(", ") })] : []),
    ...(choice.by === CATEGORY_KEY && isNested ? [t("deepest")] : []),
    t(choice.sum === "row" ? "roundedRow" : "roundedCells", { step: stepText(choice) }),
    t("exactly", { length: printLength(sheet.exact, { form: choice.form, step: 1 }) }),
    t("pauses", { count: choice.breakMinutes }),
    t("days", { start: startOfDay, zone }),
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
export function columnLabel(name: ColumnName | undefined, by: string): string {
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
  const digits = { 1: 4, 60: 2, 360: 1, 900: 2 }[step];
  if (form === "hours") {
    const options = { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false };
    return (seconds / 3600).toLocaleString(tag, options);
  }
  const whole = Math.round(seconds);
  const two = (count: number): string => String(count).padStart(2, "0");
  const minutes = `${Math.floor(whole / 3600)}:${two(Math.floor((whole % 3600) / 60))}`;
  return step === 1 ? `${minutes}:${two(whole % 60)}` : minutes;
}

/** `17:05`, with the number of days after the date: `01:30 +1`. */
function printClock(instant: number | undefined, { date }: SheetDay, zone: string): string {
  if (instant === undefined) return "";
  return `${formatTime(instant, zone)}${daysAfter(instant, date, zone)}`;
}

export function daysAfter(instant: number, date: string, zone: string): string {
  const days = Math.round((Date.parse(dateAt(instant, zone)) - Date.parse(date)) / 86_400_000);
  return days > 0 ? ` +${days}` : "";
}
