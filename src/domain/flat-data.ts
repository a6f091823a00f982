import type { StoredEvent } from "./event.js";
import type { JsonObject } from "./json.js";

/** Values by flat data: objects without lists and objects in them. Several times as fast as by their JSON text. */
export class FlatDataMap<Value> {
  readonly #known: Map<string, { readonly data: JsonObject; readonly value: Value }> = new Map();

  /**
   * The key of data, for the other methods; `undefined` where it is not flat. Data with the same members in the same
   * order have one key, and rarely others.
   */
  static keyOf(data: JsonObject): string | undefined {
    let key = "";
    for (const name in data) {
      const value = data[name];
      if (typeof value === "object" && value !== null) return undefined;
      key += `${name}\0${value}\0`;
    }
    return key;
  }

  get(key: string, data: JsonObject): Value | undefined {
    const known = this.#known.get(key);
    return known !== undefined && isSame(known.data, data) ? known.value : undefined;
  }

  set(key: string, data: JsonObject, value: Value): void {
    this.#known.set(key, { data, value });
  }

  clear(): void {
    this.#known.clear();
  }
}

/** Whether flat objects have the same members in the same order. */
function isSame(a: JsonObject, b: JsonObject): boolean {
  if (a === b) return true;
  const names = Object.keys(a);
  const others = Object.keys(b);
  return (
    names.length === others.length && names.every((name, at) => name === others[at] && Object.is(a[name], b[name]))
  );
}

/**
 * Gives events with equal flat data one object for all of them, so that what follows serializes it once: a month of
 * windows has a few thousand distinct data.
 */
export function shareData(events: readonly StoredEvent[]): StoredEvent[] {
  const known = new FlatDataMap<JsonObject>();
  const shared = new Set<JsonObject>();
  return events.map((event) => {
    const { id, timestamp, duration, data } = event;
    if (shared.has(data)) return event;
    const key = FlatDataMap.keyOf(data);
    if (key === undefined) return event;
    const first = known.get(key, data);
    if (first !== undefined) return { id, timestamp, duration, data: first };
    known.set(key, data, data);
    shared.add(data);
    return event;
  });
}
