// The program that asks what a rule matches, by the categories that it has now. Pure.
import type { CategoryRule } from "../categories.js";
import { type Classifying, canonicalProgram, multideviceProgram, printRule } from "../programs.js";
import type { Source } from "../views/activity/source.js";

/** The program for it. `classifying` is without a filter: a rule matches everywhere. */
export function matchProgram({ hosts, sources }: Source, classifying: Classifying, rule: CategoryRule): string {
  const [only] = sources;
  const { filtering: _, ...whole } = classifying;
  return [
    only?.kind === "desktop" && hosts.kind === "one"
      ? canonicalProgram(only, whole)
      : multideviceProgram(sources, whole, { onlyCategories: true }),
    `matching = filter_keyvals(tag(events, [["found", ${printRule(rule)}]]), "$tags", [["found"]]);`,
    'RETURN = { "cat_events": merge_events_by_keys(matching, ["$category"]) };',
  ].join("\n");
}
