import { unrefTimer } from "../../src/util/unref-timer.js";
import { isFull, mayBeStored, writeFailure } from "./failures.js";
import type { SegmentStore } from "./store.js";

const ignore = (): void => undefined;

/** A batch that still accepts lines. */
class Pending {
  readonly lines: string[] = [];
  /** Functions that undo the lines' changes in memory, in the order of the changes. */
  readonly undo: (() => void)[] = [];
  /** Number of `append` calls in it. */
  changes = 0;
  readonly durable: Promise<void>;
  resolve: () => void = ignore;
  reject: (cause: unknown) => void = ignore;

  constructor() {
    this.durable = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    // Background work does not await its batch; callers still get the rejection.
    this.durable.catch(ignore);
  }
}

interface LogWriterOptions {
  readonly store: SegmentStore;
  /** Sequence number of the latest batch. */
  readonly sequence: number;
  /** Creates lines for everything that no commit contains yet, as of the call. */
  readonly snapshot: () => Promise<string>;
  /**
   * Resolves when no commit is in progress; rejects while the outcome of one is uncertain. `undefined` if none is in
   * progress.
   */
  readonly commitIdle: () => Promise<void> | undefined;
  /** Estimated size of a snapshot. */
  readonly snapshotBytes: () => number;
  /** Receives failures, and `undefined` when writing works again. */
  readonly report: (failure: unknown | undefined) => void;
}

/** A longer log is restarted, unless its snapshot would be nearly as long. */
const LOG_BYTES = 4 * 1024 * 1024;
const LOG_PER_SNAPSHOT = 4;
/** Delay after a failure in milliseconds, during which writes fail immediately. */
const RETRY_MILLIS = 250;
const BACKGROUND_RETRY_MILLIS = 1_000;

/**
 * Group commit: appends one batch at a time. Lines that arrive in the same event-loop turn, or during an append, join
 * the next batch. Callers are notified only after their batch is durable.
 *
 * When an append fails, all changes based on it are undone and rejected, and the next batch starts a new log.
 */
export class LogWriter {
  readonly #options: LogWriterOptions;
  #sequence: number;
  #pending: Pending | undefined;
  #inFlight: Promise<void> | undefined;
  #isDraining = false;
  /** Whether the next batch must start a new log, after an opening or a failure. */
  #mustStart = true;
  /** Number of requests for a new log: a batch in progress does not satisfy later ones. */
  #restartRequests = 0;
  #isBroken = false;
  #failure: { readonly cause: unknown; readonly at: number } | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  /** Size from which the log may be too long. */
  #checkFrom = LOG_BYTES;
  #changes = 0;
  #forcedChanges = 0;
  #isClosed = false;

  constructor(options: LogWriterOptions) {
    this.#options = options;
    this.#sequence = options.sequence;
    options.store.watchLog?.(() => {
      this.#mustStart = true;
      this.#restartRequests++;
      this.#isBroken = true;
      this.#retrySoon(0);
    });
  }

  /** Sequence number of the batch that `append` would join now. */
  get nextSequence(): number {
    return this.#sequence + (this.#inFlight === undefined ? 1 : 2);
  }

  /** Cause of the last failure, until writing works again. */
  get failure(): unknown {
    return this.#failure?.cause;
  }

