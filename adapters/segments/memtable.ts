import { byTime, endOf, positionOf, type StoredEvent } from "../../src/domain/event.js";
import { roughSize } from "../../src/domain/json.js";
import type { Micros } from "../../src/domain/time.js";
import type { OrderKey } from "./segment-entry.js";

/** From this many events on, `putAll` merges them as a whole instead of one at a time. */
const MANY_EVENTS = 16;
/** Estimated characters of an event without its data. */
const EVENT_WEIGHT = 48;

/** Estimated characters of an event as text. */
export function weightOf({ data }: StoredEvent): number {
  return roughSize(data) + EVENT_WEIGHT;
}

/**
 * The events of a bucket that are not in segments: usually the newest ones, and late ones until a flush moves them.
 * Sorted by (timestamp, id). The log is their only copy.
 */
export class Memtable {
  #events: StoredEvent[] = [];
  readonly #byId: Map<number, StoredEvent> = new Map();
  #weight = 0;
  #changes = 0;
  /** Largest event end, if known without a scan. */
  #end: Micros | undefined = Number.NEGATIVE_INFINITY;

  /** Ascending by (timestamp, id). Do not change it. */
  get events(): readonly StoredEvent[] {
    return this.#events;
  }

  /** Number of changes. */
  get changes(): number {
    return this.#changes;
  }

  /** Estimated characters of all events as text. */
  get weight(): number {
    return this.#weight;
  }

  /** Largest event end; -Infinity without events. */
  get end(): Micros {
    this.#end ??= this.#events.reduce((end, event) => Math.max(end, endOf(event)), Number.NEGATIVE_INFINITY);
    return this.#end;
  }

  get(eventId: number): StoredEvent | undefined {
    return this.#byId.get(eventId);
  }

  /** The first index for an event with this key. */
  positionOf([timestamp, id]: OrderKey): number {
    return positionOf(this.#events, timestamp, id);
  }

  /** Inserts events, replacing those with the same IDs. @param events without duplicate IDs */
  putAll(events: readonly StoredEvent[]): void {
    if (events.length < MANY_EVENTS) {
      for (const event of events) this.#put(event);
      return;
    }
    this.removeAll(events.flatMap(({ id }) => this.#byId.get(id) ?? []));
    const sorted = events.toSorted(byTime);
    const newest = this.#events.at(-1);
    const first = sorted[0] as StoredEvent;
    // Avoids spreading into `push`, since the number of arguments is limited.
    if (newest === undefined || byTime(newest, first) < 0) for (const event of sorted) this.#events.push(event);
    else this.#events = this.#events.concat(sorted).sort(byTime);
    for (const event of sorted) this.#know(event);
  }

  /** Replaces an event in its position. @param event the same event with another duration */
  replace(before: StoredEvent, event: StoredEvent): void {
    this.#changes++;
    const { length } = this.#events;
    const index =
      this.#events[length - 1] === before ? length - 1 : positionOf(this.#events, before.timestamp, before.id);
    this.#events[index] = event;
    this.#byId.set(event.id, event);
    this.#forgetEnd(before, event);
  }

  /** Removes events. Ignores missing ones. */
  removeAll(events: readonly StoredEvent[]): void {
    const [first] = events;
    if (first === undefined) return;
    const start = positionOf(this.#events, first.timestamp, first.id);
    if (events.every((event, index) => this.#events[start + index] === event))
      this.#events.splice(start, events.length);
    else {
      const leaving = new Set(events.map(({ id }) => id));
      this.#events = this.#events.filter(({ id }) => !leaving.has(id));
    }
    for (const { id } of events) {
      const known = this.#byId.get(id);
      if (known === undefined) continue;
      this.#changes++;
      this.#byId.delete(id);
      this.#weight -= weightOf(known);
      if (endOf(known) === this.#end) this.#end = undefined;
    }
  }

  #put(event: StoredEvent): void {
    const before = this.#byId.get(event.id);
    if (before !== undefined && before.timestamp === event.timestamp && before.data === event.data) {
      this.replace(before, event);
      return;
    }
    if (before !== undefined) this.removeAll([before]);
    const newest = this.#events.at(-1);
    if (newest === undefined || byTime(newest, event) < 0) this.#events.push(event);
    else this.#events.splice(positionOf(this.#events, event.timestamp, event.id), 0, event);
    this.#know(event);
  }

  #know(event: StoredEvent): void {
    this.#changes++;
    this.#byId.set(event.id, event);
    this.#weight += weightOf(event);
    if (this.#end !== undefined) this.#end = Math.max(this.#end, endOf(event));
  }

  #forgetEnd(before: StoredEvent, event: StoredEvent): void {
    if (this.#end === undefined) return;
    if (endOf(event) >= this.#end) this.#end = endOf(event);
    else if (endOf(before) === this.#end) this.#end = undefined;
  }
}
