import type { DomainOf } from "../api/codec.js";
import type { BucketSummary } from "../domain/bucket.js";
import type { StoredEvent } from "../domain/event.js";
import type { JsonValue } from "../domain/json.js";
import { noSuchBucket } from "../errors.js";
import type { Category } from "../filter/categories.js";
import type { QueryRequest } from "../query/engine.js";
import type { Value } from "../query/values.js";
import type { EventRead, TimeRange, VersionToken } from "../storage/storage.js";
import { deferModule } from "../util/deferred-modules.js";
import type { BucketAccess, BucketAccessRules } from "./access/bucket-access.js";
import type { Grants } from "./access/grants.js";
import {
  type EventFiltering,
  EventReads,
  type EventSelection,
  type ExportedBucket,
  type TimelineRead,
} from "./event-reads.js";
import { followRedirects } from "./identity/follow-redirects.js";
import { versionOfTarget } from "./identity/redirected-source.js";
import type { SearchPart, SearchRequest } from "./search/search.js";
import type { ServiceOptions, Shared } from "./shared.js";
import type { TimelineRequest } from "./timeline.js";
import { getExistingEvent } from "./trash/edit-event.js";
import type { TrashEntry } from "./trash/entry.js";
import { parseSettingKey } from "./validation.js";

const loadClassify = deferModule(() => import("./report/classify.js"));
const loadReport = deferModule(() => import("./report/report.js"));
const loadSearch = deferModule(() => import("./search/search.js"));

/** Parts of `Visible`. */
export interface VisibleParts extends ServiceOptions {
  readonly access: BucketAccessRules;
  readonly shared: Shared;
}

/**
 * Stored data as one caller sees them: buckets that the caller may not read do not exist, former IDs resolve to these,
 * and the trash is only a list. A redirect grants nothing: reading its target needs the right as well.
 */
export class Visible {
  readonly #parts: VisibleParts;
  readonly #grants: Grants;
  readonly #reads: EventReads;

  constructor(parts: VisibleParts, grants: Grants) {
    this.#parts = parts;
    this.#grants = grants;
    this.#reads = new EventReads(parts.storage, parts.shared.load);
  }

  /** docs/reference/api.md#info. */
  async info(): Promise<DomainOf<"Info">> {
    const { hostname, version, testing, storage } = this.#parts;
    // Newer servers report this if they start without a profile; this server has none.
    return { hostname, version, testing, deviceId: await storage.deviceId(), profile: "default" };
  }

  async listBuckets(): Promise<BucketSummary[]> {
    const buckets = await this.#parts.storage.summaries();
    const { view } = this.#grants;
    return view === undefined ? buckets : buckets.filter(({ id }) => view.sees(id));
  }

