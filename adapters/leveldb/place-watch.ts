import { ActivityError } from "../../src/errors.js";

/** Interval between two checks while there are writes, in milliseconds. */
export const LOOK_MILLIS = 1_000;

/**
 * Detects that an open folder was removed, replaced or unmounted. The operating system still accepts writes to its
 * files, and discards them when they are closed.
 */
export class PlaceWatch {
  readonly #areInPlace: () => boolean;
  readonly #lookMillis: number;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #lost: ActivityError | undefined;

  /** @param areInPlace whether all files are still where they were opened */
  constructor(areInPlace: () => boolean, lookMillis: number = LOOK_MILLIS) {
    this.#areInPlace = areInPlace;
    this.#lookMillis = lookMillis;
  }

  /** The error of all writes while files are missing. Checks again from time to time: they may reappear. */
  get lost(): ActivityError | undefined {
    const now = performance.now();
    if (now - this.#lookedAt >= this.#lookMillis) this.#look(now);
    return this.#lost;
  }

  /** Checks now. @throws ActivityError `STORAGE_FAILED` */
  assertInPlace(): void {
    this.#look(performance.now());
    if (this.#lost !== undefined) throw this.#lost;
  }

  #look(now: number): void {
    this.#lookedAt = now;
    try {
      this.#lost = this.#areInPlace() ? undefined : (this.#lost ?? lostFolder());
    } catch {
      // The check failed, for example without read permission. The write itself shows whether it works.
    }
  }
}

function lostFolder(): ActivityError {
  const event = "the data folder was removed, replaced or unmounted while it was open";
  const remedy = "move it back or restart the server";
  return new ActivityError("STORAGE_FAILED", `${event}; nothing of this was stored; ${remedy}`);
}
