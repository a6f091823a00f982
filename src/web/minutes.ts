import { useEffect, useState } from "preact/hooks";

const MINUTE = 60_000;

/** The current time, updated every minute and when the page becomes visible. Paused while it is hidden. */
export function useMinutes(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    let last = Date.now();
    const tick = (): void => {
      if (document.visibilityState !== "visible" || Date.now() - last < MINUTE) return;
      last = Date.now();
      setNow(last);
    };
    const timer = setInterval(tick, MINUTE / 12);
    document.addEventListener("visibilitychange", tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", tick);
    };
  }, []);
  return now;
}
