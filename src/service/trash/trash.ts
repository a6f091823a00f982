import { currentMicros, distinctMicros, type Micros } from "../../domain/time.js";
import { hasCode, ifCode, messageOf } from "../../errors.js";
import type { Logger } from "../../logger.js";
import { isExpected } from "../../storage/records.js";
import { type MainSpace, trashBucketId } from "../../storage/space.js";
import { lacksTransactions, type TransactionView } from "../../storage/transaction.js";
import type { AccessCheck, BucketAccessRules } from "../access/bucket-access.js";
import { ConcurrentChange, retryOnChange } from "../retry-on-change.js";
import type { TrustedClock } from "../trusted-clock.js";
import { Bin } from "./bin.js";
import type { DeleteOptions, Deletion, DeletionPlan, RemovalPlan } from "./delete-options.js";
import { deleteBucketRecords, deleteEntryContent, deleteEntryRecord, deletePermanently } from "./deletion-changes.js";
import { addSpaceRemedy, describePartialDeletion, eraseDeleted } from "./deletion-errors.js";
import {
  type Deleted,
  type DeletedEvents,
  EMPTY_EXTENT,
  type Extent,
  mergeExtents,
  noSuchEntry,
  parseEntry,
  type StoredEntry,
  type StoredItem,
  serializeEntry,
  TRASH_KIND,
  type TrashEntry,
  toDeleted,
  toTrashEntry,
} from "./entry.js";
import {
  planRestore,
  type ResolveRedirect,
  type RestoredBucket,
  type RestoreOptions,
  type RestoreTargets,
  resolveTargets,
} from "./restore.js";

const DAY: Micros = 86_400_000_000;
/** How often deletions check for expired entries. */
const PURGE_INTERVAL: Micros = DAY / 24;

/** Options of `Trash`. */
export interface TrashOptions {
  readonly storage: MainSpace;
  readonly access: BucketAccessRules;
  /** Returns Unix milliseconds. */
  readonly clock: () => number;
  /** Decides whether an entry has expired. */
  readonly ages: TrustedClock;
  readonly logger: Logger;
  /** How many days entries are kept; 0: deletes at once. */
  readonly days: number;
}

/** Keeps deleted data for a limited time (docs/guides/trash.md). */
export class Trash {
  readonly #options: TrashOptions;
  readonly #deletionTime: () => Micros;
  #lastPurge: Micros = Number.NEGATIVE_INFINITY;

  constructor(options: TrashOptions) {
    this.#options = options;
    this.#deletionTime = distinctMicros(options.clock);
  }

  /**
   * Runs a transaction that deletes: the content of its bin becomes one entry, in the same step.
   *
   * @param bucketIds each bucket that is changed; each can go into the bin once
   * @param plan may be called again; must return the changes of the bin with its own
   * @returns `undefined`, with nothing changed, if a record did not have its expected value
   * @throws ActivityError `STORAGE_UNSUPPORTED` for a storage without transactions; the errors of the plan
   */
  async runDeletion(
    bucketIds: readonly string[],
    { reason, isPermanent = false, hasNotes = false, refuse, tell }: DeleteOptions,
    plan: DeletionPlan,
  ): Promise<Deletion | undefined> {
    const { storage, days } = this.#options;
    const isKept = days > 0 && !isPermanent;
    const id = crypto.randomUUID().slice(0, 13);
    const trashIds = isKept ? bucketIds.map((_, index) => trashBucketId(id, index)) : [];
    if (isKept && hasNotes) trashIds.push(trashBucketId(id, "notes"));
    const deleted = this.#deletionTime();
    let items: readonly StoredItem[] = [];
    const transacting = storage.transactWithTrash(bucketIds, trashIds, async (view) => {
      for (const bucketId of bucketIds) await refuse?.(view, bucketId, "alter");
      const bin = new Bin({ view, storage, entryId: isKept ? id : undefined });
      const changes = await plan(view, bin);
      items = bin.items;
      if (!isKept || items.length === 0) return changes;
      const value = serializeEntry({ deleted, reason, items });
      return [...changes, { kind: "record", recordKind: TRASH_KIND, key: id, expected: undefined, value }];
    });
    const deletion = transacting.then((done) => {
      if (done && items.length > 0) tell?.();
      return done;
    });
    const isDone = await addSpaceRemedy(deletion, isKept);
    if (!isDone) return undefined;
    if (isPermanent && items.length > 0) await this.erase();
    await this.#purgeIfDue();
    const extent = items.reduce<Extent>(mergeExtents, EMPTY_EXTENT);
    const kept = isKept && items.length > 0 ? { id, deleted, reason, items, record: null } : undefined;
    const { events, start, end, duration, bytes } = extent;
    return { events, start, end, duration, bytes, entry: kept && toTrashEntry(kept, this.length) };
  }

