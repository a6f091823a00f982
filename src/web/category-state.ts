// The categories that all views use.
import { computed, type ReadonlySignal } from "@preact/signals";
import { readScore } from "../filter/categories.js";
import { activeCategoriesIn } from "../filter/category-sets.js";
import type { Category } from "./categories.js";
import { settings } from "./settings.js";

/** The categories of all active sets. */
export const effectiveCategories: ReadonlySignal<readonly Category[]> = computed(() =>
  activeCategoriesIn(settings.value),
);

const scores: ReadonlySignal<readonly number[]> = computed(() =>
  effectiveCategories.value.map(({ data }) => readScore(data?.score) ?? 0),
);

/** Whether a category is marked as productive or distracting. */
export const hasScores: ReadonlySignal<boolean> = computed(() => scores.value.some((score) => score !== 0));

/** Whether a category is marked as distracting. */
export const hasDistracting: ReadonlySignal<boolean> = computed(() => scores.value.some((score) => score < 0));
