import { type PrintedChunk, printed } from "./domain/event.js";
import { ActivityError } from "./errors.js";
import type { EventRange, Storage } from "./storage.js";

/** Reads events of a bucket to be printed, whatever the storage offers for it. */
export async function* readPrinted(
  storage: Storage,
  bucketId: string,
  range: EventRange,
): AsyncGenerator<PrintedChunk> {
  if (storage.readPrinted !== undefined) yield* storage.readPrinted(bucketId, range);
  else for await (const events of storage.readEvents(bucketId, range)) yield events.map(printed);
}

/** The same for all events, of which a bucket that has been deleted in the meantime has none. */
export async function* readPrintedIfThere(storage: Storage, bucketId: string): AsyncGenerator<PrintedChunk> {
  try {
    yield* readPrinted(storage, bucketId, {});
  } catch (thrown) {
    if (!ActivityError.is(thrown) || thrown.code !== "NO_SUCH_BUCKET") throw thrown;
  }
}
