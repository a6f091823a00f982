import { hasCode, messageOf, noSuchBucket, storageClosed } from "../../src/errors.js";
import type { Logger } from "../../src/logger.js";
import type { StorageHealth, VerifyReport } from "../../src/storage/health.js";
import { turnOfLoop } from "../../src/util/time-slice.js";
import type { BucketState } from "./bucket-state.js";
import { Cleaner } from "./cleaner.js";
import { Committer } from "./committer.js";
import { wantsFlush } from "./compaction.js";
import { Eraser } from "./eraser.js";
import { writeFailure } from "./failures.js";
import { LogWriter } from "./log-writer.js";
import { Problems } from "./problems.js";
import { bucketIdName, ReservedNames } from "./reserved-names.js";
import { Restructurer } from "./restructure.js";
import { SegmentCache } from "./segment-cache.js";
import { SegmentPins } from "./segment-pins.js";
import { type Applied, type Apply, SerialQueues } from "./serial-queue.js";
import { Sleeper } from "./sleeper.js";
import { createSnapshot, snapshotBytes } from "./snapshot.js";
import { bucketsByNumber, type State } from "./state.js";
import type { SegmentStore } from "./store.js";
import { withReserve } from "./with-reserve.js";

export interface EngineOptions {
  readonly store: SegmentStore;
  readonly state: State;
  /** Memory for decoded segments, in bytes. */
  readonly cacheBytes: number;
  readonly logger: Logger;
}

/** First and maximum delay between attempts of failed background work, in milliseconds. */
const RETRY_MILLIS = 1_000;
const MAX_RETRY_MILLIS = 60_000;
/** Size of changed records that triggers a separate commit, since each new log would start with all of them. */
const MAX_DIRTY_BYTES = 1024 * 1024;
/** A longer log is restarted before a clean shutdown, so that the next start is fast. */
const SHORT_LOG_BYTES = 256 * 1024;

/**
 * The segment engine over one store: state in memory, a log of all changes that are not in segments yet, and commits
 * that move them there. A change is applied in memory, appended to the log, and acknowledged when its log lines are
 * durable. If the log rejects them, the change is undone.
 */
