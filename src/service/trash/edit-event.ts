import { endOf, type StoredEvent } from "../../domain/event.js";
import { type Micros, serializeTimestamp } from "../../domain/time.js";
import { ActivityError, fieldUnfit, mustBe, noSuchBucket, quote } from "../../errors.js";
import type { Storage } from "../../storage/storage.js";
import { type TransactionPlan, type TransactionView, transactOn } from "../../storage/transaction.js";
import type { AccessCheck } from "../access/bucket-access.js";
import { pendingMerges, recordMovedEvents } from "../identity/pending-merges.js";
import { ConcurrentChange, retryOnChange } from "../retry-on-change.js";

/** The place of a changed event, and the caller's access. */
export interface EditContext {
  readonly storage: Storage;
  /** `undefined`: the access of buckets does not restrict the caller. */
  readonly refuse: AccessCheck | undefined;
}

/**
 * Splits an event into two. The first one keeps the ID.
 *
 * @throws ActivityError `NO_SUCH_BUCKET`, `NO_SUCH_EVENT`, `INVALID_INPUT` for a time that is not within the event
 */
export async function splitEvent(
  { storage, refuse }: EditContext,
  bucketId: string,
  eventId: number,
  at: Micros,
): Promise<readonly [StoredEvent, StoredEvent]> {
  let halves: readonly StoredEvent[] = [];
  await runTransaction(storage, [bucketId], async (view) => {
    await refuse?.(view, bucketId, "alter");
    const event = await getExistingEvent(view, bucketId, eventId);
    const end = endOf(event);
    if (at <= event.timestamp || at >= end) {
      const within = `${serializeTimestamp(event.timestamp)} and ${serializeTimestamp(end)}`;
      throw fieldUnfit("at", `must be a time between ${within}, got ${serializeTimestamp(at)}`);
    }
    const second = { ...event, id: await view.nextEventId(bucketId), timestamp: at, duration: end - at };
    halves = [{ ...event, duration: at - event.timestamp }, second];
    // If only the first half is deleted later, restoring must not return the whole.
    return [
      { kind: "putEvents", bucketId, drafts: halves },
      ...recordMovedEvents(await pendingMerges(storage, bucketId), [eventId]),
    ];
  });
  return halves as readonly [StoredEvent, StoredEvent];
}

/**
 * Moves an event to another bucket, in one step.
 *
 * @returns the event, with its ID in that bucket
 * @throws ActivityError `NO_SUCH_BUCKET`, `NO_SUCH_EVENT`, `INVALID_INPUT` for the same bucket
 */
export async function moveEvent(
  { storage, refuse }: EditContext,
  bucketId: string,
  eventId: number,
  targetId: string,
): Promise<StoredEvent> {
  if (targetId === bucketId) throw mustBe("bucket", "another bucket than the event's", targetId);
  let moved: StoredEvent | undefined;
  await runTransaction(storage, [bucketId, targetId], async (view) => {
    await refuse?.(view, bucketId, "alter");
    await refuse?.(view, targetId, "add");
    const event = await getExistingEvent(view, bucketId, eventId);
    if ((await view.getBucket(targetId)) === undefined) throw noSuchBucket(targetId);
    moved = { ...event, id: await view.nextEventId(targetId) };
    return [
      { kind: "deleteEvents", bucketId, eventIds: [eventId] },
      { kind: "putEvents", bucketId: targetId, drafts: [moved] },
      ...recordMovedEvents(await pendingMerges(storage, bucketId), [eventId]),
    ];
  });
  return moved as StoredEvent;
}

function runTransaction(storage: Storage, bucketIds: readonly string[], plan: TransactionPlan): Promise<void> {
  return retryOnChange(async () => {
    if (!(await transactOn(storage, bucketIds, plan))) throw new ConcurrentChange();
  });
}

/** @throws ActivityError `NO_SUCH_BUCKET`, `NO_SUCH_EVENT` */
export async function getExistingEvent(
  reader: Pick<TransactionView, "getEvent">,
  bucketId: string,
  eventId: number,
): Promise<StoredEvent> {
  const event = await reader.getEvent(bucketId, eventId);
  if (event !== undefined) return event;
  throw new ActivityError("NO_SUCH_EVENT", `bucket ${quote(bucketId)} has no event with id ${eventId}`);
}
