import { activityEvents } from "../domain/activity-event.js";
import type { StoredEvent } from "../domain/event.js";
import type { Micros } from "../domain/time.js";
import { ActivityError, noSuchBucket } from "../errors.js";
import type { Storage } from "../storage/storage.js";
import { lacksTransactions } from "../storage/transaction.js";
import { ActivityService } from "./service.js";
import type { ServiceOptions, Shared } from "./shared.js";
import { type Extent, NOTHING, type TrashEntry, type TrashedBucket, together } from "./trash/entry.js";
import {
  type BucketSelection,
  compileSelection,
  type DeletionSelection,
  type FoundEvents,
  findEvents,
  type MatchingDeletion,
  type MatchingOptions,
  reasonOf,
  refuseEverything,
  type SelectRows,
  selectedBuckets,
} from "./trash/matching.js";
import { moveEvent, splitEvent } from "./trash/one-event.js";
import type { RestoredBucket, Restoring } from "./trash/restoring.js";
import type { Trash } from "./trash/trash.js";

/** Tries of a deletion whose buckets others rename or delete. */
const MOST_TRIES = 20;

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
    return this.#deleteSelected(selection, options, async () => {
      if ((await this.#storage.getBucket(bucketId)) === undefined) throw noSuchBucket(bucketId);
      return [bucketId];
    });
  }

  /** The same of several buckets: one step, one entry of the trash. */
  async deleteMatchingIn(
    buckets: BucketSelection,
    selection: DeletionSelection,
    options: MatchingOptions = {},
  ): Promise<MatchingDeletion> {
    refuseEverything(selection);
    return this.#deleteSelected(selection, options, () => this.chosenBuckets(buckets));
  }

  /** Ids of the buckets that are selected. */
  protected chosenBuckets(buckets: BucketSelection): Promise<string[]> {
    return selectedBuckets(this.#storage, buckets);
  }

  /** Called before events are deleted that were looked for. */
  protected async beforeDeletion(_found: readonly FoundEvents[]): Promise<void> {}

  /** @param chooseBuckets called again when one of them was renamed, merged or deleted in the meantime */
  async #deleteSelected(
    selection: DeletionSelection,
    options: MatchingOptions,
    chooseBuckets: () => Promise<readonly string[]>,
  ): Promise<MatchingDeletion> {
    const selectRows = await compileSelection(this.#storage, selection);
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const bucketIds = await chooseBuckets();
      try {
        const found = await findEvents(this.#storage, bucketIds, selection, selectRows);
        return await this.#deleteFound(found, { selection, selectRows, options });
      } catch (thrown) {
        // Nothing was deleted.
        if (!ActivityError.is(thrown) || thrown.code !== "NO_SUCH_BUCKET") throw thrown;
      }
    }
    throw new ActivityError(
      "CONFLICT",
      "buckets were renamed or deleted again and again; nothing was deleted, try again",
    );
  }

  /** Deletes those of the found events that the selection is still about, and tells of them alone. */
  async #deleteFound(
    found: readonly FoundEvents[],
    { selection, selectRows, options: { isPreview = false, isPermanent = false } }: Selecting,
  ): Promise<MatchingDeletion> {
    if (isPreview || found.length === 0) return deletionOf(found, null);
    await this.beforeDeletion(found);
    let deleted: readonly TrashedBucket[] = [];
    const tell = () => {
      for (const { bucketId } of deleted) this.announce("change", { kind: "events-deleted", bucketId });
    };
    const deleting = { reason: reasonOf(selection), isPermanent, tell };
    const bucketIds = found.map(({ bucketId }) => bucketId);
    try {
      const done = await this.trash.carryOut(bucketIds, deleting, async (_view, bin) => {
        const changes = [];
        for (const { bucketId, eventIds, start, end } of found) {
          const range = start === null || end === null ? {} : { start, end: Math.max(start, end) };
          changes.push(...(await bin.events(bucketId, eventIds, { range, selectRows })));
        }
        deleted = bin.items;
        return changes;
      });
      return deletionOf(done === undefined ? [] : deleted, done?.entry?.id ?? null);
    } catch (thrown) {
      // One bucket needs no transaction; there is no trash without.
      const [only, ...others] = found;
      if (only === undefined || others.length > 0 || !lacksTransactions(thrown)) throw thrown;
      const { bucketId, eventIds } = only;
      deleted = [{ ...only, isWhole: false }];
      const events = await this.trash.deleteAtOnce(bucketId, eventIds, deleting);
      return deletionOf(events === 0 ? [] : [{ ...only, events }], null);
    }
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

/** How a deletion goes. */
interface Selecting {
  readonly selection: DeletionSelection;
  readonly selectRows: SelectRows;
  readonly options: MatchingOptions;
}

function deletionOf(
  deleted: readonly (Extent & { readonly bucketId: string })[],
  entryId: string | null,
): MatchingDeletion {
  const buckets = deleted.map((each) => ({ bucketId: each.bucketId, ...extentIn(each) }));
  return { ...extentIn(buckets.reduce<Extent>(together, NOTHING)), entryId, buckets };
}

function extentIn({ events, start, end, duration, bytes }: Extent): Extent {
  return { events, start, end, duration, bytes };
}
