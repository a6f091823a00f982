import type { ActivityEventDraft } from "../domain/activity-event.js";
import type { Bucket, BucketDraft } from "../domain/bucket.js";
import type { EventDraft } from "../domain/event.js";
import { ActivityError, hasCode, quote } from "../errors.js";
import type { Storage } from "../storage/storage.js";
import { createTimeSlice } from "../util/time-slice.js";
import type { SortedRun } from "./import/draft-run.js";
import type { DraftList } from "./import/spool.js";
import { createSteps, type ImportStep } from "./import/steps.js";
import { retryOnChange } from "./retry-on-change.js";

/** A bucket of an export document. Its events have no IDs: IDs from another server have no meaning here. */
export interface ImportedBucket {
  readonly bucketId: string;
  readonly draft: BucketDraft;
  readonly events: readonly ActivityEventDraft[];
}

/** An imported bucket with its events in a spool. */
export interface SpooledBucket {
  readonly bucketId: string;
  readonly draft: BucketDraft;
  readonly events: DraftList;
}

/** The validated content of an export document. */
export interface ImportDocument {
  readonly buckets: readonly SpooledBucket[];
  /** Events that were skipped because they are invalid. */
  readonly invalidEvents: number;
}

/** Counts of imported data. */
export interface ImportCounts {
  /** Created buckets. */
  readonly bucketsCreated: number;
  /** Existing buckets that got new events. */
  readonly bucketsMerged: number;
  readonly eventsImported: number;
  /** Events skipped because the bucket already contained the same timestamp, duration and data. */
  readonly eventsKnown: number;
  /** Events that privacy rules dropped; absent if there were none. */
  readonly eventsDropped?: number;
  /** Events that privacy rules changed, including known ones; absent if there were none. */
  readonly eventsChanged?: number;
}

/** The result of importing documents. */
export interface ImportResult extends ImportCounts {
  /** Events that were skipped because they are invalid. */
  readonly eventsInvalid: number;
}

/** A bucket with all its events of one import. */
export interface ImportJob {
  readonly bucket: Bucket;
  readonly runs: readonly SortedRun[];
}

/** Callbacks of an import. */
export interface ImportCallbacks {
  /** Filters drafts. @default keeps all of them */
  keep?(bucketId: string, drafts: readonly EventDraft[]): Promise<FilteredDrafts>;
  /**
   * Creates a bucket, unless it exists. Throws `ConcurrentChange` if its ID redirects to another one.
   *
   * @default creates it without looking for redirects
   */
  create?(bucket: Bucket): Promise<boolean>;
  /** The current target of an ID. @default the same ID */
  leadsTo?(bucketId: string): Promise<string>;
  /** Called after each write. */
  tell?(kind: "bucket-created" | "events-written", bucketId: string): void;
}

interface FilteredDrafts {
  readonly drafts: readonly EventDraft[];
  /** How many of them have changed data. */
  readonly changed: number;
}

/**
 * Merges buckets into a storage (docs/reference/api.md#export-and-import): an existing bucket keeps its record, and
 * skips an event if it contained an equal one before. Twins inside one import are both stored, so nothing is lost, and
 * importing the same document again adds nothing, even at the same time.
 */
export async function importBuckets(
  storage: Storage,
  jobs: readonly ImportJob[],
  {
    keep = async (_, drafts) => ({ drafts, changed: 0 }),
    leadsTo = async (bucketId) => bucketId,
    create = async (bucket) => (await storage.createBucket(bucket)) !== undefined,
    tell,
  }: ImportCallbacks = {},
): Promise<ImportCounts> {
  const counts = { bucketsCreated: 0, bucketsMerged: 0, eventsImported: 0, eventsKnown: 0 };
  let eventsDropped = 0;
  let eventsChanged = 0;
  try {
    for (const { bucket, runs } of combineJobs(jobs)) {
      const { bucketId, isNew } = await retryOnChange(async () => {
        const id = await leadsTo(bucket.id);
        return { bucketId: id, isNew: await create({ ...bucket, id }) };
      });
      if (isNew) {
        counts.bucketsCreated++;
        tell?.("bucket-created", bucketId);
      } else counts.bucketsMerged++;
      const target = new ImportTarget(bucketId, keep, leadsTo);
      const before = counts.eventsImported;
      try {
        await mergeSteps(storage, target, createSteps(runs), counts);
      } finally {
        if (counts.eventsImported > before) tell?.("events-written", target.bucketId);
      }
      eventsDropped += target.dropped;
      eventsChanged += target.changed;
    }
  } catch (thrown) {
    throw importStopped(thrown, counts);
  }
  return {
    ...counts,
    ...(eventsDropped === 0 ? {} : { eventsDropped }),
    ...(eventsChanged === 0 ? {} : { eventsChanged }),
  };
}

