// Sets of categories, under the keys of the official UI (docs/compatibility.md#settings-of-the-web-ui): `category_sets`
// are the sets, `active_set_ids` those in force, and `classes` the categories in force for programs that know no sets.
import { isJsonObject, type JsonObject, type JsonValue } from "../domain/json.js";
import { activeCategories, type Category, readCategories, type StoredCategories } from "./categories.js";
import { DEFAULT_CLASSES } from "./default-classes.js";

/** The settings that say what the categories are, all together. */
export const CATEGORY_SETTINGS: readonly string[] = ["classes", "category_sets", "active_set_ids"];

/** What the page begins with while nothing is stored. */
const DEFAULTS: StoredCategories = { categories: DEFAULT_CLASSES, others: [] };

/** The user's own set: the one with this id, else `classes`. */
export const OWN_SET = "default";

/** The categories in force if a set held these. */
export function withSet(settings: JsonObject, setId: string, categories: readonly Category[]): readonly Category[] {
  const lists = new Map(setIdsOf(settings).map((id) => [id, listOf(settings, id).categories]));
  lists.set(setId, categories);
  return activeCategories(lists, activeSetIds(settings));
}

/** The categories that all go by: those of the sets that are active. @param settings all that are stored, by key */
export function categoriesInForce(settings: JsonObject): readonly Category[] {
  return withSet(settings, OWN_SET, listOf(settings, OWN_SET).categories);
}

/** Ids of the sets in force, the first before others. Without ids that are known it is the first set. */
export function activeSetIds(settings: JsonObject): readonly string[] {
  const stored = storedIds(settings);
  const active = settings["active_set_ids"];
  const ids: readonly JsonValue[] = Array.isArray(active) ? active : [];
  const known = ids.filter((id) => typeof id === "string").filter((id) => id === OWN_SET || stored.includes(id));
  return known.length > 0 ? known : [stored[0] ?? OWN_SET];
}

/** Ids of the sets that there are, the user's own first. */
export function setIdsOf(settings: JsonObject): readonly string[] {
  const stored = storedIds(settings);
  // Where others are in force, `classes` is what was made of them.
  const hasOwn = stored.includes(OWN_SET) || activeSetIds(settings).includes(OWN_SET);
  const others = stored.filter((id) => id !== OWN_SET);
  return hasOwn ? [OWN_SET, ...others] : others;
}

function setsIn(settings: JsonObject): readonly JsonValue[] {
  const sets = settings["category_sets"];
  return Array.isArray(sets) ? sets : [];
}

function storedIds(settings: JsonObject): readonly string[] {
  return setsIn(settings).flatMap((set) => idOf(set) ?? []);
}

function idOf(set: JsonValue): string | undefined {
  return isJsonObject(set) && typeof set["id"] === "string" ? set["id"] : undefined;
}

/** What is stored as the list of a set; `undefined` = nothing. */
export function storedList(settings: JsonObject, setId: string): JsonValue | undefined {
  const found = setsIn(settings).find((set) => idOf(set) === setId);
  if (isJsonObject(found)) return found["categories"];
  return setId === OWN_SET ? (settings["classes"] ?? undefined) : undefined;
}

/** The list of a set. */
export function listOf(settings: JsonObject, setId: string): StoredCategories {
  const stored = storedList(settings, setId);
  return readCategories(stored) ?? (setId === OWN_SET ? DEFAULTS : { categories: [], others: [] });
}

/**
 * What to store when a set holds another list: of each setting the key and the value. Where the user's own set is one
 * of `category_sets`, the official UI reads it there and writes the categories in force to `classes`; so does this.
 */
export function withStoredList(
  settings: JsonObject,
  setId: string,
  list: JsonValue,
): readonly (readonly [key: string, value: JsonValue])[] {
  const sets = setsIn(settings);
  const ids = storedIds(settings);
  if (setId === OWN_SET && !ids.includes(OWN_SET)) return [["classes", list]];
  const changed = sets.map((set) => (isJsonObject(set) && idOf(set) === setId ? { ...set, categories: list } : set));
  const next = ids.includes(setId) ? changed : [...sets, { id: setId, categories: list }];
  const stored: readonly [string, JsonValue] = ["category_sets", next];
  if (!ids.includes(OWN_SET)) return [stored];
  return [stored, ["classes", classesOf({ ...settings, category_sets: next })]];
}

/** The categories in force as they are stored. */
function classesOf(settings: JsonObject): JsonValue {
  const [only = OWN_SET, ...others] = activeSetIds(settings);
  if (others.length === 0) return storedList(settings, only) ?? [];
  // Categories are JSON, of which nothing was left out.
  return categoriesInForce(settings) as readonly unknown[] as JsonValue;
}
