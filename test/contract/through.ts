import { EventBatch } from "../../src/domain/batch.js";
import type { StoredEvent } from "../../src/domain/event.js";
import type { JsonObject } from "../../src/domain/json.js";
import type { EventRead, Storage } from "../../src/storage/storage.js";
import { holds } from "./check.js";

/** A surrogate without its other half: no encoding has it, so a text to be sent must escape it. */
const LONE_SURROGATE = /\p{Surrogate}/u;
const decoder: TextDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * The same storage, whose batches give their data as JSON text only: what holds for values must hold for the texts that
 * responses are made of.
 */
export function throughTexts(storage: Storage): Storage {
  return new Proxy(storage, {
    get(target, key) {
      if (key === "read") return (...args: Parameters<Storage["read"]>) => readTexts(target.read(...args));
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

async function readTexts(read: Promise<EventRead>): Promise<EventRead> {
  const { version, batches } = await read;
  return { version, batches: mapped(batches, (batch) => EventBatch.from(parsed(batch))) };
}

/** Ends, early or not, together with what it maps. */
function mapped<A, B>(items: AsyncIterable<A>, map: (item: A) => B): AsyncIterable<B> {
  return {
    [Symbol.asyncIterator]() {
      const inner = items[Symbol.asyncIterator]();
      const end = inner.return?.bind(inner);
      return {
        async next() {
          const { done, value } = await inner.next();
          return done === true ? { done, value: undefined } : { done: false, value: map(value) };
        },
        ...(end && {
          async return() {
            await end();
            return { done: true, value: undefined } as const;
          },
        }),
      };
    },
  };
}

function parsed(batch: EventBatch): StoredEvent[] {
  return Array.from({ length: batch.length }, (_, index) => {
    const text = batch.textAt(index);
    const id = batch.ids?.[index] ?? 0;
    holds("batchText", !LONE_SURROGATE.test(text), `the data of event ${id} cannot be sent as they are serialized`);
    const bytes = utf8At(batch, index);
    holds("batchText", bytes === undefined || bytes === text, `the data of event ${id} in UTF-8 are ${bytes}`);
    const timestamp = batch.timestamps[index] as number;
    const duration = batch.durations[index] as number;
    return { id, timestamp, duration, data: JSON.parse(text) as JsonObject };
  });
}

function utf8At(batch: EventBatch, index: number): string | undefined {
  const { utf8 } = batch.table;
  if (utf8 === undefined) return undefined;
  const ref = batch.refAt(index);
  return decoder.decode(utf8.bytes.subarray(utf8.starts[ref], utf8.starts[ref + 1]));
}
