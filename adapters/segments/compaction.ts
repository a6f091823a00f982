import type { StoredEvent } from "../../src/domain/event.js";
import type { BucketState } from "./bucket-state.js";
import { weightOf } from "./memtable.js";
import { compareKeys, orderKey, type SegmentEntry } from "./segment-entry.js";

/** A larger memtable is flushed to segments. */
const FLUSH_EVENTS = 1024;
const FLUSH_WEIGHT = 2 * 1024 * 1024;
/**
 * Size of the rest that stays in the memtable: the newest events, which heartbeats and edits will most likely change.
 */
const KEEP_EVENTS = 128;
const KEEP_WEIGHT = 256 * 1024;
/** Shorter runs of events join a neighboring segment instead of forming a new one. */
const MIN_RUN = 256;
const MIN_RUN_WEIGHT = 128 * 1024;
/** Larger segments accept no more events. */
const ROOMY_EVENTS = 1536;
const ROOMY_BYTES = 512 * 1024;
/** Maximum number of segments that one flush rewrites. Late events of others wait for the next flush. */
const MAX_TARGETS = 32;
/** Factor by which a memtable may exceed the flush size before writers must wait. */
const OVERFULL_FACTOR = 16;

/** State that a flush plan depends on. */
export type Flushable = Pick<BucketState, "memtable" | "index" | "mergeTargetId"> & Stuck;

/** The used part of `stuck`, which may be any kind of set. */
interface Stuck {
  readonly stuck: Pick<ReadonlySet<number>, "size" | "has">;
}

export function wantsFlush({ memtable, stuck }: Pick<BucketState, "memtable"> & Stuck): boolean {
  const count = memtable.events.length - stuck.size;
  return count > FLUSH_EVENTS || (memtable.weight > FLUSH_WEIGHT && count > KEEP_EVENTS / 16);
}

/** Whether a memtable has grown faster than it was flushed. */
export function isOverfull({ memtable, stuck }: Pick<BucketState, "memtable"> & Stuck): boolean {
  const count = memtable.events.length - stuck.size;
  return (
    count > OVERFULL_FACTOR * FLUSH_EVENTS || (memtable.weight > OVERFULL_FACTOR * FLUSH_WEIGHT && count > KEEP_EVENTS)
  );
}

/** Events that form segments together, along with an existing segment if they are in its time range. */
export interface FlushGroup {
  readonly target: SegmentEntry | undefined;
  readonly events: StoredEvent[];
}

/** Plans the flush of a memtable, except for its newest events. Some late events may wait for the next flush. */
export function planFlush(bucket: Flushable): readonly FlushGroup[] {
  const { memtable, stuck, mergeTargetId } = bucket;
  const old = memtable.events.slice(0, flushableEnd(memtable.events));
  return limitTargets(
    groupBySegment(
      bucket,
      old.filter(({ id }) => id !== mergeTargetId && !stuck.has(id)),
    ),
  );
}

/** Groups events, sorted by (timestamp, id), by the segments that they belong to. */
export function groupBySegment(
  bucket: Pick<BucketState, "index">,
  events: readonly StoredEvent[],
): readonly FlushGroup[] {
  const { index } = bucket;
  const groups: FlushGroup[] = [];
  const byTarget = new Map<SegmentEntry, FlushGroup>();
  const [first] = events;
  const newest = index.entries.at(-1);
  // Fast path: events are usually newer than all segments.
  if (first !== undefined && (newest === undefined || compareKeys(newest.last, orderKey(first)) < 0)) {
    return joinShortRuns(bucket, [{ target: undefined, events: [...events] }], byTarget);
  }
  let gap = Number.NaN;
  let run: FlushGroup | undefined;
  for (const event of events) {
    const before = index.indexBefore(orderKey(event));
    const entry = index.entries[before];
    if (entry !== undefined && compareKeys(orderKey(event), entry.last) < 0) {
      const group = byTarget.get(entry) ?? newGroup(groups, entry);
      byTarget.set(entry, group);
      group.events.push(event);
      run = undefined;
      continue;
    }
    if (run === undefined || before !== gap) run = newGroup(groups, undefined);
    gap = before;
    run.events.push(event);
  }
  return joinShortRuns(bucket, groups, byTarget);
}

function newGroup(groups: FlushGroup[], target: SegmentEntry | undefined): FlushGroup {
  const group: FlushGroup = { target, events: [] };
  groups.push(group);
  return group;
}

/** End index of the events to flush. */
function flushableEnd(events: readonly StoredEvent[]): number {
  let kept = 0;
  let weight = 0;
  while (kept < events.length && kept < KEEP_EVENTS) {
    weight += weightOf(events[events.length - 1 - kept] as StoredEvent);
    // The newest event always stays, since a heartbeat must find it without a read.
    if (kept > 0 && weight > KEEP_WEIGHT) break;
    kept++;
  }
  return events.length - kept;
}

/** Joins runs that are too short for a segment to a neighbor with capacity. */
function joinShortRuns(
  { index }: Pick<BucketState, "index">,
  groups: readonly FlushGroup[],
  byTarget: Map<SegmentEntry, FlushGroup>,
): FlushGroup[] {
  const result: FlushGroup[] = [];
  for (const group of groups) {
    const target = group.target === undefined && isShort(group.events) ? findRoomyNeighbor(index, group) : undefined;
    if (target === undefined) {
      result.push(group);
      continue;
    }
    const known = byTarget.get(target);
    if (known !== undefined) known.events.push(...group.events);
    else {
      const joined = { target, events: group.events };
      byTarget.set(target, joined);
      result.push(joined);
    }
  }
  return result;
}

function findRoomyNeighbor(index: BucketState["index"], { events }: FlushGroup): SegmentEntry | undefined {
  const before = index.indexBefore(orderKey(events[0] as StoredEvent));
  return [index.entries[before], index.entries[before + 1]].find(
    (entry) => entry !== undefined && entry.count <= ROOMY_EVENTS && entry.bytes <= ROOMY_BYTES,
  );
}

function isShort(events: readonly StoredEvent[]): boolean {
  if (events.length >= MIN_RUN) return false;
  return events.reduce((sum, event) => sum + weightOf(event), 0) < MIN_RUN_WEIGHT;
}

/** All groups without a target, and a limited number with one. */
function limitTargets(groups: readonly FlushGroup[]): FlushGroup[] {
  let targets = 0;
  return groups.filter(({ target }) => target === undefined || ++targets <= MAX_TARGETS);
}
