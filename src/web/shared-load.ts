// Values from the server that all views share.
import type { Signal } from "@preact/signals";
import { failedAfter, type Loadable, loadingAfter } from "./load.js";
import { loadCurrent } from "./recoveries.js";

let allowed: Promise<void> = Promise.resolve();

/** Delays loads: what is read before the feed starts must be read again. */
export function delayLoads(until: Promise<void>): void {
  allowed = until;
}

export interface SharedLoad {
  /** Loads. Concurrent calls share one request. Never rejects. */
  readonly load: () => Promise<void>;
  /** Loads, but does not share a request that was sent before. Never rejects. */
  readonly reload: () => Promise<void>;
}

export function shareLoad<T>(value: Signal<Loadable<T>>, read: () => Promise<T>): SharedLoad {
  let current: Promise<void> | undefined;
  let isSent = false;
  async function send(): Promise<void> {
    await allowed;
    isSent = true;
    await loadInto(value, () => loadCurrent(read));
    isSent = false;
    current = undefined;
  }
  function load(): Promise<void> {
    current ??= send();
    return current;
  }
  return {
    load,
    async reload() {
      if (isSent) await current;
      return load();
    },
  };
}

/** Loads into a signal. Never rejects. */
export async function loadInto<T>(value: Signal<Loadable<T>>, read: () => Promise<T>): Promise<void> {
  value.value = loadingAfter(value.value);
  try {
    value.value = { state: "ready", value: await read() };
  } catch (error) {
    value.value = failedAfter(value.value, error);
  }
}