  /** Deletes a bucket. @returns `undefined` if it does not exist */
  async deleteBucket(bucketId: string, deleting: DeleteOptions): Promise<Deleted | undefined> {
    const { storage, access, days } = this.#options;
    if (days > 0 && deleting.isPermanent !== true) {
      try {
        return await retryOnChange(async () => {
          const done = await this.runDeletion([bucketId], deleting, async (view, bin) => {
            return [...(await bin.deleteBucket(bucketId)), ...(await deleteBucketRecords(view, bucketId))];
          });
          if (done === undefined) throw new ConcurrentChange();
          access.forget();
          return toDeleted(done);
        });
      } catch (thrown) {
        if (hasCode(thrown, "NO_SUCH_BUCKET")) return undefined;
        // Without transactions there is no trash.
        if (!lacksTransactions(thrown)) throw thrown;
      }
    }
    const isDeleted = await deletePermanently(storage, bucketId, deleting).finally(() => access.forget());
    if (isDeleted && deleting.isPermanent === true) await this.erase();
    return isDeleted ? toDeleted(undefined) : undefined;
  }

  /**
   * Deletes the events of a bucket with the given IDs.
   *
   * @throws ActivityError `NO_SUCH_BUCKET`
   */
  async deleteEvents(bucketId: string, eventIds: readonly number[], deleting: DeleteOptions): Promise<DeletedEvents> {
    const { days } = this.#options;
    const isKept = days > 0 && deleting.isPermanent !== true;
    // Only a transaction checks access in the same step.
    if (isKept || deleting.refuse !== undefined) {
      try {
        const done = await this.runDeletion([bucketId], deleting, (_view, bin) => bin.deleteEvents(bucketId, eventIds));
        return { count: done?.events ?? 0, ...toDeleted(done) };
      } catch (thrown) {
        if (!lacksTransactions(thrown)) throw thrown;
      }
    }
    return { count: await this.deleteDirectly(bucketId, eventIds, deleting), entry: null };
  }

