import { useEffect, useState } from "preact/hooks";
import type { Line } from "./panel.js";

/** Lines to add to the page at a time. */
export const PAGE_OF_LINES = 200;

/** Lines of a panel; all of them after the first request. */
export interface AllLines {
  readonly lines: readonly Line[];
  readonly isOpen: boolean;
  readonly isLoading: boolean;
  /** Number of displayed lines. */
  readonly most: number;
  readonly failure: { readonly error: unknown; readonly retry: () => void } | undefined;
  toggle(): void;
  showMore(): void;
}

/** @param load loads all lines, if the given ones are only the first */
export function useAllLines(
  given: readonly Line[],
  load: ((signal: AbortSignal) => Promise<readonly Line[]>) | undefined,
): AllLines {
  const [isOpen, setOpen] = useState(false);
  const [most, setMost] = useState(PAGE_OF_LINES);
  const [attempt, setAttempt] = useState(0);
  const [all, setAll] = useState<{ readonly lines?: readonly Line[]; readonly error?: unknown }>({});
  const isNeeded = isOpen && load !== undefined;
  // Identifies the numbers: new ones require a new request.
  const key = given.map(({ label, seconds }) => `${label} ${seconds}`).join();
  useEffect(() => {
    if (!isNeeded) return undefined;
    const controller = new AbortController();
    load(controller.signal).then(
      (lines) => controller.signal.aborted || setAll({ lines }),
      (error: unknown) => controller.signal.aborted || setAll({ error }),
    );
    return () => controller.abort();
  }, [isNeeded, key, attempt]);
  return {
    lines: isNeeded ? (all.lines ?? given) : given,
    isOpen,
    isLoading: isNeeded && all.lines === undefined && all.error === undefined,
    most,
    failure:
      isNeeded && all.error !== undefined ? { error: all.error, retry: () => setAttempt(attempt + 1) } : undefined,
    toggle() {
      setOpen(!isOpen);
      setMost(PAGE_OF_LINES);
      setAll({});
    },
    showMore: () => setMost(most + PAGE_OF_LINES),
  };
}
