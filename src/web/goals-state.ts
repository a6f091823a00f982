// The goals that are stored.
import { computed, type ReadonlySignal } from "@preact/signals";
import { GOALS_KEY, type Goal, readGoals } from "./goals.js";
import { filterTexts } from "./router.js";
import { settings } from "./settings.js";

export const goals: ReadonlySignal<readonly Goal[]> = computed(() => readGoals(settings.value[GOALS_KEY]));

/** Those that what is shown is held against: none while there is a filter, since goals are for all time. */
export const shownGoals: ReadonlySignal<readonly Goal[] | undefined> = computed(() =>
  filterTexts.value.length === 0 ? goals.value : undefined,
);
