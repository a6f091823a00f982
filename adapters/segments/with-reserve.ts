import { isRefusedAsFull } from "./failures.js";
import type { LogWriter } from "./log-writer.js";
import type { SegmentStore } from "./store.js";

interface Parts {
  readonly store: SegmentStore;
  readonly log: LogWriter;
}

/** Does work that deletes: it may use what the store holds in reserve. */
export async function withReserve<T>(parts: Parts, work: () => Promise<T>): Promise<T> {
  try {
    return await (parts.store.withReserve?.(work) ?? work());
  } catch (refusal) {
    return againWithoutReserve(parts, refusal, work);
  }
}

/**
 * Does work that deletes once more, where it was refused for want of space: a store may not know what space there is,
 * and the log may have failed just before.
 *
 * @throws the refusal, where there is no space for a log either, or nothing was in reserve
 */
export async function againWithoutReserve<T>(
  { store, log }: Parts,
  refusal: unknown,
  work: () => Promise<T>,
): Promise<T> {
  if (!isRefusedAsFull(refusal) || store.releaseReserve === undefined) throw refusal;
  await store.releaseReserve();
  await log.renew().catch(() => {
    throw refusal;
  });
  return work();
}
