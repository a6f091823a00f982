/** What assistants may learn: each level includes those before it (docs/guides/assistants.md#disclosure). */
export const DISCLOSURES = ["categories", "apps", "sites", "titles", "query"] as const;

/** A level of `DISCLOSURES`. */
export type Disclosure = (typeof DISCLOSURES)[number];

/** Data handed out to an assistant. */
export interface HandedOut {
  readonly time: string;
  /** The name of the key; `null` without one. */
  readonly key: string | null;
  readonly tool: string;
  /** `null` for a call without one. */
  readonly period: string | null;
  readonly level: Disclosure;
  readonly rows: number;
}

/**
 * A right of a key: `admin`, a kind of access to the buckets whose IDs match a pattern, such as `read:window_*`, or
 * what assistants may learn, such as `assistant:apps`.
 */
export type KeyScope = "admin" | `${"read" | "append" | "write"}:${string}` | `assistant:${Disclosure}`;