  /**
   * Appends lines. Call it without a pause after the change in memory.
   *
   * @param undo undoes the change; called when the append fails
   * @returns resolves when the lines are durable
   */
  append(lines: readonly string[], undo?: () => void): Promise<void> {
    const durable = this.#add(lines, undo);
    if (this.#pending !== undefined) this.#pending.changes++;
    return durable;
  }

  /** Appends a line without a change, for which no caller waits. */
  note(line: string): void {
    void this.#add([line]).catch(() => undefined);
  }

  /** Whether something failed since the log was started, so that it must be restarted. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Whether the next batch starts a new log. */
  get mustStart(): boolean {
    return this.#mustStart;
  }

  /** Number of changes written, for `markForced`. */
  get changes(): number {
    return this.#changes;
  }

  /** Whether changes were written since the log was forced. */
  get needsForce(): boolean {
    return this.#changes > this.#forcedChanges;
  }

  /** Records that the log was forced. @param changes value of `changes` before the force */
  markForced(changes: number): void {
    this.#forcedChanges = Math.max(this.#forcedChanges, changes);
  }

  #add(lines: readonly string[], undo?: () => void): Promise<void> {
    this.#pending ??= new Pending();
    const pending = this.#pending;
    for (const line of lines) pending.lines.push(line);
    if (undo !== undefined) pending.undo.push(undo);
    if (!this.#isDraining) {
      this.#isDraining = true;
      // Without a promise, for rows `heartbeats/*` of the bench.
      atEndOfTurn(this.#drain);
    }
    return pending.durable;
  }

  /** Resolves when everything appended so far is durable. */
  awaitDurable(): Promise<void> {
    return this.#pending?.durable ?? this.#inFlight ?? Promise.resolve();
  }

  /** Starts a new log now, even right after a failure. Resolves when it exists. */
  async restart(): Promise<void> {
    this.#mustStart = true;
    this.#restartRequests++;
    if (this.#failure !== undefined) this.#failure = { ...this.#failure, at: Number.NEGATIVE_INFINITY };
    await this.append([]);
  }

  /** Whether the next opening would have to read a long log. */
  isLongerThan(bytes: number): boolean {
    return this.#options.store.logBytes > Math.max(bytes, this.#options.snapshotBytes() * 2);
  }

  /** Waits for all appends, then stops. */
  async close(): Promise<void> {
    while (this.#isDraining) await this.awaitDurable().catch(ignore);
    this.#isClosed = true;
    clearTimeout(this.#retry);
  }

  readonly #drain = async (): Promise<void> => {
    while (this.#pending !== undefined) {
      let blocked = this.#recentFailure();
      // Here and below, an `await` without need would cost every heartbeat a promise.
      const waiting = blocked === undefined ? this.#waitToStartLog() : undefined;
      if (waiting !== undefined) blocked = await waiting;
      const pending = this.#pending;
      this.#pending = undefined;
      if (blocked !== undefined) {
        undo(pending);
        pending.reject(blocked);
        if (this.#mustStart) this.#retrySoon(BACKGROUND_RETRY_MILLIS);
        continue;
      }
      this.#inFlight = pending.durable;
      const asked = this.#restartRequests;
      try {
        const writing = this.#write(pending);
        if (writing !== undefined) await writing;
        this.#written(pending, asked);
      } catch (cause) {
        this.#reject(pending, cause);
      }
      if (this.#pending !== undefined) await new Promise<void>(atEndOfTurn);
    }
    this.#isDraining = false;
  };

  /** The error to fail with right after a failure: retrying for each write would only slow everything down. */
  #recentFailure(): unknown {
    const { at, cause } = this.#failure ?? {};
    if (at === undefined || performance.now() - at >= RETRY_MILLIS) return undefined;
    return writeFailure(cause);
  }

  /**
   * A new log cannot start during a commit, whose outcome decides the content of the snapshot.
   *
   * @returns the error to fail with, after the commit; `undefined` if there is nothing to wait for
   */
  #waitToStartLog(): Promise<unknown> | undefined {
    const { store, commitIdle } = this.#options;
    if (!this.#isLong(store.logBytes) && !this.#mustStart) return undefined;
    const idle = commitIdle();
    if (idle === undefined) this.#mustStart = true;
    if (!this.#mustStart || idle === undefined) return undefined;
    return idle.then(
      () => undefined,
      (cause) => writeFailure(cause),
    );
  }

  /** Checks the snapshot's size only when the log has grown by a quarter, since the check visits all buckets. */
  #isLong(logBytes: number): boolean {
    if (logBytes <= this.#checkFrom) return false;
    const isLong = logBytes > this.#options.snapshotBytes() * LOG_PER_SNAPSHOT;
    if (!isLong) this.#checkFrom = logBytes * 1.25;
    return isLong;
  }

  #write({ lines }: Pending): void | Promise<void> {
    const { store } = this.#options;
    const sequence = this.#sequence + 1;
    const text = lines.join("\n");
    return this.#mustStart ? this.#startLog(sequence, text) : store.append({ sequence, text });
  }

  async #startLog(sequence: number, text: string): Promise<void> {
    const { store, snapshot } = this.#options;
    // No commit starts in between: it would append to this log first.
    const parts = [await snapshot(), text];
    await store.beginLog({ sequence, text: parts.filter((part) => part !== "").join("\n") });
    this.#checkFrom = LOG_BYTES;
  }

  /** @param asked number of requests for a new log before the write */
  #written(pending: Pending, asked: number): void {
    this.#sequence++;
    // Before any caller is notified, since a commit must know the number of the next batch.
    this.#inFlight = undefined;
    this.#changes += pending.changes;
    if (this.#restartRequests === asked) {
      this.#mustStart = false;
      this.#isBroken = false;
    }
    if (this.#failure !== undefined) this.#options.report(undefined);
    this.#failure = undefined;
    pending.resolve();
  }

  #reject(pending: Pending, cause: unknown): void {
    this.#inFlight = undefined;
    const dependent = this.#pending;
    this.#pending = undefined;
    this.#mustStart = true;
    this.#isBroken = true;
    if (this.#failure === undefined) this.#options.report(cause);
    this.#failure = { cause, at: performance.now() };
    if (dependent !== undefined) undo(dependent);
    undo(pending);
    pending.reject(writeFailure(cause, mayBeStored(cause)));
    dependent?.reject(writeFailure(cause));
    // The last log file cannot be trusted anymore, but may contain acknowledged changes.
    this.#retrySoon(BACKGROUND_RETRY_MILLIS);
    if (isFull(cause)) void this.#options.store.releaseReserve?.().catch(() => undefined);
  }

  #retrySoon(millis: number): void {
    if (this.#isClosed) return;
    clearTimeout(this.#retry);
    this.#retry = unrefTimer(millis, () => void this.restart().catch(() => undefined));
  }
}

function undo(pending: Pending): void {
  for (const undoChange of pending.undo.reverse()) undoChange();
}

/** Calls at the end of the event-loop turn, so that everything arriving together becomes one batch. */
function atEndOfTurn(call: () => void): void {
  if (typeof setImmediate === "function") setImmediate(call);
  else queueMicrotask(call);
}
