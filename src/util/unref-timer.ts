/** Starts a timer that does not keep the process alive. */
export function unrefTimer(millis: number, then: () => void): ReturnType<typeof setTimeout> {
  const timer = setTimeout(then, millis);
  // Outside Node a timer is a number.
  if (typeof timer === "object") timer.unref?.();
  return timer;
}
