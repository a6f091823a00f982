import { isJsonObject, type JsonObject, type JsonValue } from "../../../domain/json.js";

/** Limits of a rule, as docs/retention.md#rules has them. */
export const LIMITS = ["keepDays", "summarizeAfterDays", "dropShorterThan"] as const;

/** A rule of retention as it is typed. */
export interface RetentionFields {
  readonly enabled: boolean;
  readonly buckets: string;
  readonly keepDays: string;
  readonly summarizeAfterDays: string;
  readonly dropShorterThan: string;
  /** What the form does not know, and leaves as it is. */
  readonly others: JsonObject;
}

/** What a rule that is added begins with. */
export const FRESH: RetentionFields = {
  enabled: true,
  buckets: "aw-watcher-*",
  keepDays: "",
  summarizeAfterDays: "",
  dropShorterThan: "",
  others: {},
};

/** Shows a rule. */
export function fieldsOf(rule: JsonValue): RetentionFields {
  if (!isJsonObject(rule)) return { ...FRESH, buckets: "" };
  const { enabled, buckets, keepDays, summarizeAfterDays, dropShorterThan, ...others } = rule;
  return {
    enabled: enabled !== false,
    buckets: textOf(buckets),
    keepDays: textOf(keepDays),
    summarizeAfterDays: textOf(summarizeAfterDays),
    dropShorterThan: textOf(dropShorterThan),
    others,
  };
}

function textOf(value: JsonValue | undefined): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Reads a rule. What is no number stays a text, and the server says what it has against it. */
export function ruleOf({ enabled, buckets, others, ...limits }: RetentionFields): JsonValue {
  const given = LIMITS.flatMap((limit) => {
    const text = limits[limit].trim().replace(",", ".");
    const number = Number(text);
    return text === "" ? [] : [[limit, Number.isFinite(number) ? number : text] as const];
  });
  return { ...others, buckets: buckets.trim(), ...Object.fromEntries(given), ...(!enabled && { enabled: false }) };
}
