// Saved programs, under the key of ActivityWatch's web UI (docs/reference/settings.md#settings-of-the-web-ui).

import { isJsonObject, type JsonObject, type JsonValue } from "../../../domain/json.js";
import { addDays, isDate } from "../../wall-clock.js";

/** Key of the setting. */
export const SAVED_QUERIES = "saved_queries";

/** An item of `saved_queries`; unknown members are preserved. */
export interface SavedQuery {
  readonly id: number | string;
  readonly name: string;
  readonly query_code: string;
  /** `YYYY-MM-DD`, as in ActivityWatch's web UI. */
  readonly startdate?: string;
  readonly enddate?: string;
  /** Days before today of the first day, and of the day after the last one. */
  readonly start_day_offset?: number;
  readonly end_day_offset?: number;
}

/** The days of a saved query; `undefined` without any. ActivityWatch's web UI saves their distance from today. */
export function savedDays(
  { startdate = "", enddate = "", start_day_offset: start, end_day_offset: end = -1 }: SavedQuery,
  today: string,
): { readonly first: string; readonly last: string } | undefined {
  if (Number.isInteger(start) && Number.isInteger(end)) {
    const [first, last] = [addDays(today, -(start as number)), addDays(today, -end - 1)];
    return first <= last ? { first, last } : undefined;
  }
  return isDate(startdate) && isDate(enddate) && startdate <= enddate ? { first: startdate, last: enddate } : undefined;
}

/** The distance of days from today, in the form of ActivityWatch's web UI. */
export function dayOffsets(
  first: string,
  last: string,
  today: string,
): Required<Pick<SavedQuery, "start_day_offset" | "end_day_offset">> {
  const days = (date: string): number => Math.round((Date.parse(today) - Date.parse(date)) / 86_400_000);
  return { start_day_offset: days(first), end_day_offset: days(last) - 1 };
}

/** Parses the setting and skips invalid items. */
export function readSaved(stored: JsonValue | undefined): SavedQuery[] {
  return listOf(stored).flatMap((item) => (isSaved(item) ? [item] : []));
}

function listOf(stored: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(stored) ? (stored as readonly JsonValue[]) : [];
}

function isSaved(item: JsonValue): item is JsonObject & SavedQuery {
  if (!isJsonObject(item)) return false;
  const { id, name, query_code } = item;
  return ["number", "string"].includes(typeof id) && typeof name === "string" && typeof query_code === "string";
}

/** A query to save. */
export type QueryToSave = Pick<SavedQuery, "name" | "query_code"> & {
  readonly startdate: string;
  readonly enddate: string;
  readonly start_day_offset?: number;
  readonly end_day_offset?: number;
};

/** Adds a query, or replaces the one with the same name; everything else is preserved. @returns the value to store */
export function addQuery(stored: JsonValue | undefined, query: QueryToSave): JsonValue {
  const list = listOf(stored);
  const isSame = (item: JsonValue) => isSaved(item) && item.name === query.name;
  if (list.some(isSame)) return list.map((item) => (isJsonObject(item) && isSame(item) ? { ...item, ...query } : item));
  const ids = readSaved(stored).flatMap(({ id }) => (typeof id === "number" ? [id] : []));
  return [...list, { id: Math.max(-1, ...ids) + 1, ...query, event_type: "currentwindow" }];
}

/** Removes a query. @returns the value to store */
export function removeQuery(stored: JsonValue | undefined, id: SavedQuery["id"]): JsonValue {
  return listOf(stored).filter((item) => !isSaved(item) || item.id !== id);
}
