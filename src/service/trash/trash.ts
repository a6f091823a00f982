import { currentMicros, type Micros } from "../../domain/time.js";
import { hasCode, ifCode, messageOf } from "../../errors.js";
import type { Logger } from "../../logger.js";
import { isExpected } from "../../storage/records.js";
import { type MainSpace, trashBucketId } from "../../storage/space.js";
import { lacksTransactions, type TransactionView } from "../../storage/transaction.js";
import type { BucketAccessRules, RefuseIn } from "../access/bucket-access.js";
import { ChangedMeanwhile, retrying } from "../retrying.js";
import type { TrustedClock } from "../trusted-clock.js";
import { Bin } from "./bin.js";
import type { Deleting, Deletion, Plan, TakingPlan } from "./deleting.js";
import {
  type Deleted,
  type DeletedEvents,
  deletedBy,
  type Extent,
  entryOf,
  type KeptEntry,
  type KeptItem,
  KIND,
  NOTHING,
  noSuchEntry,
  parseEntry,
  recordOf,
  type TrashEntry,
  together,
} from "./entry.js";
import { deleteForGood, erasing, forget, recordsGone } from "./leaving.js";
import { eraseDeleted, onlySomeDeleted, sayingWhatHelps } from "./no-space.js";
import {
  type LeadsTo,
  type RestoredBucket,
  type Restoring,
  type RestoringTargets,
  restoringChanges,
  targetsOf,
} from "./restoring.js";

