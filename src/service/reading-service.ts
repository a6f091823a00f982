import type { DomainOf } from "../api/codec.js";
import type { BucketSummary } from "../domain/bucket.js";
import type { StoredEvent } from "../domain/event.js";
import type { JsonValue } from "../domain/json.js";
import { ActivityError, noSuchBucket, quote } from "../errors.js";
import type { QueryRequest } from "../query/engine.js";
import type { Value } from "../query/values.js";
import type { Work } from "../query/work.js";
import type { EventRead, Storage, TimeRange, VersionToken } from "../storage/storage.js";
import { later } from "../util/later.js";
import {
  type EventFiltering,
  EventReads,
  type EventSelection,
  type ExportedBucket,
  type TimelineRead,
} from "./event-reads.js";
import type { SearchPart, SearchRequest } from "./search/search.js";
import { type ServiceOptions, type Shared, sharedOf } from "./shared.js";
import type { TimelineRequest } from "./timeline.js";
import { checkedSettingKey } from "./validation.js";

const loadSearch = later(() => import("./search/search.js"));

/** What the API reads, on domain types. Knows neither HTTP nor any engine. */
export class ReadingService {
  readonly #storage: Storage;
  readonly #options: ServiceOptions;
  readonly #reads: EventReads;
  protected readonly shared: Shared;

  constructor(options: ServiceOptions, shared: Shared = sharedOf(options)) {
    this.#storage = options.storage;
    this.#reads = new EventReads(options.storage, shared.load);
    this.#options = options;
    this.shared = shared;
  }

  /** docs/api.md#info. */
  async info(): Promise<DomainOf<"Info">> {
    const { hostname, version, testing } = this.#options;
    // What newer servers report when they are started without a profile; this one has none.
    return { hostname, version, testing, deviceId: await this.#storage.deviceId(), profile: "default" };
  }

  listBuckets(): Promise<BucketSummary[]> {
    return this.#storage.summaries();
  }

  /** @throws ActivityError `NO_SUCH_BUCKET` */
  async getBucket(bucketId: string): Promise<BucketSummary> {
    const [bucket] = await this.#storage.summaries([bucketId]);
    if (bucket === undefined) throw noSuchBucket(bucketId);
    return bucket;
  }

  /**
   * Reads events, each cut to the range (docs/api.md#reading-events), newest first unless told otherwise. A range that
   * ends before it starts is empty.
   *
   * @throws ActivityError `NO_SUCH_BUCKET`, `INVALID_INPUT` for a pattern of a term that cannot be compiled
   */
  readEvents(bucketId: string, selection: EventSelection): Promise<EventRead> {
    return this.#reads.read(bucketId, selection);
  }

  /**
   * What happened in a range, to be drawn.
   *
   * @returns the timeline, and the version of the bucket that it shows
   * @throws ActivityError `NO_SUCH_BUCKET`
   */
  readTimeline(bucketId: string, request: TimelineRequest): Promise<TimelineRead> {
    return this.#reads.timeline(bucketId, request);
  }

  /** Starts work on stored events, with the time that a query has. */
  startWork(): Work {
    return this.shared.load.work();
  }

  /** Changes with every change of a bucket's events; `undefined` when that is not known. */
  versionOf(bucketId: string): VersionToken | Promise<VersionToken> {
    return this.#reads.versionOf(bucketId);
  }

  /** @throws ActivityError as `readEvents` does */
  countEvents(bucketId: string, range: TimeRange & EventFiltering): Promise<number> {
    return this.#reads.count(bucketId, range);
  }

  /** @throws ActivityError `NO_SUCH_BUCKET`, `NO_SUCH_EVENT` */
  async getEvent(bucketId: string, eventId: number): Promise<StoredEvent> {
    const event = await this.#storage.getEvent(bucketId, eventId);
    if (event !== undefined) return event;
    throw new ActivityError("NO_SUCH_EVENT", `bucket ${quote(bucketId)} has no event with id ${eventId}`);
  }

  /**
   * One bucket or all, with their events; each is read when its turn comes.
   *
   * @throws ActivityError `NO_SUCH_BUCKET`
   */
  exportBuckets(bucketId?: string): Promise<ExportedBucket[]> {
    return this.#reads.exported(bucketId);
  }

  /**
   * Carries a program out over periods (docs/query.md).
   *
   * @returns a value for each period
   * @throws QueryError `QUERY_FAILED` for a mistake in the program, ActivityError `QUERY_TOO_LARGE`
   */
  async query(request: QueryRequest): Promise<Value[]> {
    return (await this.shared.engine()).run(request);
  }

  /**
   * Searches the events of several buckets (docs/search.md). Nothing is read before the first part is asked for.
   *
   * @throws ActivityError `INVALID_INPUT`, `QUERY_TOO_LARGE`, `BUSY` with the first part
   */
  async *search(request: SearchRequest): AsyncGenerator<SearchPart, void, undefined> {
    const { search } = await loadSearch();
    yield* search(this.#storage, this.shared.load, request);
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
}
