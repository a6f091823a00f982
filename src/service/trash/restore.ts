import type { DomainOf } from "../../api/codec.js";
import type { StoredEvent } from "../../domain/event.js";
import type { Micros } from "../../domain/time.js";
import { ActivityError, quote } from "../../errors.js";
import { REDIRECTS_KIND } from "../../storage/records.js";
import { refuseTrashId } from "../../storage/space.js";
import type { Storage } from "../../storage/storage.js";
import type { DraftSource, TransactionChange, TransactionView } from "../../storage/transaction.js";
import { createTimeSlice } from "../../util/time-slice.js";
import { BUCKET_ACCESS_KIND } from "../access/bucket-access.js";
import { readAllEvents } from "../identity/forward-reader.js";
import { getIncarnation, moveIncarnation } from "../identity/incarnation.js";
import { pendingMerges } from "../identity/pending-merges.js";
import { isUnexpired, parseRedirect } from "../identity/redirects.js";
import { mergeTimes, PRIVATE_TIMES_KIND } from "../privacy/private-times.js";
import { ConcurrentChange } from "../retry-on-change.js";
import { invalid } from "../validation.js";
import type { StoredEntry, StoredItem } from "./entry.js";
import { readEventIds } from "./event-ids.js";

/** Maximum number of IDs that are looked up one by one. */
const FEW_EVENTS = 100;

/** The target of a restored entry. */
export type RestoreOptions = DomainOf<"TrashRestoring">;

/** Resolves the ID of a bucket. */
export type ResolveRedirect = (bucketId: string) => Promise<string>;

/** An entry, and a bucket ID for each of its items. */
export interface RestoreTargets {
  readonly entry: StoredEntry;
  readonly bucketIds: readonly string[];
}

/** A bucket with restored data. */
export type RestoredBucket = DomainOf<"RestoredBucket">;

/** The input of a planned restoration. */
export interface RestoreContext {
  readonly view: TransactionView;
  readonly storage: Pick<Storage, "records">;
  readonly now: Micros;
}

/**
 * The changes that restore an entry.
 *
 * @param targets a bucket ID for each item
 * @throws ActivityError `CONFLICT` if the ID of a bucket is in use
 */
export async function planRestore(
  { view, storage, now }: RestoreContext,
  { items }: StoredEntry,
  targets: readonly string[],
  { bucket: chosen, merge }: RestoreOptions,
): Promise<{ readonly changes: TransactionChange[]; readonly restored: RestoredBucket[] }> {
  const restored: RestoredBucket[] = [];
  const changes: TransactionChange[] = [];
  for (const [index, item] of items.entries()) {
    const bucketId = targets[index] as string;
    const isSecond = restored.some((before) => before.bucketId === bucketId);
    const isNew = !isSecond && (await view.getBucket(bucketId)) === undefined;
    if (!isNew && item.isWhole && !merge) throw taken(bucketId);
    // Its bucket was renamed or merged after the target was chosen.
    if (isNew && !item.isWhole && bucketId !== chosen && (await isRedirected(bucketId))) throw new ConcurrentChange();
    // If the bucket was merged, other events may have its IDs; this does not see events of an earlier item.
    const isOwn = bucketId === item.bucketId || bucketId === chosen;
    const keepsIds = !isSecond && isOwn && (await hasFreeIds(item, bucketId));
    changes.push(...(await restoreItem(view, item, { bucketId, isNew, keepsIds })));
    if (isNew) changes.push(...(await restoreRecords(view, item, bucketId)));
    restored.push({ bucketId, events: item.events, created: isNew });
  }
  changes.push(...(await restorePrivateTimes(view, items, restored)));
  return { changes, restored };

  async function isRedirected(bucketId: string): Promise<boolean> {
    const record = await view.getRecord(REDIRECTS_KIND, bucketId);
    const redirect = record === undefined ? undefined : parseRedirect(record);
    return redirect !== undefined && isUnexpired(redirect, now);
  }

  /** An undo of a merge identifies events by ID: it must not confuse another bucket's events with its own. */
  async function hasFreeIds({ incarnation = null }: StoredItem, bucketId: string): Promise<boolean> {
    const merges = await pendingMerges(storage, bucketId, now);
    return merges.length === 0 || (await getIncarnation(view, bucketId)) === incarnation;
  }
}

/** A bucket is protected from the start, and an ID that a bucket has again no longer redirects. */
async function restoreRecords(
  view: TransactionView,
  { access }: StoredItem,
  bucketId: string,
): Promise<TransactionChange[]> {
  const wanted = [
    [BUCKET_ACCESS_KIND, access === "open" ? undefined : access],
    [REDIRECTS_KIND, undefined],
  ] as const;
  const changes: TransactionChange[] = [];
  for (const [recordKind, value] of wanted) {
    const expected = await view.getRecord(recordKind, bucketId);
    if (expected !== value) changes.push({ kind: "record", recordKind, key: bucketId, expected, value });
  }
  return changes;
}