export class Engine {
  readonly state: State;
  readonly log: LogWriter;
  readonly cache: SegmentCache;
  readonly pins: SegmentPins = new SegmentPins();
  readonly restructurer: Restructurer;
  readonly committer: Committer;
  readonly store: SegmentStore;
  readonly logger: Logger;
  readonly #queues: SerialQueues = new SerialQueues();
  readonly #reservedNames: ReservedNames = new ReservedNames();
  readonly problems: Problems;
  readonly cleaner: Cleaner;
  readonly #flushing: Map<BucketState, Promise<void>> = new Map();
  #committingRecords: Promise<void> | undefined;
  readonly #sleeper: Sleeper = new Sleeper();
  readonly #eraser: Eraser;
  #isClosing = false;
  #retryMillis = RETRY_MILLIS;
  /** Time of the last call, from `performance.now()`. */
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
      ...{ store, state, pins: this.pins, log: () => this.log },
      report: (failure) => this.problems.report("commits", failure),
    });
    this.log = new LogWriter({
      ...{ store, sequence: state.sequence },
      snapshot: () => createSnapshot(state),
      snapshotBytes: () => snapshotBytes(state),
      commitIdle: () => this.committer.idle,
      report: (failure) => this.problems.report("the log", failure),
    });
    this.restructurer = new Restructurer(this.committer, this.cache, state, this.pins);
    this.pins.add(state.dropped);
    this.cleaner = new Cleaner({
      ...{ store, state, pins: this.pins, committer: this.committer, sleeper: this.#sleeper },
      backOff: () => this.#backOff(),
    });
    this.#eraser = new Eraser({ store, log: this.log, cleaner: this.cleaner, sleeper: this.#sleeper });
  }

  /** Starts background work. */
  start(): void {
    if (this.state.deleted.size > 0 || this.state.dropped.length > 0) this.cleaner.schedule();
    this.state.dirty.onAdded = () => this.#commitRecordsIfLarge();
    this.#commitRecordsIfLarge();
  }

  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** Records the call. @throws ActivityError `STORAGE_CLOSED` */
  assertOpen(): void {
    this.assertNotClosed();
    this.lastUse = performance.now();
  }

  /** Like `assertOpen`, for background work, which is not recorded as a call. @throws ActivityError `STORAGE_CLOSED` */
  assertNotClosed(): void {
    if (this.#isClosing) throw storageClosed();
  }

  /** @throws ActivityError `STORAGE_CLOSED`; `STORAGE_FULL` and others while the store rejects writes */
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

  /** Applies a change in the order of calls for the same bucket ID. */
  runInOrder<T>(bucketId: string, apply: Apply<T>, { isDeletion = false }: { isDeletion?: boolean } = {}): Promise<T> {
    const run = (): Promise<T> =>
      this.#queues.run(bucketId, () => {
        const free = this.awaitUnreserved(bucketIdName(bucketId));
        return free === undefined ? apply() : free.then(apply);
      });
    // Not an async function, which would add promises to every heartbeat.
    try {
      this[isDeletion ? "assertOpen" : "assertWritable"]();
      return isDeletion ? withReserve(this, run) : run();
    } catch (refusal) {
      return Promise.reject(refusal);
    }
  }

  /** Runs work in the order of calls for several bucket IDs. */
  runInOrderOfAll<T>(bucketIds: Iterable<string>, work: () => Promise<T>): Promise<T> {
    const ids = [...bucketIds];
    return this.#queues.runAll(ids, async () => {
      for (const id of ids) await this.awaitUnreserved(bucketIdName(id));
      return work();
    });
  }

  /**
   * Resolves when no commit in progress changes the given record or bucket ID; `undefined` if none does.
   *
   * @throws ActivityError while the outcome of such a commit is uncertain
   */
  awaitUnreserved(name: string): Promise<void> | undefined {
    const busy = this.#reservedNames.awaitFree(name);
    if (busy === undefined) return undefined;
    this.committer.assertCertain();
    return this.committer.awaitUnlessUncertain(busy).then(() => this.awaitUnreserved(name));
  }

  /** Reserves all names for a commit as soon as they are free. @param until resolves when they are free again */
  async reserve(names: readonly string[], until: Promise<void>): Promise<void> {
    for (let at = 0; at < names.length; at++) {
      const busy = this.awaitUnreserved(names[at] as string);
      if (busy === undefined) continue;
      await busy;
      at = -1;
    }
    this.#reservedNames.add(names, until);
  }

  /** Changes a bucket in the order of calls, then flushes its memtable if it has become large. */
  change<T>(
    bucketId: string,
    change: (bucket: BucketState) => Applied<T> | Promise<Applied<T>>,
    options?: { readonly isDeletion?: boolean },
  ): Promise<T> {
    const apply = (): Applied<T> | Promise<Applied<T>> => {
      const bucket = this.state.buckets.get(bucketId);
      if (bucket === undefined) throw noSuchBucket(bucketId);
      // An uncertain commit may change the memory later, so nothing may be based on the current state.
      if (bucket.restructuring !== undefined) this.committer.assertCertain();
      const applied = change(bucket);
      this.flushIfLarge(bucket);
      return applied;
    };
    return this.runInOrder(bucketId, apply, options);
  }

  /** Flushes a large memtable in the background. */
  flushIfLarge(bucket: BucketState): void {
    if (!wantsFlush(bucket) || bucket.isDeleted || this.#flushing.has(bucket) || this.#isClosing) return;
    const flushed = this.#flushAll(bucket).finally(() => this.#flushing.delete(bucket));
    this.#flushing.set(bucket, flushed);
  }

  /** Records the problems that a scrub found. */
  scrubbed({ problems }: VerifyReport): void {
    this.lastScrub = Date.now();
    for (const problem of problems) this.problems.note(problem);
  }

  /** Erases all deleted values from the store. */
  async eraseDeleted(): Promise<void> {
    this.assertOpen();
    await this.#eraser.erase();
  }

  health(): StorageHealth {
    const lost = this.store.lost?.();
    const missing = lost === undefined ? [] : [{ kind: "missing" as const, message: lost.message }];
    const problems = [...this.problems.all, ...missing];
    const failure = lost ?? this.log.failure ?? this.committer.uncertainCause ?? this.store.refusal?.();
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

  /** Rejects new calls, waits for running ones, and leaves a short log. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#sleeper.wake();
    await this.#queues.idle();
    const { cleaner } = this;
    await Promise.all([...this.#flushing.values(), this.#committingRecords, cleaner.close(), this.#eraser.close()]);
    await this.committer.close();
    await this.log.awaitDurable().catch(() => undefined);
    // A failed force breaks the log, so that its content is rewritten.
    await this.store.force().catch(() => undefined);
    // If a commit is uncertain, the log must stay valid for either outcome.
    if (this.committer.uncertainCause === undefined && (this.log.isLongerThan(SHORT_LOG_BYTES) || this.log.isBroken)) {
      await this.log.restart().catch(() => undefined);
    }
    await this.log.close();
    this.cache.close();
    await this.store.close();
  }

  /** Commits records in the background when many have changed. */
  #commitRecordsIfLarge(): void {
    if (this.#committingRecords !== undefined || this.state.dirty.bytes < MAX_DIRTY_BYTES) return;
    this.#committingRecords = this.#commitRecords().finally(() => {
      this.#committingRecords = undefined;
    });
  }

  async #commitRecords(): Promise<void> {
    while (this.state.dirty.bytes >= MAX_DIRTY_BYTES && !this.#isClosing) {
      // The current change goes to the log first.
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
      // One bucket in a turn, for the p99 of rows `heartbeats/*` of the bench: several often grow large at once.
      await turnOfLoop();
      try {
        if (!(await this.restructurer.flush(bucket))) return;
        this.#retryMillis = RETRY_MILLIS;
        this.cleaner.schedule();
      } catch (thrown) {
        if (hasCode(thrown, "NO_SUCH_BUCKET", "STORAGE_LOCKED")) return;
        if (hasCode(thrown, "STORAGE_CORRUPT")) this.problems.noteDisorder(messageOf(thrown), bucket.bucket.id);
        await this.#backOff();
      }
    }
  }

  async #backOff(): Promise<void> {
    const millis = this.#retryMillis;
    this.#retryMillis = Math.min(millis * 2, MAX_RETRY_MILLIS);
    await this.#sleeper.sleep(millis);
  }
}
