import { ActivityError, hasCode, saysNoSpace, storageFull } from "../../src/errors.js";

/** Whether an error was caused by a lack of space. Engines wrap the cause, or only quote it. */
export function isFull(thrown: unknown): boolean {
  for (let cause = thrown; cause instanceof Error; cause = cause.cause) {
    if (saysNoSpace(cause)) return true;
    if (hasCode(cause, "STORAGE_FULL")) return true;
    if (/no space left|file too large|quota exceeded/i.test(cause.message)) return true;
  }
  return false;
}

/**
 * Creates the error of a failed write. Its message reaches clients, so it contains no path; its cause does.
 *
 * @param mayBeStored whether the next opening may still find the write
 */
export function writeFailure(cause: unknown, mayBeStored: boolean = false): ActivityError {
  if (ActivityError.is(cause)) return cause;
  if (mayBeStored) {
    const reason = "the disk failed to confirm the write";
    const message = `${reason}; it is not stored now, but may be after a restart`;
    return new ActivityError("STORAGE_FAILED", message, { cause, reason });
  }
  if (isFull(cause)) return storageFull({ cause });
  const reason = "the storage cannot be written to";
  return new ActivityError("STORAGE_FAILED", `${reason}; nothing of this was stored`, { cause, reason });
}

/** Whether a write failed for lack of space, with a certain outcome. */
export function isRefusedAsFull(thrown: unknown): boolean {
  return hasCode(thrown, "STORAGE_FULL");
}

/** Creates the error of a failed read. */
export function readFailure(cause: unknown): ActivityError {
  if (ActivityError.is(cause)) return cause;
  return new ActivityError("STORAGE_FAILED", "the storage cannot be read just now", { cause });
}

/** Whether the next opening may still find a failed append. */
export function mayBeStored(cause: unknown): boolean {
  return cause instanceof Error && (cause as { readonly mayBeStored?: unknown }).mayBeStored === true;
}
