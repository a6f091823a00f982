import { EventBatch } from "../../domain/batch.js";
import type { Bucket } from "../../domain/bucket.js";
import type { Micros } from "../../domain/time.js";
import type { Storage, TimeRange } from "../../storage/storage.js";
import { filterKeyvals } from "../../transforms/filter.js";
import { flood } from "../../transforms/flood.js";
import { periodUnion } from "../../transforms/period.js";
import type { Steps } from "../../transforms/steps.js";
import { concat } from "../../transforms/union.js";
import { firstWhere } from "../../util/binary-search.js";
import { runInSlices } from "./filters.js";

/** The pulsetime with which clients close gaps of AFK watchers (docs/reference/compatibility.md#what-clients-ask). */
const PULSETIME_MICROS = 5_000_000;

/** First time range to read before a timestamp, since later calls will need more. */
const FIRST_SPAN_MICROS = 86_400_000_000;

/**
 * When a person was active, by AFK watchers: periods that do not touch, ascending. Reads them on demand, the newest
 * first.
 */
export class ActiveTimes {
  readonly #storage: Storage;
  readonly #watchers: readonly Bucket[];
  readonly #range: TimeRange;
  readonly #check: () => void;
  #periods: EventBatch = EventBatch.from([]);
  /** The total duration before each period. */
  #before: Float64Array = new Float64Array(1);
  #from: Micros = Number.POSITIVE_INFINITY;
  #span: Micros = FIRST_SPAN_MICROS;

  /** @param range of later calls @param check throws if the work must end */
  constructor(storage: Storage, watchers: readonly Bucket[], range: TimeRange, check: () => void = () => undefined) {
    this.#check = check;
    this.#storage = storage;
    this.#watchers = watchers;
    this.#range = range;
  }

  /** The start of the known time. */
  get from(): Micros {
    return this.#from;
  }

  /** Reads the periods from a timestamp to the known ones. */
  async extendTo(instant: Micros): Promise<void> {
    while (this.#from > instant) {
      const { start = 0, end } = this.#range;
      const begin = Math.min(instant, this.#from) - this.#span;
      this.#span *= 2;
      // With several watchers it is unknown where a common part may start.
      const isRest = begin <= start || this.#watchers.length > 1;
      const to = this.#from === Number.POSITIVE_INFINITY ? end : this.#from;
      const range = { ...(isRest ? this.#range : { start: begin }), ...(to === undefined ? {} : { end: to }) };
      const lists = await Promise.all(this.#watchers.map(({ id }) => this.#readEvents(id, range)));
      const from = isRest ? Number.NEGATIVE_INFINITY : findPartStart(lists[0] as EventBatch, begin);
      if (from !== undefined) await this.#add(lists, from);
    }
  }

  async #add(lists: readonly EventBatch[], from: Micros): Promise<void> {
    let periods = EventBatch.from([]);
    for (const events of lists) {
      const part = events.slice(findFirstFrom(events.timestamps, from));
      const flooded = await this.#run(flood(part, PULSETIME_MICROS));
      const active = await this.#run(filterKeyvals(flooded, "status", ["not-afk"]));
      periods = await this.#run(periodUnion(periods, active));
    }
    const older = clipPeriods(periods, from, this.#from);
    // Joins periods that touch where the parts meet.
    this.#periods = await this.#run(periodUnion(older, this.#periods));
    this.#before = new Float64Array(this.#periods.length + 1);
    this.#periods.durations.forEach((duration, index) => {
      this.#before[index + 1] = (this.#before[index] as number) + duration;
    });
    this.#from = from;
  }

  async #readEvents(bucketId: string, range: TimeRange): Promise<EventBatch> {
    const { batches } = await this.#storage.read(bucketId, { ...range, order: "oldest" });
    const all: EventBatch[] = [];
    for await (const batch of batches) {
      this.#check();
      all.push(batch);
    }
    return this.#run(concat(all));
  }

  #run<Result>(steps: Steps<Result>): Promise<Result> {
    return runInSlices(steps, this.#check);
  }

  /** The active duration in a time range. */
  durationWithin(from: Micros, to: Micros): Micros {
    return to <= from ? 0 : this.#durationUntil(to) - this.#durationUntil(from);
  }

  /** The active parts of a time range, ascending. */
  partsWithin(from: Micros, to: Micros): [start: Micros, end: Micros][] {
    const parts: [Micros, Micros][] = [];
    for (let at = Math.max(0, this.#firstAfter(from) - 1); at < this.#periods.length; at++) {
      const start = this.#periods.timestamps[at] as number;
      if (start >= to) break;
      const end = this.#periods.endAt(at);
      if (end > from) parts.push([Math.max(start, from), Math.min(end, to)]);
    }
    return parts;
  }

  #durationUntil(instant: Micros): Micros {
    const at = this.#firstAfter(instant) - 1;
    if (at < 0) return 0;
    const start = this.#periods.timestamps[at] as number;
    return (this.#before[at] as number) + Math.min(instant - start, this.#periods.durations[at] as number);
  }

  /** Index of the first period that starts after a timestamp. */
  #firstAfter(instant: Micros): number {
    return findFirstFrom(this.#periods.timestamps, instant + 1);
  }
}

/** Finds the index of the first timestamp at or after another one. @param instants ascending */
function findFirstFrom(instants: Float64Array, from: Micros): number {
  return firstWhere(0, instants.length, (at) => (instants[at] as number) >= from);
}

/**
 * Finds a place where flooding a part of a list has the same result as flooding all: an event after the end of all
 * earlier ones that are in the list because they overlap its range.
 *
 * @param begin of the range; `undefined`: no such place
 */
function findPartStart({ length, timestamps, durations }: EventBatch, begin: Micros): Micros | undefined {
  let end = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < length; at++) {
    const start = timestamps[at] as number;
    if (start >= begin && start >= end && (timestamps[at - 1] ?? -1) < start) return start;
    end = Math.max(end, start + (durations[at] as number));
  }
  return undefined;
}

/** Clips periods to a range. */
function clipPeriods(periods: EventBatch, from: Micros, to: Micros): EventBatch {
  const parts = periods.events().flatMap(({ timestamp, duration, data }) => {
    const start = Math.max(timestamp, from);
    const end = Math.min(timestamp + duration, to);
    return end >= start && start < to ? [{ timestamp: start, duration: end - start, data }] : [];
  });
  return EventBatch.from(parts);
}
