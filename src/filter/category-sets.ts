// Sets of categories, under the keys of ActivityWatch's web UI
// (docs/reference/settings.md#settings-of-the-web-ui): `category_sets` contains the sets, `active_set_ids` the
// active ones, and `classes` the active categories for programs without support for sets.
import { isJsonObject, type JsonObject, type JsonValue } from "../domain/json.js";
import { activeCategories, type Category, readCategories, type StoredCategories } from "./categories.js";
import { DEFAULT_CLASSES } from "./default-classes.js";

/** The settings that define the categories. */
export const CATEGORY_SETTINGS: readonly string[] = ["classes", "category_sets", "active_set_ids"];

/** The initial categories of the dashboard while nothing is stored. */
const DEFAULTS: StoredCategories = { categories: DEFAULT_CLASSES, others: [] };

/** ID of the user's own set. If no set has it, `classes` is the user's own set. */
export const OWN_SET = "default";

/** The active categories if a set contained the given ones. */
export function categoriesWithSet(
  settings: JsonObject,
  setId: string,
  categories: readonly Category[],
): readonly Category[] {
  const lists = new Map(listSetIds(settings).map((id) => [id, readList(settings, id).categories]));
  lists.set(setId, categories);
  return activeCategories(lists, activeSetIds(settings));
}

/** The categories of all active sets. @param settings all stored settings, by key */
export function activeCategoriesIn(settings: JsonObject): readonly Category[] {
  return categoriesWithSet(settings, OWN_SET, readList(settings, OWN_SET).categories);
}

/**
 * IDs of the active sets, in order of precedence. Without any, only the first set is active. If no set has one of them,
 * the user's own set is.
 */
export function activeSetIds(settings: JsonObject): readonly string[] {
  const stored = readIds(settings);
  const active = settings["active_set_ids"];
  const ids: readonly JsonValue[] = Array.isArray(active) ? active : [];
  const known = ids.filter((id) => typeof id === "string").filter((id) => id === OWN_SET || stored.includes(id));
  if (known.length > 0) return known;
  return ids.length > 0 ? [OWN_SET] : [stored[0] ?? OWN_SET];
}

/** IDs of all sets, the user's own first. */
export function listSetIds(settings: JsonObject): readonly string[] {
  const stored = readIds(settings);
  // If other sets are active, `classes` is derived from them.
  const hasOwn = stored.includes(OWN_SET) || activeSetIds(settings).includes(OWN_SET);
  const others = stored.filter((id) => id !== OWN_SET);
  return hasOwn ? [OWN_SET, ...others] : others;
}

function readSets(settings: JsonObject): readonly JsonValue[] {
  const sets = settings["category_sets"];
  return Array.isArray(sets) ? sets : [];
}

function readIds(settings: JsonObject): readonly string[] {
  return readSets(settings).flatMap((set) => readId(set) ?? []);
}

function readId(set: JsonValue): string | undefined {
  return isJsonObject(set) && typeof set["id"] === "string" ? set["id"] : undefined;
}

/** The stored list of a set; `undefined` if there is none. */
export function storedList(settings: JsonObject, setId: string): JsonValue | undefined {
  const found = readSets(settings).find((set) => readId(set) === setId);
  if (isJsonObject(found)) return found["categories"];
  return setId === OWN_SET ? (settings["classes"] ?? undefined) : undefined;
}

/** The parsed list of a set. */
export function readList(settings: JsonObject, setId: string): StoredCategories {
  const stored = storedList(settings, setId);
  return readCategories(stored) ?? (setId === OWN_SET ? DEFAULTS : { categories: [], others: [] });
}

/**
 * Returns the settings to store when a set's list changes, as pairs of key and value. If the user's own set is in
 * `category_sets`, ActivityWatch's web UI reads it there and writes the active categories to `classes`; so does this
 * function.
 */
export function replaceList(
  settings: JsonObject,
  setId: string,
  list: JsonValue,
): readonly (readonly [key: string, value: JsonValue])[] {
  const sets = readSets(settings);
  const ids = readIds(settings);
  if (setId === OWN_SET && !ids.includes(OWN_SET)) return [["classes", list]];
  const changed = sets.map((set) => (isJsonObject(set) && readId(set) === setId ? { ...set, categories: list } : set));
  const next = ids.includes(setId) ? changed : [...sets, { id: setId, categories: list }];
  const stored: readonly [string, JsonValue] = ["category_sets", next];
  if (!ids.includes(OWN_SET)) return [stored];
  return [stored, ["classes", serializeActive({ ...settings, category_sets: next })]];
}

/** The active categories in their stored form. */
function serializeActive(settings: JsonObject): JsonValue {
  const [only = OWN_SET, ...others] = activeSetIds(settings);
  if (others.length === 0) return storedList(settings, only) ?? [];
  // Categories are JSON with all their members.
  return activeCategoriesIn(settings) as readonly unknown[] as JsonValue;
}
