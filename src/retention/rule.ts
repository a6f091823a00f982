// Rules for old events (docs/guides/retention.md).

/** A parsed and enabled rule. */
export interface ReadRetentionRule {
  readonly buckets: string;
  readonly keepDays: number | undefined;
  readonly dropShorterThan: number | undefined;
  readonly summarizeAfterDays: number | undefined;
}

/** Numbers of events that rules change. */
export interface RetentionCounts {
  /** Deleted because of their age. */
  readonly expired: number;
  /** Deleted because of their duration. */
  readonly short: number;
  /** Replaced by summaries. */
  readonly summarized: number;
  /** New summaries. */
  readonly summaries: number;
}

/** The initial counts. */
export const NO_COUNTS: RetentionCounts = { expired: 0, short: 0, summarized: 0, summaries: 0 };

export function addCounts(one: RetentionCounts, other: RetentionCounts): RetentionCounts {
  return {
    expired: one.expired + other.expired,
    short: one.short + other.short,
    summarized: one.summarized + other.summarized,
    summaries: one.summaries + other.summaries,
  };
}
