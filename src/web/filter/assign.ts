// Assigns rules to categories in the settings, and undoes it.
import { type JsonObject, type JsonValue, sameJson } from "../../domain/json.js";
import { activeSetIds, OWN_SET, readList, replaceList } from "../../filter/category-sets.js";
import { client } from "../api.js";
import { type CategoryRule, keyOf, printCategories } from "../categories.js";
import { PageError } from "../page-error.js";
import { saveSetting, stored } from "../settings.js";
import { t } from "../texts/filtered.js";
import { checkRules } from "../views/categories/draft.js";
import { withIds } from "../views/categories/edits.js";
import { withRule } from "./rule.js";

/** Changed settings by key, with previous and new value. */
export type Assigned = readonly { readonly key: string; readonly before: JsonValue; readonly after: JsonValue }[];

/**
 * Adds a rule to a category, and creates the category if necessary.
 *
 * @throws ActivityClientError when the server rejects the rule or is unreachable; nothing is stored
 */
export async function assign(name: readonly string[], rule: CategoryRule): Promise<Assigned> {
  const settings = await client.settings.list();
  const setId = setOf(settings, name);
  const list = readList(settings, setId);
  const categories = withIds(withRule(list.categories, name, rule));
  await checkRules(categories);
  const assigned = replaceList(settings, setId, printCategories({ ...list, categories })).map(([key, after]) => {
    // If no list is stored yet, the default list is the previous value.
    return { key, before: settings[key] ?? printCategories(list), after };
  });
  for (const { key, after } of assigned) await saveSetting(key, after);
  return assigned;
}

/** Restores the previous settings. @throws PageError if they were changed in the meantime */
export async function undoAssignment(assigned: Assigned): Promise<void> {
  const settings = await client.settings.list();
  if (!assigned.every(({ key, after }) => sameJson(settings[key] ?? null, after))) {
    stored.value = { state: "ready", value: settings };
    throw new PageError(() => t("overtaken"));
  }
  for (const { key, before } of assigned) await saveSetting(key, before);
}

/** The active list that contains a category, or the first active one. */
function setOf(settings: JsonObject, name: readonly string[]): string {
  const inForce = activeSetIds(settings);
  const key = keyOf(name);
  const has = (id: string): boolean =>
    readList(settings, id).categories.some((category) => keyOf(category.name) === key);
  return inForce.find(has) ?? inForce[0] ?? OWN_SET;
}
