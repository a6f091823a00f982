import { hasCode, messageOf, noSuchBucket, storageClosed } from "../../src/errors.js";
import type { Logger } from "../../src/logger.js";
import type { StorageHealth, VerifyReport } from "../../src/storage/health.js";
import type { BucketState } from "./bucket-state.js";
import { Cleaner } from "./cleaner.js";
import { Committer } from "./committer.js";
import { wantsFlush } from "./compaction.js";
import { Eraser } from "./eraser.js";
import { writeFailure } from "./failures.js";
import { Holds } from "./holds.js";
import { LogWriter } from "./log-writer.js";
import { Problems } from "./problems.js";
import { Reserved, reservedId } from "./reserved.js";
import { Restructurer } from "./restructure.js";
import { SegmentCache } from "./segment-cache.js";
import { type Applied, type Apply, SerialQueues } from "./serial-queue.js";
import { Sleeper } from "./sleeper.js";
import { snapshotBytes, snapshotOf } from "./snapshot.js";
import { bucketsByNumber, type State } from "./state.js";
import type { SegmentStore } from "./store.js";
import { withReserve } from "./with-reserve.js";

/** What an engine is made with. */
export interface EngineOptions {
  readonly store: SegmentStore;
  readonly state: State;
  /** Memory for decoded segments, in bytes. */
  readonly cacheBytes: number;
  readonly logger: Logger;
}

/** Waits between two attempts of work in the background that failed, in milliseconds. */
const RETRY_MILLIS = 1_000;
const MOST_RETRY_MILLIS = 60_000;
/** Bytes of changed records from which on a commit of their own takes them: each new log would begin with them. */
const MOST_DIRTY_BYTES = 1024 * 1024;
/** A log longer than this is begun anew before a clean stop, so that the next start has little to read. */
const SHORT_LOG_BYTES = 256 * 1024;

/**
 * The segment engine over one store: state in memory, a log of what is in no segment yet, and commits that move it
 * there. A change is made in memory, described by lines of the log, and acknowledged when these are durable; a change
 * whose lines were refused is taken back.
 */
export class Engine {
  readonly state: State;
  readonly log: LogWriter;
  readonly cache: SegmentCache;
  readonly holds: Holds = new Holds();
  readonly restructurer: Restructurer;
  readonly committer: Committer;
  readonly store: SegmentStore;
  readonly logger: Logger;
  readonly #queues: SerialQueues = new SerialQueues();
  readonly #reserved: Reserved = new Reserved();
  readonly problems: Problems;
  readonly cleaner: Cleaner;
  readonly #flushing: Map<BucketState, Promise<void>> = new Map();
  #committingRecords: Promise<void> | undefined;
  readonly #sleeper: Sleeper = new Sleeper();
  readonly #eraser: Eraser;
  #isClosing = false;
  #retryMillis = RETRY_MILLIS;
  /** When something was last asked for, as `performance.now()` tells it. */
  lastUse: number = performance.now();
  lastScrub: number | undefined;