  /** @throws ActivityError `NO_SUCH_BUCKET` */
  getBucket(bucketId: string): Promise<BucketSummary> {
    return this.#in(bucketId, async (id) => {
      const [bucket] = await this.#parts.storage.summaries([id]);
      if (bucket === undefined) throw noSuchBucket(id);
      return bucket;
    });
  }

  /**
   * Reads events, each clipped to the range (docs/reference/api.md#reading-events), newest first unless the selection
   * has another order. A range that ends before it starts is empty.
   *
   * @throws ActivityError `NO_SUCH_BUCKET`, `INVALID_INPUT` for an invalid pattern of a condition
   */
  readEvents(bucketId: string, selection: EventSelection): Promise<EventRead> {
    return this.#versionedIn(bucketId, (id) => this.#reads.read(id, selection));
  }

  /**
   * The timeline of a range.
   *
   * @returns the timeline, and the version of its bucket
   * @throws ActivityError `NO_SUCH_BUCKET`
   */
  readTimeline(bucketId: string, request: TimelineRequest): Promise<TimelineRead> {
    return this.#versionedIn(bucketId, (id) => this.#reads.timeline(id, request));
  }

  /** Changes with every change of a bucket's events; `undefined` if it is unknown. */
  async versionOf(bucketId: string): Promise<VersionToken> {
    const { redirects } = this.#parts.shared;
    const waiting = redirects.ready();
    if (waiting !== undefined) await waiting;
    const id = redirects.resolve(bucketId);
    const version = await this.#reads.versionOf(id);
    // Does not reveal anything about a bucket that the caller may not read, not even that it does not change.
    if (id === bucketId) return version;
    return this.#sees(id) ? versionOfTarget(id, version) : undefined;
  }

  /** @throws ActivityError the errors of `readEvents` */
  countEvents(bucketId: string, range: TimeRange & EventFiltering): Promise<number> {
    return this.#in(bucketId, (id) => this.#reads.count(id, range));
  }

  /** @throws ActivityError `NO_SUCH_BUCKET`, `NO_SUCH_EVENT` */
  getEvent(bucketId: string, eventId: number): Promise<StoredEvent> {
    return this.#in(bucketId, (id) => getExistingEvent(this.#parts.storage, id, eventId));
  }

  /**
   * One bucket or all, with their events; reads each bucket when its turn comes.
   *
   * @throws ActivityError `NO_SUCH_BUCKET`
   */
  async exportBuckets(bucketId?: string): Promise<ExportedBucket[]> {
    if (bucketId !== undefined) return this.#in(bucketId, (id) => this.#reads.export(id));
    return (await this.#reads.export()).filter(({ bucket }) => this.#sees(bucket.id));
  }

  /**
   * Runs a query over periods (docs/reference/query.md).
   *
   * @returns a value for each period
   * @throws QueryError `QUERY_FAILED` for a mistake in the query, ActivityError `QUERY_TOO_LARGE`
   */
  async query(request: QueryRequest): Promise<Value[]> {
    return (await this.#parts.shared.engine()).run({ ...request, view: this.#grants.view });
  }

  /**
   * Searches the events of several buckets (docs/guides/search.md). Reads nothing before the first part is requested.
   *
   * @throws ActivityError `INVALID_INPUT`, `QUERY_TOO_LARGE`, `BUSY` with the first part
   */
  async *search(request: SearchRequest): AsyncGenerator<SearchPart, void, undefined> {
    const { search } = await loadSearch();
    yield* search(this.#parts.storage, this.#parts.shared.load, { ...request, view: this.#grants.view });
  }

  /**
   * Sums up the activity of a period (docs/guides/reports.md).
   *
   * @param trial a category to try out
   * @throws ActivityError `INVALID_INPUT`, `QUERY_TOO_LARGE`, `BUSY`
   */
  async report(
    request: DomainOf<"ReportRequest">,
    isGone: () => boolean,
    trial?: Category,
  ): Promise<DomainOf<"Report">> {
    const { storage, version, shared, clock, budget: memory } = this.#parts;
    const { report } = await loadReport();
    const { load, source, limits } = shared;
    return report(
      { storage, version, source: source(), load, limits, memory, clock, view: this.#grants.view, isGone, trial },
      request,
    );
  }

  /** Finds the categories of data. @throws ActivityError `INVALID_INPUT`, `QUERY_TOO_LARGE` */
  async classify(request: DomainOf<"ClassifyRequest">, isGone: () => boolean): Promise<DomainOf<"Classified">> {
    const { storage, shared } = this.#parts;
    const { classify } = await loadClassify();
    return classify(storage, this.#grants.view, request, shared.load.work(isGone).check);
  }

  /** @throws ActivityError `NO_SUCH_BUCKET` */
  async getAccess(bucketId: string): Promise<BucketAccess> {
    const { storage, access } = this.#parts;
    if ((await storage.getBucket(bucketId)) === undefined) throw noSuchBucket(bucketId);
    await access.ready();
    return access.get(bucketId);
  }

  listSettings(): Promise<Map<string, JsonValue>> {
    return this.#parts.storage.settings.list();
  }

  /**
   * @returns `null` for an unknown key
   * @throws ActivityError `INVALID_INPUT` for a key of 128 bytes or more
   */
  async getSetting(key: string): Promise<JsonValue> {
    return (await this.#parts.storage.settings.get(parseSettingKey(key))) ?? null;
  }

  /** Trash entries that the caller could have deleted, the latest first (docs/guides/trash.md). */
  async listTrash(): Promise<TrashEntry[]> {
    const entries = await this.#parts.trash.list();
    return entries.filter(({ buckets }) => buckets.every(({ bucketId }) => this.#grants.allows("write", bucketId)));
  }

  #sees(bucketId: string): boolean {
    return this.#grants.view?.sees(bucketId) ?? true;
  }

  #in<Result>(bucketId: string, read: (id: string) => Promise<Result>): Promise<Result> {
    return followRedirects(bucketId, { parts: this.#parts, grants: this.#grants }, (id) => {
      if (id !== bucketId && !this.#sees(id)) return Promise.reject(noSuchBucket(bucketId));
      return read(id);
    });
  }

  #versionedIn<Result extends { readonly version: VersionToken }>(
    bucketId: string,
    read: (id: string) => Promise<Result>,
  ): Promise<Result> {
    return this.#in(bucketId, async (id) => {
      const result = await read(id);
      return id === bucketId ? result : { ...result, version: versionOfTarget(id, result.version) };
    });
  }
}
