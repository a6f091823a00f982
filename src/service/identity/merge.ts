import type { DomainOf } from "../../api/codec.js";
import type { EventBatch } from "../../domain/batch.js";
import type { EventDraft } from "../../domain/event.js";
import type { Micros } from "../../domain/time.js";
import { fieldUnfit, noSuchBucket, quote } from "../../errors.js";
import type { TransactionChange, TransactionView } from "../../storage/transaction.js";
import { BUCKET_ACCESS_KIND } from "../access/bucket-access.js";
import { mergeTimes, PRIVATE_TIMES_KIND } from "../privacy/private-times.js";
import type { Bin } from "../trash/bin.js";
import { type Reader, readAllEvents } from "./forward-reader.js";
import { ensureIncarnation } from "./incarnation.js";
import {
  createNoteDrafts,
  draftResolutions,
  InlineNotes,
  isWritten,
  type MergedSource,
  type MergeNote,
  mergedId,
} from "./merge-notes.js";
import { type OverlapPolicy, type OverlapResolution, resolveOverlaps } from "./overlaps.js";
import { conflict } from "./relabel.js";
import type { RecordStep } from "./undo.js";

/** Counts of what a merge did to the events of a bucket. */
export type MergedBucket = DomainOf<"MergedBucket">;

/** A target bucket of a merge, for its undo. */
export interface MergeSteps {
  readonly into: string;
  readonly intoCreated: Micros;
  /** Its incarnation; missing in undos of versions before 0.3. */
  readonly incarnation?: string | null;
  readonly policy: OverlapPolicy;
  readonly sources: readonly MergedSource[];
  /** Changed events; `null`: they are in a bucket of the trash. Missing in undos of versions before 0.3. */
  readonly notes?: readonly MergeNote[] | null;
  /** Later merges into the bucket have a greater number. */
  readonly order?: number;
  /** IDs of events that have left the bucket since, other than by a deletion. */
  readonly moved?: readonly number[];
  /** The trash entry with the data that the merge removed. */
  readonly entryId: string;
  readonly records: readonly RecordStep[];
}

/** A planned merge. */
export interface MergePlan {
  readonly changes: readonly TransactionChange[];
  readonly buckets: readonly MergedBucket[];
  readonly steps: Omit<MergeSteps, "entryId" | "records" | "order">;
  /** The access and private times of the buckets; not part of the changes. */
  readonly records: readonly RecordStep[];
}

/** Maximum number of buckets per merge. */
const MAX_BUCKETS = 100;

/** @throws ActivityError `INVALID_INPUT` */
export function checkSources(into: string, from: readonly string[]): void {
  if (from.length === 0) throw fieldUnfit("from", "must be a list of at least one bucket id, got an empty one");
  if (from.length > MAX_BUCKETS) throw fieldUnfit("from", `must be at most ${MAX_BUCKETS} buckets, got ${from.length}`);
  const twice = from.find((id, index) => id === into || from.indexOf(id) !== index);
  if (twice !== undefined)
    throw fieldUnfit("from", `must be other buckets, each once, got ${quote(twice)} twice or as the target`);
}

/** Counts what a merge would do to events. @param reads the target bucket's events, then the other buckets' events */
export async function countResolutions(
  bucketIds: readonly string[],
  reads: readonly AsyncIterable<EventBatch>[],
  policy: OverlapPolicy,
  see: (resolution: OverlapResolution) => void = () => undefined,
): Promise<MergedBucket[]> {
  const buckets = bucketIds.map((bucketId) => ({ bucketId, events: 0, equal: 0, cut: 0, covered: 0 }));
  for await (const resolutions of resolveOverlaps(reads, policy)) {
    for (const resolution of resolutions) {
      const bucket = buckets[resolution.source] as (typeof buckets)[number];
      bucket.events++;
      if (resolution.outcome !== "kept") bucket[resolution.outcome]++;
      see(resolution);
    }
  }
  return buckets;
}

/**
 * Plans a merge of buckets. Reads their events twice, a slice at a time: first to find those for the trash, then to
 * write. If many events change, reads them once more to note these.
 *
 * @throws ActivityError `NO_SUCH_BUCKET`
 */
