import { hasCode } from "../../src/errors.js";
import { LazySet } from "../../src/util/lazy-collections.js";
import { unrefTimer } from "../../src/util/unref-timer.js";
import type { Capture, Committer } from "./committer.js";
import { tombstoneKey } from "./keys.js";
import type { SegmentPins } from "./segment-pins.js";
import type { Sleeper } from "./sleeper.js";
import type { State } from "./state.js";
import type { SegmentStore } from "./store.js";

/** Maximum number of segments that one commit drops of deleted buckets. */
const CLEAN_SEGMENTS = 256;
const SOON_MILLIS = 200;
const PAUSE_MILLIS = 20;

interface CleanerOptions {
  readonly store: SegmentStore;
  readonly state: State;
  readonly pins: SegmentPins;
  readonly committer: Committer;
  readonly sleeper: Sleeper;
  /** Waits after a failure. */
  readonly backOff: () => Promise<void>;
}

/** Drops unreferenced segments in the background. */
export class Cleaner {
  readonly #options: CleanerOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #cleaning: Promise<void> | undefined;
  #isWanted = false;
  #isClosing = false;
  /** Callbacks that reject all waiting calls of `finish` after a failure. */
  readonly #onFailure: LazySet<(cause: unknown) => void> = new LazySet();
  /** Ends the wait after a failure. */
  #endWait: () => void = () => undefined;

  constructor(options: CleanerOptions) {
    this.#options = options;
  }

  /** Schedules a run. With a delay, since a read may be about to start. */
  schedule(): void {
    this.#isWanted = true;
    if (this.#cleaning !== undefined || this.#isClosing) return;
    this.#timer ??= unrefTimer(SOON_MILLIS, () => {
      this.#timer = undefined;
      this.#cleaning = this.#clean().finally(() => {
        this.#cleaning = undefined;
      });
    });
  }

  /**
   * Resolves when everything deleted so far is dropped, and all records are committed.
   *
   * @returns whether it finished in time
   * @throws ActivityError when something cannot be dropped now; the background work retries it
   */
  async finish(mostMillis: number): Promise<boolean> {
    this.#isWanted = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#cleaning ??= this.#clean().finally(() => {
      this.#cleaning = undefined;
    });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<boolean>((resolve) => {
      // No `unref()`: the caller waits, so the process must stay alive.
      timer = setTimeout(() => resolve(false), mostMillis);
    });
    let fail: (cause: unknown) => void = () => undefined;
    const failed = new Promise<never>((_resolve, reject) => {
      fail = reject;
    });
    this.#onFailure.add(fail);
    this.#endWait();
    const isDone = await Promise.race([this.#cleaning.then(() => true), late, failed]).finally(() => {
      clearTimeout(timer);
      this.#onFailure.delete(fail);
    });
    // Twice, since a store may keep the previous root.
    for (let commits = 0; isDone && commits < 2; commits++) await this.#emptyCommit();
    return isDone;
  }

  /** Waits for work in progress. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#timer);
    await this.#cleaning;
  }

  async #clean(): Promise<void> {
    const { pins, sleeper, backOff } = this.#options;
    while (this.#isWanted && !this.#isClosing) {
      this.#isWanted = false;
      try {
        await this.#dropDeleted();
        while (!this.#isClosing && pins.droppable(1).length > 0) await this.#emptyCommit();
        if (pins.waiting.length > 0) {
          this.#isWanted = true;
          await sleeper.sleep(PAUSE_MILLIS);
        }
      } catch (thrown) {
        if (hasCode(thrown, "STORAGE_LOCKED")) return;
        this.#isWanted = true;
        for (const fail of this.#onFailure) fail(thrown);
        const ended = new Promise<void>((resolve) => {
          this.#endWait = resolve;
        });
        await Promise.race([backOff(), ended]);
      }
    }
  }

  /** Drops the segments of deleted buckets, then their tombstones. */
  async #dropDeleted(): Promise<void> {
    const { state, pins, sleeper, store } = this.#options;
    for (const [bucketNo, segments] of [...state.deleted]) {
      while (segments.length > 0 && !this.#isClosing) {
        const slice = segments.slice(0, CLEAN_SEGMENTS);
        await this.#commit(() => ({
          lines: [],
          dropped: slice,
          committed: () => {
            segments.splice(0, slice.length);
          },
        }));
      }
      if (this.#isClosing || state.deleted.get(bucketNo) !== segments) continue;
      while (!this.#isClosing && pins.waiting.some((segment) => segment.bucketNo === bucketNo)) {
        if (pins.droppable(1).length > 0) await this.#emptyCommit();
        else await sleeper.sleep(PAUSE_MILLIS);
      }
      if (this.#isClosing) return;
      state.deleted.delete(bucketNo);
      state.dirty.add(tombstoneKey(bucketNo));
      await this.#emptyCommit();
      const reclaim = async () => store.reclaim?.(bucketNo);
      await (store.withReserve?.(reclaim) ?? reclaim());
    }
  }

  /** Commits only drops that are allowed now. */
  #emptyCommit(): Promise<void> {
    return this.#commit(() => ({ lines: [], committed: () => undefined }));
  }

  #commit(capture: Capture): Promise<void> {
    const { committer } = this.#options;
    return committer.awaitUnlessUncertain(committer.run(capture));
  }
}
