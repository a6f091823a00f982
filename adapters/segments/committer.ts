import { ActivityError } from "../../src/errors.js";
import { LazySet } from "../../src/util/lazy-collections.js";
import { isFull, writeFailure } from "./failures.js";
import { commitLine, committedLine } from "./log-codec.js";
import type { LogWriter } from "./log-writer.js";
import { type CommitPart, type Prepared, prepareCommit } from "./prepare-commit.js";
import type { SegmentPins } from "./segment-pins.js";
import type { State } from "./state.js";
import type { Commit, SegmentStore } from "./store.js";

/** Creates a job's parts at the time of the commit. @returns `undefined` if nothing is left to do */
export type Capture = (commit: number) => CommitPart | readonly CommitPart[] | undefined;

interface Job {
  readonly capture: Capture;
  readonly isLong: boolean;
  readonly resolve: () => void;
  readonly reject: (cause: unknown) => void;
}

interface CommitterOptions {
  readonly store: SegmentStore;
  readonly state: State;
  readonly pins: SegmentPins;
  readonly log: () => LogWriter;
  /** Receives failures, and `undefined` when commits work again. */
  readonly report: (failure: unknown | undefined) => void;
}

/** First and maximum delay in milliseconds before an uncertain commit is checked again. */
const RECOVER_MILLIS = 20;
const MAX_RECOVER_MILLIS = 1_000;
/** Checks after the reserve was released, before waiting calls fail. */
const RESERVE_CHECKS = 2;

/**
 * Writes changes of segments and records to the store, one commit at a time. Waiting jobs share a commit; long ones
 * only if a short one waits behind them. The log contains a commit's lines, and is forced, before the commit starts.
 * The memory changes only after the commit succeeded.
 */
export class Committer {
  readonly #options: CommitterOptions;
  #jobs: Job[] = [];
  #working: Promise<void> | undefined;
  /** Set while the store works on a commit, until its outcome is known. */
  #inStore: Promise<void> | undefined;
  #uncertainCause: unknown;
  /** Callers to reject when the outcome of a commit becomes uncertain. */
  readonly #waiting: LazySet<(cause: unknown) => void> = new LazySet();
  #endWait: () => void = () => undefined;
  #isClosed = false;
  /** Number of the last commit that was started. */
  #lastTried = 0;

  constructor(options: CommitterOptions) {
    this.#options = options;
  }

