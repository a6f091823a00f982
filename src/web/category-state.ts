// The categories that all views use.
import { computed, type ReadonlySignal } from "@preact/signals";
import { activeCategoriesIn } from "../filter/category-sets.js";
import type { Category } from "./categories.js";
import { settings } from "./settings.js";

/** The categories of all active sets. */
export const effectiveCategories: ReadonlySignal<readonly Category[]> = computed(() =>
  activeCategoriesIn(settings.value),
);