/** Heartbeats must not merge across the private times of restored data, nor of a bucket that they join. */
async function restorePrivateTimes(
  view: TransactionView,
  items: readonly StoredItem[],
  restored: readonly RestoredBucket[],
): Promise<TransactionChange[]> {
  const changes: TransactionChange[] = [];
  for (const bucketId of new Set(restored.map((each) => each.bucketId))) {
    const expected = await view.getRecord(PRIVATE_TIMES_KIND, bucketId);
    // Records of a new bucket remain from a deleted one.
    const isNew = restored.some((each) => each.bucketId === bucketId && each.created);
    const own = items
      .filter((_, index) => restored[index]?.bucketId === bucketId)
      .map((item) => item.privateTimes ?? []);
    const times = mergeTimes(isNew ? own : [expected ?? [], ...own]);
    const value = times.length === 0 ? undefined : times;
    if (expected === undefined && value === undefined) continue;
    changes.push({ kind: "record", recordKind: PRIVATE_TIMES_KIND, key: bucketId, expected, value });
  }
  return changes;
}

/** The target of an item. */
interface Target {
  readonly bucketId: string;
  readonly isNew: boolean;
  /** Whether events may keep their IDs. */
  readonly keepsIds: boolean;
}

/** The changes that restore an item. */
async function restoreItem(
  view: TransactionView,
  item: StoredItem,
  { bucketId: target, isNew, keepsIds }: Target,
): Promise<TransactionChange[]> {
  const { hiddenId: from, inline, bucket } = item;
  if (isNew && from !== null) {
    const moved = await moveIncarnation(view, from, target);
    return [{ kind: "rename", bucketId: from, newId: target }, ...moved];
  }
  if (isNew) return [{ kind: "create", bucket: { ...bucket, id: target }, drafts: inline }];
  const changes: TransactionChange[] = [
    { kind: "putEvents", bucketId: target, drafts: await createDrafts(view, item, keepsIds ? target : undefined) },
  ];
  if (from === null) return changes;
  return [...changes, { kind: "delete", bucketId: from }, ...(await moveIncarnation(view, from, null))];
}

/**
 * Finds the targets of an entry's items.
 *
 * @param leadsTo resolves the current bucket of an ID
 * @throws ActivityError `INVALID_INPUT` for one target bucket if there are several
 */
export async function resolveTargets(
  items: readonly StoredItem[],
  { bucket: bucketId }: RestoreOptions,
  leadsTo: ResolveRedirect,
): Promise<string[]> {
  if (bucketId === undefined || bucketId === null) {
    const targets: string[] = [];
    for (const { bucketId: id, isWhole } of items) targets.push(isWhole ? id : await leadsTo(id));
    return targets;
  }
  if (items.length > 1) {
    throw invalid(`bucket must be absent, because the entry contains ${items.length} buckets, which keep their IDs`);
  }
  refuseTrashId(bucketId);
  return [bucketId];
}

function taken(bucketId: string): ActivityError {
  const helps = "send another ID as bucket, or merge: true to put the events there";
  return new ActivityError("CONFLICT", `a bucket named ${quote(bucketId)} exists again; ${helps}`);
}

/** Events to restore. @param targetId where their IDs may be free; `undefined`: they get new ones */
async function createDrafts(
  view: TransactionView,
  { hiddenId, inline, events }: StoredItem,
  targetId: string | undefined,
): Promise<DraftSource> {
  const isTaken = targetId === undefined ? async () => true : await createIdLookup(view, targetId, events);
  if (hiddenId === null) {
    const drafts = [];
    for (const event of inline) drafts.push((await isTaken(event.id)) ? withoutId(event) : event);
    return drafts;
  }
  return (async function* back() {
    const timeSlice = createTimeSlice();
    for await (const batch of readAllEvents(view, hiddenId)) {
      const drafts = [];
      for (const event of batch.events()) drafts.push((await isTaken(event.id)) ? withoutId(event) : event);
      yield drafts;
      await timeSlice.yield();
    }
  })();
}

function withoutId({ timestamp, duration, data }: StoredEvent): Omit<StoredEvent, "id"> {
  return { timestamp, duration, data };
}

/** Looks up a few IDs one by one, and many all at once. */
async function createIdLookup(
  view: TransactionView,
  bucketId: string,
  events: number,
): Promise<(id: number) => Promise<boolean>> {
  if (events <= FEW_EVENTS) return async (id) => (await view.getEvent(bucketId, id)) !== undefined;
  const taken = await readEventIds(view, bucketId);
  return async (id) => taken.has(id);
}
