import type { EventBatch } from "./batch.js";
import type { AcceptedDraft, EventDraft } from "./event.js";

/**
 * Batches of lists that were created along with them, for rows `bulk/*` of the bench: so the storage and the response
 * need not search the list for equal data, nor serialize them. A batch is freed with its list.
 */
const batches = new WeakMap<readonly (EventDraft | AcceptedDraft)[], EventBatch>();

/** Remembers the batch of a list. @param list must not change afterwards */
export function rememberBatch(list: readonly EventDraft[], batch: EventBatch): void {
  batches.set(list, batch);
}

/** The batch of a list, with the same events in the same order, if it was remembered. */
export function batchOf(list: readonly (EventDraft | AcceptedDraft)[]): EventBatch | undefined {
  return batches.get(list);
}
