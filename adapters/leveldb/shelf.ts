import type { Bucket, BucketSummary } from "../../src/domain/bucket.js";
import type { StoredEvent } from "../../src/domain/event.js";
import type { Operation } from "./database.js";
import { Directory, keyOf } from "./directory.js";
import { del, entryKey, printTailEvent, put, putBytes, putText, segmentKey, tailKey } from "./layout.js";
import { encodeSegment } from "./segment.js";
import { describe, entryRecord, type SegmentEntry } from "./segment-entry.js";
import { Tail } from "./tail.js";

/** Events of a full segment. */
const SEGMENT_EVENTS = 1024;
/** Largest segment in bytes, as long as it holds more than one event. */
const SEGMENT_BYTES = 1024 * 1024;
/** Widest gap between two events of a segment, in microseconds: differences stay exact in a double. */
const SEGMENT_GAP = 2 ** 51;
/** A segment that shrinks below this many events is taken apart, and folded into its neighbours later. */
const DISSOLVE_EVENTS = 64;

let nextShelfNo = 0;

/**
 * One bucket in memory: its record, its tail and the directory of its sealed segments. Each change is made here at
 * once, and described as operations that bring the database to the same state; they must be committed in the order in
 * which they were made.
 */
export class Shelf {
  readonly bucketNo: number;
  bucket: Bucket;
  /** Changes of the record so far. */
  updates = 0;
  /** Which of all shelves there ever were: after a failure a bucket gets a new one. */
  readonly #no = nextShelfNo++;
  readonly tail: Tail = new Tail();
  readonly directory: Directory = new Directory();
  /** The event that the previous heartbeat made or extended. Always in the tail. */
  partnerId: number | undefined;
  /** What `partnerId` was when the last batch of this bucket landed. */
  landedPartnerId: number | undefined;
  /** Set when a batch failed and the state was read again: this one no longer counts. */
  stale = false;
  /** Set while the tail is being folded into segments. */
  folding = false;
  /** Encoded segments that the database does not have yet. */
  readonly unwritten: Map<SegmentEntry, Uint8Array> = new Map();
  #nextSegmentNo = 0;

  constructor(bucketNo: number, bucket: Bucket) {
    this.bucketNo = bucketNo;
    this.bucket = bucket;
  }

  /** Takes over what the database holds. */
  load(entries: readonly SegmentEntry[]): void {
    this.directory.load(entries);
    for (const { segmentNo } of entries) this.#nextSegmentNo = Math.max(this.#nextSegmentNo, segmentNo + 1);
  }

  /** Another text with every change of the events. */
  get revision(): string {
    return `${this.#no}.${this.tail.changes}.${this.directory.changes}`;
  }

  /** Another text with every change of the record. */
  get recordRevision(): string {
    return `${this.#no}.${this.updates}`;
  }

  get count(): number {
    return this.tail.events.length + this.directory.count;
  }

  summary(): BucketSummary {
    if (this.count === 0) return { ...this.bucket, start: null, end: null };
    const sealedStart = this.directory.entries[0]?.first[0] ?? Number.POSITIVE_INFINITY;
    const tailStart = this.tail.events[0]?.timestamp ?? Number.POSITIVE_INFINITY;
    const end = Math.max(this.directory.end, this.tail.end);
    return { ...this.bucket, start: Math.min(sealedStart, tailStart), end };
  }

  /** Puts events into the tail, over those of their ids there. */
  putInTail(events: readonly StoredEvent[]): Operation[] {
    return events.map((event) => {
      const text = printTailEvent(event);
      this.tail.put(event, text.length);
      return putText(tailKey(this.bucketNo, event.id), text);
    });
  }

  /** Takes events out of the tail. */
  takeFromTail(events: readonly StoredEvent[]): Operation[] {
    if (events.length === 1) this.tail.remove((events[0] as StoredEvent).id);
    else this.tail.removeAll(events);
    return events.map(({ id }) => del(tailKey(this.bucketNo, id)));
  }

  /**
   * Seals events, in the place of a segment if one is given.
   *
   * @param events sorted by (timestamp, id); they lie between the neighbours of the place
   */
  seal(events: readonly StoredEvent[], old?: SegmentEntry): Operation[] {
    const operations = old === undefined ? [] : this.#dropSegment(old);
    const entries: SegmentEntry[] = [];
    for (const part of partsOf(events)) {
      const bytes = encodeSegment(part);
      const entry = describe(this.#nextSegmentNo++, part, bytes.length);
      entries.push(entry);
      this.unwritten.set(entry, bytes);
      operations.push(
        putBytes(segmentKey(this.bucketNo, entry.segmentNo), bytes),
        put(entryKey(this.bucketNo, entry.segmentNo), entryRecord(entry)),
      );
    }
    this.directory.replace(old, entries);
    return operations;
  }

  /** Takes events out of a sealed segment; what little may remain goes to the tail. */
  unseal(entry: SegmentEntry, remaining: readonly StoredEvent[]): Operation[] {
    if (remaining.length >= DISSOLVE_EVENTS) return this.seal(remaining, entry);
    return [...this.seal([], entry), ...this.putInTail(remaining)];
  }

  #dropSegment(entry: SegmentEntry): Operation[] {
    this.unwritten.delete(entry);
    return [del(segmentKey(this.bucketNo, entry.segmentNo)), del(entryKey(this.bucketNo, entry.segmentNo))];
  }

  /** Whether the newest event of the bucket is in the tail (or there is none at all). */
  get newestIsInTail(): boolean {
    const sealed = this.directory.entries.at(-1);
    const newest = this.tail.events.at(-1);
    if (sealed === undefined) return true;
    if (newest === undefined) return false;
    const [timestamp, id] = keyOf(newest);
    return timestamp > sealed.last[0] || (timestamp === sealed.last[0] && id > sealed.last[1]);
  }
}

/** Cuts events into runs that make good segments. */
function* partsOf(events: readonly StoredEvent[]): Generator<readonly StoredEvent[]> {
  let start = 0;
  for (let index = 1; index <= events.length; index++) {
    const event = events[index];
    const before = events[index - 1] as StoredEvent;
    if (event !== undefined && event.timestamp - before.timestamp < SEGMENT_GAP) continue;
    yield* evenParts(events.slice(start, index));
    start = index;
  }
}

function* evenParts(events: readonly StoredEvent[]): Generator<readonly StoredEvent[]> {
  const size = Math.ceil(events.length / Math.ceil(events.length / SEGMENT_EVENTS));
  for (let at = 0; at < events.length; at += size) yield* lightParts(events.slice(at, at + size));
}

/** Large data make small segments: a read decodes a segment as a whole. */
function* lightParts(events: readonly StoredEvent[]): Generator<readonly StoredEvent[]> {
  let bytes = 0;
  let start = 0;
  for (const [index, event] of events.entries()) {
    const size = roughSize(event);
    if (bytes + size > SEGMENT_BYTES && index > start) {
      yield events.slice(start, index);
      start = index;
      bytes = 0;
    }
    bytes += size;
  }
  yield start === 0 ? events : events.slice(start);
}

/** Characters of the texts and keys at the top of the data; what is nested is printed to be measured. */
function roughSize({ data }: StoredEvent): number {
  let size = 0;
  for (const key in data) {
    const value = data[key];
    if (typeof value === "string") size += key.length + value.length;
    else size += key.length + (typeof value === "object" ? JSON.stringify(value).length : 8);
  }
  return size;
}
