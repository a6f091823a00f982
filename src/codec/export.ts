import type { EventBatch } from "../domain/batch.js";
import type { ExportedBucket } from "../service/event-reads.js";
import { wireBucket } from "./serialize-buckets.js";
import { serializeEvents, serializeMembers } from "./serialize-events.js";

/** Serializes events as the members of a JSON list, as in an export document. */
export function serializeExported(events: AsyncIterable<EventBatch>): AsyncGenerator<Uint8Array> {
  return serializeMembers(events, serialize);
}

const serialize = (batch: EventBatch): Generator<Uint8Array> => serializeEvents(batch, { withIds: false });

/** Serializes an export document in chunks, reading events lazily (docs/reference/api.md#export-and-import). */
export async function* serializeDocument(buckets: readonly ExportedBucket[]): AsyncGenerator<string | Uint8Array> {
  let lead = '{"buckets":{';
  for (const { bucket, events } of buckets) {
    const record = JSON.stringify(wireBucket(bucket));
    yield `${lead}${JSON.stringify(bucket.id)}:${record.slice(0, -1)},"events":[`;
    yield* serializeExported(events);
    lead = "]},";
  }
  yield buckets.length === 0 ? `${lead}}}` : "]}}}";
}
