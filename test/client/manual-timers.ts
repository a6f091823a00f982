// Timers that wait for the test instead of the clock.

/** What waits at the moment. */
export interface ManualTimers {
  /** Waits in milliseconds, in the order in which they began. */
  readonly pending: () => number[];
  /** Lets all that is waiting have waited; or just what waits for less than so many milliseconds. */
  readonly fire: (below?: number) => void;
}

/**
 * Takes the place of the global timers for the time of the body, which must not need a socket. Node's own modules keep
 * theirs: the connections that an earlier test file has left in its HTTP client go on ticking.
 */
export async function withManualTimers(body: (timers: ManualTimers) => Promise<void>): Promise<void> {
  const { setTimeout: realSet, clearTimeout: realClear } = globalThis;
  const waiting = new Map<number, { readonly millis: number; readonly callback: () => void }>();
  let last = 0;
  const set = (callback: () => void, millis = 0): number | NodeJS.Timeout => {
    if (new Error().stack?.split("\n")[2]?.includes("node:internal")) return realSet(callback, millis);
    last++;
    waiting.set(last, { millis, callback });
    return last;
  };
  const fire = (below = Number.POSITIVE_INFINITY): void => {
    const due = [...waiting].filter(([, { millis }]) => millis < below);
    for (const [id] of due) waiting.delete(id);
    for (const [, { callback }] of due) callback();
  };
  const clear = (id: number | NodeJS.Timeout): void => {
    if (typeof id === "number") waiting.delete(id);
    else realClear(id);
  };
  Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  try {
    await body({ pending: () => Array.from(waiting.values(), ({ millis }) => millis), fire });
  } finally {
    Object.assign(globalThis, { setTimeout: realSet, clearTimeout: realClear });
  }
}

/** Lets everything go on that waits for nothing but turns of the event loop. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}
