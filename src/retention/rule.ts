/** What is kept of old events, and how long (docs/retention.md). At least one of the three limits is given. */
export interface RetentionRule {
  /** Ids of buckets, in which `*` stands for any text. */
  readonly buckets: string;
  /** Events that ended more than this many days ago are deleted. */
  readonly keepDays?: number;
  /** Events of less than this many seconds are deleted when they are a day old. */
  readonly dropShorterThan?: number;
  /** Events that began more than this many days ago become one event for each hour and data. */
  readonly summarizeAfterDays?: number;
  /** A rule that is `false` here is kept, and does nothing. @default true */
  readonly enabled?: boolean;
}

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
