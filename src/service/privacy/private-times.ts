import type { JsonValue } from "../../domain/json.js";
import type { Micros } from "../../domain/time.js";
import type { Storage } from "../../storage/storage.js";
import { RecordCache, RecordMemory } from "../access/record-cache.js";

/** Private records of this kind hold, by bucket, when something private went on. */
export const PRIVATE_TIMES_KIND = "privacy";

/** Instants that are known of a bucket: a late beat is kept apart from what is before the latest of these. */
const MOST_TIMES = 8;

/** Instants that are kept, ascending. */
export type KnownTimes = ReadonlyMap<string, readonly Micros[]>;

/** A bucket in which heartbeats were dropped by this process. */
interface PrivateBucket {
  /** Ascending: the first beat of each run of dropped ones, and the latest of the last run. */
  times: readonly Micros[];
  /** Where the present run of dropped beats begins; `undefined` when a beat was kept since. */
  runStart: Micros | undefined;
  latest: Micros;
  isSaved: boolean;
  saving: Promise<void> | undefined;
  /** Beats that were dropped. */
  notes: number;
}

/**
 * Keeps heartbeats from being merged across a private time: a beat behind the instant of a dropped one is merged only
 * with an event that ends behind that instant as well. This needs no state of the merge target, just the instant; it is
 * kept before the first dropped beat of a run is answered, so it holds after a restart too, and on other nodes as soon
 * as they have read it.
 */
export class PrivateTimes {
  readonly #records: RecordCache<readonly Micros[]>;
  readonly #buckets: Map<string, PrivateBucket> = new Map();

  /** @param memory what is looked up together with private times */
  constructor(storage: Pick<Storage, "records">, memory: RecordMemory = new RecordMemory()) {
    this.#records = new RecordCache(() => storage.records(PRIVATE_TIMES_KIND), parsed, memory);
  }

  /** Those that are kept, for a caller that has waited for the memory. */
  get known(): KnownTimes {
    return this.#records.all;
  }

  isEmpty(known: KnownTimes): boolean {
    return known.size === 0 && this.#buckets.size === 0;
  }

  /**
   * For a beat that is dropped. Counts at once for all that comes later, and for good when `save` has resolved.
   *
   * @returns takes it back, for a bucket that does not exist; notes that came later stay
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
      // The latest of a run takes the place of the one before it, so that a run needs two places.
      const times = bucket.latest === runStart ? bucket.times : bucket.times.filter((known) => known !== bucket.latest);
      bucket.latest = Math.max(bucket.latest, time);
      bucket.times = united(times, [bucket.latest]);
      return bucket;
    }
    bucket.times = united(bucket.times, [time]);
    bucket.runStart = time;
    bucket.latest = time;
    bucket.isSaved = false;
    return bucket;
  }

  /** @throws what the storage throws */
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
      return [...united((before === undefined ? undefined : parsed(before)) ?? [], times)];
    });
    if (bucket.times === times) bucket.isSaved = true;
  }

  /**
   * For a beat that is kept: the longest gap over which it may be merged. Ends a run of dropped beats.
   *
   * @returns `isLate`: it begins before one of the run, which `save` has to keep first
   */
  pass(
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
    const barrier = Math.max(lastUpTo(bucket?.times, time), lastUpTo(known.get(bucketId), time));
    // An event that ends at the instant, or before it, is then too far away.
    return { pulsetimeMicros: Math.min(pulsetimeMicros, time - barrier - 1), isLate };
  }

  /** For a bucket that is gone, and its record too. */
  deleted(bucketId: string): void {
    this.#buckets.delete(bucketId);
    this.#records.deleted(bucketId);
  }

  /** For records that were changed elsewhere. */
  changed(): void {
    this.#records.forget();
  }

  /** For a bucket that has another id; the record is there already. */
  renamed(from: string, to: string): void {
    const bucket = this.#buckets.get(from);
    this.#buckets.delete(from);
    this.#records.forget();
    if (bucket === undefined) return;
    const there = this.#buckets.get(to);
    if (there === undefined) this.#buckets.set(to, bucket);
    else there.times = united(there.times, bucket.times);
  }

  /** For a storage that was emptied. */
  forget(): void {
    this.#buckets.clear();
    this.#records.forget();
  }
}

function lastUpTo(times: readonly Micros[] = [], time: Micros): Micros {
  return times.findLast((known) => known <= time) ?? Number.NEGATIVE_INFINITY;
}

function united(one: readonly Micros[], other: readonly Micros[]): readonly Micros[] {
  return [...new Set([...one, ...other])].sort((a, b) => a - b).slice(-MOST_TIMES);
}

/** The private times of several buckets as those of one. @param records those that are kept */
export function unitedTimes(records: readonly JsonValue[]): JsonValue[] {
  return [...records.reduce<readonly Micros[]>((times, record) => united(times, parsed(record) ?? []), [])];
}

function parsed(value: JsonValue): readonly Micros[] | undefined {
  const isTimes = Array.isArray(value) && value.every((time) => typeof time === "number");
  return isTimes ? (value as readonly Micros[]) : undefined;
}
