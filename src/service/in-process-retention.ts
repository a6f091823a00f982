import type { RetentionRule } from "../retention/rule.js";
import type { RetentionRun } from "./retention/log.js";
import type { BucketRetention, Retention } from "./retention/retention.js";

/** Retention, for the program that the server lives in (docs/retention.md). */
export interface InProcessRetention {
  /**
   * Counts what rules would do now; changes nothing.
   *
   * @param rules those of the setting `retention_rules`, unless others are given
   * @returns the buckets that something would happen to
   * @throws ActivityError `INVALID_INPUT`
   */
  preview(rules?: readonly RetentionRule[]): Promise<BucketRetention[]>;
  /**
   * Carries the rules of the settings out now, and trusts the clock again (docs/retention.md#when-the-clock-is-wrong).
   *
   * @throws ActivityError `INVALID_INPUT`, `STORAGE_UNUSABLE`
   */
  run(): Promise<RetentionRun>;
  /** The last 100 runs that changed something, the latest first. */
  log(): Promise<RetentionRun[]>;
}

export function createInProcessRetention(
  retention: Retention,
  { during }: { during<T>(work: () => Promise<T>): Promise<T> },
): InProcessRetention {
  return {
    preview: (rules) => during(() => retention.preview(rules)),
    run: () => during(() => retention.runNow()),
    log: () => during(() => retention.log()),
  };
}
