/** Runs a body during which timeouts run out after other times. @param change milliseconds that are waited instead */
export async function withTimeouts<T>(change: (millis: number) => number, body: () => Promise<T>): Promise<T> {
  const { setTimeout: slow } = globalThis;
  const changed = (then: (...given: unknown[]) => void, millis = 0, ...given: unknown[]): unknown =>
    slow(then, change(millis), ...given);
  globalThis.setTimeout = Object.assign(changed, slow) as unknown as typeof setTimeout;
  try {
    return await body();
  } finally {
    globalThis.setTimeout = slow;
  }
}
