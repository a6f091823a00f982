import type { Bucket, BucketDraft } from "./domain/bucket.js";
import type { EventDraft } from "./domain/event.js";
import { printObject, sameJson } from "./domain/json.js";
import type { Micros } from "./domain/time.js";
import { createPace } from "./pace.js";
import type { Storage } from "./storage.js";

/** A bucket of an export document. Its events carry no ids: those of another server have no meaning here. */
export interface ImportedBucket {
  readonly bucketId: string;
  readonly draft: BucketDraft;
  readonly events: readonly EventDraft[];
}

/** What an import did. */
export interface ImportCounts {
  /** Buckets that did not exist before. */
  readonly bucketsCreated: number;
  /** Buckets that existed and took in what was new. */
  readonly bucketsMerged: number;
  readonly eventsImported: number;
  /** Events left out because the bucket already held the same instant, duration and data. */
  readonly eventsKnown: number;
}

/** A bucket with everything that one import brings for it. */
export interface ImportJob {
  readonly bucket: Bucket;
  readonly events: readonly EventDraft[];
}

/** Events, and characters of their data, in one call of the storage: a heartbeat behind it must not notice. */
const SLICE = 1000;
const SLICE_LENGTH = 1024 * 1024;

/**
 * Where imports wait for each other: of two with the same content the second has to find what the first one brought.
 */
export type ImportLine = (jobs: readonly ImportJob[]) => Promise<ImportCounts>;

/** Makes a line for the imports into a storage. */
export function createImportLine(storage: Storage): ImportLine {
  let last: Promise<unknown> = Promise.resolve();
  return (jobs) => {
    const importing = last.then(() => importBuckets(storage, jobs));
    last = importing.catch(() => undefined);
    return importing;
  };
}

/**
 * Merges buckets into a storage (contract rest.md 4.7): an existing bucket keeps its record, and an event is left out
 * when the bucket held an equal one before. Twins inside one import are both stored, so nothing in it is lost, and a
 * second import of the same document adds nothing.
 */
export async function importBuckets(storage: Storage, jobs: readonly ImportJob[]): Promise<ImportCounts> {
  const counts = {
    bucketsCreated: 0,
    bucketsMerged: 0,
    eventsImported: 0,
    eventsKnown: 0,
  };
  for (const { bucket, events } of oneJobPerBucket(jobs)) {
    const created = await storage.createBucket(bucket);
    if (created) counts.bucketsCreated++;
    else counts.bucketsMerged++;
    const fresh = created ? events : await withoutKnown(storage, bucket.id, events);
    counts.eventsKnown += events.length - fresh.length;
    await putInSlices(storage, bucket.id, fresh);
    counts.eventsImported += fresh.length;
  }
  return counts;
}

/** Two documents, or two keys of one, may speak of the same bucket; the first record counts. */
function oneJobPerBucket(jobs: readonly ImportJob[]): Iterable<ImportJob> {
  const byBucket = new Map<string, ImportJob>();
  for (const job of jobs) {
    const earlier = byBucket.get(job.bucket.id);
    const joined = earlier && {
      bucket: earlier.bucket,
      events: [...earlier.events, ...job.events],
    };
    byBucket.set(job.bucket.id, joined ?? job);
  }
  return byBucket.values();
}

async function putInSlices(storage: Storage, bucketId: string, events: readonly EventDraft[]): Promise<void> {
  const pace = createPace();
  // The next slice is prepared while the last one is being written.
  let writing: Promise<unknown> = Promise.resolve();
  for (const slice of slicesOf(events)) {
    const earlier = writing;
    writing = storage.putEvents(bucketId, slice);
    // A failure is reported by the await below; without a handler it would end the process before that.
    writing.catch(() => undefined);
    await earlier;
    await pace.breathe();
  }
  await writing;
}

function* slicesOf(events: readonly EventDraft[]): Generator<readonly EventDraft[]> {
  let start = 0;
  let length = 0;
  for (const [index, event] of events.entries()) {
    length += printObject(event.data).length;
    if (index + 1 - start < SLICE && length < SLICE_LENGTH) continue;
    yield events.slice(start, index + 1);
    start = index + 1;
    length = 0;
  }
  if (start < events.length) yield events.slice(start);
}

async function withoutKnown(
  storage: Storage,
  bucketId: string,
  events: readonly EventDraft[],
): Promise<readonly EventDraft[]> {
  const pace = createPace();
  const byTimestamp = new Map<Micros, number[]>();
  let start = Number.POSITIVE_INFINITY;
  let end = Number.NEGATIVE_INFINITY;
  for (const [index, event] of events.entries()) {
    start = Math.min(start, event.timestamp);
    end = Math.max(end, event.timestamp);
    const twins = byTimestamp.get(event.timestamp);
    if (twins === undefined) byTimestamp.set(event.timestamp, [index]);
    else twins.push(index);
    if (index % SLICE === 0) await pace.breathe();
  }
  if (events.length === 0) return events;
  const known = new Set<number>();
  // Negative durations end before they start, so the range is asked for without a start.
  for await (const chunk of storage.readEvents(bucketId, { end })) {
    for (const held of chunk) {
      for (const index of byTimestamp.get(held.timestamp) ?? []) {
        const event = events[index] as EventDraft;
        if (event.duration === held.duration && sameJson(event.data, held.data)) known.add(index);
      }
    }
    if ((chunk.at(-1)?.timestamp ?? start) < start) break;
    await pace.breathe();
  }
  return events.filter((_, index) => !known.has(index));
}
