import type { Outcome } from "./delivery.js";
import { type Warn, warningText } from "./warning.js";

/** Shortest time between two warnings of dropped events, in milliseconds. */
const OVERFLOW_MILLIS = 60_000;

/** Failures of a queue, and their warnings: one for each failure, and every lost event in one count. */
export class FailureLog {
  dropped = 0;
  isReachable: boolean | undefined;
  readonly #warn: Warn;
  readonly #clock: () => number;
  #failures = 0;
  #reported: Outcome["kind"] | undefined;
  /** Events dropped above the limit that no warning has counted yet. */
  #unreported = 0;
  #reportedAt = Number.NEGATIVE_INFINITY;

  constructor(warn: Warn, clock: () => number) {
    this.#warn = warn;
    this.#clock = clock;
  }

  /** Records the result of an attempt. @returns number of consecutive failures */
  note(outcome: Outcome): number {
    const { kind } = outcome;
    this.isReachable = kind !== "unreachable";
    if (kind === "done" || kind === "refused") {
      this.#failures = 0;
      this.#reported = undefined;
      this.reportOverflow();
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
    this.#warn(code, `the server ${does}; they are kept until it does: ${warningText(cause)}`, { cause });
  }

  #refused(cause: unknown): void {
    this.dropped++;
    this.#warn("REFUSED", `the server refuses an event; it is dropped: ${warningText(cause)}`, { count: 1, cause });
  }

  overflow(count: number): void {
    this.dropped += count;
    this.#unreported += count;
    const since = this.#clock() - this.#reportedAt;
    if (since < 0 || since >= OVERFLOW_MILLIS) this.reportOverflow();
  }

  /** Reports dropped events that no warning has counted yet. */
  reportOverflow(): void {
    if (this.#unreported === 0) return;
    const count = this.#unreported;
    this.#unreported = 0;
    this.#reportedAt = this.#clock();
    const what = count === 1 ? "the oldest event was" : `the ${count} oldest events were`;
    this.#warn("OVERFLOW", `the queue has reached its limit, ${what} dropped; ${this.dropped} in all`, { count });
  }
}
