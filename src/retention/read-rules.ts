// Parses rules from requests. docs/guides/retention.md

import type { Fault } from "../domain/fault.js";
import { isJsonObject } from "../domain/json.js";
import { type ActivityError, fieldUnfit, mustBe, quote, RulePlace, shownValue } from "../errors.js";
import { fill } from "../util/fill.js";
import { RETENTION_FAULTS, type RetentionFault } from "./faults.js";
import type { ReadRetentionRule } from "./rule.js";

/** Maximum number of rules in a list. */
const MAX_RULES = 1000;
const LONGEST_GLOB = 300;
const LIMITS = ["keepDays", "dropShorterThan", "summarizeAfterDays"] as const;
const FIELDS: readonly string[] = ["buckets", ...LIMITS, "enabled"];
/** Largest limits: about the range of supported years. */
const MAX_VALUES = { keepDays: 200_000, dropShorterThan: 86_400, summarizeAfterDays: 200_000 } as const;

/**
 * Parses a list of rules and skips disabled ones.
 *
 * @param name of the list in messages
 * @throws ActivityError `INVALID_INPUT` with the position
 */
export function readRetentionRules(value: unknown, name: string): ReadRetentionRule[] {
  if (!Array.isArray(value)) {
    throw mustBe(name, "a list of rules", value);
  }
  if (value.length > MAX_RULES) {
    throw fieldUnfit(name, `must be at most ${MAX_RULES} rules, got ${value.length}`);
  }
  return value.flatMap((item: unknown, index) => {
    const rule = parseRule(item, new RulePlace(name, index));
    return isJsonObject(item) && item.enabled === false ? [] : [rule];
  });
}

function parseRule(value: unknown, place: RulePlace): ReadRetentionRule {
  if (!isJsonObject(value)) throw place.refused(`must be an object of ${FIELDS.join(", ")}, got ${shownValue(value)}`);
  // Rejects unknown fields, which are probably misspelled.
  const other = Object.keys(value).find((key) => !FIELDS.includes(key));
  if (other !== undefined) throw place.refused(`must have only the fields ${FIELDS.join(", ")}, got ${quote(other)}`);
  const { buckets, enabled = true } = value;
  if (typeof buckets !== "string" || buckets === "" || buckets.length > LONGEST_GLOB) {
    throw ruleError(place.at("buckets"), "bucketsUnfit", { limit: LONGEST_GLOB });
  }
  if (typeof enabled !== "boolean")
    throw place.at("enabled").refused(`must be true or false, got ${shownValue(enabled)}`);
  if (LIMITS.every((limit) => value[limit] === undefined))
    throw ruleError(place, "nothingToKeep", { fields: LIMITS.join(", ") });
  const [keepDays, dropShorterThan, summarizeAfterDays] = LIMITS.map((limit) => {
    const given = value[limit];
    const isLimit = given === undefined || (typeof given === "number" && given > 0 && given <= MAX_VALUES[limit]);
    if (!isLimit) throw ruleError(place.at(limit), "numberUnfit", { limit: MAX_VALUES[limit] });
    return given as number | undefined;
  });
  return { buckets, keepDays, dropShorterThan, summarizeAfterDays };
}

function ruleError(place: RulePlace, name: RetentionFault, values: Fault["values"]): ActivityError {
  return place.refused(fill(RETENTION_FAULTS[name], values), { name, values });
}
