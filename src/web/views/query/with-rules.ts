import type { JsonValue } from "../../../domain/json.js";
import { rulesOf } from "../../categories.js";
import { effectiveCategories } from "../../category-state.js";
import { CATEGORIES, printLiteral } from "./examples.js";

/** Replaces the placeholder for rules in programs of ActivityWatch's web UI. */
export function withRules(program: string): string {
  if (!program.includes(CATEGORIES)) return program;
  return program.replaceAll(CATEGORIES, () => printLiteral(rulesOf(effectiveCategories.value) as unknown as JsonValue));
}
