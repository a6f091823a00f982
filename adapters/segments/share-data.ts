import type { StoredEvent } from "../../src/domain/event.js";
import { FlatDataMap } from "../../src/domain/flat-data.js";
import type { JsonObject } from "../../src/domain/json.js";
import { createTimeSlice } from "../../src/util/time-slice.js";

/** Between two looks at the time. */
const CHUNK_EVENTS = 1024;

/**
 * Gives events with equal flat data one object for all of them, so that what follows serializes it once: a month of
 * windows has a few thousand distinct data. In slices.
 */
export async function shareData(events: readonly StoredEvent[]): Promise<StoredEvent[]> {
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
