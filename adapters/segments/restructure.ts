import { byTime, type StoredEvent } from "../../src/domain/event.js";
import { batchOf } from "../../src/domain/list-batch.js";
import { noSuchBucket } from "../../src/errors.js";
import { turnOfLoop } from "../../src/util/time-slice.js";
import type { BucketState } from "./bucket-state.js";
import type { Committer } from "./committer.js";
import { type FlushGroup, groupBySegment, planFlush } from "./compaction.js";
import { flushLine, nextIdLine } from "./log-codec.js";
import { markDeleted, type NewSegment, planSegments } from "./prepare-commit.js";
import { DISSOLVE_EVENTS, encodeNewest, encodeRows, type Regrouped, regroup, rowsWithout } from "./regroup.js";
import type { SegmentCache } from "./segment-cache.js";
import type { SegmentEntry } from "./segment-entry.js";
import type { SegmentPins } from "./segment-pins.js";
import type { State } from "./state.js";

/** A move of events between memtable and segments. */
interface Change {
  readonly oldEntries: readonly SegmentEntry[];
  readonly newSegments: readonly NewSegment[];
  /** Events to remove from the memtable. */
  readonly taken: readonly StoredEvent[];
  /** Events to add to the memtable. */
  readonly put: readonly StoredEvent[];
  /** Whether to clear the merge target. */
  readonly forgetsTarget: boolean;
}

/** A change of events in segments. */
export interface Edit {
  /** Segments that may be affected. */
  readonly entries: readonly SegmentEntry[];
  /** IDs of events to remove, from memtable and segments. */
  readonly remove: ReadonlySet<number>;
  /** Events to add to the memtable. */
  readonly put: readonly StoredEvent[];
  /** Whether to clear the merge target. */
  readonly forgetsTarget: boolean;
}

/** Moves events of a bucket between its memtable and its segments, each time in one commit. */
export class Restructurer {
  readonly #committer: Committer;
  readonly #cache: SegmentCache;
  readonly #state: State;
  readonly #pins: SegmentPins;

  constructor(committer: Committer, cache: SegmentCache, state: State, pins: SegmentPins) {
    this.#committer = committer;
    this.#pins = pins;
    this.#cache = cache;
    this.#state = state;
  }

