import { ActivityError } from "../../src/errors.js";

/** Interval between two checks while there are writes, in milliseconds. */
export const CHECK_MILLIS = 1_000;

/**
 * Detects that an open folder was removed, replaced or unmounted. The operating system still accepts writes to its
 * files, and discards them when they are closed.
 */
export class FolderWatch {
  readonly #areInPlace: () => boolean;
  readonly #checkMillis: number;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #lost: ActivityError | undefined;

  /** @param areInPlace whether all files are still where they were opened */
  constructor(areInPlace: () => boolean, lookMillis: number = CHECK_MILLIS) {
    this.#areInPlace = areInPlace;
    this.#checkMillis = lookMillis;
  }

  /** The error of all writes while files are missing. Checks again from time to time: they may reappear. */
  get lost(): ActivityError | undefined {
    const now = performance.now();
    if (now - this.#checkedAt >= this.#checkMillis) this.#check(now);
    return this.#lost;
  }

  /** Checks now. @throws ActivityError `STORAGE_FAILED` */
  assertInPlace(): void {
    this.#check(performance.now());
    if (this.#lost !== undefined) throw this.#lost;
  }

  #check(now: number): void {
    this.#checkedAt = now;
    try {
      this.#lost = this.#areInPlace() ? undefined : (this.#lost ?? lostFolderError());
    } catch {
      // The check failed, for example without read permission. The write itself shows whether it works.
    }
  }
}

function lostFolderError(): ActivityError {
  const event = "the data folder was removed, replaced or unmounted while it was open";
  const remedy = "move it back or restart the server";
  return new ActivityError("STORAGE_FAILED", `${event}; nothing of this was stored; ${remedy}`);
}
