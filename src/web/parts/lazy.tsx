import { h, type JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { loadCode } from "../code.js";
import { recoveries } from "../recoveries.js";

const loads: (() => Promise<unknown>)[] = [];

/** Loads all components created by `lazy`, in case the server becomes unreachable. */
export function loadLazy(): void {
  for (const load of loads) loadCode(load).catch(() => {});
}

/** A component that is loaded lazily. */
export interface LazyComponent<Props> {
  (props: Props): JSX.Element | null;
  /** Loads it before it is rendered. Never rejects. */
  load(): Promise<void>;
}

/**
 * Creates a component whose code is loaded when it is first rendered. Retries a failure when the server is back.
 * Renders nothing until then.
 */
export function lazy<Props extends object>(
  load: () => Promise<(props: Props) => JSX.Element | null>,
): LazyComponent<Props> {
  loads.push(load);
  let found: ((props: Props) => JSX.Element | null) | undefined;
  async function take(): Promise<void> {
    try {
      found ??= await loadCode(load);
    } catch {
      // Useless without the server; the page shows that it is unreachable.
    }
  }
  function Later(props: Props): JSX.Element | null {
    const [, setReady] = useState(found !== undefined);
    const recovered = recoveries.value;
    useEffect(() => void take().then(() => setReady(found !== undefined)), [recovered]);
    return found === undefined ? null : h(found, props);
  }
  return Object.assign(Later, { load: take });
}
