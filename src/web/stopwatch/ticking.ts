import { useEffect, useState } from "preact/hooks";

/** The time, each second while it is wanted and somebody looks. In Unix milliseconds. */
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
