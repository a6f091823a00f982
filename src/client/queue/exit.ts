// Queues that send what is left when the process ends.

const SIGNALS = ["SIGTERM", "SIGINT"] as const;

/** What a queue does at the end of the process. */
export interface LastSteps {
  /** Sends what is left, and what the app reports in the meantime. Never rejects. */
  flush(): Promise<unknown>;
  /** Releases the file. Synchronous: the app reports nothing more between this and the end. */
  close(): void;
}

/** Those of all queues. They share one listener: the first to be done must not end the process for the others. */
const queues = new Set<LastSteps>();

/**
 * Takes these steps when the process has nothing left to do, or gets a signal to end.
 *
 * @returns what takes that back
 */
export function atExit(steps: LastSteps): () => void {
  if (queues.size === 0) {
    process.once("beforeExit", flushAll);
    process.once("exit", closeAll);
    for (const signal of SIGNALS) process.once(signal, flushAndEnd);
  }
  queues.add(steps);
  return () => {
    queues.delete(steps);
    if (queues.size > 0) return;
    process.off("beforeExit", flushAll);
    process.off("exit", closeAll);
    ignoreSignals();
  };
}

function ignoreSignals(): void {
  for (const signal of SIGNALS) process.off(signal, flushAndEnd);
}

function flushAll(): Promise<unknown> {
  return Promise.all(Array.from(queues, (queue) => queue.flush()));
}

function closeAll(): void {
  for (const queue of [...queues]) queue.close();
}

/** A second signal ends the process at once, since nobody listens any more. */
function flushAndEnd(signal: NodeJS.Signals): void {
  ignoreSignals();
  flushAll().then(() => {
    // Somebody else who listens ends the process in an own way; until then the queues go on.
    if (process.listenerCount(signal) > 0) return;
    closeAll();
    process.kill(process.pid, signal);
  });
}
