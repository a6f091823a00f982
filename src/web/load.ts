import { useEffect, useRef, useState } from "preact/hooks";
import { loadCurrent, recoveries } from "./recoveries.js";

/** A value from the server. */
export type Loadable<T> =
  | { readonly state: "loading"; readonly before?: T | undefined }
  | { readonly state: "ready"; readonly value: T }
  | { readonly state: "failed"; readonly error: unknown; readonly before?: T | undefined };

/** The value to show: the current or the previous one; `undefined` before the first. */
export function shownValue<T>(loadable: Loadable<T>): T | undefined {
  return loadable.state === "ready" ? loadable.value : loadable.before;
}

/** The state during a reload. */
export function loadingAfter<T>(loadable: Loadable<T>): Loadable<T> {
  return { state: "loading", before: shownValue(loadable) };
}

/** The state after a failure. */
export function failedAfter<T>(loadable: Loadable<T>, error: unknown): Loadable<T> {
  return { state: "failed", error, before: shownValue(loadable) };
}

/** A loadable that can be retried. */
export type Reloadable<T> = Loadable<T> & {
  /** Loads again. Resolves when that is done. */
  retry(): Promise<void>;
};

/**
 * Loads a value whenever the key changes. Aborts outdated loads. Until the new value is ready, the previous one is
 * shown, so that the layout does not jump: set a component `key` if that would be misleading. Retries failures when the
 * server is back.
 *
 * @param key identifies everything that the response depends on
 */
export function useLoad<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Reloadable<T> {
  const [kept, setKept] = useState<{ readonly key: string; readonly value: Loadable<T> }>({
    key,
    value: { state: "loading" },
  });
  const [attempt, setAttempt] = useState(0);
  const waiting = useRef<(() => void)[]>([]);
  const latest = useRef(kept.value);
  latest.current = kept.value;

  useEffect(() => {
    const controller = new AbortController();
    const before = latest.current;
    setKept({ key, value: loadingAfter(before) });
    const finish = (next: Loadable<T>): void => {
      if (controller.signal.aborted) return;
      setKept({ key, value: next });
      for (const resolve of waiting.current.splice(0)) resolve();
    };
    loadCurrent(() => load(controller.signal)).then(
      (value) => finish({ state: "ready", value }),
      (error: unknown) => finish(failedAfter(before, error)),
    );
    return () => controller.abort();
  }, [key, attempt]);

  const recovered = recoveries.value;
  useEffect(() => {
    if (latest.current.state === "failed") setAttempt((count) => count + 1);
  }, [recovered]);

  const value = kept.key === key ? kept.value : loadingAfter(kept.value);
  const retry = (): Promise<void> =>
    new Promise((resolve) => {
      waiting.current.push(resolve);
      setAttempt((count) => count + 1);
    });
  return { ...value, retry };
}
