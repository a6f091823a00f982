// The goals that are stored.
import { computed, type ReadonlySignal } from "@preact/signals";
import { GOALS_KEY, type Goal, readGoals } from "./goals.js";
import { settings } from "./settings.js";

export const goals: ReadonlySignal<readonly Goal[]> = computed(() => readGoals(settings.value[GOALS_KEY]));
