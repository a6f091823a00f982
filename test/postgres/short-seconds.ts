/**
 * Runs a body for which a second is the fifth part of one: what waits for a database that stands still waits for some.
 * For timeouts and `Date`; intervals and `performance` keep their seconds.
 */
export async function withShortSeconds<T>(body: () => Promise<T>): Promise<T> {
  const { setTimeout: slow } = globalThis;
  const { now } = Date;
  const began = now();
  Date.now = () => began + (now() - began) * 5;
  const fast = (then: (...given: unknown[]) => void, millis = 0, ...given: unknown[]): unknown =>
    slow(then, millis / 5, ...given);
  globalThis.setTimeout = Object.assign(fast, slow) as unknown as typeof setTimeout;
  try {
    return await body();
  } finally {
    globalThis.setTimeout = slow;
    Date.now = now;
  }
}
