// Queues that send their remaining events when the process ends.

const SIGNALS = ["SIGTERM", "SIGINT"] as const;

export interface ExitSteps {
  /** Sends the remaining events, and those that the app reports in the meantime. Never rejects. */
  flush(): Promise<unknown>;
  /** Releases the file. Synchronous: the app reports nothing more between this and the end. */
  close(): void;
}

/**
 * The steps of all queues. They share one listener: the first finished queue must not end the process for the others.
 */
const queues = new Set<ExitSteps>();

/** Runs these steps when the process has nothing left to do, or gets a signal to end. @returns removes the steps */
export function atExit(steps: ExitSteps): () => void {
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

/** A second signal ends the process at once, because the listener is removed. */
function flushAndEnd(signal: NodeJS.Signals): void {
  ignoreSignals();
  flushAll().then(() => {
    // Another listener ends the process in its own way; the queues continue until then.
    if (process.listenerCount(signal) > 0) return;
    closeAll();
    process.kill(process.pid, signal);
  });
}
