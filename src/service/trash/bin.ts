import { EventBatch } from "../../domain/batch.js";
import type { Bucket } from "../../domain/bucket.js";
import type { StoredEvent } from "../../domain/event.js";
import { noSuchBucket } from "../../errors.js";
import { trashBucketId } from "../../storage/space.js";
import type { Storage, TimeRange } from "../../storage/storage.js";
import type { DraftSource, TransactionChange, TransactionView } from "../../storage/transaction.js";
import { IdSet } from "../../util/id-set.js";
import { createTimeSlice } from "../../util/time-slice.js";
import { BUCKET_ACCESS_KIND, readAccess } from "../access/bucket-access.js";
import { getIncarnation, moveIncarnation } from "../identity/incarnation.js";
import { PRIVATE_TIMES_KIND } from "../privacy/private-times.js";
import {
  EMPTY_EXTENT,
  type Extent,
  estimateBucketExtent,
  measureExtent,
  mergeExtents,
  type StoredItem,
} from "./entry.js";

/** Maximum number and bytes of events in the record of an entry; a bucket for so few would cost more. */
const INLINE_EVENTS = 100;
const INLINE_BYTES = 64 * 1024;
/** Number of events from which the size of a bucket is estimated. */
const SAMPLE_EVENTS = 100;

/** Options of `Bin`. */
export interface BinOptions {
  readonly view: TransactionView;
  /** The storage, which knows the first and the last time of a bucket. */
  readonly storage: Pick<Storage, "summaries">;
  /** The ID of the entry; `undefined`: deletes permanently. */
  readonly entryId: string | undefined;
}

/** Collects the deletions of a transaction, and creates the changes for them. Each bucket can be added once. */
export class Bin {
  readonly #options: BinOptions;
  readonly #items: StoredItem[] = [];

  constructor(options: BinOptions) {
    this.#options = options;
  }

  /** The ID of the entry if it contains anything; `undefined`: deletes permanently. */
  get entryId(): string | undefined {
    return this.#options.entryId;
  }

  /** The deleted items, in this order. */
  get items(): readonly StoredItem[] {
    return this.#items;
  }

  /**
   * The changes that delete a whole bucket. Later changes can use its ID.
   *
   * @throws ActivityError `NO_SUCH_BUCKET`
   */
  async deleteBucket(bucketId: string): Promise<TransactionChange[]> {
    const { view, storage } = this.#options;
    const bucket = await this.#getBucket(bucketId);
    const events = await view.countEvents(bucketId);
    const [summary] = await storage.summaries([bucketId]);
    const extent = estimateBucketExtent(
      events,
      await newestEvents(view, bucketId, SAMPLE_EVENTS),
      summary ?? EMPTY_EXTENT,
    );
    const newId = await this.#add(bucket, extent, { isWhole: true, inline: undefined });
    const changes = await moveIncarnation(view, bucketId, newId);
    return [newId === null ? { kind: "delete", bucketId } : { kind: "rename", bucketId, newId }, ...changes];
  }

  /**
   * The changes that delete events of a bucket. Ignores IDs that it does not contain.
   *
   * @param range that contains all of them, for buckets with many others
   * @throws ActivityError `NO_SUCH_BUCKET`
   */
  async deleteEvents(
    bucketId: string,
    eventIds: readonly number[],
    range: TimeRange = {},
  ): Promise<TransactionChange[]> {
    const { view } = this.#options;
    const bucket = await this.#getBucket(bucketId);
    const wanted = await IdSet.of(eventIds);
    const few = eventIds.length <= INLINE_EVENTS ? await getEvents(view, bucketId, new Set(eventIds)) : undefined;
    const found: number[] = [];
    let extent: Extent = EMPTY_EXTENT;
    for await (const batch of few === undefined ? findRows(view, bucketId, wanted, range) : toRows(few)) {
      extent = mergeExtents(extent, measureExtent(batch.batch, batch.rows));
      for (const row of batch.rows) found.push(batch.batch.ids?.[row] as number);
    }
    if (found.length === 0) return [];
    const inline = few !== undefined && extent.bytes <= INLINE_BYTES ? few : undefined;
    const hiddenId = await this.#add(bucket, extent, { isWhole: false, inline });
    const changes: TransactionChange[] = [{ kind: "deleteEvents", bucketId, eventIds: found }];
    if (hiddenId === null) return changes;
    const drafts = few ?? readDrafts(view, bucketId, wanted, range);
    return [{ kind: "create", bucket: { ...bucket, id: hiddenId }, drafts }, ...changes];
  }

