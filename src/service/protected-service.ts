import type { Bucket, BucketPatch } from "../domain/bucket.js";
import type { AcceptedDraft, EventDraft, StoredEvent } from "../domain/event.js";
import type { Micros } from "../domain/time.js";
import { ActivityError, noSuchBucket } from "../errors.js";
import type { Storage } from "../storage/storage.js";
import { lacksTransactions } from "../storage/transaction.js";
import { afterWaiting } from "../util/waiting.js";
import {
  type BucketAccess,
  type BucketAccessRules,
  type Change,
  type RefuseIn,
  refuseByAccess,
  refuseChange,
  refuseNothing,
} from "./access/bucket-access.js";
import { type Caller, type Grants, OPERATOR, type Verb } from "./access/grants.js";
import { EditingService } from "./editing-service.js";
import type { ImportCounts, SpooledBucket } from "./import.js";
import type { ServiceOptions, Shared } from "./shared.js";
import { type Deleted, type DeletedEvents, noSuchEntry, type TrashEntry } from "./trash/entry.js";
import type { MatchingDeletion, SelectionInput } from "./trash/matching.js";
import type { Restoring } from "./trash/restoring.js";
import { Visible } from "./visible.js";

/** What a protected service needs besides a service. */
export interface ProtectedServiceOptions extends ServiceOptions {
  readonly access: BucketAccessRules;
}

/**
 * The service on behalf of somebody: buckets that he may not read are in no list, and the access of a bucket binds him
 * unless he is an operator (docs/keys.md). Whether he may call an operation at all was decided before.
 */
export class ProtectedService extends EditingService {
  /** What the caller can read. */
  readonly visible: Visible;
  readonly #storage: Storage;
  readonly #access: BucketAccessRules;
  protected readonly grants: Grants;

  constructor(options: ProtectedServiceOptions, grants: Grants = OPERATOR, shared?: Shared) {
    super(options, shared);
    this.visible = new Visible({ ...options, shared: this.shared }, grants);
    this.#storage = options.storage;
    this.#access = options.access;
    this.grants = grants;
  }

  /** On whose behalf; `undefined` for the program itself, and where no key and no session was recognized. */
  get caller(): Caller | undefined {
    return this.grants.caller;
  }

  override heartbeat(bucketId: string, beat: EventDraft, pulsetimeMicros: Micros): Promise<AcceptedDraft> {
    return this.#unlessRefused(bucketId, "add", () => super.heartbeat(bucketId, beat, pulsetimeMicros));
  }

  override insertEvents(bucketId: string, drafts: readonly EventDraft[]): Promise<readonly AcceptedDraft[]> {
    // An event with an id takes the place of the one that has it.
    const replaces = drafts.some(({ id }) => id !== undefined);
    if (replaces && !this.grants.allows("write", bucketId)) {
      const needed = `it needs write:${bucketId}, or send the events without ids`;
      return Promise.reject(new ActivityError("FORBIDDEN", `this key may not replace events of the bucket: ${needed}`));
    }
    return this.#unlessRefused(bucketId, replaces ? "alter" : "add", () => super.insertEvents(bucketId, drafts));
  }