  /**
   * Deletes events permanently, without a transaction.
   *
   * @returns the number of deleted events
   * @throws ActivityError `NO_SUCH_BUCKET`
   */
  async deleteDirectly(bucketId: string, eventIds: readonly number[], options: DeleteOptions): Promise<number> {
    const count = await addSpaceRemedy(this.#options.storage.deleteEvents(bucketId, eventIds), false);
    if (count > 0) options.tell?.();
    if (count > 0 && options.isPermanent === true) await this.erase();
    return count;
  }

  /** Lists entries, the latest first. */
  async list(): Promise<TrashEntry[]> {
    const entries = (await this.#all()).map((kept) => toTrashEntry(kept, this.length));
    const now = await this.#options.ages.now();
    return entries.filter(({ expires }) => expires > now).sort((a, b) => b.deleted - a.deleted);
  }

  /** @throws ActivityError `NO_SUCH_ENTRY` */
  async get(id: string): Promise<TrashEntry> {
    return toTrashEntry(await this.#entry(id), this.length);
  }

  /**
   * Finds the target buckets of an entry.
   *
   * @param leadsTo resolves a bucket's ID with the stored redirects
   * @throws ActivityError `NO_SUCH_ENTRY`
   */
  async findTargets(id: string, restoring: RestoreOptions, leadsTo: ResolveRedirect): Promise<RestoreTargets> {
    const entry = await this.#entry(id);
    return { entry, bucketIds: await resolveTargets(entry.items, restoring, leadsTo) };
  }

  /**
   * Restores an entry: whole buckets, or events into their bucket, under their old IDs if those are free.
   *
   * @throws ConcurrentChange; ActivityError `NO_SUCH_ENTRY`; `CONFLICT` if the ID of a bucket is in use
   */
  async restore(
    { entry, bucketIds }: RestoreTargets,
    restoring: RestoreOptions,
    refuse: AccessCheck | undefined,
  ): Promise<readonly RestoredBucket[]> {
    let restored: readonly RestoredBucket[] = [];
    const { storage, access } = this.#options;
    const isDone = await this.runRemoval(entry, [...new Set(bucketIds)], async (view) => {
      for (const bucketId of bucketIds) await refuse?.(view, bucketId, "add");
      const plan = { view, storage, now: currentMicros(this.#options.clock) };
      const planned = await planRestore(plan, entry, bucketIds, restoring);
      restored = planned.restored;
      return planned.changes;
    });
    access.forget();
    if (!isDone) throw new ConcurrentChange();
    return restored;
  }

  /** The access of deleted buckets at their deletion, for entries with some IDs. */
  async listAccess(ids: readonly string[]): Promise<Pick<StoredItem, "bucketId" | "access">[]> {
    return (await this.#all()).filter(({ id }) => ids.includes(id)).flatMap(({ items }) => items);
  }

  /**
   * Runs a transaction that removes an entry from the trash; it must rename or delete the entry's buckets.
   *
   * @param taken the entry, or its ID
   * @param bucketIds each other bucket that is changed
   * @returns `false`, with nothing changed, if a record did not have its expected value
   * @throws ActivityError `NO_SUCH_ENTRY`; the errors of the plan
   */
  async runRemoval(taken: string | StoredEntry, bucketIds: readonly string[], plan: RemovalPlan): Promise<boolean> {
    const entry = typeof taken === "string" ? await this.#entry(taken) : taken;
    const hidden = entry.items.flatMap((item) => item.hiddenId ?? []);
    const whole = async (view: TransactionView) => {
      if (!isExpected(await view.getRecord(TRASH_KIND, entry.id), entry.record)) throw noSuchEntry(entry.id);
      return [...(await plan(view, entry)), ...(await deleteEntryRecord(view, entry))];
    };
    return this.#options.storage.transactWithTrash(bucketIds, [...hidden, trashBucketId(entry.id, "notes")], whole);
  }

  /** Deletes entries permanently. @returns those that existed */
  async remove(ids: readonly string[], refuse: AccessCheck | undefined): Promise<TrashEntry[]> {
    const wanted = new Set(ids);
    const entries = (await this.#all()).filter(({ id }) => wanted.has(id));
    const removed: TrashEntry[] = [];
    try {
      for (const entry of entries)
        if (await this.#remove(entry, refuse)) removed.push(toTrashEntry(entry, this.length));
    } catch (thrown) {
      throw describePartialDeletion(thrown, removed.length, entries.length);
    }
    if (removed.length > 0) await this.erase();
    return removed;
  }

  /** Deletes expired entries. @returns their number */
  async purgeExpired(): Promise<number> {
    this.#lastPurge = currentMicros(this.#options.clock);
    const now = await this.#options.ages.note();
    const expired = (await this.#all()).filter(({ deleted }) => deleted + this.length <= now);
    let count = 0;
    for (const entry of expired) if (await this.#remove(entry)) count++;
    return count;
  }

  /** How long entries are kept, in microseconds. */
  get length(): Micros {
    return this.#options.days * DAY;
  }

  /** Erases permanently deleted data from the files of the storage. */
  erase(): Promise<void> {
    return eraseDeleted(this.#options.storage);
  }

  async #all(): Promise<StoredEntry[]> {
    const records = await this.#options.storage.records(TRASH_KIND).list();
    return Array.from(records, ([id, record]) => parseEntry(id, record)).filter((entry) => entry !== undefined);
  }

  async #entry(id: string): Promise<StoredEntry> {
    const record = await this.#options.storage.records(TRASH_KIND).get(id);
    const entry = record === undefined ? undefined : parseEntry(id, record);
    if (entry === undefined || entry.deleted + this.length <= (await this.#options.ages.now())) throw noSuchEntry(id);
    return entry;
  }

  /** @returns whether it existed */
  #remove(entry: StoredEntry, refuse?: AccessCheck): Promise<boolean> {
    const removal = this.runRemoval(entry, [], (view) => deleteEntryContent(view, entry, refuse));
    return removal.catch(ifCode("NO_SUCH_ENTRY", false));
  }

  /** Embedded servers may never listen, and have no schedule. */
  async #purgeIfDue(): Promise<void> {
    if (Math.abs(currentMicros(this.#options.clock) - this.#lastPurge) < PURGE_INTERVAL) return;
    try {
      await this.purgeExpired();
    } catch (thrown) {
      this.#options.logger.warn(`cannot delete expired entries of the trash: ${messageOf(thrown)}`);
    }
  }
}