  /** The changes that keep notes as long as the deleted data: as events with their own IDs. */
  createNotes(drafts: DraftSource): TransactionChange[] {
    const { entryId } = this.#options;
    if (entryId === undefined) return [];
    const bucket = { ...NO_BUCKET, id: trashBucketId(entryId, "notes") };
    return [{ kind: "create", bucket, drafts }];
  }

  async #getBucket(bucketId: string): Promise<Bucket> {
    const bucket = await this.#options.view.getBucket(bucketId);
    if (bucket === undefined) throw noSuchBucket(bucketId);
    return bucket;
  }

  /** Adds an item. @returns the ID of the bucket for its events; `null`: none is needed */
  async #add(
    bucket: Bucket,
    extent: Extent,
    { isWhole, inline }: { readonly isWhole: boolean; readonly inline: readonly StoredEvent[] | undefined },
  ): Promise<string | null> {
    const { view, entryId } = this.#options;
    const hiddenId = inline === undefined && entryId !== undefined ? trashBucketId(entryId, this.#items.length) : null;
    const access = readAccess(await view.getRecord(BUCKET_ACCESS_KIND, bucket.id));
    const incarnation = (await getIncarnation(view, bucket.id)) ?? null;
    const privateTimes = isWhole ? ((await view.getRecord(PRIVATE_TIMES_KIND, bucket.id)) ?? null) : null;
    const common = { ...extent, bucketId: bucket.id, isWhole, bucket, access, privateTimes, incarnation };
    this.#items.push({ ...common, hiddenId, inline: inline ?? [] });
    return hiddenId;
  }
}

const NO_BUCKET = { type: "", client: "", hostname: "", name: null, created: 0, data: {} };

/** Rows of a batch. */
interface Rows {
  readonly batch: EventBatch;
  readonly rows: readonly number[];
}

async function* toRows(events: readonly StoredEvent[]): AsyncGenerator<Rows> {
  if (events.length > 0) yield { batch: EventBatch.from(events), rows: events.map((_, index) => index) };
}

/** Finds the events with some IDs in a range, as rows. */
async function* findRows(
  view: TransactionView,
  bucketId: string,
  wanted: IdSet,
  range: TimeRange,
): AsyncGenerator<Rows> {
  const timeSlice = createTimeSlice();
  const { batches } = await view.read(bucketId, { ...range, order: "oldest" });
  for await (const batch of batches) {
    const rows: number[] = [];
    for (let row = 0; row < batch.length; row++) if (wanted.has(batch.ids?.[row] as number)) rows.push(row);
    if (rows.length > 0) yield { batch, rows };
    await timeSlice.yield();
  }
}

async function* readDrafts(...args: Parameters<typeof findRows>): AsyncGenerator<readonly StoredEvent[]> {
  for await (const { batch, rows } of findRows(...args)) yield rows.map((row) => batch.eventAt(row));
}

async function getEvents(view: TransactionView, bucketId: string, ids: Iterable<number>): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for (const id of ids) {
    const event = await view.getEvent(bucketId, id);
    if (event !== undefined) events.push(event);
  }
  return events;
}

async function newestEvents(view: TransactionView, bucketId: string, limit: number): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  const { batches } = await view.read(bucketId, { order: "newest", limit });
  for await (const batch of batches) events.push(...batch.events());
  return events;
}
