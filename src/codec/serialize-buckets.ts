import type { Bucket, BucketSummary } from "../domain/bucket.js";
import type { JsonObject } from "../domain/json.js";
import { serializeTimestamp } from "../domain/time.js";

/** What describes a bucket, in the forms of JSON: what an export and a bucket record have in common. */
export function wireBucket({ id, name, type, client, hostname, created, data }: Bucket): JsonObject {
  return { id, name, type, client, hostname, created: serializeTimestamp(created), data };
}

/** Serializes a bucket record (docs/api.md#buckets). */
export function serializeBucket(bucket: BucketSummary): string {
  const end = bucket.end === null ? null : serializeTimestamp(bucket.end);
  return JSON.stringify({
    ...wireBucket(bucket),
    metadata: { start: bucket.start === null ? null : serializeTimestamp(bucket.start), end },
    last_updated: end,
  });
}
