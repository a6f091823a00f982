import { storageClosed } from "../errors.js";
import type { Logger } from "../logger.js";
import type { ChangePage } from "./changes.js";
import type { Storage, StorageTraits } from "./storage.js";
import { transactOn } from "./transaction.js";

/**
 * A storage that passes every call on to another one, which is made when it is first needed. The order of the calls
 * stays: whoever waits for the other one waits in line.
 */
export abstract class ForwardingStorage implements Storage {
  abstract readonly traits: StorageTraits;
  readonly settings: Storage["settings"] = {
    get: (key) => this.#pass((storage) => storage.settings.get(key)),
    list: () => this.#pass((storage) => storage.settings.list()),
    put: (key, value) => this.#pass((storage) => storage.settings.put(key, value)),
    delete: (key) => this.#pass((storage) => storage.settings.delete(key)),
  };
  /** The logger of the server, for a storage that is made later. */
  protected logger: Logger | undefined;
  #closed: Promise<void> | undefined;

  /** The storage that does the work. Not called after `close()`. @throws ActivityError why there is none */
  protected abstract target(): Storage | Promise<Storage>;

  /** The same storage when it is there already; nothing is made. */
  protected abstract known(): Storage | undefined;

  /** Lets go of the storage, once. */
  protected abstract letGo(): Promise<void>;

  /** Nothing is waited for when the storage is there: each wait costs a heartbeat a turn. What is thrown rejects. */
  #pass<T>(call: (storage: Storage) => Promise<T>): Promise<T> {
    if (this.#closed !== undefined) return Promise.reject(storageClosed());
    try {
      const target = this.target();
      return "then" in target ? target.then(call) : call(target);
    } catch (thrown) {
      return Promise.reject(thrown);
    }
  }

  ready: Storage["ready"] = () => this.#pass((storage) => storage.ready());
  deviceId: Storage["deviceId"] = () => this.#pass((storage) => storage.deviceId());
  listBuckets: Storage["listBuckets"] = () => this.#pass((storage) => storage.listBuckets());
  getBucket: Storage["getBucket"] = (bucketId) => this.#pass((storage) => storage.getBucket(bucketId));
  summaries: Storage["summaries"] = (bucketIds) => this.#pass((storage) => storage.summaries(bucketIds));
  createBucket: Storage["createBucket"] = (bucket, drafts, unless) =>
    this.#pass((storage) => storage.createBucket(bucket, drafts, unless));
  updateBucket: Storage["updateBucket"] = (bucketId, patch) =>
    this.#pass((storage) => storage.updateBucket(bucketId, patch));
  deleteBucket: Storage["deleteBucket"] = (bucketId) => this.#pass((storage) => storage.deleteBucket(bucketId));
  putEvents: Storage["putEvents"] = (bucketId, drafts) => this.#pass((storage) => storage.putEvents(bucketId, drafts));
  mergeEvents: Storage["mergeEvents"] = (bucketId, drafts) =>
    this.#pass((storage) => storage.mergeEvents(bucketId, drafts));
  heartbeat: Storage["heartbeat"] = (bucketId, beat, pulsetimeMicros) =>
    this.#pass((storage) => storage.heartbeat(bucketId, beat, pulsetimeMicros));
  getEvent: Storage["getEvent"] = (bucketId, eventId) => this.#pass((storage) => storage.getEvent(bucketId, eventId));
  read: Storage["read"] = (bucketId, range) => this.#pass((storage) => storage.read(bucketId, range));
  countEvents: Storage["countEvents"] = (bucketId, range) =>
    this.#pass((storage) => storage.countEvents(bucketId, range));
  deleteEvents: Storage["deleteEvents"] = (bucketId, eventIds) =>
    this.#pass((storage) => storage.deleteEvents(bucketId, eventIds));
  transact: NonNullable<Storage["transact"]> = (bucketIds, plan) =>
    this.#pass((storage) => transactOn(storage, bucketIds, plan));
  eraseDeleted: NonNullable<Storage["eraseDeleted"]> = () => this.#pass(async (storage) => storage.eraseDeleted?.());
  verify: Storage["verify"] = (onProgress) => this.#pass((storage) => storage.verify(onProgress));

  records: Storage["records"] = (kind) => ({
    get: (key) => this.#pass((storage) => storage.records(kind).get(key)),
    list: () => this.#pass((storage) => storage.records(kind).list()),
    compareAndSet: (key, expected, value) =>
      this.#pass((storage) => storage.records(kind).compareAndSet(key, expected, value)),
  });

  versions: NonNullable<Storage["versions"]> = (bucketIds) => {
    const unknown = bucketIds.map(() => undefined);
    if (this.#closed !== undefined) return unknown;
    const versionsOf = (storage: Storage) => storage.versions?.(bucketIds) ?? unknown;
    const target = this.target();
    return "then" in target ? target.then(versionsOf) : versionsOf(target);
  };

  /** Nothing is opened before the first pull. */
  backup: Storage["backup"] = () => this.#backup();

  async *#backup(): ReturnType<Storage["backup"]> & AsyncGenerator {
    yield* await this.#pass(async (storage) => storage.backup());
  }

  /** For those that offer `changes`: the feed of the storage, or one that ends at once where it has none. */
  protected feedOf(after: string | undefined): AsyncIterable<ChangePage> {
    const feed = new LaterFeed(() => this.#pass(async (storage) => storage.changes?.(after)[Symbol.asyncIterator]()));
    return { [Symbol.asyncIterator]: () => feed };
  }

  health: NonNullable<Storage["health"]> = () => this.known()?.health?.() ?? { state: "ok", problems: [] };

  useLogger = (logger: Logger): void => {
    this.logger = logger;
    this.known()?.useLogger?.(logger);
  };

  close = (): Promise<void> => {
    this.#closed ??= this.letGo();
    return this.#closed;
  };
}

const END: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** A feed of a storage that may have to be made first. Can be ended at any time, as the feed itself. */
class LaterFeed implements AsyncIterator<ChangePage> {
  readonly #make: () => Promise<AsyncIterator<ChangePage> | undefined>;
  #feed: Promise<AsyncIterator<ChangePage> | undefined> | undefined;
  #isOver = false;

  constructor(make: () => Promise<AsyncIterator<ChangePage> | undefined>) {
    this.#make = make;
  }

  async next(): Promise<IteratorResult<ChangePage, undefined>> {
    if (this.#isOver) return END;
    this.#feed ??= this.#make();
    const feed = await this.#feed;
    if (this.#isOver || feed === undefined) return END;
    return feed.next();
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.#isOver = true;
    // What it could not be made for is told to whoever pulls.
    const feed = await this.#feed?.catch(() => undefined);
    await feed?.return?.();
    return END;
  }
}
