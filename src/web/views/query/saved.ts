// Saved programs, under the key of ActivityWatch's web UI (docs/reference/settings.md#settings-of-the-web-ui).
import { isJsonObject, type JsonObject, type JsonValue } from "../../../domain/json.js";

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
