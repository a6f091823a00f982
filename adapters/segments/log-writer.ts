import { isFull, mayBeStored, writeFailure } from "./failures.js";
import { unrefTimer } from "./sleeper.js";
import type { SegmentStore } from "./store.js";

/** A batch that still takes lines in. */
interface Pending {
  readonly lines: string[];
  /** What takes back in memory what the lines say, in the order in which it was made. */
  readonly undo: (() => void)[];
  /** How many calls of `append` are in it. */
  changes: number;
  readonly durable: Promise<void>;
  resolve(): void;
  reject(cause: unknown): void;
}

/** What a log writer is made with. */
interface LogWriterOptions {
  readonly store: SegmentStore;
  /** Sequence number of the latest batch. */
  readonly sequence: number;
  /** Lines that say everything that is in no commit yet. */
  readonly snapshot: () => string;
  /** Resolves when no commit is under way; rejects while it is in doubt whether one counts. `undefined`: none is. */
  readonly commitIdle: () => Promise<void> | undefined;
  /** About how many bytes a snapshot has. */
  readonly snapshotBytes: () => number;
  /** Told of failures, and when writing works again. */
  readonly report: (failure: unknown | undefined) => void;
}

/** A log longer than this is begun anew, unless its snapshot alone is nearly as long. */
const LOG_BYTES = 4 * 1024 * 1024;
const LOG_PER_SNAPSHOT = 4;
/** After a failure the next attempt waits so long, in milliseconds; until then writes are refused at once. */
const RETRY_MILLIS = 250;
const BACKGROUND_RETRY_MILLIS = 1_000;

/**
 * Group commit: one batch is appended at a time, and what arrives meanwhile joins the next one; so does all that
 * arrives in one turn of the event loop. Everybody is answered only after their batch is durable.
 *
 * When an append fails, everything that was built on it is undone in memory and refused, and nothing is appended to
 * that log any more: the next batch begins a new one.
 */
export class LogWriter {
  readonly #options: LogWriterOptions;
  #sequence: number;
  #pending: Pending | undefined;
  #inFlight: Promise<void> | undefined;
  #draining: Promise<void> | undefined;
  /** Whether the next batch must begin a new log: the first one of an opening, and one after a failure. */
  #mustBegin = true;
  /** How often that was asked for: a batch that is being written meanwhile does not fulfil it. */
  #asked = 0;
  #isBroken = false;
  #failure: { readonly cause: unknown; readonly at: number } | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  /** Bytes above which the log may be too long. */
  #lookFrom = LOG_BYTES;
  #changes = 0;
  #forcedChanges = 0;
  #isClosed = false;

  constructor(options: LogWriterOptions) {
    this.#options = options;
    this.#sequence = options.sequence;
    options.store.watchLog?.(() => {
      this.#mustBegin = true;
      this.#asked++;
      this.#isBroken = true;
      this.#retrySoon(0);
    });
  }

  /** Sequence number of the batch that `append` would join now. */
  get nextSequence(): number {
    return this.#sequence + (this.#inFlight === undefined ? 1 : 2);
  }

  /** Why writing failed last, while it has not worked again. */
  get failure(): unknown {
    return this.#failure?.cause;
  }

  /**
   * Adds lines to the log. Must follow the change in memory without a pause.
   *
   * @param undo takes the change back; called when it is refused
   * @returns resolves when it is durable
   */
  append(lines: readonly string[], undo?: () => void): Promise<void> {
    const durable = this.#add(lines, undo);
    if (this.#pending !== undefined) this.#pending.changes++;
    return durable;
  }

  /** Adds a line that changes nothing, and that nobody waits for. */
  note(line: string): void {
    void this.#add([line]).catch(() => undefined);
  }

  /** Whether something failed since the log was begun: it cannot be trusted, and is begun anew. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Whether the next batch begins a new log. */
  get mustBegin(): boolean {
    return this.#mustBegin;
  }

  /** How many changes were written, for `markForced`. */
  get changes(): number {
    return this.#changes;
  }

  /** Whether changes were written since the log was forced. */
  get needsForce(): boolean {
    return this.#changes > this.#forcedChanges;
  }

  /** The log was forced. @param changes how many there were when that was begun */
  markForced(changes: number): void {
    this.#forcedChanges = Math.max(this.#forcedChanges, changes);
  }

  #add(lines: readonly string[], undo?: () => void): Promise<void> {
    this.#pending ??= createPending();
    const pending = this.#pending;
    for (const line of lines) pending.lines.push(line);
    if (undo !== undefined) pending.undo.push(undo);
    this.#draining ??= this.#drain();
    return pending.durable;
  }

  /** Resolves when everything that was appended so far is durable. */
  soFar(): Promise<void> {
    return this.#pending?.durable ?? this.#inFlight ?? Promise.resolve();
  }

