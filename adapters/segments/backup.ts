import type { JsonValue } from "../../src/domain/json.js";
import type { BackupItem } from "../../src/storage/backup.js";
import type { BucketState } from "./bucket-state.js";
import type { Engine } from "./engine.js";
import { parseRecordKey, SETTING_PREFIX } from "./keys.js";
import { runPlan } from "./read.js";
import { planRead, type ReadPlan } from "./read-plan.js";
import type { BlockSource } from "./segment-cache.js";

/** State of one bucket at the start of a backup. */
interface BucketCopy {
  readonly bucket: BucketState;
  readonly record: BucketState["bucket"];
  readonly events: number;
  readonly plan: ReadPlan;
}

/** Backs up a snapshot of the storage, taken at the first pull. Writes continue during the backup. */
export async function* createBackup(engine: Engine): AsyncGenerator<BackupItem> {
  engine.assertOpen();
  const release = engine.pins.pin();
  try {
    // Captured without a pause, so that it is consistent.
    const values = [...engine.state.values];
    const buckets = Array.from(engine.state.buckets.values(), captureBucket);
    await engine.log.awaitDurable();
    for (const [key, value] of values) yield toItem(key, value);
    for (const { bucket, record, events, plan } of buckets) {
      yield { kind: "bucket", bucket: record, events };
      // Bypasses the cache, which should keep data with more frequent reads.
      const blockOf: BlockSource = (entry) => {
        engine.assertNotClosed();
        return engine.cache.read(bucket, entry);
      };
      for await (const batch of runPlan(plan, blockOf)) {
        yield { kind: "events", bucketId: record.id, batch };
      }
    }
  } finally {
    release();
    engine.cleaner.schedule();
  }
}

function captureBucket(bucket: BucketState): BucketCopy {
  return { bucket, record: bucket.bucket, events: bucket.count, plan: planRead(bucket, { order: "oldest" }) };
}

function toItem(key: string, value: JsonValue): BackupItem {
  if (key.startsWith(SETTING_PREFIX)) {
    return { kind: "setting", key: JSON.parse(key.slice(SETTING_PREFIX.length)) as string, value };
  }
  const { kind: recordKind, key: recordKey } = parseRecordKey(key);
  return { kind: "record", recordKind, key: recordKey, value };
}
