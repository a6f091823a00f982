// Parses rules from requests. docs/guides/privacy.md#rules
import { isJsonObject, type JsonObject, type JsonValue, jsonDefect } from "../domain/json.js";
import { type ActivityError, fieldUnfit, mustBe, quote, RulePlace, shownValue } from "../errors.js";
import { compileRegex, RegexSyntaxError } from "../regex/regex.js";
import { PRIVACY_FAULTS, type PrivacyFault } from "./faults.js";
import { REDACTED, type ReadAction, type ReadRule } from "./rule.js";

/** Maximum number of rules in a list. */
export const MAX_RULES = 1000;
const LONGEST_GLOB = 300;

/**
 * Parses a list of rules and skips disabled ones.
 *
 * @param name of the list in messages
 * @throws ActivityError `INVALID_INPUT` with the position
 */
export function readRules(value: unknown, name: string): ReadRule[] {
  return assertList(value, name, "rules").flatMap((item, index) => {
    const rule = parseRule(item, index, new RulePlace(name, index));
    return isJsonObject(item) && item.enabled === false ? [] : [rule];
  });
}

/** @throws ActivityError `INVALID_INPUT` */
export function assertList(value: unknown, name: string, what: string): readonly unknown[] {
  if (!Array.isArray(value)) {
    throw mustBe(name, `a list of ${what}`, value);
  }
  if (value.length <= MAX_RULES) return value;
  throw fieldUnfit(name, `must be at most ${MAX_RULES} ${what}, got ${value.length}`);
}

function parseRule(value: unknown, index: number, place: RulePlace): ReadRule {
  const rule = assertFields(value, place, ["when", "then", "enabled"]);
  const { enabled = true } = rule;
  if (typeof enabled !== "boolean") throw faultError(place.at("enabled"), enabled, "switchExpected");
  return { index, ...parseCondition(rule.when, place.at("when")), action: parseAction(rule.then, place.at("then")) };
}

function parseCondition(value: unknown, place: RulePlace): Pick<ReadRule, "buckets" | "test"> {
  const given = assertFields(value, place, ["buckets", "key", "equals", "matches", "ignoreCase"]);
  const { buckets = "*", key, equals, matches, ignoreCase = false } = given;
  if (typeof buckets !== "string" || buckets === "") {
    throw faultError(place.at("buckets"), buckets, "bucketsExpected");
  }
  if (buckets.length > LONGEST_GLOB) {
    throw place.at("buckets").refused(`must be at most ${LONGEST_GLOB} characters, got ${buckets.length}`);
  }
  if (key === undefined) {
    for (const [name, field] of Object.entries({ equals, matches })) {
      if (field !== undefined) throw fieldError(place.at("key"), key, `must be a key of data if ${name} is set`);
    }
    // A rule that lost its conditions must not drop all events.
    if (given.buckets === undefined) throw faultError(place.at("key"), key, "keyOrBucketsExpected");
    return { buckets, test: undefined };
  }
  if (typeof key !== "string") throw faultError(place.at("key"), key, "keyExpected");
  if ((equals === undefined) === (matches === undefined)) {
    throw place.refused(PRIVACY_FAULTS.valueExpected, { name: "valueExpected", values: {} });
  }
  if (typeof ignoreCase !== "boolean") throw faultError(place.at("ignoreCase"), ignoreCase, "switchExpected");
  if (matches === undefined) return { buckets, test: { path: [key], equals: assertJson(equals, place.at("equals")) } };
  return {
    buckets,
    test: { path: [key], pattern: parsePattern(matches, place.at("matches"), ignoreCase), ignoreCase },
  };
}

/** @throws ActivityError `INVALID_INPUT` with the position in the pattern */
export function parsePattern(value: unknown, place: RulePlace, ignoreCase: boolean): string {
  if (typeof value !== "string" || value === "") throw faultError(place, value, "patternExpected");
  try {
    compileRegex(value, { ignoreCase, canonical: true });
    return value;
  } catch (cause) {
    if (!(cause instanceof RegexSyntaxError)) throw cause;
    throw place.refused(cause.message, cause.fault, ": ");
  }
}

const ACTIONS = `must be "drop", {"redact": {"keys": [...]}} or {"replace": {...}}`;

function parseAction(value: unknown, place: RulePlace): ReadAction {
  if (value === "drop") return { kind: "drop" };
  if (!isJsonObject(value) || Object.keys(value).length !== 1) throw fieldError(place, value, ACTIONS);
  const { redact, replace } = value;
  if (replace !== undefined) {
    if (!isJsonObject(replace)) throw faultError(place.at("replace"), replace, "dataExpected");
    return { kind: "replace", data: assertJson(replace, place.at("replace")) as JsonObject };
  }
  if (redact === undefined) throw fieldError(place, value, ACTIONS);
  const fields = assertFields(redact, place.at("redact"), ["keys", "with"]);
  const { keys } = fields;
  const isKeys = Array.isArray(keys) && keys.length > 0 && keys.every((key) => typeof key === "string");
  if (!isKeys) throw faultError(place.at("redact.keys"), keys, "keysExpected");
  const paths = (keys as readonly string[]).map((key) => [key]);
  return {
    kind: "redact",
    paths,
    with: assertJson(fields.with === undefined ? REDACTED : fields.with, place.at("redact.with")),
  };
}

function assertJson(value: unknown, place: RulePlace): JsonValue {
  const defect = jsonDefect(value as JsonValue);
  if (defect === undefined) return value as JsonValue;
  throw place.refused(defect);
}

/** Rejects unknown fields, which are probably misspelled: the rule would not do what the owner intended. */
function assertFields(value: unknown, place: RulePlace, known: readonly string[]): Readonly<Record<string, unknown>> {
  if (!isJsonObject(value)) throw fieldError(place, value, `must be an object of ${known.join(", ")}`);
  const other = Object.keys(value).find((name) => !known.includes(name));
  if (other === undefined) return value;
  throw place.refused(`must have only the fields ${known.join(", ")}, got ${quote(other)}`);
}

/** The error for an unexpected value. */
export function fieldError(place: RulePlace, value: unknown, wanted: string, fault?: PrivacyFault): ActivityError {
  return place.refused(`${wanted}, got ${shownValue(value)}`, fault && { name: fault, values: {} });
}

function faultError(place: RulePlace, value: unknown, fault: PrivacyFault): ActivityError {
  return fieldError(place, value, PRIVACY_FAULTS[fault], fault);
}
