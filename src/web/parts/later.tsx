import { h, type JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { recoveries } from "../api.js";
import { loadCode } from "../code.js";

const loads: (() => Promise<unknown>)[] = [];

/** Loads all that has been made by `later`, for the time when the server is gone. */
export function loadLater(): void {
  for (const load of loads) loadCode(load).catch(() => {});
}

/** A component whose code is loaded later. */
export interface Later<Props> {
  (props: Props): JSX.Element | null;
  /** Loads it before it is drawn. Never rejects. */
  load(): Promise<void>;
}

/**
 * A component whose code is loaded when it is first drawn, and once more when the server is back, if that failed;
 * nothing stands in its place until then.
 */
export function later<Props extends object>(load: () => Promise<(props: Props) => JSX.Element | null>): Later<Props> {
  loads.push(load);
  let found: ((props: Props) => JSX.Element | null) | undefined;
  async function take(): Promise<void> {
    try {
      found ??= await loadCode(load);
    } catch {
      // Without the server there is nothing that it could do, and the page says that it is gone.
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
