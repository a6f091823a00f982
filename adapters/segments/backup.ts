import type { JsonValue } from "../../src/domain/json.js";
import type { BackupItem } from "../../src/storage/backup.js";
import type { BucketState } from "./bucket-state.js";
import type { Engine } from "./engine.js";
import { parseRecordKey, SETTING_PREFIX } from "./keys.js";
import { carryOut } from "./read.js";
import { planRead, type ReadPlan } from "./read-plan.js";
import type { BlockSource } from "./segment-cache.js";

/** What a backup holds of one bucket, as of its beginning. */
interface BucketCopy {
  readonly bucket: BucketState;
  readonly record: BucketState["bucket"];
  readonly events: number;
  readonly plan: ReadPlan;
}

/** Everything that is stored as of one moment: taken down at the first pull, read while writing goes on. */
export async function* backupOf(engine: Engine): AsyncGenerator<BackupItem> {
  engine.assertOpen();
  const release = engine.holds.begin();
  try {
    // All of it without a pause.
    const values = [...engine.state.values];
    const buckets = Array.from(engine.state.buckets.values(), copyOf);
    await engine.log.soFar();
    for (const [key, value] of values) yield itemOf(key, value);
    for (const { bucket, record, events, plan } of buckets) {
      yield { kind: "bucket", bucket: record, events };
      // Past the cache, which holds what is asked for more often.
      const blockOf: BlockSource = (entry) => {
        engine.assertNotClosed();
        return engine.cache.read(bucket, entry);
      };
      for await (const batch of carryOut(plan, blockOf)) {
        yield { kind: "events", bucketId: record.id, batch };
      }
    }
  } finally {
    release();
    engine.cleaner.soon();
  }
}

function copyOf(bucket: BucketState): BucketCopy {
  return { bucket, record: bucket.bucket, events: bucket.count, plan: planRead(bucket, { order: "oldest" }) };
}

function itemOf(key: string, value: JsonValue): BackupItem {
  if (key.startsWith(SETTING_PREFIX)) {
    return { kind: "setting", key: JSON.parse(key.slice(SETTING_PREFIX.length)) as string, value };
  }
  const { kind: recordKind, key: recordKey } = parseRecordKey(key);
  return { kind: "record", recordKind, key: recordKey, value };
}