export async function planMerge(
  view: TransactionView,
  bin: Bin,
  [into, ...from]: readonly [string, ...string[]],
  policy: OverlapPolicy,
): Promise<MergePlan> {
  const bucket = await view.getBucket(into);
  if (bucket === undefined) throw noSuchBucket(into);
  for (const bucketId of from) if ((await view.getBucket(bucketId)) === undefined) throw noSuchBucket(bucketId);
  const touched: number[] = [];
  const few = new InlineNotes();
  /** By source, the number of events up to the last written one. */
  const counts: number[] = [0, ...from.map(() => 0)];
  const buckets = await countResolutions([into, ...from], readBuckets(view, [into, ...from]), policy, (resolution) => {
    const { source, position } = resolution;
    few.add(resolution);
    if (source > 0 && isWritten(resolution)) counts[source] = Math.max(counts[source] as number, position + 1);
    else if (source === 0 && resolution.outcome !== "kept") touched.push(resolution.event.id);
  });
  const sources = assignIds(from, counts.slice(1), await view.nextEventId(into));
  const notes = few.notes(sources);
  const changes: TransactionChange[] = touched.length === 0 ? [] : await bin.deleteEvents(into, touched);
  if (notes === undefined)
    changes.push(...bin.createNotes(createNoteDrafts(readBuckets(view, [into, ...from]), policy, sources)));
  const drafts = draftResolutions(readBuckets(view, [into, ...from]), policy, (resolution) =>
    createDraft(resolution, sources),
  );
  changes.push({ kind: "putEvents", bucketId: into, drafts });
  const records: RecordStep[] = [];
  for (const bucketId of from) {
    changes.push(...(await bin.deleteBucket(bucketId)));
    records.push(...(await planRecordDeletion(view, bucketId)));
  }
  records.push(...(await planPrivateTimes(view, into, from)));
  const { incarnation, changes: kept } = await ensureIncarnation(view, into);
  changes.push(...kept);
  const steps = { into, intoCreated: bucket.created, incarnation, policy, sources, notes: notes ?? null };
  return { changes, buckets, steps, records };
}

/**
 * IDs end with a written event: otherwise the bucket would assign later IDs to other events, and an undo would treat
 * these as merged.
 */
function assignIds(from: readonly string[], counts: readonly number[], firstId: number): MergedSource[] {
  let base = firstId;
  return from.map((bucketId, index) => {
    const count = counts[index] as number;
    base += count;
    return { bucketId, base: base - count, count };
  });
}

export function readBuckets(reader: Reader, bucketIds: readonly string[]): AsyncIterable<EventBatch>[] {
  return bucketIds.map((bucketId) => readAllEvents(reader, bucketId));
}

function createDraft(resolution: OverlapResolution, sources: readonly MergedSource[]): EventDraft | undefined {
  const { source, event, outcome, start, end } = resolution;
  if (!isWritten(resolution) || (source === 0 && outcome === "kept")) return undefined;
  const id = mergedId(resolution, sources) as number;
  return { id, timestamp: start, duration: end - start, data: event.data };
}

/** The bucket is deleted, with its records. */
async function planRecordDeletion(view: TransactionView, bucketId: string): Promise<RecordStep[]> {
  const steps: RecordStep[] = [];
  for (const kind of [BUCKET_ACCESS_KIND, PRIVATE_TIMES_KIND]) {
    const held = await view.getRecord(kind, bucketId);
    if (held !== undefined) steps.push([kind, bucketId, held, null]);
  }
  return steps;
}

/** Heartbeats must not merge across the private times of any source or target bucket. */
async function planPrivateTimes(view: TransactionView, into: string, from: readonly string[]): Promise<RecordStep[]> {
  const before = await view.getRecord(PRIVATE_TIMES_KIND, into);
  const all = [before ?? []];
  for (const bucketId of from) all.push((await view.getRecord(PRIVATE_TIMES_KIND, bucketId)) ?? []);
  const after = mergeTimes(all);
  return after.length === 0 ? [] : [[PRIVATE_TIMES_KIND, into, before ?? null, after]];
}

/** @throws ActivityError `CONFLICT` for an ID that redirects to another bucket */
export function refuseRedirected(bucketId: string, to: string): void {
  if (bucketId === to) return;
  throw conflict(`${quote(bucketId)} is redirected to ${quote(to)}; delete that redirect first`);
}
