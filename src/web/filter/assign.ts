// Lets a rule belong to a category, in the settings, and takes it back.
import { type JsonObject, type JsonValue, sameJson } from "../../domain/json.js";
import { activeSetIds, listOf, OWN_SET, withStoredList } from "../../filter/category-sets.js";
import { client } from "../api.js";
import { type CategoryRule, keyOf, printCategories } from "../categories.js";
import { PageError } from "../page-error.js";
import { saveSetting, stored } from "../settings.js";
import { t } from "../texts/filtered.js";
import { checkRules } from "../views/categories/draft.js";
import { withIds } from "../views/categories/edits.js";
import { withRule } from "./rule.js";

/** What was stored in place of what, by the key of the setting. */
export type Assigned = readonly { readonly key: string; readonly before: JsonValue; readonly after: JsonValue }[];

/**
 * Adds a rule to a category, which is made when it is not there.
 *
 * @throws ActivityClientError when the server does not understand the rule, or cannot be reached; nothing is stored
 */
export async function assign(name: readonly string[], rule: CategoryRule): Promise<Assigned> {
  const settings = await client.settings.list();
  const setId = setOf(settings, name);
  const list = listOf(settings, setId);
  const categories = withIds(withRule(list.categories, name, rule));
  await checkRules(categories);
  const assigned = withStoredList(settings, setId, printCategories({ ...list, categories })).map(([key, after]) => {
    // A list that nobody has stored yet is the one that the page begins with.
    return { key, before: settings[key] ?? printCategories(list), after };
  });
  for (const { key, after } of assigned) await saveSetting(key, after);
  return assigned;
}

/** Puts back what was stored before. @throws PageError when it was changed meanwhile */
export async function takeBack(assigned: Assigned): Promise<void> {
  const settings = await client.settings.list();
  if (!assigned.every(({ key, after }) => sameJson(settings[key] ?? null, after))) {
    stored.value = { state: "ready", value: settings };
    throw new PageError(() => t("overtaken"));
  }
  for (const { key, before } of assigned) await saveSetting(key, before);
}

/** The list in force that has a category, else the first one in force. */
function setOf(settings: JsonObject, name: readonly string[]): string {
  const inForce = activeSetIds(settings);
  const key = keyOf(name);
  const has = (id: string): boolean => listOf(settings, id).categories.some((category) => keyOf(category.name) === key);
  return inForce.find(has) ?? inForce[0] ?? OWN_SET;
}
