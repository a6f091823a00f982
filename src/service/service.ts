import { activityEvents } from "../domain/activity-event.js";
import type { Bucket, BucketDraft, BucketPatch } from "../domain/bucket.js";
import type { AcceptedDraft, EventDraft, StoredEvent } from "../domain/event.js";
import type { JsonValue } from "../domain/json.js";
import { currentMicros, type Micros } from "../domain/time.js";
import { AbandonedError, ActivityError, busy, noSuchBucket } from "../errors.js";
import type { Work } from "../query/work.js";
import { refuseTrashId } from "../storage/space.js";
import type { Storage } from "../storage/storage.js";
import type { Waiting } from "../util/waiting.js";
import { type RefuseIn, refuseNothing } from "./access/bucket-access.js";
import { createUnredirected } from "./identity/unredirected.js";
import type { DraftSpool } from "./import/spool.js";
import {
  type ImportCounts,
  type ImportDocument,
  type ImportResult,
  importBuckets,
  type SpooledBucket,
} from "./import.js";
import type { ServerNotices } from "./notices.js";
import { acceptedOf } from "./privacy/privacy.js";
import { checkRuleSetting } from "./privacy/rules-in-force.js";
import { checkRetentionSetting } from "./retention/retention.js";
import { MOST_IMPORTS, type ServiceOptions, type Shared, sharedOf } from "./shared.js";
import type { Deleted, DeletedEvents } from "./trash/entry.js";
import { checkedSettingKey, findOversize } from "./validation.js";

const LOCAL_HOSTNAME = "!local";

/** The writes of the API on domain types: existence, defaults. Knows neither HTTP nor any engine. */
export class ActivityService {
  readonly #storage: Storage;
  readonly #options: ServiceOptions;
  protected readonly shared: Shared;

  constructor(options: ServiceOptions, shared: Shared = sharedOf(options)) {
    this.#storage = options.storage;
    this.#options = options;
    this.shared = shared;
  }

  /** To wait for before lookups. Every write waits, so writes reach the storage in the order of the calls. */
  ready(): Waiting {
    return this.shared.ready();
  }

  /** Starts work on stored events, with the time that a query has. */
  startWork(): Work {
    return this.shared.load.work();
  }

  /** Refuses changes for whoever this is on behalf of, in the step that makes them. */
  protected get refuse(): RefuseIn {
    return refuseNothing;
  }

