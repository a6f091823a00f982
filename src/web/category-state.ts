// The categories that all views go by.
import { computed, type ReadonlySignal } from "@preact/signals";
import { categoriesInForce } from "../filter/category-sets.js";
import type { Category } from "./categories.js";
import { settings } from "./settings.js";

/** The categories in force: those of all sets that are active. */
export const effectiveCategories: ReadonlySignal<readonly Category[]> = computed(() =>
  categoriesInForce(settings.value),
);
