import { EventBatch } from "../domain/batch.js";
import type { JsonObject } from "../domain/json.js";
import type { Micros } from "../domain/time.js";
import type { SourceRead } from "../query/source.js";
import { firstWhere } from "../util/binary-search.js";
import { LazyMap } from "../util/lazy-collections.js";
import { LruCache } from "../util/lru-cache.js";
import type { CacheMemory } from "../util/memory-budget.js";

/** Maximum memory for cached batches, in bytes: a year of one person's events. Each batch takes at most a quarter. */
const CACHE_BYTES = 48 * 1024 * 1024;
/** Memory of an event in columns. */
const BYTES_PER_EVENT = 32;
/** Maximum number of buckets for which the longest read is remembered. */
const MAX_BUCKETS = 1_000;

/** A range with both ends. */
export interface TimeSpan {
  readonly start: Micros;
  readonly end: Micros;
}

interface CachedRead extends TimeSpan {
  readonly read: SourceRead;
  /** The longest duration of its events; `undefined` if one is negative, so that parts cannot be computed. */
  readonly longest: Micros | undefined;
}

/** Caches reads in the form of a source's results: newest first, clipped to the range. */
export class ReadCache {
  readonly #kept: LruCache<string, CachedRead>;
  /** By bucket, the key of the cached read that is most likely to contain others. */
  readonly #widest: LruCache<string, string> = new LruCache(MAX_BUCKETS);

  constructor(memory?: CacheMemory) {
    this.#kept = new LruCache(CACHE_BYTES, { memory, name: "event lists" });
  }

  /** Returns the read of a range, or the part of a longer one, if it was cached at this version. */
  get(bucketId: string, span: TimeSpan, version: SourceRead["version"]): SourceRead | undefined {
    const known = this.#kept.get(createKey(bucketId, span));
    if (known !== undefined && known.read.version === version) return known.read;
    const wide = this.#findWidest(bucketId);
    if (wide === undefined || wide.read.version !== version) return undefined;
    if (wide.longest === undefined || wide.start > span.start || wide.end < span.end) return undefined;
    const read = { version, events: clipRead(wide.read.events, span, wide.longest) };
    this.put(bucketId, span, read);
    return read;
  }

  put(bucketId: string, span: TimeSpan, read: SourceRead): void {
    const key = createKey(bucketId, span);
    const { events, version } = read;
    this.#kept.put(
      key,
      { start: span.start, end: span.end, read, longest: findLongest(events) },
      key.length * 2 + events.length * BYTES_PER_EVENT,
    );
    const wide = this.#findWidest(bucketId);
    const isWider =
      wide === undefined || wide.read.version !== version || span.end - span.start > wide.end - wide.start;
    if (isWider) this.#widest.put(bucketId, key);
  }

  #findWidest(bucketId: string): CachedRead | undefined {
    const key = this.#widest.get(bucketId);
    return key === undefined ? undefined : this.#kept.get(key);
  }
}

/** Reads in progress, so that the same data are not read twice at the same time. */
export class ReadsInProgress {
  readonly #all: LazyMap<string, Set<ReadInProgress>> = new LazyMap();

  /** Resolves when a read that covers a range has ended or has to wait itself; `undefined` = there is none. */
  findCovering(bucketId: string, { start, end }: TimeSpan): Promise<void> | undefined {
    for (const one of this.#all.get(bucketId) ?? []) {
      if (one.start <= start && one.end >= end) return one.over;
    }
    return undefined;
  }

  /** @returns call it when the read has ended, or waits for memory that its own waiters may occupy */
  begin(bucketId: string, span: TimeSpan): () => void {
    let end = (): void => {};
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    const one: ReadInProgress = { ...span, over };
    const ofBucket = this.#all.get(bucketId) ?? new Set();
    this.#all.set(bucketId, ofBucket.add(one));
    return () => {
      ofBucket.delete(one);
      if (ofBucket.size === 0 && this.#all.get(bucketId) === ofBucket) this.#all.delete(bucketId);
      end();
    };
  }
}

interface ReadInProgress extends TimeSpan {
  readonly over: Promise<void>;
}

function createKey(bucketId: string, { start, end }: TimeSpan): string {
  return JSON.stringify([bucketId, start, end]);
}

function findLongest({ durations }: EventBatch): Micros | undefined {
  let longest = 0;
  for (const duration of durations) {
    if (duration < 0) return undefined;
    if (duration > longest) longest = duration;
  }
  return longest;
}

/** The events of a list, newest first, that overlap a smaller range, each clipped to it. */
function clipRead(events: EventBatch, { start, end }: TimeSpan, longest: Micros): EventBatch {
  const { timestamps, durations } = events;
  const from = findFirstAtMost(timestamps, end);
  const to = findFirstAtMost(timestamps, start - 1);
  // Events that start before the range and reach into it.
  const reaching: number[] = [];
  for (let at = to; at < events.length && (timestamps[at] as number) + longest >= start; at++) {
    if (events.endAt(at) >= start) reaching.push(at);
  }
  const rows = Uint32Array.from({ length: to - from + reaching.length }, (_, place) =>
    from + place < to ? from + place : (reaching[from + place - to] as number),
  );
  const cut = { timestamps: new Float64Array(rows.length), durations: new Float64Array(rows.length) };
  const ids = events.ids && new Float64Array(rows.length);
  rows.forEach((row, place) => {
    const timestamp = timestamps[row] as number;
    const shown = timestamp < start ? start : timestamp;
    cut.timestamps[place] = shown;
    cut.durations[place] = Math.min(timestamp + (durations[row] as number), end) - shown;
    if (ids !== null) ids[place] = events.ids?.[row] ?? 0;
  });
  return EventBatch.of({ ...cut, ids, datas: Array.from(rows, (row) => events.datas[row] as JsonObject) });
}

/** Finds the index of the first number that does not exceed a limit. @param numbers descending */
function findFirstAtMost(numbers: Float64Array, limit: number): number {
  return firstWhere(0, numbers.length, (at) => (numbers[at] as number) <= limit);
}
