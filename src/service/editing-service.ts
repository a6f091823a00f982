import { activityEvents } from "../domain/activity-event.js";
import type { StoredEvent } from "../domain/event.js";
import type { Micros } from "../domain/time.js";
import { noSuchBucket } from "../errors.js";
import type { Storage } from "../storage/storage.js";
import { lacksTransactions } from "../storage/transaction.js";
import { ActivityService } from "./service.js";
import type { ServiceOptions, Shared } from "./shared.js";
import { type Extent, NOTHING, type TrashEntry, together } from "./trash/entry.js";
import {
  type BucketSelection,
  type DeletionSelection,
  type FoundEvents,
  findEvents,
  type MatchingDeletion,
  type MatchingOptions,
  reasonOf,
  refuseEverything,
  selectedBuckets,
} from "./trash/matching.js";
import { moveEvent, splitEvent } from "./trash/one-event.js";
import type { RestoredBucket, Restoring } from "./trash/restoring.js";
import type { Deleting, Trash } from "./trash/trash.js";

/** The service with what edits and deletes many events, and takes deletions back. */
export class EditingService extends ActivityService {
  protected readonly trash: Trash;
  readonly #storage: Storage;

  constructor(options: ServiceOptions, shared?: Shared) {
    super(options, shared);
    this.trash = options.trash;
    this.#storage = options.storage;
  }

  /**
   * Deletes those events of a bucket that a selection is about: what overlaps the range and meets all terms.
   *
   * @throws ActivityError `NO_SUCH_BUCKET`, `INVALID_INPUT` for a selection of everything
   */
  async deleteMatching(
    bucketId: string,
    selection: DeletionSelection,
    options: MatchingOptions = {},
  ): Promise<MatchingDeletion> {
    refuseEverything(selection);
    if ((await this.#storage.getBucket(bucketId)) === undefined) throw noSuchBucket(bucketId);
    return this.#deleteFound(await findEvents(this.#storage, [bucketId], selection), selection, options);
  }

  /** The same of several buckets: one step, one entry of the trash. */
  async deleteMatchingIn(
    buckets: BucketSelection,
    selection: DeletionSelection,
    options: MatchingOptions = {},
  ): Promise<MatchingDeletion> {
    refuseEverything(selection);
    const bucketIds = await this.chosenBuckets(buckets);
    return this.#deleteFound(await findEvents(this.#storage, bucketIds, selection), selection, options);
  }

  /** Ids of the buckets that are selected. */
  protected chosenBuckets(buckets: BucketSelection): Promise<string[]> {
    return selectedBuckets(this.#storage, buckets);
  }

  /** Called before events are deleted that were looked for. */
  protected async beforeDeletion(_found: readonly FoundEvents[]): Promise<void> {}

  async #deleteFound(
    found: readonly FoundEvents[],
    selection: DeletionSelection,
    { isPreview = false, isPermanent = false }: MatchingOptions,
  ): Promise<MatchingDeletion> {
    const buckets = found.map(({ eventIds: _, ...extent }) => extent);
    const extent = buckets.reduce<Extent>((sum, each) => together(sum, each), NOTHING);
    if (isPreview || found.length === 0) return { ...onlyExtent(extent), entryId: null, buckets };
    await this.beforeDeletion(found);
    const bucketIds = found.map(({ bucketId }) => bucketId);
    const tell = () => {
      for (const bucketId of bucketIds) this.announce("change", { kind: "events-deleted", bucketId });
    };
    const deleting = { reason: reasonOf(selection), isPermanent, tell };
    const deletion = this.trash.carryOut(bucketIds, deleting, async (view, bin) => {
      const changes = [];
      for (const { bucketId, eventIds, start, end } of found) {
        // One that was deleted meanwhile needs nothing more.
        if ((await view.getBucket(bucketId)) === undefined) continue;
        const range = start === null || end === null ? {} : { start, end: Math.max(start, end) };
        changes.push(...(await bin.events(bucketId, eventIds, range)));
      }
      return changes;
    });
    const done = await deletion.catch((refusal) => this.#deleteAtOnce(found, deleting, refusal));
    if (done !== undefined && "entryId" in done) return done;
    return { ...onlyExtent(done ?? NOTHING), entryId: done?.entry?.id ?? null, buckets };
  }

  /** One bucket needs no transaction; there is no trash without. @throws what the deletion was refused by otherwise */
  async #deleteAtOnce(found: readonly FoundEvents[], deleting: Deleting, refusal: unknown): Promise<MatchingDeletion> {
    const [only, ...others] = found;
    if (only === undefined || others.length > 0 || !lacksTransactions(refusal)) throw refusal;
    const { bucketId, eventIds, ...extent } = only;
    const events = await this.trash.deleteAtOnce(bucketId, eventIds, deleting);
    return { ...extent, events, entryId: null, buckets: [{ bucketId, ...extent }] };
  }

  /**
   * Makes two events of one (docs/api.md#splitting-and-moving-events).
   *
   * @throws ActivityError `NO_SUCH_BUCKET`, `NO_SUCH_EVENT`, `INVALID_INPUT` for an instant that is not within it
   */
  async splitEvent(bucketId: string, eventId: number, at: Micros): Promise<readonly [StoredEvent, StoredEvent]> {
    const halves = await splitEvent(this.#storage, bucketId, eventId, at);
    this.announce("event", { action: "inserted", bucketId, events: activityEvents(halves) });
    return halves;
  }

  /**
   * Moves an event to another bucket (docs/api.md#splitting-and-moving-events).
   *
   * @throws ActivityError `NO_SUCH_BUCKET`, `NO_SUCH_EVENT`, `INVALID_INPUT` for the bucket that it is in
   */
  async moveEvent(bucketId: string, eventId: number, targetId: string): Promise<StoredEvent> {
    const event = await moveEvent(this.#storage, bucketId, eventId, targetId);
    this.announce("event", { action: "deleted", bucketId, eventId });
    this.announce("event", { action: "inserted", bucketId: targetId, events: activityEvents([event]) });
    return event;
  }

  /** What can be restored, the latest first (docs/trash.md). */
  listTrash(): Promise<TrashEntry[]> {
    return this.trash.list();
  }

  /**
   * Puts an entry of the trash back.
   *
   * @throws ActivityError `NO_SUCH_ENTRY`; `CONFLICT` where the id of a bucket is taken
   */
  async restoreTrash(id: string, restoring: Restoring): Promise<RestoredBucket[]> {
    const restored = await this.trash.restore(id, restoring, (bucketId) => this.shared.redirects.of(bucketId));
    for (const { bucketId, isNew } of restored) {
      if (isNew) this.announce("bucket", { action: "created", bucketId });
      else this.announce("change", { kind: "events-written", bucketId });
    }
    return restored;
  }

  /**
   * Deletes entries of the trash for good; all of them unless ids are given.
   *
   * @returns those that were there
   */
  async removeTrash(ids?: readonly string[]): Promise<TrashEntry[]> {
    return this.trash.remove(ids ?? (await this.trash.list()).map(({ id }) => id));
  }
}

function onlyExtent({ events, start, end, duration, bytes }: Extent): Extent {
  return { events, start, end, duration, bytes };
}
