import type { ExportedBucket } from "../service.js";
import { exportedEvents, wireBucket } from "./print.js";

/** Prints an export document (contract rest.md 4.6) in pieces; the events are read as the pieces are taken. */
export async function* printDocument(buckets: readonly ExportedBucket[]): AsyncGenerator<string | Uint8Array> {
  let lead = '{"buckets":{';
  for (const { bucket, events } of buckets) {
    const record = JSON.stringify(wireBucket(bucket));
    yield `${lead}${JSON.stringify(bucket.id)}:${record.slice(0, -1)},"events":[`;
    yield* exportedEvents(events);
    lead = "]},";
  }
  yield buckets.length === 0 ? `${lead}}}` : "]}}}";
}
