// Timers that wait for the test instead of the clock.
import { AsyncLocalStorage } from "node:async_hooks";

/** What waits at the moment. */
export interface ManualTimers {
  /** Waits in milliseconds, in the order in which they began. */
  readonly pending: () => number[];
  /** Lets all that is waiting have waited; or just what waits for less than so many milliseconds. */
  readonly fire: (below?: number) => void;
}

/** Set in what the body has begun. */
const played = new AsyncLocalStorage<true>();

/**
 * Takes the place of the global timers for the time of the body, which must not need a socket. Only for what the body
 * begins: what earlier test files have left in the process keeps the clock, and the test neither sees nor fires its timers.
 */
export async function withManualTimers(body: (timers: ManualTimers) => Promise<void>): Promise<void> {
  const { setTimeout: realSet, clearTimeout: realClear } = globalThis;
  const waiting = new Map<number, { readonly millis: number; readonly callback: () => void }>();
  let last = 0;
  const set = (callback: () => void, millis = 0, ...args: never[]): number | NodeJS.Timeout => {
    if (played.getStore() === undefined) return realSet(callback, millis, ...args);
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
    await played.run(true, () => body({ pending: () => Array.from(waiting.values(), ({ millis }) => millis), fire }));
  } finally {
    Object.assign(globalThis, { setTimeout: realSet, clearTimeout: realClear });
  }
}

/** Lets everything go on that waits for nothing but turns of the event loop. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}
