/**
 * Counts how often something that is done pauses to let others in, with a clock that makes every look at it the end of
 * a slice: what would pause after some milliseconds pauses whenever it could. Turns of the event loop are not counted,
 * since these also pass while it waits for something.
 */
export async function pausesDuring<T>(work: () => Promise<T>): Promise<readonly [pauses: number, result: T]> {
  const { setImmediate } = globalThis;
  const { now } = performance;
  let pauses = 0;
  let millis = now.call(performance);
  performance.now = () => {
    millis += 10;
    return millis;
  };
  const counted = (then: (...given: unknown[]) => void, ...given: unknown[]): NodeJS.Immediate => {
    pauses++;
    return setImmediate(then, ...given);
  };
  Object.assign(globalThis, { setImmediate: Object.assign(counted, setImmediate) });
  try {
    const result = await work();
    return [pauses, result];
  } finally {
    Object.assign(globalThis, { setImmediate });
    performance.now = now;
  }
}