const DAY: Micros = 86_400_000_000;
/** How often deletions check for expired entries. */
const PURGE_EVERY: Micros = DAY / 24;

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
  #lastPurge: Micros = Number.NEGATIVE_INFINITY;

  constructor(options: TrashOptions) {
    this.#options = options;
  }

  /**
   * Runs a transaction that deletes: the content of its bin becomes one entry, in the same step.
   *
   * @param bucketIds each bucket that is changed; each can go into the bin once
   * @param plan may be called again; must return the changes of the bin with its own
   * @returns `undefined`, with nothing changed, if a record did not have its expected value
   * @throws ActivityError `STORAGE_UNSUPPORTED` for a storage without transactions; the errors of the plan
   */
  async carryOut(
    bucketIds: readonly string[],
    { reason, isPermanent = false, hasNotes = false, refuse, tell }: Deleting,
    plan: Plan,
  ): Promise<Deletion | undefined> {
    const { storage, days } = this.#options;
    const isKept = days > 0 && !isPermanent;
    const id = crypto.randomUUID().slice(0, 13);
    const trashIds = isKept ? bucketIds.map((_, index) => trashBucketId(id, index)) : [];
    if (isKept && hasNotes) trashIds.push(trashBucketId(id, "notes"));
    const deleted = currentMicros(this.#options.clock);
    let items: readonly KeptItem[] = [];
    const transacting = storage.transactWithTrash(bucketIds, trashIds, async (view) => {
      for (const bucketId of bucketIds) await refuse?.(view, bucketId, "alter");
      const bin = new Bin({ view, storage, entryId: isKept ? id : undefined });
      const changes = await plan(view, bin);
      items = bin.items;
      if (!isKept || items.length === 0) return changes;
      const value = recordOf({ deleted, reason, items });
      return [...changes, { kind: "record", recordKind: KIND, key: id, expected: undefined, value }];
    });
    const deletion = transacting.then((done) => {
      if (done && items.length > 0) tell?.();
      return done;
    });
    const isDone = await sayingWhatHelps(deletion, isKept);
    if (!isDone) return undefined;
    if (isPermanent && items.length > 0) await this.erase();
    await this.#purgeNowAndThen();
    const extent = items.reduce<Extent>(together, NOTHING);
    const kept = isKept && items.length > 0 ? { id, deleted, reason, items, record: null } : undefined;
    const { events, start, end, duration, bytes } = extent;
    return { events, start, end, duration, bytes, entry: kept && entryOf(kept, this.length) };
  }

  /** Deletes a bucket. @returns `undefined` if it does not exist */
  async deleteBucket(bucketId: string, deleting: Deleting): Promise<Deleted | undefined> {
    const { storage, access, days } = this.#options;
    if (days > 0 && deleting.isPermanent !== true) {
      try {
        return await retrying(async () => {
          const done = await this.carryOut([bucketId], deleting, async (view, bin) => {
            return [...(await bin.bucket(bucketId)), ...(await recordsGone(view, bucketId))];
          });
          if (done === undefined) throw new ChangedMeanwhile();
          access.forgetAll();
          return deletedBy(done);
        });
      } catch (thrown) {
        if (hasCode(thrown, "NO_SUCH_BUCKET")) return undefined;
        // Without transactions there is no trash.
        if (!lacksTransactions(thrown)) throw thrown;
      }
    }
    const isDeleted = await deleteForGood(storage, bucketId, deleting).finally(() => access.forgetAll());
    if (isDeleted && deleting.isPermanent === true) await this.erase();
    return isDeleted ? deletedBy(undefined) : undefined;
  }

  /**
   * Deletes the events of a bucket with the given IDs.
   *
   * @throws ActivityError `NO_SUCH_BUCKET`
   */
  async deleteEvents(bucketId: string, eventIds: readonly number[], deleting: Deleting): Promise<DeletedEvents> {
    const { days } = this.#options;
    const isKept = days > 0 && deleting.isPermanent !== true;
    // Only a transaction checks access in the same step.
    if (isKept || deleting.refuse !== undefined) {
      try {
        const done = await this.carryOut([bucketId], deleting, (_view, bin) => bin.events(bucketId, eventIds));
        return { count: done?.events ?? 0, ...deletedBy(done) };
      } catch (thrown) {
        if (!lacksTransactions(thrown)) throw thrown;
      }
    }
    return { count: await this.deleteAtOnce(bucketId, eventIds, deleting), entry: null };
  }

  /**
   * Deletes events permanently, without a transaction.
   *
   * @returns the number of deleted events
   * @throws ActivityError `NO_SUCH_BUCKET`
   */
  async deleteAtOnce(bucketId: string, eventIds: readonly number[], { tell, isPermanent }: Deleting): Promise<number> {
    const count = await sayingWhatHelps(this.#options.storage.deleteEvents(bucketId, eventIds), false);
    if (count > 0) tell?.();
    if (count > 0 && isPermanent === true) await this.erase();
    return count;
  }

  /** Lists entries, the latest first. */
  async list(): Promise<TrashEntry[]> {
    const entries = (await this.#all()).map((kept) => entryOf(kept, this.length));
    const now = await this.#options.ages.now();
    return entries.filter(({ expires }) => expires > now).sort((a, b) => b.deleted - a.deleted);
  }

  /** @throws ActivityError `NO_SUCH_ENTRY` */
  async get(id: string): Promise<TrashEntry> {
    return entryOf(await this.#entry(id), this.length);
  }

  /**
   * Finds the target buckets of an entry.
   *
   * @param leadsTo resolves a bucket's ID with the stored redirects
   * @throws ActivityError `NO_SUCH_ENTRY`
   */
  async findTargets(id: string, restoring: Restoring, leadsTo: LeadsTo): Promise<RestoringTargets> {
    const entry = await this.#entry(id);
    return { entry, bucketIds: await targetsOf(entry.items, restoring, leadsTo) };
  }

  /**
   * Restores an entry: whole buckets, or events into their bucket, under their old IDs if those are free.
   *
   * @throws ChangedMeanwhile; ActivityError `NO_SUCH_ENTRY`; `CONFLICT` if the ID of a bucket is in use
   */
  async restore(
    { entry, bucketIds }: RestoringTargets,
    restoring: Restoring,
    refuse: RefuseIn | undefined,
  ): Promise<readonly RestoredBucket[]> {
    let restored: readonly RestoredBucket[] = [];
    const { storage, access } = this.#options;
    const isDone = await this.takeOut(entry, [...new Set(bucketIds)], async (view) => {
      for (const bucketId of bucketIds) await refuse?.(view, bucketId, "add");
      const plan = { view, storage, now: currentMicros(this.#options.clock) };
      const planned = await restoringChanges(plan, entry, bucketIds, restoring);
      restored = planned.restored;
      return planned.changes;
    });
    access.forgetAll();
    if (!isDone) throw new ChangedMeanwhile();
    return restored;
  }

  /** The access of deleted buckets at their deletion, for entries with some IDs. */
  async accessIn(ids: readonly string[]): Promise<Pick<KeptItem, "bucketId" | "access">[]> {
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
  async takeOut(taken: string | KeptEntry, bucketIds: readonly string[], plan: TakingPlan): Promise<boolean> {
    const entry = typeof taken === "string" ? await this.#entry(taken) : taken;
    const hidden = entry.items.flatMap((item) => item.hiddenId ?? []);
    const whole = async (view: TransactionView) => {
      if (!isExpected(await view.getRecord(KIND, entry.id), entry.record)) throw noSuchEntry(entry.id);
      return [...(await plan(view, entry)), ...(await forget(view, entry))];
    };
    return this.#options.storage.transactWithTrash(bucketIds, [...hidden, trashBucketId(entry.id, "notes")], whole);
  }

  /**
   * Deletes entries permanently.
   *
   * @returns those that existed
   */
  async remove(ids: readonly string[], refuse: RefuseIn | undefined): Promise<TrashEntry[]> {
    const wanted = new Set(ids);
    const entries = (await this.#all()).filter(({ id }) => wanted.has(id));
    const removed: TrashEntry[] = [];
    try {
      for (const entry of entries) if (await this.#remove(entry, refuse)) removed.push(entryOf(entry, this.length));
    } catch (thrown) {
      throw onlySomeDeleted(thrown, removed.length, entries.length);
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

  async #all(): Promise<KeptEntry[]> {
    const records = await this.#options.storage.records(KIND).list();
    return Array.from(records, ([id, record]) => parseEntry(id, record)).filter((entry) => entry !== undefined);
  }

  async #entry(id: string): Promise<KeptEntry> {
    const record = await this.#options.storage.records(KIND).get(id);
    const entry = record === undefined ? undefined : parseEntry(id, record);
    if (entry === undefined || entry.deleted + this.length <= (await this.#options.ages.now())) throw noSuchEntry(id);
    return entry;
  }

  /** @returns whether it existed */
  #remove(entry: KeptEntry, refuse?: RefuseIn): Promise<boolean> {
    return this.takeOut(entry, [], (view) => erasing(view, entry, refuse)).catch(ifCode("NO_SUCH_ENTRY", false));
  }

  /** Embedded servers may never listen, and have no schedule. */
  async #purgeNowAndThen(): Promise<void> {
    if (Math.abs(currentMicros(this.#options.clock) - this.#lastPurge) < PURGE_EVERY) return;
    try {
      await this.purgeExpired();
    } catch (thrown) {
      this.#options.logger.warn(`old entries of the trash stay for now: ${messageOf(thrown)}`);
    }
  }
}
