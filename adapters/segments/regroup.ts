import type { EventBatch } from "../../src/domain/batch.js";
import { byTime, type StoredEvent } from "../../src/domain/event.js";
import { ifCode } from "../../src/errors.js";
import { createTimeSlice } from "../../src/util/time-slice.js";
import type { BucketState } from "./bucket-state.js";
import type { FlushGroup } from "./compaction.js";
import type { NewSegment } from "./prepare-commit.js";
import { encodeSegment } from "./segment-codec.js";
import { columnsInSteps, columnsOf, columnsOfRows, type SegmentColumns } from "./segment-columns.js";
import { compareKeys, createEntry, type OrderKey, type SegmentEntry } from "./segment-entry.js";
import { splitEvents, splitRows } from "./split-events.js";

/** A segment left with fewer events is dissolved: its events go back to the memtable. */
export const DISSOLVE_EVENTS = 64;

/** Encoding pauses more often than others, for the p99 of rows `heartbeats/insert/*` of the bench. */
const SLICE_MILLIS = 0.5;

/** Result of regrouping events. */
export interface Regrouped {
  readonly newSegments: NewSegment[];
  readonly oldEntries: SegmentEntry[];
  /** Late events for a damaged segment. They stay in the memtable. */
  readonly stuck: StoredEvent[];
}

/**
 * Encodes groups of events as segments, in time slices.
 *
 * @param eventsOf reads a segment that accepts more events
 */
export async function regroup(
  bucket: BucketState,
  groups: readonly FlushGroup[],
  eventsOf: (entry: SegmentEntry) => Promise<StoredEvent[]>,
): Promise<Regrouped> {
  const newSegments: NewSegment[] = [];
  const oldEntries: SegmentEntry[] = [];
  const stuck: StoredEvent[] = [];
  const timeSlice = createTimeSlice(SLICE_MILLIS);
  for (const { target, events } of groups) {
    let all = events;
    if (target !== undefined) {
      // The damage was already reported.
      const before = await eventsOf(target).catch(ifCode("STORAGE_CORRUPT", undefined));
      if (before === undefined) {
        stuck.push(...events);
        continue;
      }
      all = [...before, ...events].sort(byTime);
      oldEntries.push(target);
    }
    for (const part of splitEvents(all)) {
      const steps = columnsInSteps(part);
      let step = steps.next();
      for (; !step.done; step = steps.next()) {
        const pause = timeSlice.yield();
        if (pause !== undefined) await pause;
      }
      await timeSlice.yield();
      newSegments.push(createSegment(bucket, step.value));
      await timeSlice.yield();
    }
  }
  return { newSegments, oldEntries, stuck };
}

/** Encodes events as segments of a bucket. */
function encodeEvents(bucket: BucketState, events: readonly StoredEvent[]): NewSegment[] {
  return Array.from(splitEvents(events), (part) => createSegment(bucket, columnsOf(part)));
}

/** Encodes some rows of a segment, at least one, as new segments. @param rows ascending */
export function encodeRows(bucket: BucketState, batch: EventBatch, rows: readonly number[]): NewSegment[] {
  const columns = columnsOfRows(batch, rows);
  if (columns !== undefined) return [createSegment(bucket, columns)];
  return encodeEvents(
    bucket,
    rows.map((row) => batch.eventAt(row)),
  );
}

/**
 * Encodes events from columns, if they are in order and newer than all segments.
 *
 * @returns `undefined` if they are not, or need a look at each event
 */
export function encodeNewest(bucket: BucketState, batch: EventBatch): NewSegment[] | undefined {
  const first: OrderKey = [batch.timestamps[0] as number, batch.ids?.[0] ?? 0];
  const newest = bucket.index.entries.at(-1);
  if (!isAscending(batch) || (newest !== undefined && compareKeys(newest.last, first) >= 0)) return undefined;
  const parts: SegmentColumns[] = [];
  for (const rows of splitRows(batch) ?? []) {
    const columns = columnsOfRows(batch, rows);
    if (columns === undefined) return undefined;
    parts.push(columns);
  }
  return parts.length === 0 ? undefined : parts.map((columns) => createSegment(bucket, columns));
}

/** Whether a batch is sorted by (timestamp, id). */
function isAscending({ length, timestamps, ids }: EventBatch): boolean {
  for (let row = 1; row < length; row++) {
    const distance = (timestamps[row] as number) - (timestamps[row - 1] as number);
    if (distance < 0 || (distance === 0 && (ids?.[row] ?? 0) <= (ids?.[row - 1] ?? 0))) return false;
  }
  return true;
}

function createSegment(bucket: BucketState, columns: SegmentColumns): NewSegment {
  const name = { bucketNo: bucket.bucketNo, segmentNo: bucket.nextSegmentNo++ };
  const bytes = encodeSegment(name, columns);
  return { entry: createEntry(name, columns, bytes.length), bytes };
}

/** The rows of a batch, except those with the given IDs. */
export function rowsWithout(batch: EventBatch, ids: { has(id: number): boolean }): number[] {
  const rows: number[] = [];
  for (let row = 0; row < batch.length; row++) if (!ids.has(batch.ids?.[row] as number)) rows.push(row);
  return rows;
}
