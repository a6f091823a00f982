import type { Outcome } from "./delivery.js";
import { textOf, type Warn } from "./warning.js";

/** Shortest time between two warnings of dropped events, in milliseconds. */
const OVERFLOW_MILLIS = 60_000;

/** What went wrong, and what was reported of it: each failure once, and every lost event in some count. */
export class FailureLog {
  /** Events dropped in all. */
  dropped = 0;
  isReachable: boolean | undefined;
  readonly #warn: Warn;
  readonly #clock: () => number;
  /** Tries that failed one after another. */
  #failures = 0;
  #reported: Outcome["kind"] | undefined;
  /** Events dropped above the limit that no warning has counted yet. */
  #unreported = 0;
  #reportedAt = Number.NEGATIVE_INFINITY;

  constructor(warn: Warn, clock: () => number) {
    this.#warn = warn;
    this.#clock = clock;
  }

  /** Notes how a try ended. @returns tries that have failed one after another */
  note(outcome: Outcome): number {
    const { kind } = outcome;
    this.isReachable = kind !== "unreachable";
    if (kind === "done" || kind === "refused") {
      this.#failures = 0;
      this.#reported = undefined;
      this.#reportOverflow();
      if (kind === "refused") this.#refused(outcome.error);
      return 0;
    }
    this.#failures++;
    if (kind !== this.#reported) this.#report(kind, outcome.error);
    this.#reported = kind;
    return this.#failures;
  }

  #report(kind: "unreachable" | "unauthorized", cause: unknown): void {
    const code = kind === "unreachable" ? "UNREACHABLE" : "UNAUTHORIZED";
    const does = kind === "unreachable" ? "does not take events" : "refuses this watcher";
    this.#warn(code, `the server ${does}; they are kept until it does: ${textOf(cause)}`, { cause });
  }

  #refused(cause: unknown): void {
    this.dropped++;
    this.#warn("REFUSED", `the server refuses an event for good, it is dropped: ${textOf(cause)}`, { count: 1, cause });
  }

  /** Events were dropped above the limit. */
  overflow(count: number): void {
    this.dropped += count;
    this.#unreported += count;
    const since = this.#clock() - this.#reportedAt;
    if (since < 0 || since >= OVERFLOW_MILLIS) this.#reportOverflow();
  }

  #reportOverflow(): void {
    if (this.#unreported === 0) return;
    const count = this.#unreported;
    this.#unreported = 0;
    this.#reportedAt = this.#clock();
    const what = count === 1 ? "the oldest event was" : `the ${count} oldest events were`;
    this.#warn("OVERFLOW", `the queue has reached its limit, ${what} dropped; ${this.dropped} in all`, { count });
  }

  /** Reports what is left to report. */
  close(): void {
    this.#reportOverflow();
  }
}