  override deleteEvent(bucketId: string, eventId: number, isPermanent?: boolean): Promise<Deleted | undefined> {
    return this.#unlessRefused(bucketId, "alter", async () => {
      const deleted = await super.deleteEvent(bucketId, eventId, isPermanent);
      return deleted && this.#toldOf(bucketId, deleted);
    });
  }

  override deleteEvents(bucketId: string, eventIds: readonly number[], isPermanent?: boolean): Promise<DeletedEvents> {
    return this.#unlessRefused(bucketId, "alter", () => super.deleteEvents(bucketId, eventIds, isPermanent));
  }

  override updateBucket(bucketId: string, patch: BucketPatch): Promise<void> {
    return this.#unlessRefused(bucketId, "alter", () => super.updateBucket(bucketId, patch));
  }

  override deleteBucket(bucketId: string, confirmed: boolean, isPermanent?: boolean): Promise<Deleted> {
    return this.#unlessRefused(bucketId, "alter", async () => {
      return this.#toldOf(bucketId, await super.deleteBucket(bucketId, confirmed, isPermanent));
    });
  }

  /** A hook may have chosen a bucket whose entries the caller is not shown. */
  #toldOf(bucketId: string, { entry }: Deleted): Deleted {
    return { entry: this.grants.allows("write", bucketId) ? entry : null };
  }

  override deleteMatching(bucketId: string, selection: SelectionInput): Promise<MatchingDeletion> {
    return this.#unlessRefused(bucketId, "alter", () => super.deleteMatching(bucketId, selection));
  }

  /** Nothing is deleted where one of them may not be changed. */
  protected override async listChosen(has: (bucket: Bucket) => boolean): Promise<string[]> {
    const chosen = (await super.listChosen(has)).filter((bucketId) => this.sees(bucketId));
    for (const bucketId of chosen) {
      if (!this.grants.allows("write", bucketId)) throw lacking("write", bucketId);
      await this.#refuse("alter", bucketId);
    }
    return chosen;
  }

  override splitEvent(bucketId: string, eventId: number, at: Micros): Promise<readonly [StoredEvent, StoredEvent]> {
    return this.#unlessRefused(bucketId, "alter", () => super.splitEvent(bucketId, eventId, at));
  }

  override async moveEvent(bucketId: string, eventId: number, targetId: string): Promise<StoredEvent> {
    await this.refuseMoving(bucketId, targetId);
    return super.moveEvent(bucketId, eventId, targetId);
  }

  /**
   * Checks before anybody is shown the event that is moved or split.
   *
   * @throws ActivityError `FORBIDDEN`
   */
  protected async refuseMoving(bucketId: string, targetId: string): Promise<void> {
    await this.#refuse("alter", bucketId);
    if (bucketId === targetId) return;
    if (!this.grants.allows("append", targetId)) throw lacking("append", targetId);
    await this.#refuse("add", targetId);
  }

  protected override async allowRestoring(
    entry: TrashEntry,
    targets: readonly string[],
    restoring: Restoring,
  ): Promise<void> {
    if (!this.#ownsAll(entry)) throw noSuchEntry(entry.id);
    for (const bucketId of targets) {
      const isNamed = bucketId === restoring.bucket || entry.buckets.some((own) => own.bucketId === bucketId);
      if (!this.grants.allows("write", bucketId)) {
        throw isNamed || this.knows(bucketId) ? lacking("write", bucketId) : elsewhere();
      }
      await this.#refuse("add", bucketId);
    }
  }

  override async removeTrash(ids?: readonly string[]): Promise<TrashEntry[]> {
    const own = await this.visible.listTrash();
    const wanted = ids === undefined ? own : own.filter(({ id }) => ids.includes(id));
    // What was protected, or is by now, is not deleted for good by somebody else than its operator.
    const entryIds = wanted.map(({ id }) => id);
    for (const { bucketId, access } of await this.trash.accessIn(entryIds)) {
      if (this.grants.standing === "operator") break;
      refuseChange(access, "alter", bucketId);
      // Its events belong to that bucket by now, whose id is not told.
      await this.ready();
      refuseChange(this.#access.of(this.shared.redirects.of(bucketId)), "alter", bucketId);
    }
    return super.removeTrash(entryIds);
  }

  /** Whether the caller could have deleted all that an entry holds. */
  #ownsAll({ buckets }: TrashEntry): boolean {
    return buckets.every(({ bucketId }) => this.grants.allows("write", bucketId));
  }

  protected override get refuse(): RefuseIn {
    return this.grants.standing === "operator" ? refuseNothing : refuseByAccess;
  }

  async #refuse(change: Change, bucketId: string): Promise<void> {
    await this.ready();
    if (this.grants.standing !== "operator") refuseChange(this.#access.of(bucketId), change, bucketId);
  }

  protected override async mergeBuckets(buckets: readonly SpooledBucket[]): Promise<ImportCounts> {
    await this.ready();
    if (this.grants.standing !== "operator") {
      for (const { bucketId } of buckets) refuseChange(this.#access.of(bucketId), "add", bucketId);
    }
    return super.mergeBuckets(buckets);
  }

  /** @throws ActivityError `NO_SUCH_BUCKET` */
  async setAccess(bucketId: string, access: BucketAccess): Promise<void> {
    try {
      await this.#access.setOf(this.#storage, bucketId, access);
    } catch (thrown) {
      if (!lacksTransactions(thrown)) throw thrown;
      if ((await this.#storage.getBucket(bucketId)) === undefined) throw noSuchBucket(bucketId);
      await this.#access.set(bucketId, access);
    }
  }

  /**
   * For changes by others than the methods here.
   *
   * @throws ActivityError `FORBIDDEN` for a protected bucket
   */
  async refuseProtected(bucketIds: readonly string[]): Promise<void> {
    if (this.grants.standing === "operator") return;
    await this.ready();
    for (const bucketId of bucketIds) refuseChange(this.#access.of(bucketId), "alter", bucketId);
  }

  /** Whether a bucket exists for who asks. */
  protected sees(bucketId: string): boolean {
    return this.grants.view?.sees(bucketId) ?? true;
  }

  /** Whether who asks may learn that there is such a bucket. */
  protected knows(bucketId: string): boolean {
    return this.sees(bucketId) || this.grants.allows("append", bucketId);
  }

  /** For records that somebody else has changed. */
  protected forgetAccess(): void {
    this.#access.forgetAll();
  }

  /** Forgets what is in memory: the storage was emptied behind it. */
  forget(): void {
    this.#access.forgetAll();
    this.shared.privacy.forget();
  }

  #unlessRefused<Result>(bucketId: string, change: Change, write: () => Promise<Result>): Promise<Result> {
    if (this.grants.standing === "operator") return write();
    return afterWaiting(this.ready(), () => {
      try {
        refuseChange(this.#access.of(bucketId), change, bucketId);
      } catch (refusal) {
        return Promise.reject(refusal);
      }
      return write();
    });
  }
}

/** Names nothing: by a redirect the events belong to a bucket that does not exist for the key. */
function elsewhere(): ActivityError {
  return new ActivityError("FORBIDDEN", "this key may not write to the bucket that this belongs to by now");
}

function lacking(verb: Verb, bucketId: string): ActivityError {
  return new ActivityError("FORBIDDEN", `this key may not do that; it needs the scope ${verb}:${bucketId}`);
}
