// The program that computes the time that a rule matches, by current category. Pure.
import type { CategoryRule } from "../categories.js";
import { type Classifying, canonicalProgram, multideviceProgram, printRule } from "../programs.js";
import type { Source } from "../views/activity/source.js";

/** Creates the program. `classifying` must not contain a filter, since a rule applies to all events. */
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
