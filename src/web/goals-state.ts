// The stored goals.
import { computed, type ReadonlySignal } from "@preact/signals";
import { type Goal, readGoals } from "../domain/goals.js";
import { GOALS_KEY } from "./goals.js";
import { filterTexts } from "./router.js";
import { settings } from "./settings.js";

export const goals: ReadonlySignal<readonly Goal[]> = computed(() => readGoals(settings.value[GOALS_KEY]));

/** Goals to compare with the displayed time. None while a filter is active, since goals apply to all time. */
export const shownGoals: ReadonlySignal<readonly Goal[] | undefined> = computed(() =>
  filterTexts.value.length === 0 ? goals.value : undefined,
);
