import { type EventDraft, endOf, type StoredEvent } from "../../domain/event.js";
import { sameJson } from "../../domain/json.js";
import type { Micros } from "../../domain/time.js";
import { quote } from "../../errors.js";
import { trashBucketId } from "../../storage/space.js";
import type { Storage } from "../../storage/storage.js";
import type { TransactionChange, TransactionView } from "../../storage/transaction.js";
import { IdMap } from "../../util/id-map.js";
import { createTimeSlice } from "../../util/time-slice.js";
import { chunkDrafts } from "../draft-chunks.js";
import type { StoredEntry, StoredItem } from "../trash/entry.js";
import { ForwardReader } from "./forward-reader.js";
import { isSameBucket, moveIncarnation } from "./incarnation.js";
import type { MergeSteps } from "./merge.js";
import { type MergedSource, readNotes, type WrittenRange } from "./merge-notes.js";
import { pendingMerges, recordMovedEvents } from "./pending-merges.js";
import { conflict, removeRedirect } from "./relabel.js";
import { revertRecords } from "./undo.js";

/** A planned undo of a merge. */
export interface UnmergePlan {
  readonly changes: readonly TransactionChange[];
  /** Events that stay unchanged because they were changed or moved since. */
  readonly kept: number;
}

/** The input for planning the undo of a merge. */
export interface UnmergeContext {
  readonly view: TransactionView;
  readonly storage: Pick<Storage, "records">;
  readonly now: Micros;
}

/**
 * Plans the undo of a merge: the merged buckets return from the trash, and their events leave the target bucket, which
 * keeps later ones. Compares each event with the merge's result: an unchanged event is restored from the original, a
 * changed one moves back with its changes.
 *
 * @throws ActivityError `CONFLICT` if a bucket is another one now, exists again, or later merges build on it
 */
export async function planUnmerge(
  { view, storage, now }: UnmergeContext,
  steps: MergeSteps,
  entry: StoredEntry,
): Promise<UnmergePlan> {
  const { into, intoCreated, incarnation, sources } = steps;
  if (!(await isSameBucket(view, into, { created: intoCreated, incarnation }))) throw gone(into);
  if (steps.notes === undefined && steps.policy !== "keep-both") throw notesMissing(entry.id);
  for (const later of await pendingMerges(storage, into, now)) {
    if ((later.steps.order ?? 0) > (steps.order ?? 0)) throw laterMergeExists(into, later.undo.from);
  }
  const changes: TransactionChange[] = [];
  for (const { bucketId } of sources) {
    if ((await view.getBucket(bucketId)) !== undefined) throw idInUseAgain(bucketId);
    changes.push(...(await removeRedirect(view, bucketId, { to: into, steps: steps.records, now })));
  }
  const cut = entry.items.find(({ isWhole }) => !isWhole);
  const trashIds = sources.map(({ bucketId }) => findTrashBucket(entry, bucketId));
  const notes = await readNotes(view, steps.notes === undefined ? [] : steps.notes, trashBucketId(entry.id, "notes"));
  const found = await classifyEvents(view, steps, trashIds, cut, notes);
  changes.push({ kind: "deleteEvents", bucketId: into, eventIds: found.merged });
  if (found.uncut.length > 0) changes.push({ kind: "putEvents", bucketId: into, drafts: chunkDrafts(found.uncut) });
  if (cut?.hiddenId) changes.push({ kind: "delete", bucketId: cut.hiddenId });
  for (const [index, { bucketId }] of sources.entries()) {
    const trashId = trashIds[index] as string;
    const { changed, moved } = found.sources[index] as ReturnedSource;
    changes.push({ kind: "rename", bucketId: trashId, newId: bucketId });
    changes.push(...(await moveIncarnation(view, trashId, bucketId)));
    if (moved.length > 0) {
      changes.push({ kind: "deleteEvents", bucketId, eventIds: moved });
      changes.push(...recordMovedEvents(await pendingMerges(storage, trashId), moved));
    }
    if (changed.length > 0) changes.push({ kind: "putEvents", bucketId, drafts: chunkDrafts(changed) });
  }
  return { changes: [...changes, ...(await revertRecords(view, steps.records))], kept: found.kept };
}

/** The bucket of the trash that contains a merged one. */
function findTrashBucket({ items }: StoredEntry, bucketId: string): string {
  const item = items.find((each) => each.isWhole && each.bucketId === bucketId);
  if (item?.hiddenId) return item.hiddenId;
  throw conflict(`the trash no longer contains the bucket ${quote(bucketId)}`);
}

/** Events of a merged bucket that do not return unchanged. */
interface ReturnedSource {
  /** Changed events, under their old IDs. */
  readonly changed: StoredEvent[];
  /** IDs of events that are in another bucket now. */
  moved: readonly number[];
}

/** Events sorted by their handling. */
interface ClassifiedEvents {
  /** IDs of events that came with the merge. */
  readonly merged: number[];
  readonly sources: readonly ReturnedSource[];
  /** Events of the target bucket that the merge had cut. */
  readonly uncut: EventDraft[];
  readonly kept: number;
}

