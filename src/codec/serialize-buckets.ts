import type { Bucket, BucketSummary } from "../domain/bucket.js";
import type { JsonObject } from "../domain/json.js";
import { serializeTimestamp } from "../domain/time.js";

/** The fields of a bucket in JSON that exports and bucket records share. */
export function wireBucket({ id, name, type, client, hostname, created, data }: Bucket): JsonObject {
  return { id, name, type, client, hostname, created: serializeTimestamp(created), data };
}

/** Serializes a bucket record (docs/reference/api.md#buckets). */
export function serializeBucket(bucket: BucketSummary): string {
  const end = bucket.end === null ? null : serializeTimestamp(bucket.end);
  return JSON.stringify({
    ...wireBucket(bucket),
    metadata: { start: bucket.start === null ? null : serializeTimestamp(bucket.start), end },
    last_updated: end,
  });
}
