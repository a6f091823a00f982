import type { EventBatch } from "../../domain/batch.js";
import type { Micros } from "../../domain/time.js";
import { createTimeSlice } from "../../util/time-slice.js";
import { AscendingCoverage, type Coverage, DescendingCoverage } from "./coverage.js";
import type { Days } from "./days.js";
import type { FilterWork } from "./filters.js";
import type { SearchedBucket, SearchHit, SearchPart } from "./search.js";
import { Totals } from "./totals.js";

/** Options of a list. */
export interface ListOptions {
  readonly work: FilterWork;
  readonly days: Days;
  readonly limit?: number;
  readonly order?: "newest" | "oldest";
}

/** Maximum number of hits per part. */
const MAX_HITS = 512;
/** Time in milliseconds after which found hits are returned, even if they are few. */
const WAIT_MILLIS = 20;
/** Decisions between two checks of the clock. */
const DECISIONS = 256;
/** Time in milliseconds without hits after which other work runs. */
const TURN_MILLIS = 100;

/** The position in a bucket. */
class Place {
  readonly bucket: SearchedBucket;
  readonly coverage: Coverage;
  readonly #batches: AsyncGenerator<EventBatch>;
  batch: EventBatch | undefined;
  row = 0;

  constructor(bucket: SearchedBucket, order: "newest" | "oldest") {
    this.bucket = bucket;
    this.#batches = bucket.read(order);
    this.coverage = order === "newest" ? new DescendingCoverage() : new AscendingCoverage();
  }

  /** @returns whether there is another batch */
  async fill(): Promise<boolean> {
    while (this.batch === undefined || this.row >= this.batch.length) {
      const { done, value } = await this.#batches.next();
      if (done === true) return false;
      this.batch = value;
      this.row = 0;
    }
    return true;
  }

  get timestamp(): Micros {
    return this.batch?.timestamps[this.row] as number;
  }

  async close(): Promise<void> {
    await this.#batches.return(undefined);
  }
}

/** Matching events of several buckets, merged by time; then their totals. */
export async function* listMatches(
  buckets: readonly SearchedBucket[],
  { work, days, limit = Number.POSITIVE_INFINITY, order = "newest" }: ListOptions,
): AsyncGenerator<SearchPart, void, undefined> {
  const isBefore = order === "newest" ? (a: Micros, b: Micros) => a > b : (a: Micros, b: Micros) => a < b;
  const places = buckets.map((bucket) => new Place(bucket, order));
  const open = new Set<Place>();
  const totals = new Totals(days);
  const timeSlice = createTimeSlice();
  let hits: SearchHit[] = [];
  let left = limit;
  let yieldedAt = performance.now();
  let decisions = 0;

  function addHits(place: Place, batch: EventBatch, row: number): void {
    const start = batch.timestamps[row] as number;
    const end = Math.max(start, batch.endAt(row));
    const { active, id: bucketId } = place.bucket;
    if (active !== undefined && active.durationWithin(start, end) === 0) return;
    totals.add(start, end, place.coverage, active);
    if (left <= 0) return;
    const parts = active?.partsWithin(start, end) ?? [[start, batch.endAt(row)] as const];
    for (const [from, to] of order === "newest" ? parts.toReversed() : parts) {
      if (left-- <= 0) return;
      hits.push({ bucketId, timestamp: from, duration: to - from, batch, row });
    }
  }

  try {
    for (const place of places) if (await place.fill()) open.add(place);
    while (open.size > 0) {
      const [place, until] = findNext(open, isBefore);
      const batch = place.batch as EventBatch;
      while (place.row < batch.length && !(until !== undefined && isBefore(until, place.timestamp))) {
        const meets = work.filter.testAt(batch, place.row);
        if (meets === true) {
          const { active } = place.bucket;
          if (active !== undefined && active.from > place.timestamp) await active.extendTo(place.timestamp);
          addHits(place, batch, place.row);
        }
        if (meets !== undefined) place.row++;
        if (meets !== undefined && ++decisions % DECISIONS !== 0) continue;
        const waited = performance.now() - yieldedAt;
        const isDue = hits.length >= MAX_HITS || waited > (hits.length > 0 ? WAIT_MILLIS : TURN_MILLIS);
        if (isDue) {
          yield { hits };
          hits = [];
          yieldedAt = performance.now();
        }
        await timeSlice.yield();
        work.check();
      }
      if (!(await place.fill())) open.delete(place);
    }
    if (hits.length > 0) yield { hits };
    yield { summary: totals.summary() };
  } finally {
    for (const place of places) await place.close();
  }
}

/** Finds the bucket with the next event, and the time at which another bucket has the next one. */
function findNext(
  open: ReadonlySet<Place>,
  isBefore: (a: Micros, b: Micros) => boolean,
): [place: Place, until: Micros | undefined] {
  let first: Place | undefined;
  let until: Micros | undefined;
  for (const place of open) {
    if (first === undefined) {
      first = place;
    } else if (isBefore(place.timestamp, first.timestamp)) {
      until = first.timestamp;
      first = place;
    } else if (until === undefined || isBefore(place.timestamp, until)) {
      until = place.timestamp;
    }
  }
  return [first as Place, until];
}
