import { ActivityError, type ErrorCode, shownValue } from "../errors.js";

/** How the storage of a test server fails. */
export interface TestFailure {
  /** How many writes succeed first. @default 0 */
  readonly after?: number | undefined;
  /**
   * The error code. Over HTTP, `STORAGE_FULL` is 507, `STORAGE_FAILED` 503 and `STORAGE_CORRUPT` 500.
   * @default "STORAGE_FAILED"
   */
  readonly code?: TestFailureCode | undefined;
  /** Whether later reads fail as well. @default false */
  readonly reads?: boolean | undefined;
}

/** Codes of a storage that fails while in use. */
export type TestFailureCode = Extract<ErrorCode, "STORAGE_FULL" | "STORAGE_FAILED" | "STORAGE_CORRUPT">;

const MESSAGES: Readonly<Record<TestFailureCode, string>> = {
  STORAGE_FULL: "the test's storage is full",
  STORAGE_FAILED: "the test's storage failed",
  STORAGE_CORRUPT: "the test's storage is damaged",
};

/** Decides which calls of a storage fail. */
export class FailurePlan {
  #failure: TestFailure | undefined;
  /** Writes that still succeed. */
  #left = 0;
  readonly #errors = new WeakSet<object>();

  /** @throws TypeError for a failure that does not exist */
  set(failure: TestFailure | undefined): void {
    if (failure !== undefined) check(failure);
    this.#failure = failure;
    this.#left = failure?.after ?? 0;
  }

  /**
   * Counts a call of the storage.
   *
   * @param kind `record` for private records, which the server also writes by itself: they fail, but do not count
   * @returns the error of the call
   */
  nextError(kind: "read" | "write" | "record"): ActivityError | undefined {
    if (this.#failure === undefined) return undefined;
    const { code = "STORAGE_FAILED", reads = false } = this.#failure;
    if (this.#left > 0) {
      if (kind === "write") this.#left--;
      return undefined;
    }
    if (kind === "read" && !reads) return undefined;
    const error = new ActivityError(code, MESSAGES[code]);
    this.#errors.add(error);
    return error;
  }

  /** Returns whether an error, or one of its causes, is a failure that the test wanted. */
  hasCaused(thrown: unknown): boolean {
    let error = thrown;
    while (error instanceof Error && !this.#errors.has(error)) error = error.cause;
    return error instanceof Error;
  }
}

function check(failure: TestFailure): void {
  if (typeof failure !== "object" || failure === null) {
    throw new TypeError(`fail must be an object such as { after: 3 }, got ${shownValue(failure)}`);
  }
  const { after = 0, code = "STORAGE_FAILED", reads: _, ...unknown } = failure;
  const [field] = Object.keys(unknown);
  if (field !== undefined) throw new TypeError(`fail.${field} does not exist; use after, code and reads`);
  if (!(Number.isSafeInteger(after) && after >= 0)) {
    throw new TypeError(`fail.after must be an integer of 0 or more, got ${shownValue(after)}`);
  }
  if (Object.hasOwn(MESSAGES, code)) return;
  throw new TypeError(`fail.code must be one of ${Object.keys(MESSAGES).join(", ")}, got ${shownValue(code)}`);
}
