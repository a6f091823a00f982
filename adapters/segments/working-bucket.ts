import type { EventBatch } from "../../src/domain/batch.js";
import type { Bucket } from "../../src/domain/bucket.js";
import { type EventDraft, numbered } from "../../src/domain/event.js";
import { IdSet } from "../../src/util/id-set.js";
import { slicesOf } from "../../src/util/slices.js";
import { createTimeSlice } from "../../src/util/time-slice.js";
import type { BucketState } from "./bucket-state.js";
import { planFlush, wantsFlush } from "./compaction.js";
import type { Engine } from "./engine.js";
import { flushLine } from "./log-codec.js";
import { Memtable } from "./memtable.js";
import { type CommitPart, type NewSegment, planSegments, type SegmentChange } from "./prepare-commit.js";
import { DISSOLVE_EVENTS, encodeRows, regroup, rowsWithout } from "./regroup.js";
import { decodeSegment } from "./segment-codec.js";
import { mayContainAny, mayContainOneOf, type SegmentEntry } from "./segment-entry.js";
import { SegmentIndex } from "./segment-index.js";

/** Larger sets of new events are flushed to segments before more are accepted. */
const MAX_EVENTS = 8_192;
const MAX_WEIGHT = 8 * 1024 * 1024;

/** The content of a bucket during a transaction. */
interface Content {
  readonly memtable: Memtable;
  readonly index: SegmentIndex;
  readonly stuck: Set<number>;
  mergeTargetId: number | undefined;
}

/**
 * A bucket with a transaction's changes. The bucket itself does not change until `apply`, except for its segment
 * numbers, which are consumed. New segments are kept encoded.
 */
export class WorkingBucket {
  /** The bucket to change, existing or new. */
  readonly bucket: BucketState;
  readonly isNew: boolean;
  record: Bucket;
  isDeleted = false;
  readonly #engine: Engine;
  /** Created with the first change of events. */
  #content: Content | undefined;
  readonly #bytes: Map<SegmentEntry, Uint8Array> = new Map();
  /** The commit's change of the bucket's segments. */
  #segments: SegmentChange | undefined;

  constructor(engine: Engine, bucket: BucketState, isNew: boolean) {
    this.#engine = engine;
    this.bucket = bucket;
    this.record = bucket.bucket;
    this.isNew = isNew;
    // A new bucket is always part of the commit.
    if (isNew) this.#content = copyContent(bucket);
  }

  async put(drafts: readonly EventDraft[]): Promise<void> {
    if (drafts.length === 0) return;
    const content = this.#writable();
    const { state } = this.#engine;
    const { events, givenIds, nextId } = numbered(drafts, state.nextEventId, (id) => mayContainEvent(content, id));
    state.nextEventId = nextId;
    const last = givenIds.length === 0 ? events : [...new Map(events.map((event) => [event.id, event])).values()];
    if (givenIds.length > 0) await this.#removeFromSegments(await IdSet.of(givenIds));
    for (const id of givenIds) content.stuck.delete(id);
    content.mergeTargetId = undefined;
    const { memtable, stuck } = content;
    for (const slice of slicesOf(last, MAX_EVENTS)) {
      memtable.putAll(slice);
      if (memtable.events.length - stuck.size > MAX_EVENTS || memtable.weight > MAX_WEIGHT) await this.#flush();
    }
  }

  async delete(eventIds: readonly number[]): Promise<void> {
    const ids = await IdSet.of(eventIds);
    const { memtable, stuck } = this.#writable();
    await this.#removeFromSegments(ids);
    memtable.removeAll(memtable.events.filter(({ id }) => ids.has(id)));
    for (const id of stuck) if (ids.has(id)) stuck.delete(id);
  }

