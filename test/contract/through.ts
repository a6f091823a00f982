import {
  indexesOf,
  isRun,
  type PrintedChunk,
  type PrintedEvent,
  printedAt,
  type StoredEvent,
} from "../../src/domain/event.js";
import type { EventList } from "../../src/domain/event-list.js";
import type { JsonObject } from "../../src/domain/json.js";
import type { Storage } from "../../src/storage.js";
import { holds } from "./check.js";

/** A surrogate without its other half: no encoding has it, so a text to be sent must escape it. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** The other ways in which an adapter may offer its events. */
export type OtherWay = "readPrinted" | "readColumns";

/**
 * The same storage, whose `readEvents` is served by another of its ways: what holds for one must hold for the other.
 *
 * @returns `undefined` for a storage without that way
 */
export function through(way: OtherWay, storage: Storage): Storage | undefined {
  if (storage[way] === undefined) return undefined;
  const readEvents = way === "readPrinted" ? fromPrinted(storage) : fromColumns(storage);
  return new Proxy(storage, {
    get(target, key) {
      if (key === "readEvents") return readEvents;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function fromPrinted(storage: Storage): Storage["readEvents"] {
  return async function* (bucketId, range) {
    for await (const chunk of storage.readPrinted?.(bucketId, range) ?? []) yield eventsIn(chunk).map(parsed);
  };
}

/** Single events, or those of a run in its order. */
function eventsIn(chunk: PrintedChunk): readonly PrintedEvent[] {
  if (!isRun(chunk)) return chunk;
  const { list, from, to } = chunk;
  const size = `a run from ${from} to ${to} of a list of ${list.length}`;
  holds("readPrinted", from >= 0 && from < to && to <= list.length, size);
  return Array.from(indexesOf(chunk), (index) => printedAt(list, index));
}

/** Columns come oldest first and all of them; order and limit are made here. */
function fromColumns(storage: Storage): Storage["readEvents"] {
  return async function* (bucketId, { order, limit, ...range } = {}) {
    const events: StoredEvent[] = [];
    for await (const list of storage.readColumns?.(bucketId, range) ?? []) events.push(...eventsOf(list));
    if (order !== "oldest") events.reverse();
    const wanted = events.slice(0, limit);
    if (wanted.length > 0) yield wanted;
  };
}

function eventsOf({ length, starts, durations, ids, datas }: EventList): StoredEvent[] {
  const sizes = [starts.length, durations.length, datas.length, ids?.length ?? 0];
  holds(
    "readColumns",
    length > 0 && sizes.every((size) => size === length),
    `columns of ${sizes} for ${length} events`,
  );
  return Array.from({ length }, (_, index) => ({
    id: ids?.[index] as number,
    timestamp: starts[index] as number,
    duration: durations[index] as number,
    data: datas[index] as JsonObject,
  }));
}

function parsed({ id, timestamp, duration, dataText, ...others }: PrintedEvent): StoredEvent {
  holds("readPrinted", !LONE_SURROGATE.test(dataText), `the data of event ${id} cannot be sent as they are printed`);
  holds("readPrinted", Object.keys(others).length === 0, `event ${id} has further fields: ${Object.keys(others)}`);
  return { id, timestamp, duration, data: JSON.parse(dataText) as JsonObject };
}
