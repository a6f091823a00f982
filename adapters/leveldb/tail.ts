import { byTime, endOf, positionOf, type StoredEvent } from "../../src/domain/event.js";
import type { Micros } from "../../src/domain/time.js";
import type { OrderKey } from "./directory.js";

/**
 * The events of a bucket that are not sealed yet: usually the newest ones, and late ones until they are folded into
 * the segments. On disk each has a small key of its own; in memory they are sorted by (timestamp, id).
 */
export class Tail {
  #events: StoredEvent[] = [];
  readonly #weights: Map<number, number> = new Map();
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

  /** Size of the records of all events, in characters. */
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

  /** Size of an event's record, in characters. */
  weightOf(eventId: number): number {
    return this.#weights.get(eventId) ?? 0;
  }

  /** Puts an event in its place, over the one with its id. */
  put(event: StoredEvent, weight: number): void {
    this.#changes++;
    const before = this.#byId.get(event.id);
    if (before !== undefined && before.timestamp === event.timestamp) {
      this.#events[positionOf(this.#events, event.timestamp, event.id)] = event;
      this.#weight -= this.weightOf(event.id);
      if (this.#end !== undefined && endOf(before) === this.#end && endOf(event) < this.#end) this.#end = undefined;
    } else {
      if (before !== undefined) this.remove(event.id);
      const newest = this.#events.at(-1);
      if (newest === undefined || byTime(newest, event) < 0) this.#events.push(event);
      else this.#events.splice(positionOf(this.#events, event.timestamp, event.id), 0, event);
    }
    this.#byId.set(event.id, event);
    this.#weights.set(event.id, weight);
    this.#weight += weight;
    if (this.#end !== undefined) this.#end = Math.max(this.#end, endOf(event));
  }

  /** Takes an event out; nothing happens when it is not there. */
  remove(eventId: number): void {
    const event = this.#byId.get(eventId);
    if (event === undefined) return;
    this.#events.splice(positionOf(this.#events, event.timestamp, event.id), 1);
    this.#forget(event);
  }

  /** The first index at which an event of this key may stand. */
  positionOf([timestamp, id]: OrderKey): number {
    return positionOf(this.#events, timestamp, id);
  }

  /** Takes many out at once. */
  removeAll(events: readonly StoredEvent[]): void {
    const [first] = events;
    if (first === undefined) return;
    const start = positionOf(this.#events, first.timestamp, first.id);
    if (events.every((event, index) => this.#events[start + index] === event))
      this.#events.splice(start, events.length);
    else {
      const leaving = new Set(events);
      this.#events = this.#events.filter((event) => !leaving.has(event));
    }
    for (const event of events) this.#forget(event);
  }

  #forget(event: StoredEvent): void {
    this.#changes++;
    this.#byId.delete(event.id);
    this.#weight -= this.weightOf(event.id);
    this.#weights.delete(event.id);
    if (endOf(event) === this.#end) this.#end = undefined;
  }
}
