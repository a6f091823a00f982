import { ActivityError, noSuchBucket } from "../errors.js";
import type { ChangePage } from "./changes.js";
import type { Storage } from "./storage.js";
import { type TransactionPlan, transactOn } from "./transaction.js";

/** Start of the IDs of the trash's buckets. Stored data since 0.2 contains it. */
const TRASH = ".trash/";

/** Whether a bucket belongs to the trash. */
export function isInTrash(bucketId: string): boolean {
  return bucketId.startsWith(TRASH);
}

/** Returns the ID of the bucket in which a trash entry keeps a bucket, events of one, or notes for an undo. */
export function trashBucketId(entryId: string, place: number | "notes"): string {
  return `${TRASH}${entryId}/${place}`;
}

/** @throws ActivityError `INVALID_INPUT` for an ID that no bucket outside the trash can have */
export function refuseTrashId(bucketId: string): void {
  if (!isInTrash(bucketId)) return;
  const message = `bucketId must not start with ${TRASH}, which is reserved for the trash; choose another ID`;
  throw new ActivityError("INVALID_INPUT", message);
}

/** A storage without the trash, and the one way to move buckets between the two. */
export interface MainSpace extends Storage {
  readonly transact: NonNullable<Storage["transact"]>;
  /** Runs a transaction on buckets of this space and of the trash. @throws ActivityError as `transactOn` does */
  transactWithTrash(bucketIds: readonly string[], trashIds: readonly string[], plan: TransactionPlan): Promise<boolean>;
}

/**
 * Returns the main space of any storage. Buckets of the trash do not exist in it, and none can be created there.
 * Records, settings, backups and checks belong to both spaces. Calls reach the storage in the same turn.
 */
export function mainSpaceOf(storage: Storage): MainSpace {
  const { versions, changes } = storage;
  const missing = (bucketId: string): Promise<never> => Promise.reject(noSuchBucket(bucketId));

  /** A method that names one bucket. @param otherwise what it returns for a bucket of the trash */
  function on<Name extends OfBucket>(name: Name, otherwise: (bucketId: string) => Promise<unknown>): Storage[Name] {
    const call = (bucketId: string, argument: never) =>
      isInTrash(bucketId) ? otherwise(bucketId) : storage[name](bucketId, argument);
    return call as Storage[Name];
  }

  const transactWithTrash: MainSpace["transactWithTrash"] = (bucketIds, trashIds, plan) => {
    const hidden = bucketIds.find(isInTrash);
    return hidden === undefined ? transactOn(storage, [...bucketIds, ...trashIds], plan) : missing(hidden);
  };

  return {
    /** A storage that is opened later does not know them yet. */
    get traits() {
      return storage.traits;
    },
    ...(versions && { versions: (bucketIds) => versions.call(storage, bucketIds) }),
    ...(changes && { changes: (after) => withoutTrashChanges(changes.call(storage, after)) }),
    listBuckets: () => storage.listBuckets().then(withoutTrash),
    summaries: (bucketIds) => storage.summaries(bucketIds).then(withoutTrash),
    createBucket: (bucket, drafts, unless) =>
      isInTrash(bucket.id) ? refusal(bucket.id) : storage.createBucket(bucket, drafts, unless),
    getBucket: on("getBucket", async () => undefined),
    updateBucket: on("updateBucket", async () => false),
    deleteBucket: on("deleteBucket", async () => false),
    putEvents: on("putEvents", missing),
    mergeEvents: on("mergeEvents", missing),
    // Not by the table: there are more heartbeats than all other calls.
    heartbeat: (bucketId, beat, pulsetimeMicros) =>
      isInTrash(bucketId) ? missing(bucketId) : storage.heartbeat(bucketId, beat, pulsetimeMicros),
    getEvent: on("getEvent", missing),
    read: on("read", missing),
    countEvents: on("countEvents", missing),
    deleteEvents: on("deleteEvents", missing),
    transact: (bucketIds, plan) => transactWithTrash(bucketIds, [], plan),
    transactWithTrash,
    settings: storage.settings,
    ready: () => storage.ready(),
    deviceId: () => storage.deviceId(),
    records: (kind) => storage.records(kind),
    backup: () => storage.backup(),
    verify: (onProgress) => storage.verify(onProgress),
    eraseDeleted: async () => storage.eraseDeleted?.(),
    health: () => storage.health?.() ?? { state: "ok", problems: [] },
    useLogger: (logger) => storage.useLogger?.(logger),
    close: () => storage.close(),
  };
}

/** Methods whose first argument is the ID of a bucket. */
type OfBucket = Exclude<Extract<keyof Storage, `${string}${"Bucket" | "Event" | "Events"}` | "read">, "createBucket">;

async function refusal(bucketId: string): Promise<undefined> {
  refuseTrashId(bucketId);
}

function withoutTrash<B extends { readonly id: string }>(buckets: B[]): B[] {
  return buckets.some(({ id }) => isInTrash(id)) ? buckets.filter(({ id }) => !isInTrash(id)) : buckets;
}

/** A consumer can stop while a pull waits, as in the feed itself; a generator could not. */
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
