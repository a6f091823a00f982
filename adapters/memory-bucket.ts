import { EventBatch } from "../src/domain/batch.js";
import type { Bucket, BucketSummary } from "../src/domain/bucket.js";
import {
  byTime,
  type EventDraft,
  endOf,
  numbered,
  overlaps,
  positionOf,
  type StoredEvent,
} from "../src/domain/event.js";
import { mergeHeartbeat } from "../src/domain/heartbeat.js";
import type { Micros } from "../src/domain/time.js";
import { UnknownDrafts } from "../src/domain/unknown-drafts.js";
import type { EventRange, TimeRange } from "../src/storage/storage.js";
import { createTimeSlice } from "../src/util/time-slice.js";

/** Events of a batch that a read hands out. */
const BATCH_EVENTS = 1_024;
/** From this many deletions on the list is written anew instead of being closed up for each. */
const MANY_DELETIONS = 32;

/** The counter of new ids, one for all buckets: no id is given out twice, not even by a bucket created anew. */
export interface IdCounter {
  next: number;
}

/** The state of one bucket in memory. Events are replaced, never changed in place. */
export class MemoryBucket {
  bucket: Bucket;
  /** Counts the changes of its events. */
  changes = 0;
  /** Ascending by (timestamp, id). */
  #events: StoredEvent[] = [];
  #byId: Map<number, StoredEvent> = new Map();
  /** Whether the events belong to the bucket that this one is a copy of. */
  #isShared = false;
  readonly #ids: IdCounter;
  /** What the previous heartbeat made or extended; forgotten when events are put. */
  #mergeTargetId: number | undefined;
  /** Upper bound of every duration ever stored here: how far back an overlap search must look. */
  #longest: Micros = 0;
  /** The greatest end of an event; `undefined` when it has to be looked for. */
  #latestEnd: Micros | undefined = Number.NEGATIVE_INFINITY;

  constructor(bucket: Bucket, ids: IdCounter) {
    this.bucket = bucket;
    this.#ids = ids;
  }

  get length(): number {
    return this.#events.length;
  }

