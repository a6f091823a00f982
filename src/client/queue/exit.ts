// Queues that close themselves when the process ends.

const SIGNALS = ["SIGTERM", "SIGINT"] as const;

/** What is to be closed. All share one listener: the first to be done must not end the process for the others. */
const closers = new Set<() => Promise<unknown>>();

/**
 * Closes something when the process has nothing left to do, or gets a signal to end.
 *
 * @returns what takes that back
 */
export function closeOnExit(close: () => Promise<unknown>): () => void {
  if (closers.size === 0) {
    process.once("beforeExit", closeAll);
    for (const signal of SIGNALS) process.once(signal, closeAndEnd);
  }
  closers.add(close);
  return () => {
    closers.delete(close);
    if (closers.size === 0) stopListening();
  };
}

function stopListening(): void {
  process.off("beforeExit", closeAll);
  for (const signal of SIGNALS) process.off(signal, closeAndEnd);
}

function closeAll(): Promise<unknown> {
  return Promise.all([...closers].map((close) => close()));
}

/** A second signal ends the process at once, since nobody listens any more. */
function closeAndEnd(signal: NodeJS.Signals): void {
  stopListening();
  closeAll().then(() => {
    // Somebody else who listens ends the process in an own way.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  });
}