  /** Flushes the old events of a memtable. @returns whether there were any */
  flush(bucket: BucketState): Promise<boolean> {
    return this.#runExclusively(bucket, async () => {
      const groups = planFlush(bucket);
      if (groups.length === 0 || bucket.isDeleted) return false;
      const moved = new Set(groups.flatMap(({ events }) => events));
      bucket.frozen = new Set(Array.from(moved, ({ id }) => id));
      const { newSegments, oldEntries, stuck } = await this.#encodeGroups(bucket, groups);
      // Encoding and preparing the commit take a millisecond or two each.
      await turnOfLoop();
      for (const event of stuck) moved.delete(event);
      const change = { oldEntries, newSegments, taken: [...moved], put: [], forgetsTarget: false };
      await this.#commit(bucket, change, { isLong: true });
      for (const { id } of stuck) bucket.stuck.add(id);
      return true;
    });
  }

  /** Writes many new events directly to segments, without the memtable. The bucket must not change in the meantime. */
  insert(bucket: BucketState, events: readonly StoredEvent[]): Promise<void> {
    return this.#runExclusively(bucket, async () => {
      const batch = batchOf(events);
      const newest = batch && encodeNewest(bucket, batch);
      const { newSegments, oldEntries, stuck } =
        newest === undefined
          ? await this.#encodeGroups(bucket, groupBySegment(bucket, sorted(events)))
          : { newSegments: newest, oldEntries: [], stuck: [] };
      await this.#commit(bucket, { oldEntries, newSegments, taken: [], put: stuck, forgetsTarget: true });
      for (const { id } of stuck) bucket.stuck.add(id);
    });
  }

  /**
   * Removes events from segments and memtable, and puts others into the memtable. The bucket must not change in the
   * meantime.
   *
   * @param plan called when no flush is changing the segments
   * @returns number of removed events
   * @throws ActivityError `STORAGE_CORRUPT` when an affected segment is damaged
   */
  edit(bucket: BucketState, plan: () => Edit | Promise<Edit>): Promise<number> {
    return this.#runExclusively(bucket, async () => {
      const { entries, remove, put, forgetsTarget } = await plan();
      const blockOf = this.#cache.sourceFor(bucket, entries);
      const oldEntries: SegmentEntry[] = [];
      const newSegments: NewSegment[] = [];
      const back: StoredEvent[] = [];
      let removed = 0;
      for (const entry of entries) {
        const { batch } = await blockOf(entry);
        const rows = rowsWithout(batch, remove);
        if (rows.length === batch.length) continue;
        removed += batch.length - rows.length;
        oldEntries.push(entry);
        if (rows.length < DISSOLVE_EVENTS) for (const row of rows) back.push(batch.eventAt(row));
        else newSegments.push(...encodeRows(bucket, batch, rows));
      }
      const taken = bucket.memtable.events.filter(({ id }) => remove.has(id));
      await this.#commit(bucket, {
        oldEntries,
        newSegments,
        taken,
        put: [...back, ...put],
        forgetsTarget,
      });
      return removed + taken.length;
    });
  }

  /** Resolves when no restructuring of a bucket is in progress; rejects while the outcome of one is uncertain. */
  async settled(bucket: BucketState): Promise<void> {
    while (bucket.restructuring !== undefined) await this.#committer.awaitUnlessUncertain(bucket.restructuring);
  }

  /**
   * Prevents changes of the segments and memtables of buckets, after all restructurings of them have ended.
   *
   * @param until resolves when they may change again
   */
  async freeze(buckets: readonly BucketState[], until: Promise<void>): Promise<void> {
    while (buckets.some(({ restructuring }) => restructuring !== undefined)) {
      for (const bucket of buckets) await this.settled(bucket);
    }
    this.#blockOthers(buckets, this.#pins.pin(), until);
  }

  /** Runs one restructuring of a bucket at a time. */
  async #runExclusively<T>(bucket: BucketState, work: () => Promise<T>): Promise<T> {
    // Repeated, since another one may start before this wait continues. There is no pause between the last check and
    // the start.
    while (bucket.restructuring !== undefined) await this.settled(bucket);
    const release = this.#pins.pin();
    const working = work();
    this.#blockOthers([bucket], release, working);
    return this.#committer.awaitUnlessUncertain(working);
  }

  /** Blocks other restructurings of the buckets until some work is done. @param release unpins the segments */
  #blockOthers(buckets: readonly BucketState[], release: () => void, working: Promise<unknown>): void {
    const end = (): void => {
      release();
      for (const bucket of buckets) {
        if (bucket.restructuring !== turn) throw new Error("a bucket is restructured by two at once");
        bucket.frozen = undefined;
        bucket.restructuring = undefined;
      }
    };
    const turn = working.then(end, end);
    for (const bucket of buckets) {
      if (bucket.restructuring !== undefined) throw new Error("a bucket is restructured by two at once");
      bucket.restructuring = turn;
    }
  }

  #commit(bucket: BucketState, change: Change, options?: { readonly isLong: boolean }): Promise<void> {
    const { oldEntries, newSegments, taken, put, forgetsTarget } = change;
    return this.#committer.run((commit) => {
      if (bucket.isDeleted) throw noSuchBucket(bucket.bucket.id);
      const { bucketNo, memtable, mergeTargetId } = bucket;
      // The log rejected these events after the change was planned.
      if (taken.some((event) => memtable.get(event.id) !== event)) throw new Error("a write was undone");
      const changesMemtable = taken.length > 0 || put.length > 0 || (forgetsTarget && mergeTargetId !== undefined);
      const leaving = new Set(taken.map(({ id }) => id));
      const entering = new Set(put.map(({ id }) => id));
      const stays = memtable.events.filter(({ id }) => !leaving.has(id) && !entering.has(id));
      const targetId = forgetsTarget ? undefined : mergeTargetId;
      const segments = planSegments(bucket, oldEntries, newSegments);
      const memtableLine = (): string => flushLine(bucketNo, commit, targetId, [...stays, ...put]);
      return {
        lines: changesMemtable ? [memtableLine(), nextIdLine(this.#state.nextEventId)] : [],
        ...{ bucket, segments },
        committed: () => {
          bucket.take(taken);
          bucket.put(put);
          bucket.index.install(segments.index);
          if (forgetsTarget) bucket.mergeTargetId = undefined;
          // The bucket was deleted during the commit, so that these segments must be dropped as well.
          if (bucket.isDeleted) markDeleted(this.#state, bucket);
        },
      };
    }, options);
  }

  #encodeGroups(bucket: BucketState, groups: readonly FlushGroup[]): Promise<Regrouped> {
    return regroup(bucket, groups, async (entry) =>
      (await this.#cache.sourceFor(bucket, [entry])(entry)).batch.events(),
    );
  }
}

/** Sorts by (timestamp, id) if necessary. */
function sorted(events: readonly StoredEvent[]): readonly StoredEvent[] {
  const isSorted = events.every((event, index) => index === 0 || byTime(events[index - 1] as StoredEvent, event) < 0);
  return isSorted ? events : events.toSorted(byTime);
}