async function classifyEvents(
  view: TransactionView,
  { into, sources, moved = [] }: MergeSteps,
  trashIds: readonly string[],
  cut: StoredItem | undefined,
  notes: IdMap<WrittenRange>,
): Promise<ClassifiedEvents> {
  const originals = await readEventsById(view, cut);
  const present = new IdMap<StoredEvent>();
  const merged: number[] = [];
  const back = sources.map((): ReturnedSource => ({ changed: [], moved: [] }));
  const late: StoredEvent[][] = sources.map(() => []);
  const walks = trashIds.map((trashId) => new ForwardReader(view, trashId));
  const away = new Set(moved);
  const compare = (index: number, event: StoredEvent, original: StoredEvent): void => {
    const now = reconcileEvent(event, original, notes.get(event.id));
    if (now !== original) back[index]?.changed.push(now ?? { ...event, id: original.id });
  };
  const timeSlice = createTimeSlice();
  try {
    for await (const batch of (await view.read(into, { order: "oldest" })).batches) {
      for (const event of batch.events()) {
        away.delete(event.id);
        if (originals.get(event.id) !== undefined) present.set(event.id, event);
        const index = findSource(sources, event.id);
        // If the merge wrote nothing, the event came later.
        if (index < 0 || notes.get(event.id) === null) continue;
        merged.push(event.id);
        const original = await walks[index]?.at(event.id - (sources[index] as MergedSource).base);
        if (original === undefined) late[index]?.push(event);
        else compare(index, event, original);
      }
      await timeSlice.yield();
    }
  } finally {
    await Promise.all(walks.map((walk) => walk.close()));
  }
  let kept = 0;
  for (const [index, source] of sources.entries()) {
    // Events that are now earlier than their predecessors: they were moved, or the merge shortened them at the start.
    const events = late[index] ?? [];
    const found = await readOriginals(
      view,
      trashIds[index] as string,
      source,
      Array.from(events, ({ id }) => id),
    );
    for (const event of events) {
      const original = found.get(event.id);
      if (original !== undefined) compare(index, event, original);
    }
    const bucketMissing = [...away].filter((id) => findSource(sources, id) === index);
    const elsewhere = await readOriginals(view, trashIds[index] as string, source, bucketMissing);
    (back[index] as ReturnedSource).moved = Array.from(elsewhere.values(), ({ id }) => id);
    kept += bucketMissing.length;
  }
  const uncut: EventDraft[] = [];
  for (const original of originals.values()) {
    const event = present.get(original.id);
    const isAway = event === undefined && away.has(original.id);
    const now = event === undefined ? original : reconcileEvent(event, original, notes.get(original.id));
    if (isAway || now === undefined) kept++;
    else uncut.push(now);
    await timeSlice.yield();
  }
  return { merged, sources: back, uncut, kept };
}

/** Reads the originals of events in a merged bucket, by their IDs there. */
async function readOriginals(
  view: TransactionView,
  trashId: string,
  { base }: MergedSource,
  eventIds: number[],
): Promise<IdMap<StoredEvent>> {
  const found = new IdMap<StoredEvent>();
  if (eventIds.length === 0) return found;
  const walk = new ForwardReader(view, trashId);
  try {
    for (const id of eventIds.sort((a, b) => a - b)) {
      const original = await walk.at(id - base);
      if (original !== undefined) found.set(id, original);
    }
  } finally {
    await walk.close();
  }
  return found;
}

function findSource(sources: readonly MergedSource[], id: number): number {
  return sources.findIndex(({ base, count }) => id >= base && id < base + count);
}

async function readEventsById(view: TransactionView, item: StoredItem | undefined): Promise<IdMap<StoredEvent>> {
  const events = new IdMap<StoredEvent>();
  for (const event of item?.inline ?? []) events.set(event.id, event);
  if (!item?.hiddenId) return events;
  const timeSlice = createTimeSlice();
  for await (const batch of (await view.read(item.hiddenId, { order: "oldest" })).batches) {
    for (const event of batch.events()) events.set(event.id, event);
    await timeSlice.yield();
  }
  return events;
}

/**
 * Compares an event with the merge's result.
 *
 * @param written the merge's result; `undefined`: the whole event, `null`: nothing
 * @returns the original if the event is unchanged; a longer one if only its end is later; `undefined` if it was changed
 */
function reconcileEvent(
  event: StoredEvent,
  original: StoredEvent,
  written: WrittenRange | undefined,
): StoredEvent | undefined {
  const { start, end } = written ?? { start: original.timestamp, end: endOf(original) };
  const isSame = event.timestamp === start && sameJson(event.data, original.data);
  if (written === null || !isSame || endOf(event) < end) return undefined;
  if (endOf(event) === end || endOf(event) <= endOf(original)) return original;
  return { ...original, duration: endOf(event) - original.timestamp };
}

function gone(bucketId: string): Error {
  return conflict(
    `the bucket ${quote(bucketId)} no longer exists, or is another one now; if it was renamed, undo that first`,
  );
}

function idInUseAgain(bucketId: string): Error {
  return conflict(`a bucket named ${quote(bucketId)} exists again; rename or merge it first`);
}

function laterMergeExists(bucketId: string, from: readonly string[]): Error {
  return conflict(`${from.map(quote).join(", ")} became part of ${quote(bucketId)} later; undo that first`);
}

function notesMissing(entryId: string): Error {
  const helps = `restore the entry ${quote(entryId)} of the trash instead`;
  return conflict(`an earlier version merged these without notes about cut events; ${helps}`);
}
