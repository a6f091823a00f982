import type { EventBatch } from "../domain/batch.js";
import type { Bucket } from "../domain/bucket.js";
import type { JsonValue } from "../domain/json.js";

/** One piece of a backup. The events of a bucket follow it, in ascending order and with their ids. */
export type BackupItem =
  | { readonly kind: "setting"; readonly key: string; readonly value: JsonValue }
  | { readonly kind: "record"; readonly recordKind: string; readonly key: string; readonly value: JsonValue }
  | { readonly kind: "bucket"; readonly bucket: Bucket; readonly events: number }
  | { readonly kind: "events"; readonly bucketId: string; readonly batch: EventBatch };
