import { useEffect, useState } from "preact/hooks";

/** The current time in Unix milliseconds, updated every second while wanted and visible. */
export function useSeconds(isWanted: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    setNow(Date.now());
    if (!isWanted) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") setNow(Date.now());
    }, 1000);
    return () => clearInterval(timer);
  }, [isWanted]);
  return now;
}
