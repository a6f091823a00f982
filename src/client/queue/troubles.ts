import type { Outcome } from "./delivery.js";
import { textOf, type Warn } from "./warning.js";

/** How often people are told of dropped events, in milliseconds. */
const OVERFLOW_MILLIS = 60_000;

/** What went wrong, and what people have been told of it: each trouble once, and every lost event in some count. */
export class Troubles {
  /** Events dropped in all. */
  dropped = 0;
  isReachable: boolean | undefined;
  readonly #warn: Warn;
  readonly #clock: () => number;
  /** Tries that failed one after another. */
  #failures = 0;
  #told: Outcome["kind"] | undefined;
  /** Events dropped above the limit that nobody was told of. */
  #untold = 0;
  #toldAt = Number.NEGATIVE_INFINITY;

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
      this.#told = undefined;
      this.#tellOverflow();
      if (kind === "refused") this.#refused(outcome.error);
      return 0;
    }
    this.#failures++;
    if (kind !== this.#told) this.#tell(kind, outcome.error);
    this.#told = kind;
    return this.#failures;
  }

  #tell(kind: "unreachable" | "unauthorized", cause: unknown): void {
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
    this.#untold += count;
    const since = this.#clock() - this.#toldAt;
    if (since < 0 || since >= OVERFLOW_MILLIS) this.#tellOverflow();
  }

  #tellOverflow(): void {
    if (this.#untold === 0) return;
    const count = this.#untold;
    this.#untold = 0;
    this.#toldAt = this.#clock();
    const what = count === 1 ? "the oldest event was" : `the ${count} oldest events were`;
    this.#warn("OVERFLOW", `the queue has reached its limit, ${what} dropped; ${this.dropped} in all`, { count });
  }

  /** Tells what is left to tell. */
  close(): void {
    this.#tellOverflow();
  }
}
