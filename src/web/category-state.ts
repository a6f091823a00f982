// The categories that all views go by.
import { computed, type ReadonlySignal } from "@preact/signals";
import type { Category } from "./categories.js";
import { listOf, OWN_SET, withSet } from "./category-sets.js";
import { settings } from "./settings.js";

/** The categories in force: those of all sets that are active. */
export const effectiveCategories: ReadonlySignal<readonly Category[]> = computed(() =>
  withSet(settings.value, OWN_SET, listOf(settings.value, OWN_SET).categories),
);
