import type { EventBatch } from "../../src/domain/batch.js";
import type { StoredEvent } from "../../src/domain/event.js";
import { roughSize } from "../../src/domain/json.js";
import { slicesOf } from "../../src/util/slices.js";

/** Number of events in a full segment. */
const SEGMENT_EVENTS = 1024;
/** Maximum size of a segment with several events, in bytes. */
const SEGMENT_BYTES = 1024 * 1024;
/** Maximum gap between two events of a segment in microseconds, so that differences are exact in a double. */
export const SEGMENT_GAP: number = 2 ** 51;

/** Splits events, sorted by (timestamp, id), into runs for segments. */
export function* splitEvents(events: readonly StoredEvent[]): Generator<readonly StoredEvent[]> {
  let start = 0;
  for (let index = 1; index <= events.length; index++) {
    const event = events[index];
    const before = events[index - 1] as StoredEvent;
    if (event !== undefined && event.timestamp - before.timestamp < SEGMENT_GAP) continue;
    yield* splitEvenly(events.slice(start, index));
    start = index;
  }
}

function* splitEvenly(events: readonly StoredEvent[]): Generator<readonly StoredEvent[]> {
  for (const part of slicesOf(events, evenSize(events.length))) yield* splitBySize(part);
}

/** Number of events in each segment of a run. */
function evenSize(count: number): number {
  return Math.ceil(count / Math.ceil(count / SEGMENT_EVENTS));
}

/** Splits the rows of a batch into runs for segments. @returns `undefined` if the size of their data matters */
export function splitRows(batch: EventBatch): Iterable<readonly number[]> | undefined {
  const { length } = batch;
  const starts = batch.table.utf8?.starts ?? [];
  let bytes = 0;
  for (let row = 0; row < length; row++) {
    const ref = batch.refAt(row);
    bytes += (starts[ref + 1] as number) - (starts[ref] as number);
  }
  // Also true for NaN.
  if (!(bytes <= SEGMENT_BYTES)) return undefined;
  return slicesOf(
    Array.from({ length }, (_, row) => row),
    evenSize(length),
  );
}

/** Keeps segments with large data small, since a read decodes complete segments. */
function* splitBySize(events: readonly StoredEvent[]): Generator<readonly StoredEvent[]> {
  let bytes = 0;
  let start = 0;
  for (const [index, event] of events.entries()) {
    const size = roughSize(event.data);
    if (bytes + size > SEGMENT_BYTES && index > start) {
      yield events.slice(start, index);
      start = index;
      bytes = 0;
    }
    bytes += size;
  }
  yield start === 0 ? events : events.slice(start);
}
