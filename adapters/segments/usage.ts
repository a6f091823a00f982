import { addBucket, emptyUsage, jsonBytes, type StorageUsage } from "../../src/storage/usage.js";
import type { Engine } from "./engine.js";
import { SETTING_PREFIX } from "./keys.js";

/** Sums up sizes in memory: segments, and events that are only in the log. */
export function computeUsage(engine: Engine): StorageUsage {
  engine.assertOpen();
  const { buckets, values } = engine.state;
  const usage = emptyUsage();
  for (const [key, value] of values) {
    if (key.startsWith(SETTING_PREFIX)) usage.bytes += key.length + jsonBytes(value);
  }
  for (const { bucket, count, memtable, index } of buckets.values()) {
    let bytes = jsonBytes(bucket) + memtable.weight;
    for (const entry of index.entries) bytes += entry.bytes;
    addBucket(usage, bucket.id, count, bytes);
  }
  return usage;
}
