import type { JsonValue } from "../../domain/json.js";
import type { Micros } from "../../domain/time.js";
import type { Storage } from "../../storage/storage.js";
import { LazyMap } from "../../util/lazy-collections.js";
import { RecordCache, RecordCaches } from "../access/record-cache.js";

/** Private records of this kind contain, by bucket, when private activity took place. */
export const PRIVATE_TIMES_KIND = "privacy";

/**
 * Maximum number of remembered timestamps per bucket: a late heartbeat stays separate from events before the latest of
 * them.
 */
const MAX_TIMES = 8;

/** Remembered timestamps, ascending. */
export type KnownTimes = ReadonlyMap<string, readonly Micros[]>;

/** A bucket in which heartbeats were dropped by this process. */
interface PrivateBucket {
  /** Ascending: the first heartbeat of each dropped run, and the latest of the last run. */
  times: readonly Micros[];
  /** The start of the current dropped run; `undefined` after a kept one. */
  runStart: Micros | undefined;
  latest: Micros;
  isSaved: boolean;
  saving: Promise<void> | undefined;
  /** Number of dropped heartbeats. */
  notes: number;
}

/**
 * Prevents merging heartbeats across a private time: a heartbeat after a dropped one is merged only with an event that
 * ends after the dropped one as well. This needs only the timestamp, not the merge target. It is stored before the
 * first dropped heartbeat of a run is acknowledged, so it survives a restart and reaches other nodes.
 */
export class PrivateTimes {
  readonly #records: RecordCache<readonly Micros[]>;
  readonly #buckets: LazyMap<string, PrivateBucket> = new LazyMap();

  /** @param caches kinds of records that are looked up together with private times */
  constructor(storage: Pick<Storage, "records">, caches: RecordCaches = new RecordCaches()) {
    this.#records = new RecordCache(() => storage.records(PRIVATE_TIMES_KIND), parseTimes, caches);
  }

  /** The stored times; await `ready()` of the caches before. */
  get known(): KnownTimes {
    return this.#records.all;
  }

  isEmpty(known: KnownTimes): boolean {
    return known.size === 0 && this.#buckets.size === 0;
  }

  /**
   * Notes a dropped heartbeat. Applies at once to later ones, and permanently after `save`.
   *
   * @returns undoes the note, for an unknown bucket; later notes stay
   */
  note(bucketId: string, time: Micros): () => void {
    const bucket = this.#noted(bucketId, time);
    const notes = ++bucket.notes;
    return () => {
      if (bucket.notes === notes && this.#buckets.get(bucketId) === bucket) this.#buckets.delete(bucketId);
    };
  }

  #noted(bucketId: string, time: Micros): PrivateBucket {
    let bucket = this.#buckets.get(bucketId);
    if (bucket === undefined) {
      bucket = { times: [], runStart: undefined, latest: time, isSaved: true, saving: undefined, notes: 0 };
      this.#buckets.set(bucketId, bucket);
    }
    const { runStart } = bucket;
    if (runStart !== undefined && time >= runStart) {
      // The latest of a run replaces the previous one, so that a run needs two entries.
      const times = bucket.latest === runStart ? bucket.times : bucket.times.filter((known) => known !== bucket.latest);
      bucket.latest = Math.max(bucket.latest, time);
      bucket.times = merge(times, [bucket.latest]);
      return bucket;
    }
    bucket.times = merge(bucket.times, [time]);
    bucket.runStart = time;
    bucket.latest = time;
    bucket.isSaved = false;
    return bucket;
  }

  /** @throws the errors of the storage */
  async save(bucketId: string): Promise<void> {
    const bucket = this.#buckets.get(bucketId);
    while (bucket !== undefined && !bucket.isSaved) {
      bucket.saving ??= this.#write(bucketId, bucket).finally(() => {
        bucket.saving = undefined;
      });
      await bucket.saving;
    }
  }

  async #write(bucketId: string, bucket: PrivateBucket): Promise<void> {
    const { times } = bucket;
    await this.#records.change(bucketId, (before) => {
      return [...merge((before === undefined ? undefined : parseTimes(before)) ?? [], times)];
    });
    if (bucket.times === times) bucket.isSaved = true;
  }

  /**
   * For a kept heartbeat: returns the longest gap over which it may be merged. Ends a run of dropped heartbeats.
   *
   * @returns `isLate`: it starts before one of the run, so call `save` first
   */
  limitPulsetime(
    bucketId: string,
    time: Micros,
    pulsetimeMicros: Micros,
    known: KnownTimes,
  ): { readonly pulsetimeMicros: Micros; readonly isLate: boolean } {
    const bucket = this.#buckets.get(bucketId);
    let isLate = false;
    if (bucket?.runStart !== undefined) {
      bucket.runStart = undefined;
      isLate = time <= bucket.latest;
      if (isLate) bucket.isSaved = false;
    }
    const barrier = Math.max(findLastUpTo(bucket?.times, time), findLastUpTo(known.get(bucketId), time));
    // An event that ends at this time or before it is too far away then.
    return { pulsetimeMicros: Math.min(pulsetimeMicros, time - barrier - 1), isLate };
  }

  /** Called after a bucket was deleted with its record. */
  deleted(bucketId: string): void {
    this.#buckets.delete(bucketId);
    this.#records.deleted(bucketId);
  }

  /** Called after records were changed elsewhere. */
  changed(): void {
    this.#records.forget();
  }

  /** Called after a bucket was renamed with its record. */
  renamed(from: string, to: string): void {
    const bucket = this.#buckets.get(from);
    this.#buckets.delete(from);
    this.#records.forget();
    if (bucket === undefined) return;
    const there = this.#buckets.get(to);
    if (there === undefined) this.#buckets.set(to, bucket);
    else there.times = merge(there.times, bucket.times);
  }

  /** Called after the storage was emptied. */
  forget(): void {
    this.#buckets.clear();
    this.#records.forget();
  }
}

function findLastUpTo(times: readonly Micros[] = [], time: Micros): Micros {
  return times.findLast((known) => known <= time) ?? Number.NEGATIVE_INFINITY;
}

function merge(one: readonly Micros[], other: readonly Micros[]): readonly Micros[] {
  return [...new Set([...one, ...other])].sort((a, b) => a - b).slice(-MAX_TIMES);
}

/** Combines the private times of several buckets. @param records the stored ones */
export function mergeTimes(records: readonly JsonValue[]): JsonValue[] {
  return [...records.reduce<readonly Micros[]>((times, record) => merge(times, parseTimes(record) ?? []), [])];
}

function parseTimes(value: JsonValue): readonly Micros[] | undefined {
  const isTimes = Array.isArray(value) && value.every((time) => typeof time === "number");
  return isTimes ? (value as readonly Micros[]) : undefined;
}
