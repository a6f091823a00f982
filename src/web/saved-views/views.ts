// Saved views: addresses with names. The setting `views` of ActivityWatch's web UI contains parts of its own dashboards
// instead of addresses, so saved views have a separate key. Pure.
import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.js";
import {
  type Calendar,
  dayAt,
  isPeriodKind,
  type Period,
  periodAround,
  periodOfRoute,
  rangeOf,
  routeOfPeriod,
} from "../period.js";
import { addDays } from "../wall-clock.js";

/** Key of the setting: a list of saved views. */
export const SAVED_VIEWS = "saved_views";

/** Distance of a period from today: in periods of its kind; for a range, by its first and last day. */
export type Distance =
  | { readonly kind: "day" | "week" | "month" | "year"; readonly offset: number }
  | { readonly kind: "range"; readonly first: number; readonly last: number };

/** A saved view; unknown members are preserved. */
export interface SavedView {
  readonly name: string;
  /** The fragment of the address, `#/week/2026-11-16?host=desk`. */
  readonly address: string;
  /** Distance of a period that moves with today. Takes precedence over the dates in the address. */
  readonly moves?: Distance | undefined;
}

export const LONGEST_NAME = 100;
const DAY = 86_400_000;

/** Parses the setting and skips invalid views. */
export function readViews(stored: JsonValue | undefined): readonly SavedView[] {
  return readList(stored).flatMap((item) => readView(item) ?? []);
}

function readList(stored: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(stored) ? (stored as readonly JsonValue[]) : [];
}

function readView(item: JsonValue): SavedView | undefined {
  if (!isJsonObject(item)) return undefined;
  const { name, address, moves } = item;
  if (typeof name !== "string" || name === "" || typeof address !== "string" || !address.startsWith("#/")) {
    return undefined;
  }
  return { name, address, moves: isJsonObject(moves ?? null) ? readDistance(moves as JsonObject) : undefined };
}

function readDistance({ kind, offset, first, last }: JsonObject): Distance | undefined {
  if (kind === "range") return isInteger(first) && isInteger(last) ? { kind, first, last } : undefined;
  if (kind !== "day" && kind !== "week" && kind !== "month" && kind !== "year") return undefined;
  return isInteger(offset) ? { kind, offset } : undefined;
}

function isInteger(value: JsonValue | undefined): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && Math.abs(value) < 100_000;
}

/** Adds a view, or replaces the one with its name; everything else is preserved. @returns the value to store */
export function addView(stored: JsonValue | undefined, { name, address, moves }: SavedView): JsonValue {
  const view: JsonObject = { name, address, ...(moves === undefined ? {} : { moves: { ...moves } }) };
  const list = readList(stored);
  const isSame = (item: JsonValue): boolean => readView(item)?.name === name;
  return list.some(isSame) ? list.map((item) => (isSame(item) ? view : item)) : [...list, view];
}

/** Renames a view, and replaces another one with the new name. @returns the value to store */
export function renameView(stored: JsonValue | undefined, name: string, next: string): JsonValue {
  if (name === next) return [...readList(stored)];
  const others = readList(removeView(stored, next));
  return others.map((item) => (isJsonObject(item) && readView(item)?.name === name ? { ...item, name: next } : item));
}

/** Removes a view. @returns the value to store */
export function removeView(stored: JsonValue | undefined, name: string): JsonValue {
  return readList(stored).filter((item) => readView(item)?.name !== name);
}

/** Distance of an address's period from today; `undefined` if it has none. */
export function distanceOf(address: string, calendar: Calendar, now: number): Distance | undefined {
  const period = periodOf(address, calendar, now);
  if (period === undefined) return undefined;
  const today = dayAt(now, calendar);
  const days = (date: string): number => Math.round((Date.parse(date) - Date.parse(today)) / DAY);
  const { kind, first, last } = period;
  if (kind === "range") return { kind, first: days(first), last: days(last) };
  if (kind === "day") return { kind, offset: days(first) };
  if (kind === "week") {
    const from = Date.parse(periodAround("week", today, calendar).first);
    return { kind, offset: Math.round((Date.parse(first) - from) / (7 * DAY)) };
  }
  if (kind === "year") return { kind, offset: Number(first.slice(0, 4)) - Number(today.slice(0, 4)) };
  return { kind, offset: monthOf(first) - monthOf(today) };
}

/** The current address of a view. */
export function addressOf({ address, moves }: SavedView, calendar: Calendar, now: number): string {
  if (moves === undefined || periodOf(address, calendar, now) === undefined) return address;
  const [path = "", search] = cut(address);
  const segments = segmentsOf(path);
  const before = segments.slice(0, segments.findIndex(isPeriodKind));
  const route = [...before, ...routeOfPeriod(periodAt(moves, calendar, now))].map(encodeURIComponent).join("/");
  return `#/${route}${search === undefined ? "" : `?${search}`}`;
}

function periodAt(moves: Distance, calendar: Calendar, now: number): Period {
  const today = dayAt(now, calendar);
  if (moves.kind === "range") return rangeOf(addDays(today, moves.first), addDays(today, moves.last), calendar);
  if (moves.kind === "month") {
    const month = monthOf(today) + moves.offset;
    const text = `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, "0")}-01`;
    return periodAround("month", text, calendar);
  }
  if (moves.kind === "year") {
    return periodAround("year", `${Number(today.slice(0, 4)) + moves.offset}-01-01`, calendar);
  }
  return periodAround(moves.kind, addDays(today, moves.offset * (moves.kind === "week" ? 7 : 1)), calendar);
}

/** The period in an address; `#/` is today. */
function periodOf(address: string, calendar: Calendar, now: number): Period | undefined {
  const segments = segmentsOf(cut(address)[0] ?? "");
  if (segments.length === 0) return periodOfRoute([], calendar, now);
  const at = segments.findIndex(isPeriodKind);
  // Only a view's name may precede it.
  return at === 0 || (at === 1 && segments[0] === "timesheet")
    ? periodOfRoute(segments.slice(at), calendar, now)
    : undefined;
}

function cut(address: string): [path: string | undefined, search: string | undefined] {
  const at = address.indexOf("?");
  return at < 0 ? [address, undefined] : [address.slice(0, at), address.slice(at + 1)];
}

function segmentsOf(path: string): string[] {
  return path
    .replace(/^#/, "")
    .split("/")
    .filter((segment) => segment !== "");
}

/** Months since the year 0. */
function monthOf(date: string): number {
  return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;
}