  /**
   * Adds a job to one of the next commits. Resolves or rejects with the outcome of that commit.
   *
   * @param isLong whether the job and its end take long. Such jobs have a commit each, for the p99 of rows
   *   `heartbeats/insert/*` of the bench, in which the memtables of all watchers become full at the same time
   */
  run(capture: Capture, { isLong = false }: { readonly isLong?: boolean } = {}): Promise<void> {
    if (this.#uncertainCause !== undefined) return Promise.reject(writeFailure(this.#uncertainCause));
    return new Promise((resolve, reject) => {
      this.#jobs.push({ capture, isLong, resolve, reject });
      this.#working ??= this.#work();
    });
  }

  /**
   * Resolves when the store works on no commit; rejects while the outcome of one is uncertain. `undefined` if the store
   * works on none.
   */
  get idle(): Promise<void> | undefined {
    const inDoubt = this.#uncertainCause !== undefined && Promise.reject(writeFailure(this.#uncertainCause));
    const idle = inDoubt || (this.#inStore && this.awaitUnlessUncertain(this.#inStore));
    // Some callers do not await it.
    idle?.catch(() => undefined);
    return idle;
  }

  /** Cause of the last failure, while the outcome of its commit is uncertain. */
  get uncertainCause(): unknown {
    return this.#uncertainCause;
  }

  /** Awaits work that waits for a commit, but rejects when the outcome of a commit becomes uncertain. */
  awaitUnlessUncertain<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject);
      work.then(resolve, reject).finally(() => this.#waiting.delete(reject));
    });
  }

  /** @throws ActivityError `STORAGE_FAILED`, `STORAGE_FULL` while the outcome of a commit is uncertain */
  assertCertain(): void {
    if (this.#uncertainCause !== undefined) throw writeFailure(this.#uncertainCause);
  }

  /** Waits for all jobs. Checks an uncertain commit once more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#endWait();
    await this.#working;
  }

  async #work(): Promise<void> {
    while (this.#jobs.length > 0) {
      const first = this.#jobs.findIndex(({ isLong }) => isLong);
      const rest = this.#jobs.slice(first + 1);
      // Short jobs wait for one commit at most.
      const isSplit = first >= 0 && rest.every(({ isLong }) => isLong);
      await this.#commit(this.#jobs.splice(0, isSplit ? first + 1 : this.#jobs.length));
    }
    this.#working = undefined;
  }

  async #commit(jobs: readonly Job[]): Promise<void> {
    const { state, pins, log } = this.#options;
    // Skips the number of a failed commit, which the log contains: a replay must not mistake it for the next one.
    const number = Math.max(state.commitNumber, this.#lastTried) + 1;
    this.#lastTried = number;
    const parts = jobs.flatMap(({ capture, reject }) => {
      try {
        return capture(number) ?? [];
      } catch (cause) {
        // The change that it depends on was undone; the log knows the cause.
        reject(ActivityError.is(cause) ? cause : writeFailure(log().failure ?? cause));
        return [];
      }
    });
    const prepared = prepareCommit({
      state,
      pins,
      number,
      sequence: log().nextSequence,
      parts,
      mustLog: log().mustStart,
    });
    try {
      if (prepared.isLogged) await log().append([...parts.flatMap(({ lines }) => lines), commitLine(number)]);
      // Without a pause, so that no new log starts in between.
      const storing = this.#store(prepared);
      this.#inStore = storing.then(
        () => undefined,
        () => undefined,
      );
      await storing;
    } catch (cause) {
      for (const { reject } of jobs) reject(writeFailure(cause));
      return;
    } finally {
      this.#inStore = undefined;
    }
    for (const part of parts) part.committed();
    for (const { resolve } of jobs) resolve();
  }

  async #store({ commit, isLogged, committed }: Prepared): Promise<void> {
    const { store, state, log, report } = this.#options;
    try {
      await store.assertRoom?.(estimateBytes(commit));
    } catch (cause) {
      // Flushes free space, so they may use the reserve.
      if (isFull(cause)) await store.releaseReserve?.().catch(() => undefined);
      throw writeFailure(cause);
    }
    try {
      // A commit must not precede earlier acknowledged changes on the disk.
      const { changes } = log();
      if (isLogged || log().needsForce) {
        await store.force();
        log().markForced(changes);
      }
    } catch (cause) {
      // The log failed, so that the commit did not start.
      report(cause);
      throw writeFailure(cause);
    }
    try {
      await store.commit(commit);
    } catch (cause) {
      report(cause);
      if ((await this.#resolveUncertainty(cause)) < commit.number) throw cause;
      report(undefined);
    }
    state.commitNumber = commit.number;
    committed();
    log().note(committedLine(commit.number));
  }

  /** Asks the store until it reports its current commit. */
  async #resolveUncertainty(cause: unknown): Promise<number> {
    let checksLeft = 0;
    for (let millis = RECOVER_MILLIS; ; millis = Math.min(millis * 2, MAX_RECOVER_MILLIS)) {
      try {
        const held = await this.#options.store.recover();
        if (this.#uncertainCause !== undefined) this.#options.report(undefined);
        this.#uncertainCause = undefined;
        return held;
      } catch (thrown) {
        const mayLackSpace = isFull(cause) || isFull(thrown);
        if (mayLackSpace && (await this.#options.store.releaseReserve?.().catch(() => false)))
          checksLeft = RESERVE_CHECKS;
        // The reserve may suffice, but a disk needs a moment to free its space.
        if (--checksLeft < 0) {
          this.#uncertainCause = cause;
          // Rejected now; the outcome becomes known later.
          for (const reject of this.#waiting) reject(writeFailure(cause, true));
          this.#waiting.clear();
          for (const { reject } of this.#jobs.splice(0)) reject(writeFailure(thrown));
          if (this.#isClosed) throw thrown;
        }
        await new Promise<void>((resolve) => {
          // No `unref()`: writers wait, so the process must stay alive.
          const timer = setTimeout(resolve, millis);
          this.#endWait = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    }
  }
}

/**
 * Estimates the space of a commit, doubled: a store may write each value twice before it deletes an older one, to its
 * own log and to the final place.
 */
function estimateBytes({ putSegments, records }: Commit): number {
  let bytes = 0;
  for (const { bytes: segment, text } of putSegments) bytes += segment.length + text.length;
  for (const [key, value = ""] of records) bytes += key.length + value.length;
  return 2 * bytes;
}
