import type { Bucket, BucketDraft, BucketPatch, BucketSummary } from "./domain/bucket.js";
import { clipped, clippedPrinted, type EventDraft, type PrintedChunk, type StoredEvent } from "./domain/event.js";
import type { JsonValue } from "./domain/json.js";
import { MICROS_PER_MILLI, type Micros } from "./domain/time.js";
import { ActivityError, noSuchBucket, quote } from "./errors.js";
import { createEventSource } from "./event-source.js";
import { createImportLine, type ImportCounts, type ImportedBucket, type ImportLine } from "./import.js";
import type { Notices } from "./notices.js";
import { readPrinted, readPrintedIfThere } from "./printed-events.js";
import { DEFAULT_LIMITS, type QueryLimits } from "./query/budget.js";
import { createQueryEngine, type QueryEngine, type QueryRequest } from "./query/engine.js";
import type { Value } from "./query/values.js";
import type { EventRange, Storage, TimeRange } from "./storage.js";
import { closedRange, emptyTimeline, type Timeline, type TimelineRequest, timelineOf } from "./timeline.js";
import { checkedSettingKey } from "./validation.js";

/** What the server says about itself (contract rest.md 4.1). */
export interface ServerInfo {
  readonly hostname: string;
  readonly version: string;
  readonly testing: boolean;
  readonly deviceId: string;
}

/** A bucket and all its events, newest first, as an export holds them. */
export interface ExportedBucket {
  readonly bucket: Bucket;
  readonly events: AsyncIterable<PrintedChunk>;
}

/** What the service needs. */
export interface ServiceOptions {
  readonly storage: Storage;
  readonly hostname: string;
  readonly version: string;
  readonly testing: boolean;
  /** Now, in Unix milliseconds. */
  readonly clock: () => number;
  /** What a query may use up. @default DEFAULT_LIMITS */
  readonly queryLimits?: QueryLimits;
}

/** What services over one storage have in common. */
export interface Shared {
  readonly imports: ImportLine;
  readonly engine: QueryEngine;
}

function sharedOf({ storage, queryLimits = DEFAULT_LIMITS }: ServiceOptions): Shared {
  return { imports: createImportLine(storage), engine: createQueryEngine(createEventSource(storage), queryLimits) };
}

const LOCAL_HOSTNAME = "!local";

/** The verbs of the API on domain types: existence, clipping, defaults. Knows neither HTTP nor any engine. */
export class ActivityService {
  readonly #storage: Storage;
  readonly #options: ServiceOptions;
  protected readonly shared: Shared;

  constructor(options: ServiceOptions, shared: Shared = sharedOf(options)) {
    this.#storage = options.storage;
    this.#options = options;
    this.shared = shared;
  }

  async info(): Promise<ServerInfo> {
    const { hostname, version, testing } = this.#options;
    return { hostname, version, testing, deviceId: await this.#storage.deviceId() };
  }

  listBuckets(): Promise<BucketSummary[]> {
    return this.#storage.listBuckets();
  }

  /** @throws ActivityError `NO_SUCH_BUCKET` */
  async getBucket(bucketId: string): Promise<BucketSummary> {
    const bucket = await this.#storage.getBucket(bucketId);
    if (bucket === undefined) throw noSuchBucket(bucketId);
    return bucket;
  }

  /**
   * Creates a bucket, with events if some are given.
   *
   * @returns the events that were stored with it; `undefined`, with nothing changed, when the id is taken
   */
  async createBucket(
    bucketId: string,
    draft: BucketDraft,
    events: readonly EventDraft[] = [],
  ): Promise<readonly StoredEvent[] | undefined> {
    const local = draft.hostname === LOCAL_HOSTNAME;
    const created = await this.#storage.createBucket({
      ...this.#bucketOf(bucketId, draft),
      hostname: local ? this.#options.hostname : draft.hostname,
      data: local ? { ...draft.data, device_id: await this.#storage.deviceId() } : draft.data,
    });
    if (!created) return undefined;
    this.announce("bucket", { action: "created", bucketId });
    return events.length > 0 ? this.#fillOrDelete(bucketId, events) : [];
  }

