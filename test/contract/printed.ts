import type { PrintedEvent, StoredEvent } from "../../src/domain/event.js";
import type { JsonObject } from "../../src/domain/json.js";
import type { EventRange, Storage } from "../../src/storage.js";
import { holds } from "./check.js";

/** A surrogate without its other half: no encoding has it, so a text to be sent must escape it. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * The same storage, whose `readEvents` is served by `readPrinted`: what holds for one must hold for the other.
 *
 * @returns `undefined` for a storage without `readPrinted`
 */
export function throughPrinted(storage: Storage): Storage | undefined {
  if (storage.readPrinted === undefined) return undefined;
  async function* readEvents(bucketId: string, range?: EventRange): AsyncGenerator<readonly StoredEvent[]> {
    for await (const chunk of storage.readPrinted?.(bucketId, range) ?? []) yield chunk.map(parsed);
  }
  return new Proxy(storage, {
    get(target, key) {
      if (key === "readEvents") return readEvents;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function parsed({ id, timestamp, duration, dataText, ...others }: PrintedEvent): StoredEvent {
  holds("readPrinted", !LONE_SURROGATE.test(dataText), `the data of event ${id} cannot be sent as they are printed`);
  holds("readPrinted", Object.keys(others).length === 0, `event ${id} has further fields: ${Object.keys(others)}`);
  return { id, timestamp, duration, data: JSON.parse(dataText) as JsonObject };
}
