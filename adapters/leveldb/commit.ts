import type { Operation } from "./database.js";

/**
 * Group commit: one batch is being written at a time, and what arrives meanwhile joins the next one. Of several
 * operations on one key only the last is written, but every caller is answered only after its batch has landed.
 */
export interface CommitQueue {
  /** Resolves when the operations are written; rejects, for everybody who waits, when a batch fails. */
  commit(operations: readonly Operation[]): Promise<void>;
  /** Resolves when everything handed over so far is written. */
  landedSoFar(): Promise<void>;
  /** Resolves when nothing is left to be written. Never rejects. */
  idle(): Promise<void>;
}

/** A batch that still takes operations in. */
interface Batch {
  readonly operations: Map<string, Operation>;
  readonly landed: Promise<void>;
  resolve(): void;
  reject(cause: unknown): void;
}

/**
 * @param write writes a batch wholly or not at all
 * @param failed called once for a failed batch, before anybody hears of it: what waited in line was built on it, so
 *   nothing of that is written either
 * @param gathered waited for before each batch
 */
export function createCommitQueue(
  write: (operations: readonly Operation[]) => Promise<void>,
  failed: (cause: unknown) => void,
  gathered?: () => Promise<void>,
): CommitQueue {
  let waiting: Batch | undefined;
  let inFlight: Batch | undefined;
  let draining = false;
  let writing: Promise<void> = Promise.resolve();

  async function drain(): Promise<void> {
    draining = true;
    while (waiting !== undefined) {
      if (gathered !== undefined) await gathered();
      const batch: Batch = waiting;
      waiting = undefined;
      inFlight = batch;
      try {
        await write([...batch.operations.values()]);
        batch.resolve();
      } catch (cause) {
        const dependent = waiting as Batch | undefined;
        waiting = undefined;
        failed(cause);
        batch.reject(cause);
        dependent?.reject(cause);
      }
    }
    inFlight = undefined;
    draining = false;
  }

  return {
    commit(operations) {
      waiting ??= createBatch();
      for (const operation of operations) waiting.operations.set(operation.key, operation);
      const { landed } = waiting;
      if (!draining) writing = drain();
      return landed;
    },
    landedSoFar: () => (waiting ?? inFlight)?.landed ?? Promise.resolve(),
    async idle() {
      while (draining) await writing;
    },
  };
}

function createBatch(): Batch {
  let resolve: () => void = () => undefined;
  let reject: (cause: unknown) => void = () => undefined;
  const landed = new Promise<void>((onLanded, onFailed) => {
    resolve = onLanded;
    reject = onFailed;
  });
  // Background work does not wait for its batch; callers that do get the rejection all the same.
  landed.catch(() => undefined);
  return { operations: new Map(), landed, resolve, reject };
}
