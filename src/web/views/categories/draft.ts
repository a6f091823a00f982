// Unsaved changes of a category list. They persist while other views are open.
import { type Signal, signal } from "@preact/signals";
import { type Goal, readGoals } from "../../../domain/goals.js";
import { type JsonObject, type JsonValue, sameJson } from "../../../domain/json.js";
import { listSetIds, OWN_SET, readList, replaceList, storedList } from "../../../filter/category-sets.js";
import { client } from "../../api.js";
import { type Category, keyOf, printCategories, type StoredCategories } from "../../categories.js";
import { GOALS_KEY, printGoals, renamedGoals } from "../../goals.js";
import { goals } from "../../goals-state.js";
import { saveSetting, stored } from "../../settings.js";
import { withIds } from "./edits.js";

/** Changes of a set. */
export interface Draft {
  readonly setId: string;
  readonly list: StoredCategories;
  /** The list when it was last loaded or saved. */
  readonly saved: StoredCategories;
  /** The stored value then. If it differs later, another client has changed it. */
  readonly base: JsonValue;
  /** Lists before each change, latest last. */
  readonly past: readonly { readonly list: StoredCategories; readonly mark: string | undefined }[];
}

const MAX_STEPS = 200;

/** The draft of the displayed set; `undefined` until the settings are loaded. */
export const draft: Signal<Draft | undefined> = signal(undefined);

/** Starts with the stored list of a set. @param setId defaults to the user's own set, or the first one */
export function openDraft(settings: JsonObject, setId: string = listSetIds(settings)[0] ?? OWN_SET): void {
  const list = readList(settings, setId);
  draft.value = { setId, list, saved: list, base: storedList(settings, setId) ?? null, past: [] };
}

export function isDirty({ list, saved }: Draft): boolean {
  return list !== saved && !sameJson(printCategories(list), printCategories(saved));
}

/**
 * Replaces the current list.
 *
 * @param mark consecutive changes with equal marks are one step of `undo`, e.g. while typing a word
 */
export function changeDraft(categories: readonly Category[], mark?: string): void {
  const before = draft.value;
  if (before === undefined) return;
  const { list, past } = before;
  const goesOn = mark !== undefined && past.at(-1)?.mark === mark;
  draft.value = {
    ...before,
    list: { ...list, categories },
    past: goesOn ? past : [...past.slice(1 - MAX_STEPS), { list, mark }],
  };
}

/** Undoes the last change. */
export function undo(): void {
  const before = draft.value;
  const last = before?.past.at(-1);
  if (before !== undefined && last !== undefined)
    draft.value = { ...before, list: last.list, past: before.past.slice(0, -1) };
}

/** Result of saving. */
export type Saving = "saved" | "overtaken";

/**
 * Stores the draft.
 *
 * @param options `force` overwrites concurrent changes
 * @throws ActivityClientError when the server rejects a rule or is unreachable; nothing is stored then
 */
export async function saveDraft({ force = false }: { force?: boolean } = {}): Promise<Saving> {
  const given = draft.value;
  if (given === undefined) return "saved";
  const { setId, list, base } = given;
  const settings = await client.settings.list();
  if (!force && !sameJson(storedList(settings, setId) ?? null, base)) return "overtaken";
  await checkRules(list.categories);
  const numbered = { ...list, categories: withIds(list.categories) };
  const value = printCategories(numbered);
  for (const [key, next] of replaceList(settings, setId, value)) await saveSetting(key, next);
  await moveGoals(given.saved.categories, numbered.categories);
  // Changes may have continued during the save.
  const now = draft.value;
  if (now?.setId === setId) {
    draft.value = { ...now, list: now.list === list ? numbered : now.list, saved: numbered, base: value };
  }
  return "saved";
}

/** Moves goals of renamed categories. */
async function moveGoals(before: readonly Category[], after: readonly Category[]): Promise<void> {
  const names = new Map(
    before.flatMap(({ id, name }) => {
      const now = id === undefined ? undefined : after.find((category) => category.id === id);
      return now === undefined ? [] : [[keyOf(name), now.name] as const];
    }),
  );
  const moved = (all: readonly Goal[]): JsonValue =>
    printGoals(renamedGoals(all, (name) => names.get(keyOf(name)) ?? name));
  if (sameJson(moved(goals.value), printGoals(goals.value))) return;
  await saveSetting(GOALS_KEY, (value) => moved(readGoals(value)));
}

/** Reloads the stored list, and drops the changes. */
export async function dropDraft(setId: string): Promise<void> {
  const settings = await client.settings.list();
  stored.value = { state: "ready", value: settings };
  openDraft(settings, listSetIds(settings).includes(setId) ? setId : undefined);
}

/** Validates rules on the server, whose regular expressions differ from the browser's. */
export async function checkRules(categories: readonly Category[]): Promise<void> {
  const sent = printCategories({ categories, others: [] }) as JsonObject[];
  // Without hosts, the server reads nothing.
  await client.report({ hosts: [], categories: sent });
}
