import type { EventBatch } from "../../domain/batch.js";
import type { EventDraft } from "../../domain/event.js";
import type { Micros } from "../../domain/time.js";
import type { TransactionView } from "../../storage/transaction.js";
import { IdMap } from "../../util/id-map.js";
import { createTimeSlice } from "../../util/time-slice.js";
import { draftChunksOf } from "../draft-chunks.js";
import { type Fate, fatesOf, type OverlapPolicy } from "./overlaps.js";

/** A merged bucket; event number n got the id `base + n`. Those after the first `count` were left out. */
export interface MergedSource {
  readonly bucketId: string;
  readonly base: number;
  readonly count: number;
}

/** What a merge wrote in the place of an event that it did not keep whole; without times: nothing. */
export type MergeNote = readonly [id: number, start: Micros, end: Micros] | readonly [id: number];

/** Notes that are kept in the record of the undo; a bucket for so few would cost more. */
const MOST_INLINE = 100;

/** The id that an event has in the merged bucket; `undefined` for one that is after all that were written. */
export function mergedId({ source, position, event }: Fate, sources: readonly MergedSource[]): number | undefined {
  if (source === 0) return event.id;
  const { base, count } = sources[source - 1] as MergedSource;
  return position < count ? base + position : undefined;
}

export function isWritten({ outcome }: Pick<Fate, "outcome">): boolean {
  return outcome === "kept" || outcome === "cut";
}

function noteOf(fate: Fate, sources: readonly MergedSource[]): MergeNote | undefined {
  const id = fate.outcome === "kept" ? undefined : mergedId(fate, sources);
  if (id === undefined) return undefined;
  return isWritten(fate) ? [id, fate.start, fate.end] : [id];
}

/** Collects what did not stay whole, as long as it is little. */
export class FewFates {
  #fates: Fate[] | undefined = [];

  see(fate: Fate): void {
    if (fate.outcome === "kept" || this.#fates === undefined) return;
    if (this.#fates.length === MOST_INLINE) this.#fates = undefined;
    else this.#fates.push(fate);
  }

  /** @returns `undefined`: there are too many */
  notes(sources: readonly MergedSource[]): readonly MergeNote[] | undefined {
    return this.#fates?.flatMap((fate) => {
      const note = noteOf(fate, sources);
      return note === undefined ? [] : [note];
    });
  }
}

const LEFT_OUT = { left_out: true };
const CUT = {};

/** Notes as events of a bucket that the trash keeps. */
export function noteDrafts(
  reads: readonly AsyncIterable<EventBatch>[],
  policy: OverlapPolicy,
  sources: readonly MergedSource[],
): AsyncGenerator<readonly EventDraft[]> {
  return draftsOfFates(reads, policy, (fate) => {
    const note = noteOf(fate, sources);
    if (note === undefined) return undefined;
    const [id, start = fate.event.timestamp, end = start] = note;
    return { id, timestamp: start, duration: end - start, data: isWritten(fate) ? CUT : LEFT_OUT };
  });
}

/** Merges reads and makes at most one draft of each event, in lists. */
export function draftsOfFates(
  reads: readonly AsyncIterable<EventBatch>[],
  policy: OverlapPolicy,
  draftOf: (fate: Fate) => EventDraft | undefined,
): AsyncGenerator<readonly EventDraft[]> {
  return draftChunksOf(fatesOf(reads, policy), (fates) => fates.flatMap((fate) => draftOf(fate) ?? []));
}

/** Where an event began and ended after a merge; `null`: it was left out. */
export type Written = { readonly start: Micros; readonly end: Micros } | null;

/** By id, all but those events that stayed whole. @param notesId the bucket that has them where the list has not */
export async function readNotes(
  view: TransactionView,
  notes: readonly MergeNote[] | null,
  notesId: string,
): Promise<IdMap<Written>> {
  const written = new IdMap<Written>();
  for (const [id, start, end] of notes ?? []) {
    written.set(id, start === undefined || end === undefined ? null : { start, end });
  }
  if (notes !== null) return written;
  const timeSlice = createTimeSlice();
  for await (const batch of (await view.read(notesId, { order: "oldest" })).batches) {
    for (const { id, timestamp, duration, data } of batch.events()) {
      written.set(id, "left_out" in data ? null : { start: timestamp, end: timestamp + duration });
    }
    await timeSlice.yield();
  }
  return written;
}
