// The filter that is in force: it stands in the address, as `f`, once for each condition.
import { computed, type ReadonlySignal } from "@preact/signals";
import { namesOf } from "../categories.js";
import { effectiveCategories } from "../category-state.js";
import type { Classifying } from "../programs.js";
import { filterTexts } from "../router.js";
import { parseTerm, type Term } from "./terms.js";

/** The conditions that can be read. */
export const filterTerms: ReadonlySignal<readonly Term[]> = computed(() => filterTexts.value.flatMap(readTerm));

function readTerm(text: string): readonly Term[] {
  try {
    return [parseTerm(text)];
  } catch {
    // Its chip says what is wrong with it.
    return [];
  }
}

/** What programs are told, with the filter. */
export function filtered(classifying: Classifying): Classifying {
  const terms = filterTerms.value;
  if (terms.length === 0) return classifying;
  return { ...classifying, filtering: { terms, names: namesOf(effectiveCategories.value) } };
}
