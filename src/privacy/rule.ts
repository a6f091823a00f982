import type { JsonObject, JsonValue } from "../domain/json.js";
import type { Path } from "../domain/json-path.js";

// Type aliases instead of interfaces, since only aliases are assignable to JSON objects.

/** The events of a rule: all events of buckets, or events by a value in their data. */
export type PrivacyCondition = PrivacyBuckets | PrivacyValue | PrivacyPattern;

/** All events of buckets. */
export type PrivacyBuckets = {
  /** Bucket IDs, in which `*` matches any characters. */
  readonly buckets: string;
};

/** Events with a value in their data. */
export type PrivacyValue = PrivacyKey & {
  /** The value of the key, by JSON equality. */
  readonly equals: JsonValue;
};

/** Events with a string that a pattern matches. */
export type PrivacyPattern = PrivacyKey & {
  /** A pattern that matches a part of the key's value, or of one of its strings. */
  readonly matches: string;
};

type PrivacyKey = {
  /** Bucket IDs, in which `*` matches any characters. @default all */
  readonly buckets?: string | undefined;
  /** A key of the data. */
  readonly key: string;
  /** As if the pattern began with `(?i)`. @default false */
  readonly ignoreCase?: boolean | undefined;
};

/** Drops the event without storing it. */
export type DropEvent = "drop";

/** Replaces the values of some keys. */
export type RedactKeys = {
  readonly redact: {
    /** Keys of the data. Missing ones are not added. */
    readonly keys: readonly string[];
    /** @default "[redacted]" */
    readonly with?: JsonValue | undefined;
  };
};

/** Replaces all data of the event. */
export type ReplaceData = {
  readonly replace: JsonObject;
};

/** A rule that keeps private data out of the storage (docs/guides/privacy.md). */
export type PrivacyRule = {
  readonly when: PrivacyCondition;
  readonly then: DropEvent | RedactKeys | ReplaceData;
  /** A rule that is `false` here is kept, and does nothing. @default true */
  readonly enabled?: boolean | undefined;
};

/** A parsed rule. */
export interface ReadRule {
  /** Position in its list. */
  readonly index: number;
  readonly buckets: string;
  /** `undefined` = all events. */
  readonly test:
    | { readonly path: Path; readonly equals: JsonValue }
    | { readonly path: Path; readonly pattern: string; readonly ignoreCase: boolean }
    | undefined;
  readonly action: ReadAction;
}

/** Effect of a rule. */
export type ReadAction =
  | { readonly kind: "drop" }
  | { readonly kind: "redact"; readonly paths: readonly Path[]; readonly with: JsonValue }
  | { readonly kind: "replace"; readonly data: JsonObject };

/** Default replacement for values. */
export const REDACTED = "[redacted]";
