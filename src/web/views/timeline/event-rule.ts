// Suggests a category rule for an event. Pure.
import type { JsonObject } from "../../../domain/json.js";
import { escaped } from "../../filter/escaped.js";
import { patternOfTitle, type SuggestedRule } from "../../filter/rule.js";

/** A rule for events like this one: the same label or title, or else the same project or app. */
export function ruleOfEvent(type: string, { label, title, project, app }: JsonObject): SuggestedRule | undefined {
  if (type === "afkstatus") return undefined;
  const regex = (pattern: string): SuggestedRule => ({ type: "regex", regex: pattern });
  if (isText(label)) return regex(`^${escaped(label)}$`);
  if (isText(title)) return regex(patternOfTitle(title));
  if (isText(project)) return regex(escaped(project));
  return isText(app) ? regex(`^${escaped(app)}$`) : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
