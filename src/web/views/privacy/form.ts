import { isJsonObject, type JsonObject, type JsonValue, sameJson } from "../../../domain/json.js";

/** A privacy rule in the form (docs/guides/privacy.md#rules). */
export interface PrivacyFields {
  readonly enabled: boolean;
  readonly buckets: string;
  /** `""`: all events of the buckets. */
  readonly key: string;
  readonly test: "matches" | "equals";
  readonly value: string;
  readonly ignoreCase: boolean;
  readonly action: "drop" | "redact" | "replace";
  /** Separated by commas. */
  readonly keys: string;
  /** `""`: the server's default. */
  readonly replacement: string;
  /** JSON. */
  readonly data: string;
  /** A rule that the form does not support, as JSON; `undefined` for all others. */
  readonly json: string | undefined;
}

/** Initial fields of a new rule. */
export const FRESH: PrivacyFields = {
  enabled: true,
  buckets: "",
  key: "title",
  test: "matches",
  value: "",
  ignoreCase: true,
  action: "drop",
  keys: "title",
  replacement: "",
  data: "{}",
  json: undefined,
};

/** Converts a rule to fields; to JSON if the fields cannot represent it. */
export function fieldsOf(rule: JsonValue): PrivacyFields {
  const fields = isJsonObject(rule) ? readForm(rule) : FRESH;
  if (sameJson(buildRule(fields), plain(rule))) return fields;
  return { ...fields, json: JSON.stringify(rule, undefined, 2) };
}

/** Omits defaults. */
function plain(rule: JsonValue): JsonValue {
  if (!isJsonObject(rule)) return rule;
  const { enabled, when, ...rest } = rule;
  if (!isJsonObject(when)) return rule;
  const { ignoreCase, ...test } = when;
  return {
    ...rest,
    when: { ...test, ...(ignoreCase !== undefined && ignoreCase !== false && { ignoreCase }) },
    ...(enabled !== undefined && enabled !== true && { enabled }),
  };
}

function readForm({ enabled, when, then }: JsonObject): PrivacyFields {
  const { buckets, key, equals, matches, ignoreCase } = isJsonObject(when) ? when : {};
  const { redact, replace } = isJsonObject(then) ? then : {};
  const { keys, with: replacement } = isJsonObject(redact) ? redact : {};
  return {
    enabled: enabled !== false,
    buckets: typeof buckets === "string" ? buckets : "",
    key: typeof key === "string" ? key : "",
    test: equals === undefined ? "matches" : "equals",
    value: equals === undefined ? (typeof matches === "string" ? matches : "") : printValue(equals),
    ignoreCase: ignoreCase === true,
    action: redact !== undefined ? "redact" : replace !== undefined ? "replace" : "drop",
    keys: Array.isArray(keys) ? keys.join(", ") : FRESH.keys,
    replacement: replacement === undefined ? "" : printValue(replacement),
    data: replace === undefined ? FRESH.data : JSON.stringify(replace, undefined, 2),
    json: undefined,
  };
}

/** Whether the pattern is missing, as in a new rule. */
export function hasNoPattern({ enabled, key, test, value, json }: PrivacyFields): boolean {
  return enabled && json === undefined && key !== "" && test === "matches" && value === "";
}

/** Converts fields to a rule, which the server validates. */
export function buildRule(fields: PrivacyFields): JsonValue {
  const { enabled, buckets, key, test, value, ignoreCase, json } = fields;
  const off = enabled ? {} : { enabled };
  if (json !== undefined) {
    const rule = parseJsonOrText(json);
    if (!isJsonObject(rule)) return rule;
    const { enabled: _, ...rest } = rule;
    return { ...rest, ...off };
  }
  const condition =
    test === "matches" ? { matches: value, ...(ignoreCase && { ignoreCase }) } : { equals: parseJsonOrText(value) };
  const when = { ...(buckets !== "" && { buckets }), ...(key !== "" && { key, ...condition }) };
  return { when, then: actionOf(fields), ...off };
}

function actionOf({ action, keys, replacement, data }: PrivacyFields): JsonValue {
  if (action === "drop") return "drop";
  if (action === "replace") return { replace: parseJsonOrText(data) };
  const list = keys.split(",").flatMap((key) => (key.trim() === "" ? [] : [key.trim()]));
  return { redact: { keys: list, ...(replacement !== "" && { with: parseJsonOrText(replacement) }) } };
}

/** Formats a string verbatim, unless it looks like JSON; anything else as JSON. */
function printValue(value: JsonValue): string {
  return typeof value === "string" && parseJsonOrText(value) === value ? value : JSON.stringify(value);
}

/** Parses valid JSON, such as `true`, `5` or `"5"`; anything else is a string. */
function parseJsonOrText(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