  /** What the next heartbeat is compared with. */
  get mergeTarget(): StoredEvent | undefined {
    return (this.#mergeTargetId === undefined ? undefined : this.#byId.get(this.#mergeTargetId)) ?? this.#events.at(-1);
  }

  /** Another bucket with the same events. Before it writes to them, `own` must be called. */
  copy(): MemoryBucket {
    const copy = new MemoryBucket(this.bucket, this.#ids);
    copy.changes = this.changes;
    copy.#events = this.#events;
    copy.#byId = this.#byId;
    copy.#isShared = true;
    copy.#mergeTargetId = this.#mergeTargetId;
    copy.#longest = this.#longest;
    copy.#latestEnd = this.#latestEnd;
    return copy;
  }

  /** Makes the lists of a copy its own, in slices; the events in them stay shared. */
  async own(): Promise<void> {
    if (!this.#isShared) return;
    const timeSlice = createTimeSlice();
    const byId = new Map<number, StoredEvent>();
    for (const event of this.#events) {
      byId.set(event.id, event);
      if (byId.size % BATCH_EVENTS === 0) await timeSlice.yield();
    }
    this.#events = [...this.#events];
    this.#byId = byId;
    this.#isShared = false;
  }

  /** The copy takes the place of what it was made of. */
  settle(): void {
    this.#isShared = false;
  }

  summary(): BucketSummary {
    const first = this.#events[0];
    if (first === undefined) return { ...this.bucket, start: null, end: null };
    this.#latestEnd ??= this.#events.reduce((latest, event) => Math.max(latest, endOf(event)), endOf(first));
    return { ...this.bucket, start: first.timestamp, end: this.#latestEnd };
  }

  put(drafts: readonly EventDraft[]): StoredEvent[] {
    const events = this.#numbered(drafts);
    if (events.length > 0) this.#mergeTargetId = undefined;
    this.#upsert(events);
    return events;
  }

  merge(drafts: readonly EventDraft[]): number {
    const unknown = new UnknownDrafts(drafts);
    for (const timestamp of unknown.timestamps()) {
      for (let at = positionOf(this.#events, timestamp, 0); at < this.#events.length; at++) {
        const event = this.#events[at] as StoredEvent;
        if (event.timestamp !== timestamp) break;
        unknown.see(timestamp, event.duration, event.data);
      }
    }
    return this.put(unknown.rest().map(({ timestamp, duration, data }) => ({ timestamp, duration, data }))).length;
  }

  heartbeat(beat: EventDraft, pulsetimeMicros: Micros): StoredEvent {
    const target = this.mergeTarget;
    const { timestamp, duration, data } = beat;
    const merged = target && mergeHeartbeat(target, beat, pulsetimeMicros);
    const event = merged ?? (this.#numbered([{ timestamp, duration, data }])[0] as StoredEvent);
    if (event !== target) this.#upsert([event]);
    this.#mergeTargetId = event.id;
    return event;
  }

  get(eventId: number): StoredEvent | undefined {
    return this.#byId.get(eventId);
  }

  /** The events of a range as a list of its own, in the order asked for. */
  select(range: EventRange): StoredEvent[] {
    const {
      start = Number.NEGATIVE_INFINITY,
      end = Number.POSITIVE_INFINITY,
      limit = Number.POSITIVE_INFINITY,
    } = range;
    const low = positionOf(this.#events, start - this.#longest, 0);
    const high = positionOf(this.#events, end, Number.POSITIVE_INFINITY);
    const selected: StoredEvent[] = [];
    const oldestFirst = range.order === "oldest";
    for (let step = 0; step < high - low && selected.length < limit; step++) {
      const event = this.#events[oldestFirst ? low + step : high - 1 - step] as StoredEvent;
      if (overlaps(event, start, end)) selected.push(event);
    }
    return selected;
  }

  count({ start = Number.NEGATIVE_INFINITY, end = Number.POSITIVE_INFINITY }: TimeRange): number {
    let count = 0;
    for (let at = positionOf(this.#events, start - this.#longest, 0); at < this.#events.length; at++) {
      const event = this.#events[at] as StoredEvent;
      if (event.timestamp > end) break;
      if (overlaps(event, start, end)) count++;
    }
    return count;
  }

  /** @returns how many of the events there were */
  delete(eventIds: readonly number[]): number {
    const ids = new Set(eventIds);
    if (ids.size < MANY_DELETIONS) return Array.from(ids).filter((id) => this.#remove(id)).length;
    const before = this.#events.length;
    this.#events = this.#events.filter((event) => !ids.has(event.id));
    for (const id of ids) this.#byId.delete(id);
    const deleted = before - this.#events.length;
    if (deleted > 0) {
      this.changes++;
      this.#latestEnd = undefined;
    }
    return deleted;
  }

  #numbered(drafts: readonly EventDraft[]): StoredEvent[] {
    const { events, nextId } = numbered(drafts, this.#ids.next, (id) => this.#byId.has(id));
    this.#ids.next = nextId;
    return events;
  }

  /** Puts events where they belong, in place of those of the same ids; of equal ids the last wins. */
  #upsert(events: readonly StoredEvent[]): void {
    if (events.length === 0) return;
    this.changes++;
    const [only] = events;
    const newest = this.#events.at(-1);
    if (only !== undefined && events.length === 1 && only.id === newest?.id && only.timestamp === newest.timestamp) {
      // A heartbeat that extends the newest event.
      this.#forget(newest);
      this.#events[this.#events.length - 1] = only;
      this.#note(only);
      return;
    }
    for (const event of events) {
      this.#remove(event.id);
      this.#byId.set(event.id, event);
    }
    const fresh = events.filter((event) => this.#byId.get(event.id) === event).sort(byTime);
    for (const event of fresh) this.#note(event);
    this.#insert(fresh);
  }

  /** @param fresh ascending, none of them in the list */
  #insert(fresh: readonly StoredEvent[]): void {
    const first = fresh[0];
    if (first === undefined) return;
    // What stands behind the first new event is merged with the new ones; in the usual case that is nothing.
    const behind = this.#events.splice(positionOf(this.#events, first.timestamp, first.id));
    const next = behind[0];
    if (next !== undefined && byTime(fresh.at(-1) as StoredEvent, next) < 0) {
      // A batch between two others, as imports bring them, newest first.
      this.#events = this.#events.concat(fresh, behind);
      return;
    }
    let taken = 0;
    for (const event of fresh) {
      while (taken < behind.length && byTime(behind[taken] as StoredEvent, event) < 0) {
        this.#events.push(behind[taken++] as StoredEvent);
      }
      this.#events.push(event);
    }
    for (; taken < behind.length; taken++) this.#events.push(behind[taken] as StoredEvent);
  }

  #remove(eventId: number): boolean {
    const event = this.#byId.get(eventId);
    if (event === undefined) return false;
    this.changes++;
    this.#byId.delete(eventId);
    const position = positionOf(this.#events, event.timestamp, event.id);
    // An event of the batch that is being put is in the map but not yet in the list.
    if (this.#events[position] === event) {
      this.#events.splice(position, 1);
      this.#forget(event);
    }
    return true;
  }

  #note(event: StoredEvent): void {
    this.#byId.set(event.id, event);
    this.#longest = Math.max(this.#longest, event.duration);
    if (this.#latestEnd !== undefined) this.#latestEnd = Math.max(this.#latestEnd, endOf(event));
  }

  #forget(event: StoredEvent): void {
    if (endOf(event) === this.#latestEnd) this.#latestEnd = undefined;
  }
}

/** Cuts a list of events into batches. */
export function* batchesOf(events: readonly StoredEvent[]): Generator<EventBatch> {
  for (let at = 0; at < events.length; at += BATCH_EVENTS) yield EventBatch.from(events.slice(at, at + BATCH_EVENTS));
}
