// Requests the time in a period that a rule matches, by current category, and the titles to make rules of.
import { client } from "../api.js";
import { ALL_CATEGORIES, type CategoryRule } from "../categories.js";
import type { Report, ReportRequest } from "../report.js";
import { ruleError } from "../views/categories/rule-error.js";
import type { Matched } from "./rule.js";

/** Titles to compare. */
const MAX_TITLES = 500;

/** Requests the longest titles with their categories. */
export function loadTitles(request: ReportRequest, signal: AbortSignal): Promise<Report> {
  return client.report({ ...request, groups: [ALL_CATEGORIES, { by: "title", limit: MAX_TITLES }] }, { signal });
}

/**
 * @param base period and hosts, without a filter, since a rule applies to all events
 * @throws RuleError if the server rejects the rule
 */
export async function matchedTime(base: ReportRequest, rule: CategoryRule, signal: AbortSignal): Promise<Matched> {
  const groups = [ALL_CATEGORIES];
  try {
    const report = await client.report({ ...base, rule: { ...rule }, groups }, { signal });
    const rows = report.groups["category"]?.rows ?? [];
    return rows.flatMap(({ name = [], own = 0 }) => (own > 0 ? [{ name, seconds: own }] : []));
  } catch (error) {
    throw ruleError(error, []) ?? error;
  }
}
