import { activityEvents } from "../domain/activity-event.js";
import type { Bucket } from "../domain/bucket.js";
import type { StoredEvent } from "../domain/event.js";
import type { Micros } from "../domain/time.js";
import { noSuchBucket } from "../errors.js";
import type { Storage } from "../storage/storage.js";
import { lacksTransactions } from "../storage/transaction.js";
import { IdSet } from "../util/id-set.js";
import { inTurns } from "../util/time-slice.js";
import { ChangedMeanwhile, missingIsChange, retrying } from "./retrying.js";
import type { FilterWork } from "./search/filters.js";
import { ActivityService } from "./service.js";
import type { ServiceOptions, Shared } from "./shared.js";
import type { Deleting } from "./trash/deleting.js";
import { type Extent, NOTHING, type TrashEntry, together } from "./trash/entry.js";
import {
  type BucketSelection,
  bucketTest,
  compileSelection,
  type FindEvents,
  type FoundEvents,
  type MatchingDeletion,
  reasonOf,
  type SelectionInput,
  selectionOf,
} from "./trash/matching.js";
import { moveEvent, splitEvent } from "./trash/one-event.js";
import type { RestoredBucket, Restoring } from "./trash/restoring.js";
import type { Trash } from "./trash/trash.js";

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
  async deleteMatching(bucketId: string, selection: SelectionInput): Promise<MatchingDeletion> {
    const listIds = async (): Promise<string[]> => {
      if ((await this.#storage.getBucket(bucketId)) === undefined) throw noSuchBucket(bucketId);
      return [bucketId];
    };
    return this.#deleteSelected(selection, { listIds, has: () => true });
  }

  /** The same of several buckets: one step, one entry of the trash. */
  async deleteMatchingIn(buckets: BucketSelection, selection: SelectionInput): Promise<MatchingDeletion> {
    const has = bucketTest(buckets);
    return this.#deleteSelected(selection, { listIds: () => this.listChosen(has), has });
  }

  /** Ids of the buckets that are selected. */
  protected async listChosen(has: (bucket: Bucket) => boolean): Promise<string[]> {
    return (await this.#storage.listBuckets()).filter(has).map(({ id }) => id);
  }

  /**
   * Called before events are deleted that were looked for.
   *
   * @returns whether only these may be deleted
   */
  protected async beforeDeletion(_found: readonly FoundEvents[]): Promise<boolean> {
    return false;
  }

  async #deleteSelected(given: SelectionInput, buckets: Buckets): Promise<MatchingDeletion> {
    const selection = selectionOf(given);
    const { check } = this.shared.load.work();
    const find = await compileSelection(this.#storage, selection);
    const deleting = { find, check, buckets, isPermanent: given.permanent, reason: reasonOf(selection) };
    return retrying(async () => {
      const bucketIds = await buckets.listIds();
      return missingIsChange(this.#deleteIn(bucketIds, given.preview, deleting));
    });
  }

  async #deleteIn(
    bucketIds: readonly string[],
    isPreview: boolean,
    deleting: DeletingSelected,
  ): Promise<MatchingDeletion> {
    const found: FoundEvents[] = [];
    for (const bucketId of bucketIds) {
      const inBucket = await deleting.find(this.#storage, bucketId, deleting.check);
      if (inBucket.events > 0) found.push(inBucket);
    }
    if (isPreview || found.length === 0) return deletionOf(found, null);
    const isOnlyFound = await this.beforeDeletion(found);
    return this.#deleteFound(found, isOnlyFound, deleting);
  }

  /**
   * Deletes found events. A bucket that has changed since the search is searched again in the step that deletes: no
   * other write can change it then, so the search has to end in time.
   *
   * @param isOnlyFound whether only these may be deleted
   * @throws ChangedMeanwhile
   */
  async #deleteFound(
    found: readonly FoundEvents[],
    isOnlyFound: boolean,
    { find, check, buckets, ...options }: DeletingSelected,
  ): Promise<MatchingDeletion> {
    const current = async (reader: Pick<Storage, "read">, before: FoundEvents): Promise<FoundEvents> => {
      const { bucketId, eventIds } = before;
      if (await isUnchanged(reader, before)) return before;
      const now = await find(reader, bucketId, check);
      return isOnlyFound ? approvedOf(now, eventIds) : now;
    };
    let deleted: readonly (Extent & { readonly bucketId: string })[] = [];
    const tell = () => {
      for (const { bucketId } of deleted) this.announce("change", { kind: "events-deleted", bucketId });
    };
    const deleting = { ...options, tell, refuse: this.refuse };
    const bucketIds = found.map(({ bucketId }) => bucketId);
    try {
      const done = await this.trash.carryOut(bucketIds, deleting, async (view, bin) => {
        const changes = [];
        for (const before of found) {
          const { bucketId } = before;
          const bucket = await view.getBucket(bucketId);
          if (bucket === undefined || !buckets.has(bucket)) throw new ChangedMeanwhile();
          const { eventIds, start, end } = await current(view, before);
          const range = start === null || end === null ? {} : { start, end: Math.max(start, end) };
          changes.push(...(await bin.events(bucketId, eventIds, range)));
        }
        deleted = bin.items;
        return changes;
      });
      return deletionOf(done === undefined ? [] : deleted, done?.entry?.id ?? null);
    } catch (thrown) {
      // One bucket needs no transaction; there is no trash without.
      const [first, ...others] = found;
      if (first === undefined || others.length > 0 || !lacksTransactions(thrown)) throw thrown;
      const only = await current(this.#storage, first);
      deleted = [only];
      const events = await this.trash.deleteAtOnce(only.bucketId, only.eventIds, deleting);
      return deletionOf(events === 0 ? [] : [{ ...only, events }], null);
    }
  }

  /**
   * Makes two events of one (docs/api.md#splitting-and-moving-events).
   *
   * @throws ActivityError `NO_SUCH_BUCKET`, `NO_SUCH_EVENT`, `INVALID_INPUT` for an instant that is not within it
   */
  async splitEvent(bucketId: string, eventId: number, at: Micros): Promise<readonly [StoredEvent, StoredEvent]> {
    const halves = await splitEvent({ storage: this.#storage, refuse: this.refuse }, bucketId, eventId, at);
    this.announce("event", { action: "inserted", bucketId, events: activityEvents(halves) });
    return halves;
  }

  /**
   * Moves an event to another bucket (docs/api.md#splitting-and-moving-events).
   *
   * @throws ActivityError `NO_SUCH_BUCKET`, `NO_SUCH_EVENT`, `INVALID_INPUT` for the bucket that it is in
   */
  async moveEvent(bucketId: string, eventId: number, targetId: string): Promise<StoredEvent> {
    const event = await moveEvent({ storage: this.#storage, refuse: this.refuse }, bucketId, eventId, targetId);
    this.announce("event", { action: "deleted", bucketId, eventId });
    this.announce("event", { action: "inserted", bucketId: targetId, events: activityEvents([event]) });
    return event;
  }

  /**
   * Called before an entry goes back, with a bucket id for each of its buckets.
   *
   * @throws ActivityError what refuses it
   */
  protected async allowRestoring(
    _entry: TrashEntry,
    _targets: readonly string[],
    _restoring: Restoring,
  ): Promise<void> {}

  /**
   * Puts an entry of the trash back.
   *
   * @throws ActivityError `NO_SUCH_ENTRY`; `CONFLICT` where the id of a bucket is taken
   */
  async restoreTrash(id: string, restoring: Restoring): Promise<RestoredBucket[]> {
    const restored = await this.trash.restore(id, restoring, {
      leadsTo: (bucketId) => this.shared.redirects.now(bucketId),
      allow: (entry, targets) => this.allowRestoring(entry, targets, restoring),
      refuse: this.refuse,
    });
    for (const { bucketId, created } of restored) {
      if (created) this.announce("bucket", { action: "created", bucketId });
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

/** The buckets of a deletion. */
interface Buckets {
  /** The ids of those that there are now. */
  readonly listIds: () => Promise<readonly string[]>;
  /** Whether a bucket is still one of them. */
  readonly has: (bucket: Bucket) => boolean;
}

/** How what was found is deleted. */
interface DeletingSelected extends Deleting {
  readonly find: FindEvents;
  /** Throws when the search takes too long. */
  readonly check: FilterWork["check"];
  readonly buckets: Buckets;
}

/** Whether a bucket is still as it was searched. A read without events only returns the version. */
async function isUnchanged(reader: Pick<Storage, "read">, { bucketId, version }: FoundEvents): Promise<boolean> {
  return version !== undefined && (await reader.read(bucketId, { limit: 0 })).version === version;
}

/** @throws ChangedMeanwhile for an event that is not among the approved ones */
async function approvedOf(found: FoundEvents, eventIds: readonly number[]): Promise<FoundEvents> {
  const ids = await IdSet.of(eventIds);
  if ((await inTurns(found.eventIds, (id) => ids.has(id))).every(Boolean)) return found;
  throw new ChangedMeanwhile();
}

function deletionOf(
  deleted: readonly (Extent & { readonly bucketId: string })[],
  entry: string | null,
): MatchingDeletion {
  const buckets = deleted.map((each) => ({ bucketId: each.bucketId, ...countsOf(each) }));
  return { ...countsOf(deleted.reduce<Extent>(together, NOTHING)), entry, buckets };
}

function countsOf({ events, start, end, duration }: Extent): Omit<MatchingDeletion, "entry" | "buckets"> {
  return { count: events, duration: duration ?? 0, first: start, last: end };
}
