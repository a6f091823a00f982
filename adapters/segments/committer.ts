import { ActivityError } from "../../src/errors.js";
import { isFull, writeFailure } from "./failures.js";
import type { Holds } from "./holds.js";
import { commitLine, committedLine } from "./log-codec.js";
import type { LogWriter } from "./log-writer.js";
import { type CommitPart, type Prepared, prepareCommit } from "./prepare-commit.js";
import type { State } from "./state.js";
import type { Commit, SegmentStore } from "./store.js";

/** Describes its part or parts at the moment of the commit. @returns `undefined` when nothing is to be done any more */
export type Capture = (commit: number) => CommitPart | readonly CommitPart[] | undefined;

interface Job {
  readonly capture: Capture;
  readonly resolve: () => void;
  readonly reject: (cause: unknown) => void;
}

/** What a committer is made with. */
interface CommitterOptions {
  readonly store: SegmentStore;
  readonly state: State;
  readonly holds: Holds;
  readonly log: () => LogWriter;
  /** Told of failures, and when commits work again. */
  readonly report: (failure: unknown | undefined) => void;
}

/** A commit in doubt is looked at again after so many milliseconds, at first and at most. */
const RECOVER_MILLIS = 20;
const MOST_RECOVER_MILLIS = 1_000;
/** Looks after the reserve was given up, before anything that waits is refused. */
const RESERVE_LOOKS = 2;

/**
 * Brings changes of segments and records into the store, one commit at a time. Jobs that wait share one. The lines of a
 * commit are in the log, and forced, before the commit is tried; the memory changes only when it counts.
 */
export class Committer {
  readonly #options: CommitterOptions;
  #jobs: Job[] = [];
  #working: Promise<void> | undefined;
  /** Set from the moment at which the store works on a commit until it is known whether it counts. */
  #inStore: Promise<void> | undefined;
  #doubt: unknown;
  /** Who waits only as long as there is no doubt. */
  readonly #waiting: Set<(cause: unknown) => void> = new Set();
  #endWait: () => void = () => undefined;
  #isClosed = false;
  /** The number of the last commit that was tried. */
  #lastTried = 0;

  constructor(options: CommitterOptions) {
    this.#options = options;
  }

  /** Makes a job part of the next commit. Resolves when that counts, rejects when it does not. */
  run(capture: Capture): Promise<void> {
    if (this.#doubt !== undefined) return Promise.reject(writeFailure(this.#doubt));
    return new Promise((resolve, reject) => {
      this.#jobs.push({ capture, resolve, reject });
      this.#working ??= this.#work();
    });
  }

  /** Resolves when the store works on no commit; rejects when one is in doubt. `undefined`: it works on none. */
  get idle(): Promise<void> | undefined {
    const inDoubt = this.#doubt !== undefined && Promise.reject(writeFailure(this.#doubt));
    const idle = inDoubt || (this.#inStore && this.whileSure(this.#inStore));
    // Not everybody who asks waits for it.
    idle?.catch(() => undefined);
    return idle;
  }

  /** Why the latest commit failed, while it is not known whether it counts. */
  get doubt(): unknown {
    return this.#doubt;
  }

  /** Waits for work that waits for a commit, but no longer than until it is in doubt whether that counts. */
  whileSure<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject);
      work.then(resolve, reject).finally(() => this.#waiting.delete(reject));
    });
  }

  /** @throws ActivityError `STORAGE_FAILED`, `STORAGE_FULL` while it is in doubt whether a commit counts */
  assertSure(): void {
    if (this.#doubt !== undefined) throw writeFailure(this.#doubt);
  }

  /** Waits for the jobs there are; a commit in doubt is looked at once more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#endWait();
    await this.#working;
  }

  async #work(): Promise<void> {
    while (this.#jobs.length > 0) {
      const jobs = this.#jobs;
      this.#jobs = [];
      await this.#commit(jobs);
    }
    this.#working = undefined;
  }

  async #commit(jobs: readonly Job[]): Promise<void> {
    const { state, holds, log } = this.#options;
    // A refused commit has left its number in the log: a replay must not take that for the next one.
    const number = Math.max(state.commitNumber, this.#lastTried) + 1;
    this.#lastTried = number;
    const parts = jobs.flatMap(({ capture, reject }) => {
      try {
        return capture(number) ?? [];
      } catch (cause) {
        // What it was planned on was taken back: why, the log knows.
        reject(ActivityError.is(cause) ? cause : writeFailure(log().failure ?? cause));
        return [];
      }
    });
    const prepared = prepareCommit({
      state,
      holds,
      number,
      sequence: log().nextSequence,
      parts,
      mustLog: log().mustBegin,
    });
    try {
      if (prepared.isLogged) await log().append([...parts.flatMap(({ lines }) => lines), commitLine(number)]);
      // Without a pause, so that no new log is begun in between.
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
      await store.assertRoom?.(bytesOf(commit));
    } catch (cause) {
      // The space that flushes give back is not lost to them.
      if (isFull(cause)) await store.releaseReserve?.().catch(() => undefined);
      throw writeFailure(cause);
    }
    try {
      // A commit must not be ahead of what was acknowledged before it.
      const { changes } = log();
      if (isLogged || log().needsForce) {
        await store.force();
        log().markForced(changes);
      }
    } catch (cause) {
      // The log itself failed: the commit was not begun.
      report(cause);
      throw writeFailure(cause);
    }
    try {
      await store.commit(commit);
    } catch (cause) {
      report(cause);
      if ((await this.#resolveDoubt(cause)) < commit.number) throw cause;
      report(undefined);
    }
    state.commitNumber = commit.number;
    committed();
    log().note(committedLine(commit.number));
  }

  /** Asks the store until it tells which commit counts. */
  async #resolveDoubt(cause: unknown): Promise<number> {
    let looksLeft = 0;
    for (let millis = RECOVER_MILLIS; ; millis = Math.min(millis * 2, MOST_RECOVER_MILLIS)) {
      try {
        const held = await this.#options.store.recover();
        if (this.#doubt !== undefined) this.#options.report(undefined);
        this.#doubt = undefined;
        return held;
      } catch (thrown) {
        const mayLackSpace = isFull(cause) || isFull(thrown);
        if (mayLackSpace && (await this.#options.store.releaseReserve?.().catch(() => false)))
          looksLeft = RESERVE_LOOKS;
        // The reserve may be all that was missing, and a disk needs a moment to free its space.
        if (--looksLeft < 0) {
          this.#doubt = cause;
          // Refused now; whether it counts shows later.
          for (const reject of this.#waiting) reject(writeFailure(cause, true));
          this.#waiting.clear();
          for (const { reject } of this.#jobs.splice(0)) reject(writeFailure(thrown));
          if (this.#isClosed) throw thrown;
        }
        await new Promise<void>((resolve) => {
          // Writers wait for it: the process stays alive.
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

/** A store may write each value twice before an older one goes: into a log of its own, and where it stays. */
function bytesOf({ putSegments, records }: Commit): number {
  let bytes = 0;
  for (const { bytes: segment, text } of putSegments) bytes += segment.length + text.length;
  for (const [key, value = ""] of records) bytes += key.length + value.length;
  return 2 * bytes;
}