  constructor({ store, state, cacheBytes, logger }: EngineOptions) {
    this.store = store;
    this.state = state;
    this.logger = logger;
    this.problems = new Problems(store.name, logger);
    for (const problem of state.problems) this.problems.note(problem);
    this.cache = new SegmentCache(store, cacheBytes, (error, entry) => {
      const bucketId = bucketsByNumber(state).get(entry.bucketNo)?.bucket.id;
      this.problems.note({ kind: "damaged", message: error.message, ...(bucketId !== undefined && { bucketId }) });
    });
    this.committer = new Committer({
      ...{ store, state, holds: this.holds, log: () => this.log },
      report: (failure) => this.problems.report("commits", failure),
    });
    this.log = new LogWriter({
      ...{ store, sequence: state.sequence },
      snapshot: () => snapshotOf(state),
      snapshotBytes: () => snapshotBytes(state),
      commitIdle: () => this.committer.idle,
      report: (failure) => this.problems.report("the log", failure),
    });
    this.restructurer = new Restructurer(this.committer, this.cache, state, this.holds);
    this.holds.add(state.dropped);
    this.cleaner = new Cleaner({
      ...{ store, state, holds: this.holds, committer: this.committer, sleeper: this.#sleeper },
      backOff: () => this.#backOff(),
    });
    this.#eraser = new Eraser({ store, log: this.log, cleaner: this.cleaner, sleeper: this.#sleeper });
  }

  /** Starts work in the background. */
  start(): void {
    if (this.state.deleted.size > 0 || this.state.dropped.length > 0) this.cleaner.soon();
    this.state.dirty.onAdded = () => this.#commitRecordsIfLarge();
    this.#commitRecordsIfLarge();
  }

  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** @throws ActivityError `STORAGE_CLOSED` */
  assertOpen(): void {
    this.assertNotClosed();
    this.lastUse = performance.now();
  }

  /** The same for work in the background, which does not count as use. @throws ActivityError `STORAGE_CLOSED` */
  assertNotClosed(): void {
    if (this.#isClosing) throw storageClosed();
  }

  /** @throws ActivityError `STORAGE_CLOSED`; `STORAGE_FULL` and others while the store refuses writes */
  assertWritable(): void {
    this.assertOpen();
    const refusal = this.store.refusal?.();
    if (refusal !== undefined) throw writeFailure(refusal);
  }

  /** @throws ActivityError `NO_SUCH_BUCKET`, `STORAGE_CLOSED` */
  bucket(bucketId: string): BucketState {
    this.assertOpen();
    const bucket = this.state.buckets.get(bucketId);
    if (bucket === undefined) throw noSuchBucket(bucketId);
    return bucket;
  }

  /** Makes a change when its turn comes among those of the same bucket id. */
  async inOrder<T>(bucketId: string, apply: Apply<T>, options?: { readonly isDeletion?: boolean }): Promise<T> {
    const run = (): Promise<T> =>
      this.#queues.run(bucketId, () => {
        const free = this.unreserved(reservedId(bucketId));
        return free === undefined ? apply() : free.then(apply);
      });
    if (options?.isDeletion) {
      this.assertOpen();
      return withReserve(this, run);
    }
    this.assertWritable();
    return run();
  }

