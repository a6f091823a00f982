// What is kept of old events, and how long (docs/retention.md).

/** A rule, read and checked, that is switched on. */
export interface ReadRetentionRule {
  readonly buckets: string;
  readonly keepDays: number | undefined;
  readonly dropShorterThan: number | undefined;
  readonly summarizeAfterDays: number | undefined;
}

/** What rules do to events. */
export interface RetentionCounts {
  /** Deleted since they were too old. */
  readonly expired: number;
  /** Deleted since they were too short. */
  readonly short: number;
  /** Replaced by summaries. */
  readonly summarized: number;
  /** The summaries that replace them. */
  readonly summaries: number;
}

/** For counting. */
export const NO_COUNTS: RetentionCounts = { expired: 0, short: 0, summarized: 0, summaries: 0 };

export function sumOf(one: RetentionCounts, other: RetentionCounts): RetentionCounts {
  return {
    expired: one.expired + other.expired,
    short: one.short + other.short,
    summarized: one.summarized + other.summarized,
    summaries: one.summaries + other.summaries,
  };
}
