import { ActivityError } from "../../src/errors.js";

/** Interval of the checks during writes. */
export const LOOK_MILLIS = 1_000;

/**
 * Detects that the files of an open folder were removed, replaced or unmounted. An operating system still writes to
 * such files, and discards them when they are closed.
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

  /** The error of every write while files are lost. Checks again from time to time: they may reappear. */
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
      // Unknown, for example without read permission: the write itself shows whether it works.
    }
  }
}

function lostFolder(): ActivityError {
  const what = "the data folder was removed, replaced or unmounted while it was open";
  return new ActivityError("STORAGE_FAILED", `${what}; nothing of this was stored. Put it back or restart the server`);
}
