import type { EventBatch } from "../src/domain/batch.js";
import type { Bucket, BucketSummary } from "../src/domain/bucket.js";
import { type EventDraft, endOf, numbered, type StoredEvent } from "../src/domain/event.js";
import { mergeHeartbeat } from "../src/domain/heartbeat.js";
import type { Micros } from "../src/domain/time.js";
import { UnknownDrafts } from "../src/domain/unknown-drafts.js";
import type { EventRange, TimeRange } from "../src/storage/storage.js";
import { MemoryEvents } from "./memory-events.js";

const DAY: Micros = 86_400_000_000;
/** Longer events do not count by day. */
const MAX_DAYS = 100;

/** Generates IDs for all buckets: no ID is assigned twice, not even by a recreated bucket. */
export interface IdCounter {
  next: number;
}

/** The state of one bucket in memory. Events are replaced, never changed in place. */
export class MemoryBucket {
  bucket: Bucket;
  /** How often its events have changed. */
  changes = 0;
  /** By day, the number of the latest change of its events. */
  #dayChanges: Map<number, number> = new Map();
  /** The latest change of an event that is longer than `MAX_DAYS`. */
  #longChange = 0;
  #events: MemoryEvents = new MemoryEvents();
  readonly #ids: IdCounter;
  /** ID of the event that the previous heartbeat created or extended; reset when events are put. */
  #mergeTargetId: number | undefined;
  /** Upper bound of all stored durations: how far back an overlap search must look. */
  #longest: Micros = 0;
  /** The greatest end of an event; `undefined` if it must be searched. */
  #latestEnd: Micros | undefined = Number.NEGATIVE_INFINITY;

  constructor(bucket: Bucket, ids: IdCounter) {
    this.bucket = bucket;
    this.#ids = ids;
  }

  get length(): number {
    return this.#events.length;
  }

  /** The event that the next heartbeat is compared with. */
  get mergeTarget(): StoredEvent | undefined {
    return (this.#mergeTargetId === undefined ? undefined : this.#events.get(this.#mergeTargetId)) ?? this.#events.last;
  }

  /** Another bucket with the same events. */
  copy(): MemoryBucket {
    const copy = new MemoryBucket(this.bucket, this.#ids);
    copy.changes = this.changes;
    copy.#dayChanges = new Map(this.#dayChanges);
    copy.#longChange = this.#longChange;
    copy.#events = this.#events.copy();
    copy.#mergeTargetId = this.#mergeTargetId;
    copy.#longest = this.#longest;
    copy.#latestEnd = this.#latestEnd;
    return copy;
  }

  summary(): BucketSummary {
    const { first } = this.#events;
    if (first === undefined) return { ...this.bucket, start: null, end: null };
    this.#latestEnd ??= this.#findLatestEnd();
    return { ...this.bucket, start: first.timestamp, end: this.#latestEnd };
  }

  put(drafts: readonly EventDraft[]): StoredEvent[] {
    const events = this.#assignIds(drafts);
    if (events.length > 0) this.#mergeTargetId = undefined;
    this.#upsert(events);
    return events;
  }

  merge(drafts: readonly EventDraft[]): number {
    const unknown = new UnknownDrafts(drafts);
    for (const timestamp of unknown.timestamps()) {
      for (const { duration, data } of this.#events.beginningAt(timestamp)) unknown.see(timestamp, duration, data);
    }
    return this.put(unknown.rest().map(({ timestamp, duration, data }) => ({ timestamp, duration, data }))).length;
  }

  heartbeat(beat: EventDraft, pulsetimeMicros: Micros): StoredEvent {
    const target = this.mergeTarget;
    const { timestamp, duration, data } = beat;
    const merged = target && mergeHeartbeat(target, beat, pulsetimeMicros);
    const event = merged ?? (this.#assignIds([{ timestamp, duration, data }])[0] as StoredEvent);
    if (event !== target) this.#upsert([event]);
    this.#mergeTargetId = event.id;
    return event;
  }

  get(eventId: number): StoredEvent | undefined {
    return this.#events.get(eventId);
  }

  /** The current events of a range, in the requested order. */
  read(range: EventRange): Iterable<EventBatch> {
    return this.#events.read(range, this.#longest);
  }

  count(range: TimeRange): number {
    if (range.start === undefined && range.end === undefined) return this.length;
    let count = 0;
    for (const { length } of this.read(range)) count += length;
    return count;
  }

  /** @returns how many of the events existed */
  delete(eventIds: readonly number[]): number {
    let deleted = 0;
    for (const eventId of eventIds) {
      const event = this.#events.remove(eventId);
      if (event === undefined) continue;
      if (deleted++ === 0) this.changes++;
      this.#forget(event);
      this.#noteChange(event);
    }
    return deleted;
  }

  #assignIds(drafts: readonly EventDraft[]): StoredEvent[] {
    const { events, nextId } = numbered(drafts, this.#ids.next, (id) => this.#events.get(id) !== undefined);
    this.#ids.next = nextId;
    return events;
  }

  /** Inserts events in order and replaces those with the same IDs. If IDs repeat, the last one wins. */
  #upsert(events: readonly StoredEvent[]): void {
    if (events.length === 0) return;
    this.changes++;
    for (const event of events) {
      const before = this.#events.put(event);
      if (before !== undefined) {
        this.#forget(before);
        this.#noteChange(before);
      }
      this.#noteChange(event);
      this.#longest = Math.max(this.#longest, event.duration);
      if (this.#latestEnd !== undefined) this.#latestEnd = Math.max(this.#latestEnd, endOf(event));
    }
  }

  #noteChange({ timestamp, duration }: StoredEvent): void {
    const first = Math.floor(Math.min(timestamp, timestamp + duration) / DAY);
    const last = Math.floor(Math.max(timestamp, timestamp + duration) / DAY);
    if (last - first > MAX_DAYS) this.#longChange = this.changes;
    else for (let day = first; day <= last; day++) this.#dayChanges.set(day, this.changes);
  }

  /** The number of the latest change of events in a range, or near it. */
  latestChange({ start, end }: Required<TimeRange>): number {
    const [first, last] = [Math.floor(start / DAY), Math.floor(end / DAY)];
    let latest = this.#longChange;
    if (last - first > this.#dayChanges.size) {
      for (const [day, change] of this.#dayChanges) if (day >= first && day <= last) latest = Math.max(latest, change);
    } else for (let day = first; day <= last; day++) latest = Math.max(latest, this.#dayChanges.get(day) ?? 0);
    return latest;
  }

  #findLatestEnd(): Micros {
    let latest = Number.NEGATIVE_INFINITY;
    this.#events.forEach((event) => {
      latest = Math.max(latest, endOf(event));
    });
    return latest;
  }

  #forget(event: StoredEvent): void {
    if (endOf(event) === this.#latestEnd) this.#latestEnd = undefined;
  }
}
