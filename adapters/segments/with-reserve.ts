import { isRefusedAsFull } from "./failures.js";
import type { LogWriter } from "./log-writer.js";
import type { SegmentStore } from "./store.js";

interface Parts {
  readonly store: SegmentStore;
  readonly log: LogWriter;
}

/** Runs work that deletes. It may use the space that the store has reserved. */
export async function withReserve<T>(parts: Parts, work: () => Promise<T>): Promise<T> {
  try {
    return await (parts.store.withReserve?.(work) ?? work());
  } catch (refusal) {
    return retryWithoutReserve(parts, refusal, work);
  }
}

/**
 * Repeats deleting work that failed for lack of space: the store may not have known its free space, or the log may have
 * failed just before.
 *
 * @throws the original error if there was no reserve, or if the space does not suffice for a log
 */
export async function retryWithoutReserve<T>(
  { store, log }: Parts,
  refusal: unknown,
  work: () => Promise<T>,
): Promise<T> {
  if (!isRefusedAsFull(refusal) || store.releaseReserve === undefined) throw refusal;
  await store.releaseReserve();
  await log.restart().catch(() => {
    throw refusal;
  });
  return work();
}