  /** Begins a new log now, also if that has just failed, and resolves when it is there. */
  async renew(): Promise<void> {
    this.#mustBegin = true;
    this.#asked++;
    if (this.#failure !== undefined) this.#failure = { ...this.#failure, at: Number.NEGATIVE_INFINITY };
    await this.append([]);
  }

  /** Whether an opening would have to read a long log. */
  isLongerThan(bytes: number): boolean {
    return this.#options.store.logBytes > Math.max(bytes, this.#options.snapshotBytes() * 2);
  }

  /** Waits for what was appended, then stops. */
  async close(): Promise<void> {
    while (this.#draining !== undefined) await this.#draining;
    this.#isClosed = true;
    clearTimeout(this.#retry);
  }

  async #drain(): Promise<void> {
    await nextTurn();
    while (this.#pending !== undefined) {
      const blocked = this.#isFailingNow() ?? (await this.#beginsWhenIdle());
      const pending = this.#pending;
      this.#pending = undefined;
      if (blocked !== undefined) {
        undo(pending);
        pending.reject(blocked);
        if (this.#mustBegin) this.#retrySoon(BACKGROUND_RETRY_MILLIS);
        continue;
      }
      this.#inFlight = pending.durable;
      await this.#write(pending);
      if (this.#pending !== undefined) await nextTurn();
    }
    this.#draining = undefined;
  }

  /** A failure just now: trying again for each write would only make everything slow. */
  #isFailingNow(): unknown {
    const { at, cause } = this.#failure ?? {};
    if (at === undefined || performance.now() - at >= RETRY_MILLIS) return undefined;
    return writeFailure(cause);
  }

  /** A new log is not begun while a commit is under way: whether it counts decides what the snapshot must say. */
  async #beginsWhenIdle(): Promise<unknown> {
    const { store, commitIdle } = this.#options;
    if (!this.#isLong(store.logBytes) && !this.#mustBegin) return undefined;
    const idle = commitIdle();
    if (idle === undefined) this.#mustBegin = true;
    if (!this.#mustBegin || idle === undefined) return undefined;
    try {
      await idle;
      return undefined;
    } catch (cause) {
      return writeFailure(cause);
    }
  }

  /** Looks at the snapshot each time the log has grown by a quarter: its size takes all buckets, for every batch. */
  #isLong(logBytes: number): boolean {
    if (logBytes <= this.#lookFrom) return false;
    const isLong = logBytes > this.#options.snapshotBytes() * LOG_PER_SNAPSHOT;
    if (!isLong) this.#lookFrom = logBytes * 1.25;
    return isLong;
  }

  async #write(pending: Pending): Promise<void> {
    const { store, snapshot } = this.#options;
    const sequence = this.#sequence + 1;
    const asked = this.#asked;
    const text = pending.lines.join("\n");
    try {
      if (this.#mustBegin) {
        await store.beginLog({ sequence, text: joined(snapshot(), text) });
        this.#lookFrom = LOG_BYTES;
      } else {
        const appending = store.append({ sequence, text });
        if (appending !== undefined) await appending;
      }
    } catch (cause) {
      this.#refuse(pending, cause);
      return;
    }
    this.#sequence = sequence;
    // Before anybody is told: who commits at once must know which batch comes next.
    this.#inFlight = undefined;
    this.#changes += pending.changes;
    if (this.#asked === asked) {
      this.#mustBegin = false;
      this.#isBroken = false;
    }
    if (this.#failure !== undefined) this.#recovered();
    pending.resolve();
  }

  #refuse(pending: Pending, cause: unknown): void {
    this.#inFlight = undefined;
    const dependent = this.#pending;
    this.#pending = undefined;
    this.#mustBegin = true;
    this.#isBroken = true;
    if (this.#failure === undefined) this.#options.report(cause);
    this.#failure = { cause, at: performance.now() };
    if (dependent !== undefined) undo(dependent);
    undo(pending);
    pending.reject(writeFailure(cause, mayBeStored(cause)));
    dependent?.reject(writeFailure(cause));
    // What was acknowledged may lie in a file that cannot be trusted any more.
    this.#retrySoon(BACKGROUND_RETRY_MILLIS);
    if (isFull(cause)) void this.#options.store.releaseReserve?.().catch(() => undefined);
  }

  #recovered(): void {
    this.#failure = undefined;
    this.#options.report(undefined);
  }

  #retrySoon(millis: number): void {
    if (this.#isClosed) return;
    clearTimeout(this.#retry);
    this.#retry = unrefTimer(millis, () => void this.renew().catch(() => undefined));
  }
}

function joined(snapshot: string, text: string): string {
  return snapshot === "" || text === "" ? snapshot + text : `${snapshot}\n${text}`;
}

function undo(pending: Pending): void {
  for (const takeBack of pending.undo.reverse()) takeBack();
}

function createPending(): Pending {
  let resolve: () => void = () => undefined;
  let reject: (cause: unknown) => void = () => undefined;
  const durable = new Promise<void>((onDurable, onFailed) => {
    resolve = onDurable;
    reject = onFailed;
  });
  // Background work does not wait for its batch; callers that do get the rejection all the same.
  durable.catch(() => undefined);
  return { lines: [], undo: [], changes: 0, durable, resolve, reject };
}

/** Lets everything that arrives together become one batch. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === "function") setImmediate(resolve);
    else queueMicrotask(resolve);
  });
}
