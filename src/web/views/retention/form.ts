import { isJsonObject, type JsonObject, type JsonValue } from "../../../domain/json.js";

/** Limits of a rule (docs/guides/retention.md#rules). */
export const LIMITS = ["keepDays", "summarizeAfterDays", "dropShorterThan"] as const;

/** A retention rule in the form. */
export interface RetentionFields {
  readonly enabled: boolean;
  readonly buckets: string;
  readonly keepDays: string;
  readonly summarizeAfterDays: string;
  readonly dropShorterThan: string;
  /** Unknown members, which are preserved. */
  readonly others: JsonObject;
}

/** Initial fields of a new rule. */
export const FRESH: RetentionFields = {
  enabled: true,
  buckets: "aw-watcher-*",
  keepDays: "",
  summarizeAfterDays: "",
  dropShorterThan: "",
  others: {},
};

/** Converts a rule to fields. */
export function fieldsOf(rule: JsonValue): RetentionFields {
  if (!isJsonObject(rule)) return { ...FRESH, buckets: "" };
  const { enabled, buckets, keepDays, summarizeAfterDays, dropShorterThan, ...others } = rule;
  return {
    enabled: enabled !== false,
    buckets: inputText(buckets),
    keepDays: inputText(keepDays),
    summarizeAfterDays: inputText(summarizeAfterDays),
    dropShorterThan: inputText(dropShorterThan),
    others,
  };
}

function inputText(value: JsonValue | undefined): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Converts fields to a rule. Invalid numbers stay strings, which the server rejects. */
export function buildRule({ enabled, buckets, others, ...limits }: RetentionFields): JsonValue {
  const given = LIMITS.flatMap((limit) => {
    const text = limits[limit].trim().replace(",", ".");
    const number = Number(text);
    return text === "" ? [] : [[limit, Number.isFinite(number) ? number : text] as const];
  });
  return { ...others, buckets: buckets.trim(), ...Object.fromEntries(given), ...(!enabled && { enabled: false }) };
}
