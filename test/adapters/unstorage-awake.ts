/** Keeps the process alive while something waits for the background, whose timers do not. */
export async function awake<T>(work: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => undefined, 1_000);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
