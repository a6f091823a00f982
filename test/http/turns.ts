/**
 * Counts the turns of the event loop while something is done, with a clock that makes every look at it the end of a
 * slice: what would pause after some milliseconds pauses whenever it could.
 */
export async function turnsDuring<T>(work: () => Promise<T>): Promise<readonly [turns: number, result: T]> {
  const { now } = performance;
  const state = { turns: 0, isOver: false, millis: now.call(performance) };
  const count = (): void => {
    state.turns++;
    if (!state.isOver) setImmediate(count);
  };
  performance.now = () => {
    state.millis += 10;
    return state.millis;
  };
  setImmediate(count);
  try {
    const result = await work();
    return [state.turns, result];
  } finally {
    state.isOver = true;
    performance.now = now;
  }
}
