import type { ActivityEvent } from "../domain/activity-event.js";
import type { JsonObject } from "../domain/json.js";

/** Stored events, read on demand, and again for each iteration. */
export interface EventReader<Data extends object = JsonObject> extends AsyncIterable<ActivityEvent<Data>> {
  /** The events in lists, as the storage reads them: several times faster than one by one. */
  chunks(): AsyncIterable<readonly ActivityEvent<Data>[]>;
  /** Reads all events into a list. */
  toArray(): Promise<ActivityEvent<Data>[]>;
}

/** @param read starts a read; a reader can be used several times */
export function toReader<Data extends object>(
  read: () => AsyncGenerator<readonly ActivityEvent<Data>[]>,
): EventReader<Data> {
  return {
    async *[Symbol.asyncIterator]() {
      for await (const events of read()) yield* events;
    },
    chunks: read,
    async toArray() {
      const all: ActivityEvent<Data>[] = [];
      for await (const events of read()) for (const event of events) all.push(event);
      return all;
    },
  };
}
