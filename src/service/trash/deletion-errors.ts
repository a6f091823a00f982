// Storage errors of deletions, with their effect: whether the data were deleted.
import { ActivityError, hasCode } from "../../errors.js";
import { deleteSummaries } from "../../storage/records.js";
import type { Storage } from "../../storage/storage.js";

/** Waits for a deletion; if there is no space for it, adds a remedy to the error. @param isKept in the trash */
export async function addSpaceRemedy<T>(deletion: Promise<T>, isKept: boolean): Promise<T> {
  try {
    return await deletion;
  } catch (cause) {
    throw withSpaceRemedy(cause, isKept);
  }
}

/** The error for a deletion without effect, with a remedy if there is no space. */
function withSpaceRemedy(cause: unknown, isKept: boolean): unknown {
  if (!hasCode(cause, "STORAGE_FULL")) return cause;
  const message = isKept
    ? "no space left, not even for the trash; nothing was deleted; use permanent=true to delete permanently"
    : "no space left to rewrite what stays; nothing was deleted; free some space, or delete less at once";
  return new ActivityError("STORAGE_FULL", message, { cause });
}

/** Erases deleted data from the files. @throws ActivityError which reports that the deletion took effect */
export async function eraseDeleted(storage: Storage): Promise<void> {
  try {
    // Sums of the past contain titles of deleted events.
    await deleteSummaries(storage);
    await storage.eraseDeleted?.();
  } catch (cause) {
    const code = ActivityError.is(cause) ? cause.code : "STORAGE_FAILED";
    const reason = ActivityError.is(cause) ? `: ${getReason(cause)}` : "";
    const message = `it is deleted, but its bytes may still be in the files${reason}`;
    throw new ActivityError(code, message, { cause, fault: { name: "notErased", values: {} } });
  }
}

/** The error for a deletion of several entries that stopped at one. */
export function describePartialDeletion(cause: unknown, deleted: number, all: number): unknown {
  if (!ActivityError.is(cause) || deleted === 0) return withSpaceRemedy(cause, false);
  const message = `${deleted} of ${all} entries of the trash were deleted, then: ${getReason(cause)}`;
  return new ActivityError(cause.code, message, { cause, fault: { name: "someDeleted", values: { deleted, all } } });
}

/** The cause of a failure, without the storage's report about the effect of that call. */
function getReason({ message, reason = message }: ActivityError): string {
  return reason;
}
