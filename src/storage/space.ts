import { ActivityError, noSuchBucket, storageClosed } from "../errors.js";
import type { ChangePage } from "./changes.js";
import { destroyStorage } from "./destroy.js";
import { lazyStorage } from "./lazy-storage.js";
import type { DestroyableStorage, EventRead, Storage } from "./storage.js";
import { type TransactionPlan, transactOn } from "./transaction.js";
import { countUsage, TRASH } from "./usage.js";
import { leaveStorage } from "./users.js";

/** Whether a bucket belongs to the trash. */
export function isInTrash(bucketId: string): boolean {
  return bucketId.startsWith(TRASH);
}

/** Returns the ID of the bucket in which a trash entry keeps a bucket, deleted events of one, or notes for an undo. */
export function trashBucketId(entryId: string, place: number | "notes"): string {
  return `${TRASH}${entryId}/${place}`;
}

/** @throws ActivityError `INVALID_INPUT` for an ID that no bucket outside the trash can have */
export function refuseTrashId(bucketId: string): void {
  if (!isInTrash(bucketId)) return;
  const message = `bucketId must not start with ${TRASH}, which is reserved for the trash; choose another ID`;
  throw new ActivityError("INVALID_INPUT", message);
}

/**
 * A storage without the trash, and the only way to move buckets between the two. `close()` closes the storage unless
 * others have joined it.
 */
export interface MainSpace extends DestroyableStorage {
  readonly transact: NonNullable<Storage["transact"]>;
  readonly usage: NonNullable<Storage["usage"]>;
  /** Reads the events of a bucket in the trash. */
  readTrash(bucketId: string): Promise<EventRead>;
  /** Runs a transaction on buckets of this space and of the trash. @throws the errors of `transactOn` */
  transactWithTrash(bucketIds: readonly string[], trashIds: readonly string[], plan: TransactionPlan): Promise<boolean>;
}

/**
 * Returns the main space of any storage. Buckets of the trash do not exist in it, and none can be created there.
 * Records, settings, backups and checks belong to both spaces. Calls reach the storage in the same turn.
 */
export function createMainSpace(whole: Storage): MainSpace {
  const { versions, rangeVersions, changes } = whole;
  const space: Space = Object.assign(Object.create(METHODS), { whole });
  if (versions) space.versions = (bucketIds) => space.whole.versions?.(bucketIds) ?? bucketIds.map(() => undefined);
  if (rangeVersions) {
    space.rangeVersions = (bucketId, ranges) =>
      space.whole.rangeVersions?.(bucketId, ranges) ?? ranges.map(() => undefined);
  }
  if (changes) space.changes = (after) => withoutTrashChanges(changes.call(whole, after));
  return space;
}

/** A main space, and the storage that it belongs to. */
type Space = MainSpace & { whole: Storage };

type Method = Exclude<keyof Storage, "traits" | "settings">;

/**
 * A method of the storage; returns `undefined` if the storage lacks it.
 *
 * @param ofTrash returns the result for a bucket ID in the trash
 */
function forward<Name extends Method>(
  name: Name,
  ofTrash?: (bucketId: string) => Promise<unknown>,
): NonNullable<Storage[Name]> {
  function call(this: Space, first: never, second: never): unknown {
    if (ofTrash !== undefined && isInTrash(first)) return ofTrash(first);
    return (this.whole[name] as ((...given: never[]) => unknown) | undefined)?.(first, second);
  }
  return call as NonNullable<Storage[Name]>;
}

const missing = (bucketId: string): Promise<never> => Promise.reject(noSuchBucket(bucketId));
const refused = async (bucketId: string): Promise<undefined> => void refuseTrashId(bucketId);

/** The methods that all main spaces share: a process can have thousands of servers. */
const METHODS: Omit<MainSpace, "versions" | "rangeVersions" | "changes"> & ThisType<Space> = {
  get traits() {
    return this.whole.traits;
  },
  get settings() {
    return this.whole.settings;
  },
  listBuckets() {
    return this.whole.listBuckets().then(withoutTrash);
  },
  summaries(bucketIds) {
    return this.whole.summaries(bucketIds).then(withoutTrash);
  },
  createBucket(bucket, drafts, unless) {
    return isInTrash(bucket.id) ? refused(bucket.id) : this.whole.createBucket(bucket, drafts, unless);
  },
  // Not by `passed`: heartbeats are more frequent than all other calls.
  heartbeat(bucketId, beat, pulsetimeMicros) {
    return isInTrash(bucketId) ? missing(bucketId) : this.whole.heartbeat(bucketId, beat, pulsetimeMicros);
  },
  getBucket: forward("getBucket", async () => undefined),
  updateBucket: forward("updateBucket", async () => false),
  deleteBucket: forward("deleteBucket", async () => false),
  putEvents: forward("putEvents", missing),
  mergeEvents: forward("mergeEvents", missing),
  getEvent: forward("getEvent", missing),
  read: forward("read", missing),
  countEvents: forward("countEvents", missing),
  deleteEvents: forward("deleteEvents", missing),
  transact(bucketIds, plan) {
    return this.transactWithTrash(bucketIds, [], plan);
  },
  transactWithTrash(bucketIds, trashIds, plan) {
    const hidden = bucketIds.find(isInTrash);
    return hidden === undefined ? transactOn(this.whole, [...bucketIds, ...trashIds], plan) : missing(hidden);
  },
  readTrash(bucketId) {
    return isInTrash(bucketId) ? this.whole.read(bucketId, { order: "oldest" }) : missing(bucketId);
  },
  ready: forward("ready"),
  deviceId: forward("deviceId"),
  records: forward("records"),
  backup: forward("backup"),
  verify: forward("verify"),
  eraseDeleted: forward("eraseDeleted"),
  async usage() {
    return this.whole.usage?.() ?? countUsage(this.whole);
  },
  health: forward("health"),
  useLogger: forward("useLogger"),
  useMemory: forward("useMemory"),
  async close() {
    const { whole } = this;
    if (!leaveStorage(whole)) return whole.close();
    this.whole = lazyStorage(() => Promise.reject(storageClosed()), { traits: whole.traits });
    await this.whole.close();
  },
  /** Destroys both spaces, even if other servers use the storage. */
  destroy() {
    return destroyStorage(this.whole);
  },
};

function withoutTrash<B extends { readonly id: string }>(buckets: B[]): B[] {
  return buckets.some(({ id }) => isInTrash(id)) ? buckets.filter(({ id }) => !isInTrash(id)) : buckets;
}

/** A consumer can stop while a pull waits, as in the feed itself; a generator would not allow that. */
function withoutTrashChanges(pages: AsyncIterable<ChangePage>): AsyncIterable<ChangePage> {
  const iterator = pages[Symbol.asyncIterator]();
  const iterate = () => ({
    async next() {
      const result = await iterator.next();
      if (result.done === true) return result;
      const changes = result.value.changes.filter((change) => !("bucketId" in change && isInTrash(change.bucketId)));
      return { done: false as const, value: { ...result.value, changes } };
    },
    return: async () => (await iterator.return?.()) ?? { done: true as const, value: undefined },
  });
  return { [Symbol.asyncIterator]: iterate };
}
