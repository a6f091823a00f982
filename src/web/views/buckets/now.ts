import { useEffect, useState } from "preact/hooks";

const TICK_MILLIS = 30_000;

/** The current time in Unix milliseconds, updated every half minute. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MILLIS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