  /** Does some work when its turn has come among the changes of several bucket ids. */
  inOrderOfAll<T>(bucketIds: Iterable<string>, work: () => Promise<T>): Promise<T> {
    const ids = [...bucketIds];
    return this.#queues.runAll(ids, async () => {
      for (const id of ids) await this.unreserved(reservedId(id));
      return work();
    });
  }

  /**
   * Resolves when no commit under way changes a record or a bucket of an id; `undefined`: none does.
   *
   * @throws ActivityError while it is in doubt whether a commit counts that does
   */
  unreserved(name: string): Promise<void> | undefined {
    const busy = this.#reserved.before(name);
    if (busy === undefined) return undefined;
    this.committer.assertSure();
    return this.committer.whileSure(busy).then(() => this.unreserved(name));
  }

  /** Reserves names for a commit, all at once, when they are free. @param until resolves when they are free again */
  async reserve(names: readonly string[], until: Promise<void>): Promise<void> {
    for (let at = 0; at < names.length; at++) {
      const busy = this.unreserved(names[at] as string);
      if (busy === undefined) continue;
      await busy;
      at = -1;
    }
    this.#reserved.add(names, until);
  }

  /** Changes a bucket when its turn comes, and flushes its memtable afterwards if it has grown large. */
  change<T>(
    bucketId: string,
    change: (bucket: BucketState) => Applied<T> | Promise<Applied<T>>,
    options?: { readonly isDeletion?: boolean },
  ): Promise<T> {
    const apply = (): Applied<T> | Promise<Applied<T>> => {
      const bucket = this.state.buckets.get(bucketId);
      if (bucket === undefined) throw noSuchBucket(bucketId);
      // What is in doubt may appear in memory later: nothing may have been built on it then.
      if (bucket.restructuring !== undefined) this.committer.assertSure();
      const applied = change(bucket);
      this.flushIfLarge(bucket);
      return applied;
    };
    return this.inOrder(bucketId, apply, options);
  }

  /** Flushes a memtable in the background where it has grown large. */
  flushIfLarge(bucket: BucketState): void {
    if (!wantsFlush(bucket) || bucket.isDeleted || this.#flushing.has(bucket) || this.#isClosing) return;
    const flushed = this.#flushAll(bucket).finally(() => this.#flushing.delete(bucket));
    this.#flushing.set(bucket, flushed);
  }

  /** Notes what a scrub has found. */
  scrubbed({ problems }: VerifyReport): void {
    this.lastScrub = Date.now();
    for (const problem of problems) this.problems.note(problem);
  }

  /** Sees to it that nothing of the store holds what was deleted before. */
  async eraseDeleted(): Promise<void> {
    this.assertOpen();
    await this.#eraser.erase();
  }

  health(): StorageHealth {
    const lost = this.store.lost?.();
    const missing = lost === undefined ? [] : [{ kind: "missing" as const, message: lost.message }];
    const problems = [...this.problems.all, ...missing];
    const failure = lost ?? this.log.failure ?? this.committer.doubt ?? this.store.refusal?.();
    const disk = this.store.disk?.();
    return {
      state: problems.length > 0 ? "degraded" : failure === undefined ? "ok" : "read-only",
      problems,
      encrypted: this.store.isEncrypted === true,
      ...(failure === undefined ? {} : { refusal: writeFailure(failure).message }),
      ...(this.lastScrub === undefined ? {} : { lastScrub: this.lastScrub }),
      ...(disk === undefined ? {} : { disk }),
    };
  }

  /** Refuses new calls, waits for what was begun, and leaves a short log. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#sleeper.wake();
    await this.#queues.idle();
    const { cleaner } = this;
    await Promise.all([...this.#flushing.values(), this.#committingRecords, cleaner.close(), this.#eraser.close()]);
    await this.committer.close();
    await this.log.soFar().catch(() => undefined);
    // A force that fails breaks the log: what it holds is written anew.
    await this.store.force().catch(() => undefined);
    // In doubt the log has to tell what either outcome means.
    if (this.committer.doubt === undefined && (this.log.isLongerThan(SHORT_LOG_BYTES) || this.log.isBroken)) {
      await this.log.renew().catch(() => undefined);
    }
    await this.log.close();
    this.cache.close();
    await this.store.close();
  }

  /** Commits records in the background where many have changed. */
  #commitRecordsIfLarge(): void {
    if (this.#committingRecords !== undefined || this.state.dirty.bytes < MOST_DIRTY_BYTES) return;
    this.#committingRecords = this.#commitRecords().finally(() => {
      this.#committingRecords = undefined;
    });
  }

  async #commitRecords(): Promise<void> {
    while (this.state.dirty.bytes >= MOST_DIRTY_BYTES && !this.#isClosing) {
      // What has changed them goes into the log first.
      await new Promise((resolve) => setTimeout(resolve, 0));
      try {
        await this.committer.run(() => undefined);
        this.#retryMillis = RETRY_MILLIS;
      } catch (thrown) {
        if (hasCode(thrown, "STORAGE_LOCKED")) return;
        await this.#backOff();
      }
    }
  }

  async #flushAll(bucket: BucketState): Promise<void> {
    while (wantsFlush(bucket) && !this.#isClosing && !bucket.isDeleted) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      try {
        if (!(await this.restructurer.flush(bucket))) return;
        this.#retryMillis = RETRY_MILLIS;
        this.cleaner.soon();
      } catch (thrown) {
        if (hasCode(thrown, "NO_SUCH_BUCKET", "STORAGE_LOCKED")) return;
        if (hasCode(thrown, "STORAGE_CORRUPT")) this.problems.noteDisorder(messageOf(thrown), bucket.bucket.id);
        await this.#backOff();
      }
    }
  }

  async #backOff(): Promise<void> {
    const millis = this.#retryMillis;
    this.#retryMillis = Math.min(millis * 2, MOST_RETRY_MILLIS);
    await this.#sleeper.sleep(millis);
  }
}
