import type { EventBatch } from "../../domain/batch.js";
import { type EventDraft, endOf, type StoredEvent } from "../../domain/event.js";
import { sameJson } from "../../domain/json.js";
import { quote } from "../../errors.js";
import type { TransactionChange, TransactionView } from "../../storage/transaction.js";
import { IdMap } from "../../util/id-map.js";
import { createTimeSlice } from "../../util/time-slice.js";
import type { KeptEntry, KeptItem } from "../trash/entry.js";
import type { MergedSource, MergeSteps } from "./merge.js";
import { conflict } from "./relabel.js";
import { changesBack } from "./undo.js";

/** What takes a merging back. */
export interface UnmergePlan {
  readonly changes: readonly TransactionChange[];
  /** Events that somebody has changed since then. */
  readonly kept: number;
}

/**
 * The changes that take a merging back: the merged buckets come out of the trash, and what came with them leaves the
 * other bucket, all but what arrived there since. An event that was extended or changed since goes back as it is now.
 *
 * @throws ActivityError `CONFLICT` where a bucket is another one now, or there is one again
 */
export async function unmergePlan(view: TransactionView, steps: MergeSteps, entry: KeptEntry): Promise<UnmergePlan> {
  const { into, intoCreated, sources } = steps;
  if ((await view.getBucket(into))?.created !== intoCreated) throw gone(into);
  for (const { bucketId } of sources) if ((await view.getBucket(bucketId)) !== undefined) throw takenAgain(bucketId);
  const cut = entry.items.find(({ isWhole }) => !isWhole);
  const wholes = sources.map(({ bucketId }) => wholeOf(entry, bucketId));
  const found = await sortedOut(view, steps, wholes, cut);
  const changes: TransactionChange[] = [{ kind: "deleteEvents", bucketId: into, eventIds: found.merged }];
  if (found.uncut.length > 0) changes.push({ kind: "putEvents", bucketId: into, drafts: inSlices(found.uncut) });
  if (cut?.hiddenId) changes.push({ kind: "delete", bucketId: cut.hiddenId });
  for (const [index, { bucketId }] of sources.entries()) {
    changes.push({ kind: "rename", bucketId: wholes[index] as string, newId: bucketId });
    const changed = found.changed[index] ?? [];
    if (changed.length > 0) changes.push({ kind: "putEvents", bucketId, drafts: inSlices(changed) });
  }
  return { changes: [...changes, ...(await changesBack(view, steps.records))], kept: found.kept };
}

/** The bucket in which the trash holds one that was merged. */
function wholeOf({ items }: KeptEntry, bucketId: string): string {
  const item = items.find((each) => each.isWhole && each.bucketId === bucketId);
  if (item?.hiddenId) return item.hiddenId;
  throw conflict(`the trash does not hold the bucket ${quote(bucketId)} any more`);
}

/** What is to become of events. */
interface SortedOut {
  /** Ids of those that came with the merging. */
  readonly merged: number[];
  /** By merged bucket, events that were changed since, as they are now, under the ids that they had. */
  readonly changed: StoredEvent[][];
  /** Events of the bucket itself that the merging had cut. */
  readonly uncut: EventDraft[];
  readonly kept: number;
}

async function sortedOut(
  view: TransactionView,
  { into, policy, sources }: MergeSteps,
  wholes: readonly string[],
  cut: KeptItem | undefined,
): Promise<SortedOut> {
  const originals = await eventsById(view, cut);
  const present = new IdMap<StoredEvent>();
  const merged: number[] = [];
  const changed: StoredEvent[][] = sources.map(() => []);
  const late: StoredEvent[][] = sources.map(() => []);
  const walks: Walk[] = [];
  for (const whole of wholes) walks.push(new Walk((await view.read(whole, { order: "oldest" })).batches));
  let kept = 0;
  const isSame = policy === "keep-both" ? isEqual : isWithin;
  const timeSlice = createTimeSlice();
  for await (const batch of (await view.read(into, { order: "oldest" })).batches) {
    for (const event of batch.events()) {
      if (originals.get(event.id) !== undefined) present.set(event.id, event);
      const index = sourceOf(sources, event.id);
      if (index < 0) continue;
      merged.push(event.id);
      const position = event.id - (sources[index] as MergedSource).base;
      const original = await (walks[index] as Walk).at(position);
      if (original === undefined) late[index]?.push(event);
      else if (!isSame(event, original)) changed[index]?.push(goingBack(event, original));
    }
    await timeSlice.yield();
  }
  for (const [index, events] of late.entries()) {
    const back = await lateOnes(view, wholes[index] as string, events, sources[index] as MergedSource);
    for (const event of back) changed[index]?.push(event);
  }
  const uncut: EventDraft[] = [];
  for (const original of originals.values()) {
    const event = present.get(original.id);
    if (event === undefined || isWithin(event, original)) uncut.push(original);
    else if (isExtended(event, original)) uncut.push({ ...original, duration: endOf(event) - original.timestamp });
    else kept++;
    await timeSlice.yield();
  }
  return { merged, changed, uncut, kept };
}

