// Waits that are over when a test says so.

/** Timers of one length that go off when they are told to, and not before. */
export interface HeldTimers {
  /** Waits until so many are set, or until something else has happened. */
  untilSet(count: number, otherwise: () => boolean): Promise<void>;
  /** Lets all that are set go off. */
  goOff(): void;
}

const LOOK_MILLIS = 2;
const NEVER_MILLIS = 2 ** 31 - 1;

/** Holds the timers that are set for exactly so many milliseconds while the body runs. */
export async function withHeldTimers(millis: number, body: (timers: HeldTimers) => Promise<void>): Promise<void> {
  const { setTimeout, clearTimeout } = globalThis;
  const held = new Map<unknown, () => void>();
  const hold = (then: (...given: unknown[]) => void, after?: number, ...given: unknown[]): NodeJS.Timeout => {
    if (after !== millis) return setTimeout(then, after, ...given);
    const timer = setTimeout(() => undefined, NEVER_MILLIS);
    held.set(timer, () => then(...given));
    return timer;
  };
  const clear: typeof clearTimeout = (timer) => {
    held.delete(timer);
    clearTimeout(timer as NodeJS.Timeout);
  };
  Object.assign(globalThis, { setTimeout: Object.assign(hold, setTimeout), clearTimeout: clear });
  try {
    await body({
      async untilSet(count, otherwise) {
        for (let look = 0; held.size < count && !otherwise(); look++) {
          if (look * LOOK_MILLIS > 20_000) throw new Error(`${held.size} timers are set, not ${count}`);
          await new Promise<void>((resolve) => setTimeout(resolve, LOOK_MILLIS));
        }
      },
      goOff() {
        for (const [timer, then] of [...held]) {
          clear(timer as NodeJS.Timeout);
          then();
        }
      },
    });
  } finally {
    Object.assign(globalThis, { setTimeout, clearTimeout });
    for (const timer of held.keys()) clearTimeout(timer as NodeJS.Timeout);
  }
}