  /** Flushes a large memtable. */
  async finish(): Promise<void> {
    if (this.#content !== undefined && !this.isDeleted) await this.#flush();
  }

  /** Its part of a commit; `undefined` if nothing changes. */
  commitPart(commit: number): CommitPart | undefined {
    const { bucket, record, isDeleted } = this;
    const nothing = { bucket, lines: [], committed: () => undefined };
    if (isDeleted) return this.isNew ? undefined : { ...nothing, isDeletion: true };
    if (this.#content === undefined) return record === bucket.bucket ? undefined : { ...nothing, record };
    const { memtable, mergeTargetId } = this.#content;
    const lines = [flushLine(bucket.bucketNo, commit, mergeTargetId, memtable.events)];
    const now = new Set(this.#content.index.entries);
    const oldEntries = bucket.index.entries.filter((entry) => !now.has(entry));
    const newSegments = Array.from(this.#bytes, ([entry, bytes]) => ({ entry, bytes }));
    this.#segments = planSegments(bucket, oldEntries, newSegments);
    return { ...nothing, segments: this.#segments, lines, record };
  }

  /** Applies the changes to the bucket after the commit succeeded. */
  apply(): void {
    const { bucket } = this;
    if (bucket.bucket.id === this.record.id) bucket.bucket = this.record;
    else bucket.rename(this.record);
    if (this.#content === undefined) return;
    const { memtable, mergeTargetId, stuck } = this.#content;
    bucket.take(bucket.memtable.events.filter((event) => memtable.get(event.id) !== event));
    bucket.put(memtable.events.filter((event) => bucket.memtable.get(event.id) !== event));
    if (this.#segments !== undefined) bucket.index.install(this.#segments.index);
    bucket.mergeTargetId = mergeTargetId;
    for (const id of stuck) bucket.stuck.add(id);
  }

  #writable(): Content {
    this.#content ??= copyContent(this.bucket);
    return this.#content;
  }

  async #flush(): Promise<void> {
    const content = this.#writable();
    while (wantsFlush(content)) {
      const groups = planFlush(content);
      if (groups.length === 0) return;
      const { newSegments, oldEntries, stuck } = await regroup(this.bucket, groups, async (entry) =>
        (await this.#readBatch(entry)).events(),
      );
      for (const { id } of stuck) content.stuck.add(id);
      content.memtable.removeAll(groups.flatMap(({ events }) => events).filter(({ id }) => !content.stuck.has(id)));
      this.#replace(oldEntries, newSegments);
    }
  }

  async #removeFromSegments(ids: IdSet): Promise<void> {
    const { index, memtable } = this.#writable();
    const timeSlice = createTimeSlice();
    for (const entry of [...index.entries]) {
      await timeSlice.yield();
      if (!mayContainOneOf(entry, ids)) continue;
      const batch = await this.#readBatch(entry);
      const rows = rowsWithout(batch, ids);
      if (rows.length === batch.length) continue;
      const isShort = rows.length < DISSOLVE_EVENTS;
      this.#replace([entry], isShort ? [] : encodeRows(this.bucket, batch, rows));
      if (isShort) memtable.putAll(rows.map((row) => batch.eventAt(row)));
    }
  }

  async #readBatch(entry: SegmentEntry): Promise<EventBatch> {
    const bytes = this.#bytes.get(entry);
    const { batch } =
      bytes === undefined ? await this.#engine.cache.scan(this.bucket, entry) : decodeSegment(entry, bytes);
    return batch;
  }

  #replace(oldEntries: readonly SegmentEntry[], newSegments: readonly NewSegment[]): void {
    for (const entry of oldEntries) this.#bytes.delete(entry);
    for (const { entry, bytes } of newSegments) this.#bytes.set(entry, bytes);
    const { index } = this.#writable();
    index.install(planSegments({ bucket: this.bucket.bucket, index }, oldEntries, newSegments).index);
  }
}

function copyContent({ memtable, index, mergeTargetId, stuck }: BucketState): Content {
  const content = { memtable: new Memtable(), index: new SegmentIndex(), stuck: new Set(stuck), mergeTargetId };
  content.memtable.putAll(memtable.events);
  content.index.load(index.entries);
  return content;
}

function mayContainEvent({ memtable, index }: Content, eventId: number): boolean {
  return memtable.get(eventId) !== undefined || index.entries.some((entry) => mayContainAny(entry, [eventId]));
}
