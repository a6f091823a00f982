// Requests the time in a period that a rule matches, by current category.
import { client } from "../api.js";
import type { Period } from "../period.js";
import { readCategoryTimes } from "../views/activity/results.js";
import { ruleError } from "../views/categories/rule-error.js";
import type { Matched } from "./rule.js";

/** @throws RuleError if the server rejects the rule */
export async function matchedTime(program: string, { start, end }: Period, signal: AbortSignal): Promise<Matched> {
  const timeperiods = [{ start: new Date(start), end: new Date(end) }];
  try {
    const [answer] = await client.query({ timeperiods, query: program }, { signal });
    return readCategoryTimes(answer);
  } catch (error) {
    throw ruleError(error, []) ?? error;
  }
}