  /**
   * Creates a bucket, together with events if some are given.
   *
   * @returns the events that were stored with it, without those that rules dropped; `undefined`, with nothing changed,
   *   when the id is taken
   */
  async createBucket(
    bucketId: string,
    draft: BucketDraft,
    drafts: readonly EventDraft[] = [],
  ): Promise<readonly StoredEvent[] | undefined> {
    const waiting = this.ready();
    if (waiting !== undefined) await waiting;
    const oversize = findOversize(draft, bucketId);
    // One that is there from before the limit is left as it is.
    if (oversize !== undefined && (await this.#storage.getBucket(bucketId)) === undefined) throw oversize;
    const local = draft.hostname === LOCAL_HOSTNAME;
    const bucket = {
      ...this.#bucketOf(bucketId, draft),
      hostname: local ? this.#options.hostname : draft.hostname,
      data: local ? { ...draft.data, device_id: await this.#storage.deviceId() } : draft.data,
    };
    const found = this.shared.privacy.keep(bucketId, drafts);
    const kept = "then" in found ? await found : found;
    const stored = await createUnredirected(this.#storage, bucket, kept.drafts, currentMicros(this.#options.clock));
    if (stored === undefined) return undefined;
    this.announce("bucket", { action: "created", bucketId });
    if (stored.length > 0) this.announce("event", { action: "inserted", bucketId, events: activityEvents(stored) });
    return stored;
  }

  /** @throws ActivityError `NO_SUCH_BUCKET`; `INVALID_INPUT` for a field above its limit */
  async updateBucket(bucketId: string, patch: BucketPatch): Promise<void> {
    const waiting = this.ready();
    if (waiting !== undefined) await waiting;
    const oversize = findOversize(patch);
    if (oversize !== undefined) throw oversize;
    if (!(await this.#storage.updateBucket(bucketId, patch))) throw noSuchBucket(bucketId);
    this.announce("bucket", { action: "updated", bucketId });
  }

  /**
   * Deletes a bucket with all its events. Outside testing mode it must be confirmed: one stray request must not delete
   * years of data (docs/compatibility.md#deleting-buckets).
   *
   * @param isPermanent past the trash (docs/trash.md#for-good)
   * @throws ActivityError `UNAUTHORIZED` without confirmation, `NO_SUCH_BUCKET`
   */
  async deleteBucket(bucketId: string, confirmed: boolean, isPermanent = false): Promise<Deleted> {
    const waiting = this.ready();
    if (waiting !== undefined) await waiting;
    this.refuseUnconfirmed(confirmed);
    const tell = () => {
      this.shared.privacy.bucketDeleted(bucketId);
      this.announce("bucket", { action: "deleted", bucketId });
    };
    const deleting = { reason: "the bucket was deleted", isPermanent, refuse: this.refuse, tell };
    const deleted = await this.#options.trash.deleteBucket(bucketId, deleting);
    if (deleted === undefined) throw noSuchBucket(bucketId);
    return deleted;
  }

  /** @throws ActivityError `NO_SUCH_BUCKET` */
  async insertEvents(bucketId: string, drafts: readonly EventDraft[]): Promise<readonly AcceptedDraft[]> {
    const waiting = this.ready();
    if (waiting !== undefined) await waiting;
    const found = this.shared.privacy.keep(bucketId, drafts);
    const kept = "then" in found ? await found : found;
    const events = await this.#storage.putEvents(bucketId, kept.drafts);
    if (events.length > 0) {
      this.announce("event", { action: "inserted", bucketId, events: activityEvents(events) });
    }
    return acceptedOf(drafts, kept, events);
  }

  /**
   * For callers that have waited for `ready()`.
   *
   * @param pulsetimeMicros longest gap that still counts as the same activity
   * @returns the event that now covers the beat; the beat without an id where a rule drops it
   * @throws ActivityError `NO_SUCH_BUCKET`: a heartbeat never creates a bucket
   */
  heartbeat(bucketId: string, beat: EventDraft, pulsetimeMicros: Micros): Promise<AcceptedDraft> {
    return this.shared.privacy.heartbeat(bucketId, beat, pulsetimeMicros);
  }

  /**
   * @param isPermanent past the trash (docs/trash.md#for-good)
   * @returns `undefined` where there was no such event
   * @throws ActivityError `NO_SUCH_BUCKET`
   */
  async deleteEvent(bucketId: string, eventId: number, isPermanent = false): Promise<Deleted | undefined> {
    const waiting = this.ready();
    if (waiting !== undefined) await waiting;
    const tell = () => this.announce("event", { action: "deleted", bucketId, eventId });
    const deleting = { reason: "an event was deleted", isPermanent, refuse: this.refuse, tell };
    const { count, entry } = await this.#options.trash.deleteEvents(bucketId, [eventId], deleting);
    return count === 0 ? undefined : { entry };
  }

  /**
   * Deletes the events of a bucket that have one of the ids; other ids are ignored.
   *
   * @param isPermanent past the trash (docs/trash.md#for-good)
   * @throws ActivityError `NO_SUCH_BUCKET`
   */
  async deleteEvents(
    bucketId: string,
    eventIds: readonly number[],
    isPermanent: boolean = false,
  ): Promise<DeletedEvents> {
    const waiting = this.ready();
    if (waiting !== undefined) await waiting;
    const tell = () => this.announce("change", { kind: "events-deleted", bucketId });
    const deleting = { reason: "events were deleted", isPermanent, refuse: this.refuse, tell };
    return this.#options.trash.deleteEvents(bucketId, eventIds, deleting);
  }

  /**
   * Merges documents into the storage (docs/api.md#export-and-import). Nothing is written before they are read.
   *
   * @param read puts the events of the documents into a spool
   * @param hasLeft whether nobody waits for it any more
   * @throws ActivityError `BUSY` when too many imports are under way, AbandonedError
   */
  async importDocuments(
    read: (spool: DraftSpool) => Promise<readonly ImportDocument[]>,
    hasLeft: () => boolean = () => false,
  ): Promise<ImportResult> {
    // One that is needed in memory is let in alone.
    const release = await this.shared.imports.enter(this.holdsImports ? MOST_IMPORTS : 1, hasLeft);
    if (release === undefined) throw hasLeft() ? new AbandonedError() : busy("too many imports are being read");
    const spool = this.shared.spools.open(this.holdsImports);
    try {
      const documents = await read(spool);
      const counts = await this.mergeBuckets(documents.flatMap(({ buckets }) => buckets));
      return { ...counts, eventsInvalid: documents.reduce((sum, { invalidEvents }) => sum + invalidEvents, 0) };
    } finally {
      release();
      await spool.close();
    }
  }

  /** Whether the events of an import are needed in memory, all at once. */
  protected get holdsImports(): boolean {
    return false;
  }

  protected async mergeBuckets(buckets: readonly SpooledBucket[]): Promise<ImportCounts> {
    const waiting = this.ready();
    if (waiting !== undefined) await waiting;
    const counts = await importBuckets(
      this.#storage,
      buckets.map(({ bucketId, draft, events }) => ({ bucket: this.#bucketOf(bucketId, draft), runs: events.runs })),
      {
        keep: (bucketId, drafts) => this.shared.privacy.keep(bucketId, drafts),
        leadsTo: (bucketId) => this.shared.redirects.now(bucketId),
        create: async (bucket) =>
          (await createUnredirected(this.#storage, bucket, [], currentMicros(this.#options.clock))) !== undefined,
        tell: (kind, bucketId) => this.announce("change", { kind, bucketId }),
      },
    );
    this.announce("import", { ...counts, bucketIds: [...new Set(buckets.map(({ bucketId }) => bucketId))] });
    return counts;
  }

  /**
   * Keeps a value; `null` removes the key.
   *
   * @returns what the key has now
   * @throws ActivityError `INVALID_INPUT` for a key of 128 bytes or more, and for rules that cannot be in force
   */
  async putSetting(key: string, value: JsonValue): Promise<JsonValue> {
    const waiting = this.ready();
    if (waiting !== undefined) await waiting;
    checkRuleSetting(key, value);
    checkRetentionSetting(key, value);
    if (value === null) await this.#storage.settings.delete(checkedSettingKey(key));
    else await this.#storage.settings.put(checkedSettingKey(key), value);
    this.shared.privacy.forgetSetting(key);
    this.announce("change", { kind: "setting", key });
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
  protected announce<Name extends keyof ServerNotices>(_name: Name, _notice: ServerNotices[Name]): void {}

  #bucketOf(bucketId: string, draft: BucketDraft): Bucket {
    refuseTrashId(bucketId);
    return { ...draft, id: bucketId, created: draft.created ?? currentMicros(this.#options.clock) };
  }
}
