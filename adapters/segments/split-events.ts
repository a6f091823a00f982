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
  const size = Math.ceil(events.length / Math.ceil(events.length / SEGMENT_EVENTS));
  for (const part of slicesOf(events, size)) yield* splitBySize(part);
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
