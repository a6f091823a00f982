// Asks what a rule matches of a period, by the categories that it has now.
import { client } from "../api.js";
import type { Period } from "../period.js";
import { readCategoryTimes } from "../views/activity/answer.js";
import { ruleError } from "../views/categories/rule-error.js";
import type { Matched } from "./rule.js";

/** @throws RuleError when the server does not understand the rule */
export async function matchedTime(program: string, { start, end }: Period, signal: AbortSignal): Promise<Matched> {
  const timeperiods = [{ start: new Date(start), end: new Date(end) }];
  try {
    const [answer] = await client.query({ timeperiods, query: program }, { signal });
    return readCategoryTimes(answer);
  } catch (error) {
    throw ruleError(error, []) ?? error;
  }
}
