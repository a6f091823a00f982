import type { EventBatch } from "../../domain/batch.js";
import type { EventDraft } from "../../domain/event.js";
import type { Micros } from "../../domain/time.js";
import type { TransactionView } from "../../storage/transaction.js";
import { IdMap } from "../../util/id-map.js";
import { createTimeSlice } from "../../util/time-slice.js";
import { chunkDraftsFrom } from "../draft-chunks.js";
import { type OverlapPolicy, type OverlapResolution, resolveOverlaps } from "./overlaps.js";

/** A merged bucket; event number n got the ID `base + n`. Events after the first `count` were left out. */
export interface MergedSource {
  readonly bucketId: string;
  readonly base: number;
  readonly count: number;
}

/** The result of a merge for an event that changed; without times, the event was left out. */
export type MergeNote = readonly [id: number, start: Micros, end: Micros] | readonly [id: number];

/** Maximum number of notes in the undo record; a bucket for so few would cost more. */
const MAX_INLINE = 100;

/** The ID of an event in the merged bucket; `undefined` for an event after the last written one. */
export function mergedId(
  { source, position, event }: OverlapResolution,
  sources: readonly MergedSource[],
): number | undefined {
  if (source === 0) return event.id;
  const { base, count } = sources[source - 1] as MergedSource;
  return position < count ? base + position : undefined;
}

export function isWritten({ outcome }: Pick<OverlapResolution, "outcome">): boolean {
  return outcome === "kept" || outcome === "cut";
}

function createNote(resolution: OverlapResolution, sources: readonly MergedSource[]): MergeNote | undefined {
  const id = resolution.outcome === "kept" ? undefined : mergedId(resolution, sources);
  if (id === undefined) return undefined;
  return isWritten(resolution) ? [id, resolution.start, resolution.end] : [id];
}

/** Collects changed events, up to a limit. */
export class InlineNotes {
  #resolutions: OverlapResolution[] | undefined = [];

  add(resolution: OverlapResolution): void {
    if (resolution.outcome === "kept" || this.#resolutions === undefined) return;
    if (this.#resolutions.length === MAX_INLINE) this.#resolutions = undefined;
    else this.#resolutions.push(resolution);
  }

  /** @returns `undefined` if there are too many */
  notes(sources: readonly MergedSource[]): readonly MergeNote[] | undefined {
    return this.#resolutions?.flatMap((resolution) => {
      const note = createNote(resolution, sources);
      return note === undefined ? [] : [note];
    });
  }
}

const LEFT_OUT = { left_out: true };
const CUT = {};

/** Notes as events of a bucket in the trash. */
export function createNoteDrafts(
  reads: readonly AsyncIterable<EventBatch>[],
  policy: OverlapPolicy,
  sources: readonly MergedSource[],
): AsyncGenerator<readonly EventDraft[]> {
  return draftResolutions(reads, policy, (resolution) => {
    const note = createNote(resolution, sources);
    if (note === undefined) return undefined;
    const [id, start = resolution.event.timestamp, end = start] = note;
    return { id, timestamp: start, duration: end - start, data: isWritten(resolution) ? CUT : LEFT_OUT };
  });
}

/** Merges reads and creates at most one draft from each event, in lists. */
export function draftResolutions(
  reads: readonly AsyncIterable<EventBatch>[],
  policy: OverlapPolicy,
  draftOf: (resolution: OverlapResolution) => EventDraft | undefined,
): AsyncGenerator<readonly EventDraft[]> {
  return chunkDraftsFrom(resolveOverlaps(reads, policy), (resolutions) =>
    resolutions.flatMap((resolution) => draftOf(resolution) ?? []),
  );
}

/** The start and end of an event after a merge; `null`: it was left out. */
export type WrittenRange = { readonly start: Micros; readonly end: Micros } | null;

/** Reads the changed events by ID. @param notesId the bucket with the notes if the list is missing */
export async function readNotes(
  view: TransactionView,
  notes: readonly MergeNote[] | null,
  notesId: string,
): Promise<IdMap<WrittenRange>> {
  const written = new IdMap<WrittenRange>();
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
