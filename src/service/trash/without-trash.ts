import { type ActivityError, noSuchBucket } from "../../errors.js";
import type { ChangePage } from "../../storage/changes.js";
import type { Storage, StorageTraits } from "../../storage/storage.js";
import { transactOn } from "../../storage/transaction.js";
import { invalid } from "../validation.js";
import { isHidden } from "./hidden.js";

/**
 * A storage as everybody but the trash sees it: there are no buckets of the trash in it, and none can be made. Calls
 * take no longer for it: in what order they are answered says in what order they took effect.
 */
export function withoutTrash(storage: Storage): Storage {
  return new WithoutTrash(storage);
}

class WithoutTrash implements Storage {
  readonly settings: Storage["settings"];
  readonly versions?: NonNullable<Storage["versions"]>;
  readonly changes?: NonNullable<Storage["changes"]>;
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
    this.settings = storage.settings;
    if (storage.versions !== undefined) this.versions = (bucketIds) => storage.versions?.(bucketIds) ?? [];
    if (storage.changes !== undefined) this.changes = (after) => visible(storage.changes?.(after) ?? NO_PAGES);
  }

  /** Of a storage that is made later they are not known yet. */
  get traits(): StorageTraits {
    return this.#storage.traits;
  }

  listBuckets: Storage["listBuckets"] = () => this.#storage.listBuckets().then(withoutHidden);
  summaries: Storage["summaries"] = (bucketIds) => this.#storage.summaries(bucketIds).then(withoutHidden);
  getBucket: Storage["getBucket"] = (bucketId) =>
    isHidden(bucketId) ? Promise.resolve(undefined) : this.#storage.getBucket(bucketId);
  createBucket: Storage["createBucket"] = (bucket, drafts, unless) =>
    isHidden(bucket.id) ? Promise.reject(hiddenRefused()) : this.#storage.createBucket(bucket, drafts, unless);
  updateBucket: Storage["updateBucket"] = (bucketId, patch) =>
    isHidden(bucketId) ? Promise.resolve(false) : this.#storage.updateBucket(bucketId, patch);
  deleteBucket: Storage["deleteBucket"] = (bucketId) =>
    isHidden(bucketId) ? Promise.resolve(false) : this.#storage.deleteBucket(bucketId);

  /** Those of one bucket, which must be there. */
  #in<T>(bucketId: string, use: (storage: Storage) => Promise<T>): Promise<T> {
    return isHidden(bucketId) ? Promise.reject(noSuchBucket(bucketId)) : use(this.#storage);
  }

  putEvents: Storage["putEvents"] = (bucketId, drafts) =>
    this.#in(bucketId, (storage) => storage.putEvents(bucketId, drafts));
  mergeEvents: Storage["mergeEvents"] = (bucketId, drafts) =>
    this.#in(bucketId, (storage) => storage.mergeEvents(bucketId, drafts));
  getEvent: Storage["getEvent"] = (bucketId, eventId) =>
    this.#in(bucketId, (storage) => storage.getEvent(bucketId, eventId));
  read: Storage["read"] = (bucketId, range) => this.#in(bucketId, (storage) => storage.read(bucketId, range));
  countEvents: Storage["countEvents"] = (bucketId, range) =>
    this.#in(bucketId, (storage) => storage.countEvents(bucketId, range));
  deleteEvents: Storage["deleteEvents"] = (bucketId, eventIds) =>
    this.#in(bucketId, (storage) => storage.deleteEvents(bucketId, eventIds));

  heartbeat: Storage["heartbeat"] = (bucketId, beat, pulsetimeMicros) => {
    if (isHidden(bucketId)) return Promise.reject(noSuchBucket(bucketId));
    return this.#storage.heartbeat(bucketId, beat, pulsetimeMicros);
  };

  transact: NonNullable<Storage["transact"]> = (bucketIds, plan) =>
    bucketIds.some(isHidden) ? Promise.reject(hiddenRefused()) : transactOn(this.#storage, bucketIds, plan);

  ready: Storage["ready"] = () => this.#storage.ready();
  deviceId: Storage["deviceId"] = () => this.#storage.deviceId();
  records: Storage["records"] = (kind) => this.#storage.records(kind);
  /** All of it: what the trash holds as well. */
  backup: Storage["backup"] = () => this.#storage.backup();
  verify: Storage["verify"] = (onProgress) => this.#storage.verify(onProgress);
  eraseDeleted: NonNullable<Storage["eraseDeleted"]> = async () => this.#storage.eraseDeleted?.();
  health: NonNullable<Storage["health"]> = () => this.#storage.health?.() ?? { state: "ok", problems: [] };
  useLogger: NonNullable<Storage["useLogger"]> = (logger) => this.#storage.useLogger?.(logger);
  close: Storage["close"] = () => this.#storage.close();
}

/** @throws ActivityError `INVALID_INPUT` for an id that only the trash may use */
export function refuseHidden(bucketId: string): void {
  if (isHidden(bucketId)) throw hiddenRefused();
}

function hiddenRefused(): ActivityError {
  return invalid("bucketId begins with .trash/, as those of the trash do; choose another one");
}

function withoutHidden<B extends { readonly id: string }>(buckets: B[]): B[] {
  return buckets.some(({ id }) => isHidden(id)) ? buckets.filter(({ id }) => !isHidden(id)) : buckets;
}

const NO_PAGES: AsyncIterable<ChangePage> = { [Symbol.asyncIterator]: () => ({ next: async () => END }) };
const END: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** Pages without changes of the trash. Can be ended while a pull waits, as the feed itself. */
function visible(pages: AsyncIterable<ChangePage>): AsyncIterable<ChangePage> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = pages[Symbol.asyncIterator]();
      return {
        async next() {
          const result = await iterator.next();
          if (result.done === true) return END;
          const { changes, cursor } = result.value;
          const kept = changes.filter((change) => !("bucketId" in change && isHidden(change.bucketId)));
          return { done: false, value: { changes: kept, cursor } };
        },
        return: async () => (await iterator.return?.()) ?? END,
      };
    },
  };
}
