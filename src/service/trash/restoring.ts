import type { StoredEvent } from "../../domain/event.js";
import { ActivityError, quote } from "../../errors.js";
import type { DraftSource, TransactionChange, TransactionView } from "../../storage/transaction.js";
import { createTimeSlice } from "../../util/time-slice.js";
import { invalid } from "../validation.js";
import type { KeptEntry, KeptItem } from "./entry.js";
import { isHidden } from "./hidden.js";

/** Up to so many ids are looked up one by one. */
const FEW_EVENTS = 100;

/** Where an entry goes back to. */
export interface Restoring {
  /** Another bucket than the one that it comes from; for entries of one bucket. */
  readonly bucketId?: string | undefined;
  /** Whether the events of a whole bucket may join those of a bucket that has its id. */
  readonly merge?: boolean | undefined;
}

/** A bucket that something went back to. */
export interface RestoredBucket {
  readonly bucketId: string;
  readonly events: number;
  /** Whether there was no such bucket before. */
  readonly isNew: boolean;
}

/**
 * The changes that put an entry back.
 *
 * @param targets a bucket id for each item
 * @throws ActivityError `CONFLICT` where the id of a bucket is taken
 */
export async function restoringChanges(
  view: TransactionView,
  { items }: KeptEntry,
  targets: readonly string[],
  { merge = false }: Restoring,
): Promise<{ readonly changes: TransactionChange[]; readonly restored: RestoredBucket[] }> {
  const restored: RestoredBucket[] = [];
  const changes: TransactionChange[] = [];
  for (const [index, item] of items.entries()) {
    const bucketId = targets[index] as string;
    const isNew = (await view.getBucket(bucketId)) === undefined;
    if (!isNew && item.isWhole && !merge) throw taken(bucketId);
    changes.push(...(await back(view, item, bucketId, isNew)));
    restored.push({ bucketId, events: item.events, isNew });
  }
  return { changes, restored };
}

/** The changes that put an item back. */
async function back(
  view: TransactionView,
  item: KeptItem,
  target: string,
  isNew: boolean,
): Promise<TransactionChange[]> {
  const { hiddenId: from, inline, bucket } = item;
  if (isNew && from !== null) return [{ kind: "rename", bucketId: from, newId: target }];
  if (isNew) return [{ kind: "create", bucket: { ...bucket, id: target }, drafts: inline }];
  const changes: TransactionChange[] = [
    { kind: "putEvents", bucketId: target, drafts: await draftsBack(view, item, target) },
  ];
  if (from !== null) changes.push({ kind: "delete", bucketId: from });
  return changes;
}

/**
 * Where the items of an entry go.
 *
 * @throws ActivityError `INVALID_INPUT` for one bucket where there are several
 */
export function targetsOf({ items }: KeptEntry, { bucketId }: Restoring): string[] {
  if (bucketId === undefined) return items.map((item) => item.bucketId);
  if (items.length > 1) {
    throw invalid(`bucket cannot be given: the entry holds ${items.length} buckets, which go back to their own ids`);
  }
  if (isHidden(bucketId)) throw invalid(`bucket is ${quote(bucketId)}, an id of the trash; any other id is expected`);
  return [bucketId];
}

function taken(bucketId: string): ActivityError {
  const helps = "give another id as bucket, or merge: true to put the events there";
  return new ActivityError("CONFLICT", `there is a bucket named ${quote(bucketId)} again; ${helps}`);
}

/** Events on their way back, and whether their ids are free in the bucket that takes them. */
async function draftsBack(
  view: TransactionView,
  { hiddenId, inline, events }: KeptItem,
  targetId: string,
): Promise<DraftSource> {
  const isTaken = await takenIn(view, targetId, events);
  if (hiddenId === null) {
    const drafts = [];
    for (const event of inline) drafts.push((await isTaken(event.id)) ? without(event) : event);
    return drafts;
  }
  const { batches } = await view.read(hiddenId, { order: "oldest" });
  return (async function* back() {
    for await (const batch of batches) {
      const drafts = [];
      for (const event of batch.events()) drafts.push((await isTaken(event.id)) ? without(event) : event);
      yield drafts;
    }
  })();
}

function without({ timestamp, duration, data }: StoredEvent): Omit<StoredEvent, "id"> {
  return { timestamp, duration, data };
}

/** Looks ids up one by one for few events, and all at once for many. */
async function takenIn(
  view: TransactionView,
  bucketId: string,
  events: number,
): Promise<(id: number) => boolean | Promise<boolean>> {
  if (events <= FEW_EVENTS) return async (id) => (await view.getEvent(bucketId, id)) !== undefined;
  const taken = new Set<number>();
  const timeSlice = createTimeSlice();
  for await (const { ids } of (await view.read(bucketId)).batches) {
    for (const id of ids ?? []) taken.add(id);
    await timeSlice.yield();
  }
  return (id) => taken.has(id);
}