/** Drafts that are written at a time. */
const AT_ONCE = 2048;

async function* inSlices(drafts: readonly EventDraft[]): AsyncGenerator<readonly EventDraft[]> {
  const timeSlice = createTimeSlice();
  for (let at = 0; at < drafts.length; at += AT_ONCE) {
    yield drafts.slice(at, at + AT_ONCE);
    await timeSlice.yield();
  }
}

/** Events that are earlier now than others that came before them: they were moved. */
async function lateOnes(
  view: TransactionView,
  whole: string,
  events: readonly StoredEvent[],
  { base }: MergedSource,
): Promise<StoredEvent[]> {
  if (events.length === 0) return [];
  const walk = new Walk((await view.read(whole, { order: "oldest" })).batches);
  const back: StoredEvent[] = [];
  for (const event of [...events].sort((a, b) => a.id - b.id)) {
    const original = await walk.at(event.id - base);
    if (original !== undefined) back.push({ ...event, id: original.id });
  }
  return back;
}

/** Walks through events, to one number after another. */
class Walk {
  readonly #batches: AsyncIterator<EventBatch>;
  #batch: EventBatch | undefined;
  /** The number of its first event. */
  #start = 0;

  constructor(batches: AsyncIterable<EventBatch>) {
    this.#batches = batches[Symbol.asyncIterator]();
  }

  /** @returns `undefined` for one that it has gone past */
  async at(position: number): Promise<StoredEvent | undefined> {
    while (position >= this.#start + (this.#batch?.length ?? 0)) {
      this.#start += this.#batch?.length ?? 0;
      const next = await this.#batches.next();
      if (next.done === true) return undefined;
      this.#batch = next.value;
    }
    return position < this.#start ? undefined : this.#batch?.eventAt(position - this.#start);
  }
}

function sourceOf(sources: readonly MergedSource[], id: number): number {
  return sources.findIndex(({ base, count }) => id >= base && id < base + count);
}

async function eventsById(view: TransactionView, item: KeptItem | undefined): Promise<IdMap<StoredEvent>> {
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

/** What goes back for an event that was changed since: an extended one is only longer. */
function goingBack(event: StoredEvent, original: StoredEvent): StoredEvent {
  if (isExtended(event, original)) return { ...original, duration: endOf(event) - original.timestamp };
  return { ...event, id: original.id };
}

function isEqual(event: StoredEvent, original: StoredEvent): boolean {
  const { timestamp, duration, data } = event;
  return timestamp === original.timestamp && duration === original.duration && sameJson(data, original.data);
}

/** Whether it is no more than what a merging left of the original. */
function isWithin(event: StoredEvent, original: StoredEvent): boolean {
  if (isEqual(event, original)) return true;
  return (
    event.timestamp >= original.timestamp && endOf(event) <= endOf(original) && sameJson(event.data, original.data)
  );
}

function isExtended(event: StoredEvent, original: StoredEvent): boolean {
  return event.timestamp >= original.timestamp && endOf(event) > endOf(original) && sameJson(event.data, original.data);
}

function gone(bucketId: string): Error {
  return conflict(`the bucket ${quote(bucketId)} is gone, or is another one now; if it was renamed, undo that first`);
}

function takenAgain(bucketId: string): Error {
  return conflict(`there is a bucket named ${quote(bucketId)} again; rename it, or merge it, first`);
}
