import type { QueryIn } from "../api/calls.js";
import type { EventBatch } from "../domain/batch.js";
import type { Bucket } from "../domain/bucket.js";
import { clipBatches } from "../domain/clip.js";
import { AbandonedError, noSuchBucket } from "../errors.js";
import type { EventFilter } from "../filter/event-filter.js";
import type { Term } from "../filter/term.js";
import type { QueryLoad } from "../query/load.js";
import type { EventRange, EventRead, Storage, TimeRange, VersionToken } from "../storage/storage.js";
import { createTimeSlice } from "../util/time-slice.js";
import { readBatchesIfExists } from "./each-bucket.js";
import { createFilter, filterBatches, paginate, parseTerms } from "./search/filters.js";
import { closedRange, computeTimeline, emptyTimeline, type Timeline, type TimelineRequest } from "./timeline.js";

/** Conditions for events. */
export interface EventFiltering {
  /** Conditions that event data must meet, all of them. @default none */
  readonly terms?: readonly Term[];
  /** Whether the caller has left. @default never */
  readonly isGone?: () => boolean;
}

/** Selects events to read. */
export interface EventSelection extends EventRange, EventFiltering {
  /** Number of matching events to skip, in the requested order. @default 0 */
  readonly offset?: number;
}

/** A selection of events, with optional fields. */
export type EventSelectionInput = Partial<Omit<QueryIn<"getEvents">, "format">> & Pick<EventRange, "order">;

/** @throws ActivityError `INVALID_INPUT` for an invalid filter */
export function parseSelection({ start, end, limit, offset, order, filter }: EventSelectionInput): EventSelection {
  return {
    ...(typeof start === "number" && { start }),
    ...(typeof end === "number" && { end }),
    ...(typeof limit === "number" && limit >= 0 && { limit }),
    ...(offset !== undefined && { offset }),
    ...(order !== undefined && { order }),
    terms: parseTerms(filter ?? []),
  };
}

/** A bucket and all its events, newest first, as in an export. */
export interface ExportedBucket {
  readonly bucket: Bucket;
  readonly events: AsyncIterable<EventBatch>;
}

/** A timeline, and the version of its bucket; `undefined` if unknown. */
export interface TimelineRead {
  readonly version: VersionToken;
  readonly timeline: Timeline;
}

/** Reads buckets: handles ranges that end before they start, clipping, and versions. */
export class EventReads {
  readonly #storage: Storage;
  readonly #load: QueryLoad;

  constructor(storage: Storage, load: QueryLoad) {
    this.#storage = storage;
    this.#load = load;
  }

  async read(bucketId: string, selection: EventSelection): Promise<EventRead> {
    const { terms = [], offset = 0, limit, isGone, ...range } = selection;
    // First: reports an invalid filter for any range.
    const filter = terms.length === 0 ? undefined : await createFilter(this.#storage, terms, [bucketId]);
    const most = computeLimit(selection, filter !== undefined);
    const read = await this.#readRange(bucketId, { ...range, ...most });
    const { version } = read;
    const batches = isGone === undefined ? read.batches : readWhileWaiting(read.batches, isGone);
    if (filter === undefined && offset === 0) return { version, batches };
    const counting = filter === undefined ? batches : this.#filter(batches, filter, isGone);
    return { version, batches: paginate(counting, { offset, ...(limit === undefined ? {} : { limit }) }) };
  }

  async #readRange(bucketId: string, range: EventRange): Promise<EventRead> {
    if (isBackwards(range)) {
      await this.#assertBucket(bucketId);
      return { version: await this.versionOf(bucketId), batches: noBatches() };
    }
    const read = await this.#storage.read(bucketId, range);
    if (range.start === undefined && range.end === undefined) return read;
    return { version: read.version, batches: clipBatches(read.batches, range) };
  }

  async timeline(bucketId: string, request: TimelineRequest): Promise<TimelineRead> {
    const before = await this.versionOf(bucketId);
    const [summary] = await this.#storage.summaries([bucketId]);
    if (summary === undefined) throw noSuchBucket(bucketId);
    const range = closedRange(request, summary);
    if (range === undefined) return { version: before, timeline: emptyTimeline() };
    const { version, batches } = await this.#storage.read(bucketId, { ...range, order: "oldest" });
    const timeline = await computeTimeline(batches, { ...range, bins: request.bins, check: this.#load.work().check });
    // The range came from the bucket before this read; if there was a change in between, it may be outdated.
    return { version: version === before ? version : undefined, timeline };
  }

  async versionOf(bucketId: string): Promise<VersionToken> {
    const [version] = (await this.#storage.versions?.([bucketId])) ?? [];
    return version;
  }

  #filter(
    batches: AsyncIterable<EventBatch>,
    filter: EventFilter,
    isGone: EventFiltering["isGone"],
  ): AsyncGenerator<EventBatch> {
    const work = this.#load.work(isGone);
    return work.inTurns(filterBatches(batches, { filter, check: work.check, timeSlice: createTimeSlice() }));
  }

  async count(bucketId: string, { terms = [], isGone, ...range }: TimeRange & EventFiltering): Promise<number> {
    if (terms.length > 0) {
      const filter = await createFilter(this.#storage, terms, [bucketId]);
      let count = 0;
      const { batches } = await this.#readRange(bucketId, range);
      for await (const batch of this.#filter(batches, filter, isGone)) count += batch.length;
      return count;
    }
    if (!isBackwards(range)) return this.#storage.countEvents(bucketId, range);
    await this.#assertBucket(bucketId);
    return 0;
  }

  async export(bucketId?: string): Promise<ExportedBucket[]> {
    const buckets = bucketId === undefined ? await this.#storage.listBuckets() : [await this.#assertBucket(bucketId)];
    return buckets.map((bucket) => ({ bucket, events: readBatchesIfExists(this.#storage, bucket.id) }));
  }

  async #assertBucket(bucketId: string): Promise<Bucket> {
    const bucket = await this.#storage.getBucket(bucketId);
    if (bucket === undefined) throw noSuchBucket(bucketId);
    return bucket;
  }
}

/** Number of events to read. Zero if none are wanted: a read that is never started would not free its resources. */
function computeLimit({ limit, offset = 0 }: EventSelection, isFiltered: boolean): Pick<EventRange, "limit"> {
  if (limit === 0) return { limit };
  return isFiltered || limit === undefined ? {} : { limit: limit + offset };
}

function isBackwards({ start, end }: TimeRange): boolean {
  return start !== undefined && end !== undefined && start > end;
}

/** Passes the batches on while the caller waits for them. @throws AbandonedError otherwise */
async function* readWhileWaiting(
  batches: AsyncIterable<EventBatch>,
  isGone: () => boolean,
): AsyncGenerator<EventBatch> {
  for await (const batch of batches) {
    if (isGone()) throw new AbandonedError();
    yield batch;
  }
}

async function* noBatches(): AsyncGenerator<EventBatch> {}
