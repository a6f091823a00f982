import type { ActivityEventDraft } from "../domain/activity-event.js";
import type { Bucket, BucketDraft } from "../domain/bucket.js";
import type { EventDraft } from "../domain/event.js";
import { ActivityError, hasCode } from "../errors.js";
import type { Storage } from "../storage/storage.js";
import { createTimeSlice } from "../util/time-slice.js";
import type { SortedRun } from "./import/draft-run.js";
import type { DraftList } from "./import/spool.js";
import { type ImportStep, stepsOf } from "./import/steps.js";
import { retrying } from "./retrying.js";

/** A bucket of an export document. Its events carry no ids: those of another server have no meaning here. */
export interface ImportedBucket {
  readonly bucketId: string;
  readonly draft: BucketDraft;
  readonly events: readonly ActivityEventDraft[];
}

/** The same with its events in a spool. */
export interface SpooledBucket {
  readonly bucketId: string;
  readonly draft: BucketDraft;
  readonly events: DraftList;
}

/** What an export document holds, checked and ready to be stored. */
export interface ImportDocument {
  readonly buckets: readonly SpooledBucket[];
  /** Events that were left out because they are not valid. */
  readonly invalidEvents: number;
}

/** What was stored of an import. */
export interface ImportCounts {
  /** Buckets that did not exist before. */
  readonly bucketsCreated: number;
  /** Buckets that existed and took in what was new. */
  readonly bucketsMerged: number;
  readonly eventsImported: number;
  /** Events left out because the bucket already held the same instant, duration and data. */
  readonly eventsKnown: number;
  /** Events left out because a privacy rule dropped them; absent when none were. */
  readonly eventsDropped?: number;
  /** Events of which a privacy rule left out a part, known ones included; absent when there were none. */
  readonly eventsChanged?: number;
}

/** What an import of documents did. */
export interface ImportResult extends ImportCounts {
  /** Events that were left out because they are not valid. */
  readonly eventsInvalid: number;
}

/** A bucket with everything that one import brings for it. */
export interface ImportJob {
  readonly bucket: Bucket;
  readonly runs: readonly SortedRun[];
}

/** What goes with a merging. */
export interface ImportTurns {
  /** What is left of drafts. @default all of them */
  keep?(bucketId: string, drafts: readonly EventDraft[]): Promise<KeptOfStep>;
  /**
   * Creates a bucket, unless it exists. Throws `ChangedMeanwhile` where its id leads to another one.
   *
   * @default without a look at where it leads
   */
  create?(bucket: Bucket): Promise<boolean>;
  /** Which bucket an id leads to by now. @default the same */
  leadsTo?(bucketId: string): Promise<string>;
  /** Called behind what was written. */
  tell?(kind: "bucket-created" | "events-written", bucketId: string): void;
}

interface KeptOfStep {
  readonly drafts: readonly EventDraft[];
  /** How many of them have other data than before. */
  readonly changed: number;
}

/**
 * Merges buckets into a storage (docs/api.md#export-and-import): an existing bucket keeps its record, and an event is
 * left out when the bucket held an equal one before. Twins inside one import are both stored, so nothing in it is lost,
 * and a second import of the same document adds nothing, even at the same time.
 */
