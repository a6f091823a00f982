import { ActivityError, storageClosed } from "../../src/errors.js";
import { createCommitQueue } from "./commit.js";
import type { Operation, TextDatabase } from "./database.js";
import { type Applied, inOrder, type Lines } from "./in-order.js";
import type { Shelf } from "./shelf.js";
import { loadState, type State } from "./state.js";

/**
 * Holds the state in memory and gets its changes to disk. When a batch fails, everything that was built on it is
 * refused, too, and the state is read again from what the database really holds: memory never shows for long what is
 * not there.
 */
export interface Keeper {
  /** The current state. Another object after a recovery, so never to be held across an `await`. */
  readonly state: State;
  /**
   * What to wait for before work can begin. Usually nothing, and then an `await` would only let calls overtake each
   * other. Rejects while the database cannot be read.
   *
   * @throws ActivityError `STORAGE_CLOSED`
   */
  ready(): Promise<void> | undefined;
  /** The same for reads, which may be overtaken. */
  opened(): Promise<void>;
  /** @throws ActivityError `STORAGE_FAILED` when the shelf belongs to a state that was given up */
  assertCurrent(shelf: Shelf): void;
  /** Resolves when the operations have reached the durability. Must follow the change in memory without a pause. */
  commit(operations: readonly Operation[], shelf?: Shelf): Promise<void>;
  /** Resolves when everything committed so far has reached it. */
  landedSoFar(shelf?: Shelf): Promise<void>;
  /** Runs on without anybody waiting; a failure only means that it has to be done another time. */
  inBackground(work: Promise<unknown>): void;
  /** Makes a change of a bucket when its turn comes. Rejects with `STORAGE_CLOSED` or `STORAGE_FAILED`. */
  inTurn<T>(bucketId: string, apply: () => Applied<T> | Promise<Applied<T>>): Promise<T>;
  /** Whether `close()` was called. */
  readonly closing: boolean;
  /** Refuses new work and resolves when all that was begun is done. */
  close(): Promise<void>;
}

interface KeeperOptions {
  readonly database: TextDatabase;
  readonly state: State;
  /** What to call the database in messages. */
  readonly name: string;
  /** Called when the state is given up. */
  onReload(): void;
}

export function createKeeper({ database, state: opened, name, onReload }: KeeperOptions): Keeper {
  let state = opened;
  let recovery: Promise<void> | undefined;
  let broken = false;
  let closing = false;
  const lines: Lines = new Map();
  const background = new Set<Promise<unknown>>();
  const queue = createCommitQueue((operations) => database.batch(operations), giveUp, database.gathered);

  function failure(verb: string, cause: unknown): ActivityError {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return new ActivityError("STORAGE_FAILED", `cannot ${verb} ${name}: ${reason}`, { cause });
  }

  function giveUp(): void {
    for (const shelf of state.shelves.values()) shelf.stale = true;
    broken = true;
    onReload();
    recovery = reload();
    // Whoever comes next waits for it and hears of a failure.
    recovery.catch(() => undefined);
  }

  async function reload(): Promise<void> {
    try {
      const fresh = await loadState(database, name);
      // Ids given out by what failed stay given out, and so do numbers of buckets.
      fresh.nextEventId = Math.max(fresh.nextEventId, state.nextEventId);
      fresh.nextBucketNo = Math.max(fresh.nextBucketNo, state.nextBucketNo);
      keepPartners(state, fresh);
      state = fresh;
      broken = false;
    } catch (cause) {
      throw ActivityError.is(cause) ? cause : failure("read from", cause);
    } finally {
      recovery = undefined;
    }
  }

  function recoveringNow(): Promise<void> | undefined {
    if (broken) recovery ??= reload();
    return recovery;
  }

  function ready(): Promise<void> | undefined {
    if (closing) throw storageClosed();
    return recoveringNow();
  }

  function assertCurrent(shelf: Shelf): void {
    if (shelf.stale) throw failure("write to", new Error("an earlier write of the same batch failed"));
  }

  async function written(landed: Promise<void>, shelf: Shelf | undefined): Promise<void> {
    // A segment is read from memory until its batch has landed.
    const sealed = shelf && shelf.unwritten.size > 0 ? [...shelf.unwritten.keys()] : [];
    const partnerId = shelf?.partnerId;
    try {
      await landed;
    } catch (cause) {
      throw failure("write to", cause);
    }
    if (shelf === undefined) return;
    shelf.landedPartnerId = partnerId;
    for (const entry of sealed) shelf.unwritten.delete(entry);
  }

  function inBackground(work: Promise<unknown>): void {
    const quiet = work.catch(() => undefined).finally(() => background.delete(quiet));
    background.add(quiet);
  }

  return {
    get state() {
      return state;
    },
    async inTurn(bucketId, apply) {
      if (closing) throw storageClosed();
      return inOrder(lines, bucketId, () => {
        const recovering = recoveringNow();
        return recovering === undefined ? apply() : recovering.then(apply);
      });
    },
    get closing() {
      return closing;
    },
    ready,
    async opened() {
      await ready();
    },
    assertCurrent,
    commit(operations, shelf) {
      if (shelf !== undefined) assertCurrent(shelf);
      return written(queue.commit(operations), shelf);
    },
    landedSoFar: (shelf) => written(queue.landedSoFar(), shelf),
    inBackground,
    async close() {
      closing = true;
      while (lines.size > 0) await Promise.all(lines.values());
      await queue.idle();
      while (background.size > 0) await Promise.all(background);
    },
  };
}

/** A recovery is no reopening: what heartbeats compare themselves with stays. */
function keepPartners(old: State, fresh: State): void {
  for (const [bucketId, shelf] of fresh.shelves) {
    const before = old.shelves.get(bucketId);
    if (before?.bucketNo === shelf.bucketNo) shelf.partnerId = before.landedPartnerId;
    shelf.landedPartnerId = shelf.partnerId;
  }
}
