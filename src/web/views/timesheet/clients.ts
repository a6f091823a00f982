// Clients of timesheets: categories with a rate, in a setting (docs/reference/timesheet.md#clients). Pure.
import { isJsonObject, type JsonObject, type JsonValue } from "../../../domain/json.js";
import { isWithin, keyOf } from "../../categories.js";
import { type Calendar, dayAt, isCurrent, type Period, periodAround } from "../../period.js";
import { CATEGORY_KEY, type ColumnName, isName, type SheetChoice, STEPS, type Step, SUMS, type Sum } from "./choice.js";
import { amountOf, isCurrency, minorPlaces, parseRate } from "./money.js";
import type { Sheet } from "./sheet.js";

/** Key of the setting: a list of clients. */
export const CLIENTS = "timesheet_clients";

export interface SheetClient {
  readonly category: ColumnName;
  /** Name on the sheet; "" for the category's. */
  readonly name: string;
  /** Per hour, a decimal number. */
  readonly rate: string;
  /** ISO 4217 code. */
  readonly currency: string;
  readonly step: Step;
  readonly sum: Sum;
}

export const LONGEST_CLIENT = 200;

/** Parses the setting and skips invalid clients. */
export function readClients(stored: JsonValue | undefined): readonly SheetClient[] {
  return listOf(stored).flatMap((item) => readClient(item) ?? []);
}

function listOf(stored: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(stored) ? (stored as readonly JsonValue[]) : [];
}

function readClient(item: JsonValue): SheetClient | undefined {
  if (!isJsonObject(item)) return undefined;
  const { category, name, currency, round, sum } = item;
  const rate = typeof item["rate"] === "string" ? parseRate(item["rate"]) : undefined;
  if (!isName(category) || rate === undefined || typeof currency !== "string" || !isCurrency(currency))
    return undefined;
  return {
    ...{ category, rate, currency },
    name: typeof name === "string" ? name.trim().slice(0, LONGEST_CLIENT) : "",
    step: STEPS.find((step) => String(step) === String(round)) ?? 60,
    sum: SUMS.find((one) => one === sum) ?? "row",
  };
}

/**
 * Replaces the client of a category, or adds one; everything else is preserved.
 *
 * @param client `undefined` removes it
 * @returns the value to store
 */
export function withClient(
  stored: JsonValue | undefined,
  category: ColumnName | undefined,
  client?: SheetClient,
): JsonValue {
  const names = [category, client?.category].flatMap((name) => (name === undefined ? [] : keyOf(name)));
  const isReplaced = (item: JsonValue): boolean => {
    const found = readClient(item);
    return found !== undefined && names.includes(keyOf(found.category));
  };
  const list = listOf(stored);
  const at = list.findIndex(isReplaced);
  const others = list.filter((item) => !isReplaced(item));
  if (client !== undefined) others.splice(at < 0 ? others.length : at, 0, printClient(client));
  return others;
}

function printClient({ category, name, rate, currency, step, sum }: SheetClient): JsonObject {
  return { category: [...category], name, rate, currency, round: step, sum };
}

/** The name on the sheet. */
export function clientName({ name, category }: SheetClient): string {
  return name || (category.at(-1) ?? "");
}

/** Identifies a client in the address. */
export function presetOf({ category }: SheetClient): string {
  return keyOf(category);
}

/** The options of a client's sheet. */
export function clientChoice(before: SheetChoice, client: SheetClient): SheetChoice {
  return {
    ...{ ...before, by: CATEGORY_KEY, columns: [client.category], heading: clientName(client) },
    ...{ step: client.step, sum: client.sum, form: "hours" },
    ...{ others: false, titles: false, empty: false, details: false, amounts: true },
  };
}

/** The period of a client's sheet: instead of a week, the month of its first day, or this month for this week. */
export function clientPeriod(period: Period, calendar: Calendar, now: number): Period {
  if (period.kind !== "week") return period;
  return periodAround("month", isCurrent(period, now) ? dayAt(now, calendar) : period.first, calendar);
}

/** The client of a column: that of its category or of the nearest parent. */
export function clientOf(column: ColumnName | undefined, clients: readonly SheetClient[]): SheetClient | undefined {
  if (column === undefined) return undefined;
  const [nearest] = clients
    .filter(({ category }) => isWithin(column, category))
    .sort((a, b) => b.category.length - a.category.length);
  return nearest;
}

/** The amounts of a sheet in a currency, in minor units. */
export interface Amounts {
  readonly currency: string;
  readonly places: number;
  /** In the order of the days. */
  readonly days: readonly bigint[];
  readonly total: bigint;
}

/** The amounts in each currency. Each entry is rounded, as in the lines of an invoice, and totals add them up. */
export function amountsOf({ columns, days }: Sheet, choice: SheetChoice, clients: readonly SheetClient[]): Amounts[] {
  if (!choice.amounts || choice.by !== CATEGORY_KEY) return [];
  const ofColumns = columns.map(({ name }) => clientOf(name, clients));
  const currencies = new Set(ofColumns.flatMap((client) => client?.currency ?? []));
  return [...currencies].map((currency) => {
    const places = minorPlaces(currency);
    const ofDays = days.map(({ cells }) =>
      cells.reduce((sum, seconds, at) => {
        const client = ofColumns[at];
        return client?.currency === currency ? sum + amountOf(seconds, client.rate, places) : sum;
      }, 0n),
    );
    return { currency, places, days: ofDays, total: ofDays.reduce((sum, one) => sum + one, 0n) };
  });
}
