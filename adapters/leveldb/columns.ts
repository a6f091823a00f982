import { byTime, overlaps, type StoredEvent } from "../../src/domain/event.js";
import { columnsOf, type EventList, sliceOf } from "../../src/domain/event-list.js";
import type { BlockSource, ReadPlan } from "./read.js";
import type { Block } from "./segment.js";

/**
 * Carries out a plan that reads everything of a range, oldest first, as columns: what lies within the range is passed
 * on as it is in memory, in pieces where events of the tail stand between.
 */
export async function* carryOutColumns(plan: ReadPlan, blockOf: BlockSource): AsyncGenerator<EventList> {
  const { tail, segments, start, end } = plan;
  let taken = 0;
  for (const segment of segments) {
    const block = await blockOf(segment);
    const isWhole = segment.ends[0] >= start && segment.last[0] <= end;
    const list = isWhole ? block.columns() : within(block, plan);
    const last = { timestamp: segment.last[0], id: segment.last[1] };
    // What lies behind the segment may lie behind the next one, too.
    let stop = taken;
    while (stop < tail.length && byTime(tail[stop] as StoredEvent, last) < 0) stop++;
    let from = 0;
    while (taken < stop) {
      const to = positionIn(list, tail[taken] as StoredEvent);
      if (to > from) yield sliceOf(list, from, to);
      from = to;
      const first = taken++;
      while (taken < stop && positionIn(list, tail[taken] as StoredEvent) === to) taken++;
      yield columnsOf(tail.slice(first, taken));
    }
    if (from === 0 && list.length > 0) yield list;
    else if (from < list.length) yield sliceOf(list, from, list.length);
  }
  if (taken < tail.length) yield columnsOf(tail.slice(taken));
}

function within(block: Block, { start, end }: ReadPlan): EventList {
  const stop = block.positionOf(end, Number.POSITIVE_INFINITY);
  const events: StoredEvent[] = [];
  for (let position = 0; position < stop; position++) {
    const event = block.eventAt(position);
    if (overlaps(event, start, end)) events.push(event);
  }
  return columnsOf(events);
}

/** The first index at which an event may stand in a list that ascends by (timestamp, id). */
function positionIn({ starts, ids, length }: EventList, { timestamp, id }: StoredEvent): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const found = starts[middle] as number;
    if (found < timestamp || (found === timestamp && (ids?.[middle] ?? 0) < id)) low = middle + 1;
    else high = middle;
  }
  return low;
}