/** The error for a failed import. The storage reports its last call, and earlier ones may have been stored. */
function importStopped(thrown: unknown, { eventsImported, bucketsCreated }: ImportCounts): unknown {
  if (!ActivityError.is(thrown) || eventsImported + bucketsCreated === 0) return thrown;
  const stored = `${formatCount(eventsImported, "event")} and ${formatCount(bucketsCreated, "new bucket")}`;
  const { reason = thrown.message } = thrown;
  const message = `the import stopped after storing ${stored}: ${reason}; import it again to add the rest`;
  const fault = { name: "importStopped", values: { events: eventsImported, buckets: bucketsCreated } };
  // Other storage errors describe the failure themselves.
  const isFull = thrown.code === "STORAGE_FULL";
  return new ActivityError(thrown.code, message, { cause: thrown, ...(isFull ? { fault } : {}) });
}

/** Not `NO_SUCH_BUCKET`: an import creates the buckets that it names. */
function deletedDuringImport(bucketId: string, cause: unknown): ActivityError {
  const reason = `bucket ${quote(bucketId)} was deleted during the import`;
  return new ActivityError("CONFLICT", `${reason}; import it again`, { reason, cause });
}

function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** If two documents, or two keys of one, name the same bucket, the first record wins. */
function combineJobs(jobs: readonly ImportJob[]): Iterable<ImportJob> {
  const byBucket = new Map<string, ImportJob>();
  for (const job of jobs) {
    const earlier = byBucket.get(job.bucket.id);
    byBucket.set(job.bucket.id, earlier ? { ...earlier, runs: [...earlier.runs, ...job.runs] } : job);
  }
  return byBucket.values();
}

/** The target bucket of events: it may be renamed or merged while they are written. */
class ImportTarget {
  /** Number of drafts that were not kept. */
  dropped = 0;
  /** Number of drafts that were kept with other data. */
  changed = 0;
  #bucketId: string;
  readonly #keep: NonNullable<ImportCallbacks["keep"]>;
  readonly #leadsTo: NonNullable<ImportCallbacks["leadsTo"]>;

  constructor(
    bucketId: string,
    keep: NonNullable<ImportCallbacks["keep"]>,
    leadsTo: NonNullable<ImportCallbacks["leadsTo"]>,
  ) {
    this.#bucketId = bucketId;
    this.#keep = keep;
    this.#leadsTo = leadsTo;
  }

  get bucketId(): string {
    return this.#bucketId;
  }

  async filter(drafts: readonly EventDraft[]): Promise<readonly EventDraft[]> {
    const kept = await this.#keep(this.#bucketId, drafts);
    this.dropped += drafts.length - kept.drafts.length;
    this.changed += kept.changed;
    return kept.drafts;
  }

  /** Retries if the bucket has a new ID: a write without a bucket has changed nothing. */
  async write(
    drafts: readonly EventDraft[],
    call: (bucketId: string, drafts: readonly EventDraft[]) => Promise<number>,
  ): Promise<number> {
    const bucketId = this.#bucketId;
    try {
      return await call(bucketId, drafts);
    } catch (thrown) {
      if (!hasCode(thrown, "NO_SUCH_BUCKET")) throw thrown;
      this.#bucketId = await this.#leadsTo(bucketId);
      if (this.#bucketId === bucketId) throw deletedDuringImport(bucketId, thrown);
      return this.write(await this.filter(drafts), call);
    }
  }
}

/** Stores the events of a bucket, and counts stored ones even if it fails. */
async function mergeSteps(
  storage: Storage,
  target: ImportTarget,
  steps: AsyncIterable<ImportStep>,
  counts: { eventsImported: number; eventsKnown: number },
): Promise<void> {
  const timeSlice = createTimeSlice();
  let size = 0;
  let writing: Promise<number> = Promise.resolve(0);
  const settle = async (): Promise<number> => {
    const stored = await writing;
    counts.eventsImported += stored;
    counts.eventsKnown += size - stored;
    size = 0;
    writing = Promise.resolve(0);
    return stored;
  };
  const setSize = (drafts: readonly EventDraft[]): readonly EventDraft[] => {
    size = drafts.length;
    return drafts;
  };
  try {
    // Reads the next step while the last one is being written.
    for await (const step of steps) {
      const before = await settle();
      const { isContinued } = step;
      // Only now: rules and access may have changed while the last one was being written. Keeps or drops equal drafts
      // alike, so a continued step stays one.
      const drafts = await target.filter(step.drafts);
      if (!isContinued) {
        writing = target.write(drafts, (bucketId, kept) => storage.mergeEvents(bucketId, setSize(kept)));
      } else if (before === 0) {
        setSize(drafts);
      } else {
        writing = target.write(drafts, async (bucketId, kept) => {
          return (await storage.putEvents(bucketId, setSize(kept))).length;
        });
      }
      // `settle` reports a failure; without a handler it would end the process before that.
      writing.catch(() => undefined);
      await timeSlice.yield();
    }
  } finally {
    await settle();
  }
}
