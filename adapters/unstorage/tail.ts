import { endOf, positionOf, type StoredEvent } from "../../src/domain/event.js";
import type { JsonObject } from "../../src/domain/json.js";
import type { Micros } from "../../src/domain/time.js";
import { textOf } from "./chunk.js";

/** The event of the tail with an id. New ones stand at the end, and those are asked for most. */
export function findIn(tail: readonly StoredEvent[], id: number): StoredEvent | undefined {
  for (let index = tail.length - 1; index >= 0; index--) {
    const event = tail[index] as StoredEvent;
    if (event.id === id) return event;
  }
  return undefined;
}

/** Puts an event in its place, in a list sorted by (timestamp, id). `before`: what stands there under its id. */
export function putInto(tail: StoredEvent[], event: StoredEvent, before: StoredEvent | undefined): void {
  if (before !== undefined) {
    const position = positionOf(tail, before.timestamp, before.id);
    if (before.timestamp === event.timestamp) {
      tail[position] = event;
      return;
    }
    tail.splice(position, 1);
  }
  tail.splice(positionOf(tail, event.timestamp, event.id), 0, event);
}

/** Largest event end; -Infinity when there is no event. */
export function endOfAll(tail: readonly StoredEvent[]): Micros {
  return tail.reduce((end, event) => Math.max(end, endOf(event)), Number.NEGATIVE_INFINITY);
}

/** The line of an event in manifest and journal. */
export function printEvent({ id, timestamp, duration, data }: StoredEvent): string {
  return `[${id},${timestamp},${duration},${textOf(data)}]`;
}

/** @throws Error for a line that is none */
export function parseEvent(line: string): StoredEvent {
  const [id, timestamp, duration, data] = JSON.parse(line) as [number, number, number, JsonObject];
  if (typeof data !== "object") throw new Error(`event ${id} has no data`);
  return { id, timestamp, duration, data };
}
