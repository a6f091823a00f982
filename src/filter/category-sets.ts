// Sets of categories, under the keys of the official UI (docs/compatibility.md#settings-of-the-web-ui): `classes` are
// the user's own, `category_sets` others, `active_set_ids` those in force.
import { isJsonObject, type JsonObject, type JsonValue } from "../domain/json.js";
import { activeCategories, type Category, readCategories, type StoredCategories } from "./categories.js";
import { DEFAULT_CLASSES } from "./default-classes.js";

/** What the page begins with while nothing is stored. */
const DEFAULTS: StoredCategories = { categories: DEFAULT_CLASSES, others: [] };

/** The set that stands for the user's own categories. */
export const OWN_SET = "default";

/** The categories in force if a set held these. */
export function withSet(settings: JsonObject, setId: string, categories: readonly Category[]): readonly Category[] {
  const lists = new Map(setIdsOf(settings).map((id) => [id, listOf(settings, id).categories]));
  lists.set(setId, categories);
  const active = settings["active_set_ids"];
  const ids = Array.isArray(active) ? active.filter((id) => typeof id === "string") : [];
  return activeCategories(lists.get(OWN_SET) ?? [], lists, ids);
}

/** The categories that all go by: those of the sets that are active. @param settings all that are stored, by key */
export function categoriesInForce(settings: JsonObject): readonly Category[] {
  return withSet(settings, OWN_SET, listOf(settings, OWN_SET).categories);
}

/** Ids of the sets that there are, the user's own first. */
export function setIdsOf(settings: JsonObject): readonly string[] {
  const sets = settings["category_sets"];
  const ids = Array.isArray(sets) ? sets.flatMap((set: JsonValue) => idOf(set) ?? []) : [];
  return [OWN_SET, ...ids.filter((id) => id !== OWN_SET)];
}

function idOf(set: JsonValue): string | undefined {
  return isJsonObject(set) && typeof set["id"] === "string" ? set["id"] : undefined;
}

/** What is stored as the list of a set; `undefined` = nothing. */
export function storedList(settings: JsonObject, setId: string): JsonValue | undefined {
  if (setId === OWN_SET) return settings["classes"] ?? undefined;
  const sets = settings["category_sets"];
  const found = Array.isArray(sets) ? sets.find((set: JsonValue) => idOf(set) === setId) : undefined;
  return isJsonObject(found) ? found["categories"] : undefined;
}

/** The list of a set. */
export function listOf(settings: JsonObject, setId: string): StoredCategories {
  const list = readCategories(storedList(settings, setId));
  return list ?? (setId === OWN_SET ? DEFAULTS : { categories: [], others: [] });
}

/** The key and the value to store when a set holds another list. */
export function withStoredList(settings: JsonObject, setId: string, list: JsonValue): [key: string, value: JsonValue] {
  if (setId === OWN_SET) return ["classes", list];
  const sets = settings["category_sets"];
  const known: readonly JsonValue[] = Array.isArray(sets) ? sets : [];
  const isThere = known.some((set) => idOf(set) === setId);
  const changed = known.map((set) => (isJsonObject(set) && idOf(set) === setId ? { ...set, categories: list } : set));
  return ["category_sets", isThere ? changed : [...known, { id: setId, categories: list }]];
}
