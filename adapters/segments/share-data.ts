import type { StoredEvent } from "../../src/domain/event.js";
import { FlatDataMap } from "../../src/domain/flat-data.js";
import type { JsonObject } from "../../src/domain/json.js";
import { createTimeSlice } from "../../src/util/time-slice.js";

/** Number of events that shows whether they share data, and the maximum share of distinct objects among them. */
const SAMPLE = 128;
const SHARED = 0.75;
/** Events between two clock checks. */
const CHUNK_EVENTS = 1024;

/**
 * Makes events with equal flat data share one object, so that it is serialized only once: a month of window events has
 * a few thousand distinct data. Runs in time slices.
 */
export async function shareData(events: StoredEvent[]): Promise<StoredEvent[]> {
  const sample = events.slice(0, SAMPLE);
  // The reader of the list has done it.
  if (new Set(sample.map(({ data }) => data)).size <= sample.length * SHARED) return events;
  const known = new FlatDataMap<JsonObject>();
  const shared: StoredEvent[] = [];
  const timeSlice = createTimeSlice();
  for (const [index, event] of events.entries()) {
    const { id, timestamp, duration, data } = event;
    const first = known.getOrSet(data, data) ?? data;
    shared.push(first === data ? event : { id, timestamp, duration, data: first });
    if (index % CHUNK_EVENTS === 0) await timeSlice.yield();
  }
  return shared;
}
