import { byTime, endOf, positionOf, type StoredEvent } from "../../src/domain/event.js";
import { roughSize } from "../../src/domain/json.js";
import type { Micros } from "../../src/domain/time.js";
import type { OrderKey } from "./segment-entry.js";

/** From this many events on they are merged into the memtable as a whole, not one by one. */
const MANY_EVENTS = 16;
/** Characters of an event beside its data, roughly. */
const EVENT_WEIGHT = 48;

/** What an event takes as text, in characters, roughly. */
export function weightOf({ data }: StoredEvent): number {
  return roughSize(data) + EVENT_WEIGHT;
}

/**
 * The events of a bucket that are in no segment: usually the newest ones, and late ones until they are compacted into
 * the segments. Sorted by (timestamp, id). The log is their only other home.
 */
export class Memtable {
  #events: StoredEvent[] = [];
  readonly #byId: Map<number, StoredEvent> = new Map();
  #weight = 0;
  #changes = 0;
  /** Largest end, as far as it is known without looking. */
  #end: Micros | undefined = Number.NEGATIVE_INFINITY;

  /** Ascending by (timestamp, id). Not to be changed. */
  get events(): readonly StoredEvent[] {
    return this.#events;
  }

  /** How often it has changed. */
  get changes(): number {
    return this.#changes;
  }

  /** Size of all events as text, in characters, roughly. */
  get weight(): number {
    return this.#weight;
  }

  /** Largest event end; -Infinity when there is no event. */
  get end(): Micros {
    this.#end ??= this.#events.reduce((end, event) => Math.max(end, endOf(event)), Number.NEGATIVE_INFINITY);
    return this.#end;
  }

  get(eventId: number): StoredEvent | undefined {
    return this.#byId.get(eventId);
  }

  /** The first index at which an event of this key may stand. */
  positionOf([timestamp, id]: OrderKey): number {
    return positionOf(this.#events, timestamp, id);
  }

  /** Puts events in their places, over those of their ids. @param events each id once */
  putAll(events: readonly StoredEvent[]): void {
    if (events.length < MANY_EVENTS) {
      for (const event of events) this.#put(event);
      return;
    }
    this.removeAll(events.flatMap(({ id }) => this.#byId.get(id) ?? []));
    const sorted = events.toSorted(byTime);
    const newest = this.#events.at(-1);
    const first = sorted[0] as StoredEvent;
    // No spreading into `push`: there may be more events than a call can have arguments.
    if (newest === undefined || byTime(newest, first) < 0) for (const event of sorted) this.#events.push(event);
    else this.#events = this.#events.concat(sorted).sort(byTime);
    for (const event of sorted) this.#know(event);
  }

  /** Extends an event in its place. @param event the same with another duration */
  replace(before: StoredEvent, event: StoredEvent): void {
    this.#changes++;
    const { length } = this.#events;
    const index =
      this.#events[length - 1] === before ? length - 1 : positionOf(this.#events, before.timestamp, before.id);
    this.#events[index] = event;
    this.#byId.set(event.id, event);
    this.#forgetEnd(before, event);
  }

  /** Takes events out; those that are not there do not matter. */
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