export async function importBuckets(
  storage: Storage,
  jobs: readonly ImportJob[],
  {
    keep = async (_, drafts) => ({ drafts, changed: 0 }),
    leadsTo = async (bucketId) => bucketId,
    create = async (bucket) => (await storage.createBucket(bucket)) !== undefined,
    tell,
  }: ImportTurns = {},
): Promise<ImportCounts> {
  const counts = { bucketsCreated: 0, bucketsMerged: 0, eventsImported: 0, eventsKnown: 0 };
  let eventsDropped = 0;
  let eventsChanged = 0;
  try {
    for (const { bucket, runs } of oneJobPerBucket(jobs)) {
      const { bucketId, isNew } = await retrying(async () => {
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
        await mergeSteps(storage, target, keptSteps(target, runs), counts);
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

/** The error of an import that failed. The storage speaks of its last call, and some may have been stored before. */
function importStopped(thrown: unknown, { eventsImported, bucketsCreated }: ImportCounts): unknown {
  if (!ActivityError.is(thrown) || eventsImported + bucketsCreated === 0) return thrown;
  const stored = `${counted(eventsImported, "event")} and ${counted(bucketsCreated, "new bucket")}`;
  const { reason = thrown.message } = thrown;
  const message = `the import stopped after storing ${stored}: ${reason}; import it again to add the rest`;
  const fault = { name: "importStopped", values: { events: eventsImported, buckets: bucketsCreated } };
  // A storage that failed in another way says itself what happened.
  const isFull = thrown.code === "STORAGE_FULL";
  return new ActivityError(thrown.code, message, { cause: thrown, ...(isFull ? { fault } : {}) });
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Two documents, or two keys of one, may speak of the same bucket; the first record counts. */
function oneJobPerBucket(jobs: readonly ImportJob[]): Iterable<ImportJob> {
  const byBucket = new Map<string, ImportJob>();
  for (const job of jobs) {
    const earlier = byBucket.get(job.bucket.id);
    byBucket.set(job.bucket.id, earlier ? { ...earlier, runs: [...earlier.runs, ...job.runs] } : job);
  }
  return byBucket.values();
}

/** The bucket that events go to: it may be renamed, or become part of another one, while they are on their way. */
class ImportTarget {
  /** Drafts that were not kept. */
  dropped = 0;
  /** Drafts that were kept with other data. */
  changed = 0;
  #bucketId: string;
  readonly #keep: NonNullable<ImportTurns["keep"]>;
  readonly #leadsTo: NonNullable<ImportTurns["leadsTo"]>;

  constructor(bucketId: string, keep: NonNullable<ImportTurns["keep"]>, leadsTo: NonNullable<ImportTurns["leadsTo"]>) {
    this.#bucketId = bucketId;
    this.#keep = keep;
    this.#leadsTo = leadsTo;
  }

  get bucketId(): string {
    return this.#bucketId;
  }

  async kept(drafts: readonly EventDraft[]): Promise<readonly EventDraft[]> {
    const kept = await this.#keep(this.#bucketId, drafts);
    this.dropped += drafts.length - kept.drafts.length;
    this.changed += kept.changed;
    return kept.drafts;
  }

  /** Writes once more where the bucket has another id by now: a write that found none has changed nothing. */
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
      if (this.#bucketId === bucketId) throw thrown;
      return this.write(await this.kept(drafts), call);
    }
  }
}

/** Equal drafts are kept or dropped alike, so a step that continues another one still does. */
async function* keptSteps(target: ImportTarget, runs: readonly SortedRun[]): AsyncGenerator<ImportStep> {
  for await (const { drafts, isContinued } of stepsOf(runs)) yield { drafts: await target.kept(drafts), isContinued };
}

/** Stores the events of a bucket, and counts those that are stored even if it fails. */
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
  const sized = (drafts: readonly EventDraft[]): readonly EventDraft[] => {
    size = drafts.length;
    return drafts;
  };
  try {
    // The next step is prepared while the last one is being written.
    for await (const { drafts, isContinued } of steps) {
      const before = await settle();
      if (!isContinued) {
        writing = target.write(drafts, (bucketId, kept) => storage.mergeEvents(bucketId, sized(kept)));
      } else if (before === 0) {
        sized(drafts);
      } else {
        writing = target.write(drafts, async (bucketId, kept) => {
          return (await storage.putEvents(bucketId, sized(kept))).length;
        });
      }
      // A failure is reported by whoever settles it; without a handler it would end the process before that.
      writing.catch(() => undefined);
      await timeSlice.yield();
    }
  } finally {
    await settle();
  }
}
