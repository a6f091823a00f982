import { EventBatch } from "../src/domain/batch.js";
import { byTime, overlaps, positionOf, type StoredEvent } from "../src/domain/event.js";
import type { Micros } from "../src/domain/time.js";
import type { EventRange, TimeRange } from "../src/storage/storage.js";
import { firstWhere } from "../src/util/binary-search.js";

/** Maximum events of a chunk, and of a batch that a read returns. */
const CHUNK_EVENTS = 1_024;
/** IDs per lookup map. */
const PAGE_IDS = 1_024;

/** A part of the events. Only its owner may change it; others copy it first. */
interface Part<Content> {
  readonly owner: object;
  readonly content: Content;
}

/** The position of an event, existing or not. */
interface Place {
  readonly chunk: number;
  readonly index: number;
}

/**
 * Events in the order of (timestamp, ID), in chunks that copies and reads share until one of them changes them. Except
 * for reading, no operation takes time that grows with the number of events.
 */
export class MemoryEvents {
  /** None of them is empty. */
  #chunks: Part<StoredEvent[]>[] = [];
  /** By id divided by `PAGE_IDS`. */
  #pages: Map<number, Part<Map<number, StoredEvent>>> = new Map();
  /** Chunks and pages that it created since they were last shared belong to it. */
  #owner: object = {};
  #pageOwner: object = {};
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get first(): StoredEvent | undefined {
    return this.#chunks[0]?.content[0];
  }

  get last(): StoredEvent | undefined {
    return this.#chunks.at(-1)?.content.at(-1);
  }

  /** The same events, for changes that do not affect this object. */
  copy(): MemoryEvents {
    const copy = new MemoryEvents();
    copy.#chunks = [...this.#chunks];
    copy.#pages = new Map(this.#pages);
    copy.#length = this.#length;
    this.#owner = {};
    this.#pageOwner = {};
    return copy;
  }

  get(eventId: number): StoredEvent | undefined {
    return this.#pages.get(pageNumber(eventId))?.content.get(eventId);
  }

  /** Inserts an event, or replaces the one with its ID. @returns the replaced event */
  put(event: StoredEvent): StoredEvent | undefined {
    const before = this.get(event.id);
    this.#page(event.id).set(event.id, event);
    if (before?.timestamp === event.timestamp) {
      const { chunk, index } = this.#findPlace(event.timestamp, event.id);
      this.#chunk(chunk)[index] = event;
      return before;
    }
    if (before !== undefined) this.#removeAt(before);
    this.#insert(event);
    return before;
  }

  /** @returns the removed event */
  remove(eventId: number): StoredEvent | undefined {
    const event = this.get(eventId);
    if (event === undefined) return undefined;
    const page = this.#page(eventId);
    page.delete(eventId);
    if (page.size === 0) this.#pages.delete(pageNumber(eventId));
    this.#removeAt(event);
    return event;
  }

  /** Events that start at a timestamp. */
  beginningAt(timestamp: Micros): StoredEvent[] {
    const found: StoredEvent[] = [];
    let { chunk, index } = this.#findPlace(timestamp, 0);
    for (; chunk < this.#chunks.length; chunk++, index = 0) {
      const events = this.#chunks[chunk]?.content ?? [];
      for (; index < events.length; index++) {
        const event = events[index] as StoredEvent;
        if (event.timestamp !== timestamp) return found;
        found.push(event);
      }
    }
    return found;
  }

  /** Visits all events, which must not change in the meantime. */
  forEach(see: (event: StoredEvent) => void): void {
    for (const { content } of this.#chunks) for (const event of content) see(event);
  }

  /** The current events of a range, whatever changes later. @param longest maximum duration of an event */
  read(range: EventRange, longest: Micros): Iterable<EventBatch> {
    const { start = Number.NEGATIVE_INFINITY, end = Number.POSITIVE_INFINITY } = range;
    const { chunk: from } = this.#findPlace(start - longest, 0);
    const { chunk: to } = this.#findPlace(end, Number.POSITIVE_INFINITY);
    const chunks = this.#chunks.slice(from, to + 1).map(({ content }) => content);
    // From now on, chunks are copied before a change.
    this.#owner = {};
    return batchesOf(range.order === "oldest" ? chunks : chunks.reverse(), { ...range, start, end });
  }

  #insert(event: StoredEvent): void {
    this.#length++;
    const { last } = this;
    if (last === undefined || byTime(last, event) < 0) {
      const newest = this.#chunks.length - 1;
      // Events in order fill one chunk after another.
      if ((this.#chunks[newest]?.content.length ?? CHUNK_EVENTS) < CHUNK_EVENTS) this.#chunk(newest).push(event);
      else this.#chunks.push({ owner: this.#owner, content: [event] });
      return;
    }
    const { chunk, index } = this.#findPlace(event.timestamp, event.id);
    const events = this.#chunk(chunk);
    events.splice(index, 0, event);
    if (events.length <= CHUNK_EVENTS) return;
    const content = events.splice(events.length >>> 1);
    this.#chunks.splice(chunk + 1, 0, { owner: this.#owner, content });
  }

  #removeAt({ timestamp, id }: StoredEvent): void {
    this.#length--;
    const { chunk, index } = this.#findPlace(timestamp, id);
    const events = this.#chunk(chunk);
    events.splice(index, 1);
    if (events.length === 0) this.#chunks.splice(chunk, 1);
  }

  /** Position of the first event at or after a point; the end if there is none. */
  #findPlace(timestamp: Micros, id: number): Place {
    const chunk = firstWhere(0, this.#chunks.length, (at) => {
      const last = this.#chunks[at]?.content.at(-1) as StoredEvent;
      return last.timestamp > timestamp || (last.timestamp === timestamp && last.id >= id);
    });
    return { chunk, index: positionOf(this.#chunks[chunk]?.content ?? [], timestamp, id) };
  }

  /** A chunk that may be changed. */
  #chunk(index: number): StoredEvent[] {
    const { owner, content } = this.#chunks[index] as Part<StoredEvent[]>;
    if (owner === this.#owner) return content;
    const own = [...content];
    this.#chunks[index] = { owner: this.#owner, content: own };
    return own;
  }

  /** A page that may be changed. Reads do not keep pages. */
  #page(eventId: number): Map<number, StoredEvent> {
    const number = pageNumber(eventId);
    const page = this.#pages.get(number);
    if (page !== undefined && page.owner === this.#pageOwner) return page.content;
    const own = new Map(page?.content);
    this.#pages.set(number, { owner: this.#pageOwner, content: own });
    return own;
  }
}

function pageNumber(eventId: number): number {
  return Math.floor(eventId / PAGE_IDS);
}

/** @param chunks in the requested order, with the oldest event of each first */
function* batchesOf(
  chunks: readonly (readonly StoredEvent[])[],
  { start, end, limit = Number.POSITIVE_INFINITY, order }: EventRange & Required<TimeRange>,
): Generator<EventBatch> {
  let left = limit;
  let found: StoredEvent[] = [];
  for (const events of chunks) {
    for (let step = 0; step < events.length && left > 0; step++) {
      const event = events[order === "oldest" ? step : events.length - 1 - step] as StoredEvent;
      if (!overlaps(event, start, end)) continue;
      found.push(event);
      left--;
      if (found.length < CHUNK_EVENTS) continue;
      yield EventBatch.from(found);
      found = [];
    }
  }
  if (found.length > 0) yield EventBatch.from(found);
}
