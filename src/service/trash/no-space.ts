import { ActivityError } from "../../errors.js";

/** Waits for a deletion; where there is no space for it, the error says what helps. */
export async function sayingWhatHelps<T>(deletion: Promise<T>): Promise<T> {
  try {
    return await deletion;
  } catch (cause) {
    if (!ActivityError.is(cause) || cause.code !== "STORAGE_FULL") throw cause;
    const message = "no space left, not even for the trash; nothing was deleted. permanent=true deletes for good";
    throw new ActivityError("STORAGE_FULL", message, { cause });
  }
}
