import type { JsonObject, JsonValue } from "../domain/json.js";
import type { Path } from "../domain/json-path.js";

// These are types rather than interfaces: those cannot be passed where a JSON object is expected.

/** Which events a rule is about: those of some buckets, all of them or those with a value under a key of their data. */
export type PrivacyCondition = {
  /** Ids of buckets, in which `*` stands for any text. @default all, where a key is given */
  readonly buckets?: string;
  /** A key of the data; without one the rule is about all events of the buckets. */
  readonly key?: string;
  /** What the key holds, by JSON equality. Excludes `matches`. */
  readonly equals?: JsonValue;
  /** A pattern that is searched in the text, or in all texts, that the key holds. Excludes `equals`. */
  readonly matches?: string;
  /** As if the pattern began with `(?i)`. @default false */
  readonly ignoreCase?: boolean;
};

/** The event is not stored at all. */
export type DropEvent = "drop";

/** Values of some keys give way to another one. */
export type RedactKeys = {
  readonly redact: {
    /** Keys of the data; those that an event does not have stay away. */
    readonly keys: readonly string[];
    /** @default "[redacted]" */
    readonly with?: JsonValue;
  };
};

/** The event gets other data as a whole. */
export type ReplaceData = {
  readonly replace: JsonObject;
};

/** What keeps private things out of the storage (docs/privacy.md). */
export type PrivacyRule = {
  readonly when: PrivacyCondition;
  readonly then: DropEvent | RedactKeys | ReplaceData;
  /** A rule that is `false` here is kept, and does nothing. @default true */
  readonly enabled?: boolean;
};

/** A rule, read and checked. */
export interface ReadRule {
  /** Where it stands in its list. */
  readonly index: number;
  readonly buckets: string;
  /** `undefined`: all events. */
  readonly test:
    | { readonly path: Path; readonly equals: JsonValue }
    | { readonly path: Path; readonly pattern: string; readonly ignoreCase: boolean }
    | undefined;
  readonly action: ReadAction;
}

/** What a rule does. */
export type ReadAction =
  | { readonly kind: "drop" }
  | { readonly kind: "redact"; readonly paths: readonly Path[]; readonly with: JsonValue }
  | { readonly kind: "replace"; readonly data: JsonObject };

/** What takes the place of values, unless a rule says so. */
export const REDACTED = "[redacted]";