  /** @throws ActivityError `NO_SUCH_BUCKET` */
  async updateBucket(bucketId: string, patch: BucketPatch): Promise<void> {
    if (!(await this.#storage.updateBucket(bucketId, patch))) throw noSuchBucket(bucketId);
    this.announce("bucket", { action: "updated", bucketId });
  }

  /**
   * Deletes a bucket with all its events. Outside testing mode it must be confirmed: one stray request must not delete
   * years of data (contract rest.md 4.2).
   *
   * @throws ActivityError `UNAUTHORIZED` without confirmation, `NO_SUCH_BUCKET`
   */
  async deleteBucket(bucketId: string, confirmed: boolean): Promise<void> {
    this.refuseUnconfirmed(confirmed);
    if (!(await this.#storage.deleteBucket(bucketId))) throw noSuchBucket(bucketId);
    this.announce("bucket", { action: "deleted", bucketId });
  }

  /** @throws ActivityError `NO_SUCH_BUCKET` */
  async insertEvents(bucketId: string, drafts: readonly EventDraft[]): Promise<StoredEvent[]> {
    const events = await this.#storage.putEvents(bucketId, drafts);
    this.announce("event", { action: "inserted", bucketId, events });
    return events;
  }

  /**
   * @param pulsetime microseconds
   * @throws ActivityError `NO_SUCH_BUCKET`: a heartbeat never creates a bucket
   */
  heartbeat(bucketId: string, beat: EventDraft, pulsetime: Micros): Promise<StoredEvent> {
    return this.#storage.heartbeat(bucketId, beat, pulsetime);
  }

  /**
   * Reads events newest first, each cut to the range (contract rest.md 4.3). A range that ends before it starts is
   * empty.
   *
   * @throws ActivityError `NO_SUCH_BUCKET` at the first pull
   */
  async *readPrinted(bucketId: string, range: EventRange): AsyncGenerator<PrintedChunk> {
    if (isBackwards(range)) await this.getBucket(bucketId);
    else yield* clippedPrinted(readPrinted(this.#storage, bucketId, range), range.start, range.end);
  }

  /**
   * Reads events, each cut to the range, like `readPrinted`.
   *
   * @throws ActivityError `NO_SUCH_BUCKET` at the first pull
   */
  async *readEvents(bucketId: string, range: EventRange): AsyncGenerator<readonly StoredEvent[]> {
    if (isBackwards(range)) await this.getBucket(bucketId);
    else yield* clipped(this.#storage.readEvents(bucketId, range), range.start, range.end);
  }

  /**
   * What happened in a range, to be drawn.
   *
   * @throws ActivityError `NO_SUCH_BUCKET`
   */
  async readTimeline(bucketId: string, request: TimelineRequest): Promise<Timeline> {
    const range = closedRange(request, await this.getBucket(bucketId));
    if (range === undefined) return emptyTimeline();
    const events = readPrinted(this.#storage, bucketId, { ...range, order: "oldest" });
    return timelineOf(events, { ...range, bins: request.bins });
  }

  /** Another text with every change of a bucket's events; `undefined` when that is not known. */
  revision(bucketId: string): string | undefined {
    return this.#storage.revision?.(bucketId);
  }

  /** @throws ActivityError `NO_SUCH_BUCKET` */
  async countEvents(bucketId: string, range: TimeRange): Promise<number> {
    if (!isBackwards(range)) return this.#storage.countEvents(bucketId, range);
    await this.getBucket(bucketId);
    return 0;
  }

  /** @throws ActivityError `NO_SUCH_BUCKET`, `NO_SUCH_EVENT` */
  async getEvent(bucketId: string, eventId: number): Promise<StoredEvent> {
    const event = await this.#storage.getEvent(bucketId, eventId);
    if (event !== undefined) return event;
    throw new ActivityError("NO_SUCH_EVENT", `bucket ${quote(bucketId)} has no event with id ${eventId}`);
  }

  /**
   * @returns whether there was such an event
   * @throws ActivityError `NO_SUCH_BUCKET`
   */
  async deleteEvent(bucketId: string, eventId: number): Promise<boolean> {
    const isDeleted = (await this.#storage.deleteEvents(bucketId, [eventId])) > 0;
    if (isDeleted) this.announce("event", { action: "deleted", bucketId, eventId });
    return isDeleted;
  }

  /**
   * One bucket or all, with their events; each is read when its turn comes.
   *
   * @throws ActivityError `NO_SUCH_BUCKET`
   */
  async exportBuckets(bucketId?: string): Promise<ExportedBucket[]> {
    const buckets = bucketId === undefined ? await this.listBuckets() : [await this.getBucket(bucketId)];
    return buckets.map((bucket) => ({ bucket, events: readPrintedIfThere(this.#storage, bucket.id) }));
  }

  /** Merges buckets into the storage by the rules of contract rest.md 4.7, one import at a time. */
  async importBuckets(buckets: readonly ImportedBucket[]): Promise<ImportCounts> {
    const counts = await this.shared.imports(
      buckets.map(({ bucketId, draft, events }) => ({ bucket: this.#bucketOf(bucketId, draft), events })),
    );
    this.announce("import", { ...counts, bucketIds: [...new Set(buckets.map(({ bucketId }) => bucketId))] });
    return counts;
  }

  /**
   * Carries a program out over periods (contract query.md).
   *
   * @returns a value for each period
   * @throws QueryError `QUERY_FAILED` for a mistake in the program, ActivityError `QUERY_TOO_LARGE`
   */
  query(request: QueryRequest): Promise<Value[]> {
    return this.shared.engine.run(request);
  }

  listSettings(): Promise<Map<string, JsonValue>> {
    return this.#storage.settings.list();
  }

  /**
   * @returns `null` for an unknown key
   * @throws ActivityError `INVALID_INPUT` for a key of 128 bytes or more
   */
  async getSetting(key: string): Promise<JsonValue> {
    return (await this.#storage.settings.get(checkedSettingKey(key))) ?? null;
  }

  /**
   * Keeps a value; `null` removes the key.
   *
   * @returns what the key has now
   * @throws ActivityError `INVALID_INPUT` for a key of 128 bytes or more
   */
  async putSetting(key: string, value: JsonValue): Promise<JsonValue> {
    if (value === null) await this.#storage.settings.delete(checkedSettingKey(key));
    else await this.#storage.settings.put(checkedSettingKey(key), value);
    return value;
  }

  /** @throws ActivityError `INVALID_INPUT` for a key of 128 bytes or more */
  async deleteSetting(key: string): Promise<void> {
    await this.putSetting(key, null);
  }

  protected refuseUnconfirmed(confirmed: boolean): void {
    if (confirmed || this.#options.testing) return;
    throw new ActivityError("UNAUTHORIZED", "deleting a bucket needs the query parameter force=1");
  }

  /**
   * Tells what was written, at once when the storage has it: the order of notices is that of the writes. This service
   * has nobody to tell.
   */
  protected announce<Name extends keyof Notices>(_name: Name, _notice: Notices[Name]): void {}

  async #fillOrDelete(bucketId: string, drafts: readonly EventDraft[]): Promise<StoredEvent[]> {
    try {
      return await ActivityService.prototype.insertEvents.call(this, bucketId, drafts);
    } catch (thrown) {
      if (await this.#storage.deleteBucket(bucketId)) this.announce("bucket", { action: "deleted", bucketId });
      throw thrown;
    }
  }

  #bucketOf(bucketId: string, draft: BucketDraft): Bucket {
    const created = draft.created ?? Math.floor(this.#options.clock() * MICROS_PER_MILLI);
    return { ...draft, id: bucketId, created };
  }
}

function isBackwards({ start, end }: TimeRange): boolean {
  return start !== undefined && end !== undefined && start > end;
}
