import type { JsonObject } from "../domain/json.js";
import { ALL_ROWS, CATEGORY, object, PERIOD, reportOn, SECONDS, TEXT, type Tool, type WireReport } from "./tool.js";

interface RuleInput {
  readonly category: readonly string[];
  readonly regex: string;
  readonly ignoreCase: boolean;
  readonly period: string;
}

const MOVE = object({ name: CATEGORY, before: SECONDS, after: SECONDS, change: { type: "number" } });

/** Compares two reports: one by the stored categories, one as if the rule were added to them. */
export const SUGGEST_RULE: Tool = {
  name: "suggest_rule",
  title: "Try out a category rule",
  description: `Shows how the times of categories would change with one more rule, and writes nothing. The owner adds
    rules in the settings of the dashboard.`.replace(/\s+/g, " "),
  // A pattern finds out titles, one guess at a time.
  level: "titles",
  input: object(
    {
      category: { type: "array", items: { ...TEXT, minLength: 1, maxLength: 200 }, minItems: 1, maxItems: 10 },
      regex: { ...TEXT, minLength: 1, maxLength: 1000, description: "Searched in apps and titles." },
      ignore_case: { type: "boolean", default: false },
      period: { ...PERIOD, default: "this week" },
    },
    ["ignore_case", "period"],
  ),
  output: { moved: { type: "array", items: MOVE }, seconds: SECONDS },
  async run(args, caller) {
    const { category, regex, ignoreCase, period } = args as unknown as RuleInput;
    const request = { groups: ["category"], limit: ALL_ROWS };
    const trial = { name: category, rule: { type: "regex", regex, ignore_case: ignoreCase } };
    const { report, common } = await reportOn(period, caller, request);
    const tried = await reportOn(period, caller, request, trial);
    const moved = compare(ownTimes(report), ownTimes(tried.report));
    const seconds = moved.reduce((sum, { change }) => sum + Math.max(0, change), 0);
    return { moved, seconds, ...common } as unknown as JsonObject;
  },
};

/** The times of categories without their subcategories, by their names as JSON. */
function ownTimes({ groups }: WireReport): ReadonlyMap<string, number> {
  const rows = groups["category"]?.rows ?? [];
  return new Map(rows.map(({ name = [], own = 0 }) => [JSON.stringify(name), own]));
}

function compare(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>) {
  const moved = [...new Set([...before.keys(), ...after.keys()])].map((key) => {
    const [was, is] = [before.get(key) ?? 0, after.get(key) ?? 0];
    return { name: JSON.parse(key) as readonly string[], before: was, after: is, change: roundMicros(is - was) };
  });
  const changed = moved.filter(({ change }) => change !== 0);
  return changed.sort((one, other) => Math.abs(other.change) - Math.abs(one.change));
}

function roundMicros(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e6;
}
