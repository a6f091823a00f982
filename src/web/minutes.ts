import { useEffect, useState } from "preact/hooks";

const MINUTE = 60_000;

/** The time, once a minute and whenever the page comes to the front; not while nobody sees it. */
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
