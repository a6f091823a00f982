import type { StoredEvent } from "../../src/domain/event.js";
import { roughSize } from "../../src/domain/json.js";
import { slicesOf } from "../../src/util/slices.js";

/** Events of a full segment. */
const SEGMENT_EVENTS = 1024;
/** Largest segment in bytes, as long as it holds more than one event. */
const SEGMENT_BYTES = 1024 * 1024;
/** Widest gap between two events of a segment, in microseconds: differences stay exact in a double. */
export const SEGMENT_GAP: number = 2 ** 51;

/** Cuts events, sorted by (timestamp, id), into runs that make good segments. */
export function* partsOf(events: readonly StoredEvent[]): Generator<readonly StoredEvent[]> {
  let start = 0;
  for (let index = 1; index <= events.length; index++) {
    const event = events[index];
    const before = events[index - 1] as StoredEvent;
    if (event !== undefined && event.timestamp - before.timestamp < SEGMENT_GAP) continue;
    yield* evenParts(events.slice(start, index));
    start = index;
  }
}

function* evenParts(events: readonly StoredEvent[]): Generator<readonly StoredEvent[]> {
  const size = Math.ceil(events.length / Math.ceil(events.length / SEGMENT_EVENTS));
  for (const part of slicesOf(events, size)) yield* lightParts(part);
}

/** Large data make small segments: a read decodes a segment as a whole. */
function* lightParts(events: readonly StoredEvent[]): Generator<readonly StoredEvent[]> {
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
