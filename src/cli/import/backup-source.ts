import type { EventBatch } from "../../domain/batch.js";
import type { JsonValue } from "../../domain/json.js";
import { EARLIEST, LATEST, type Micros, serializeTimestamp } from "../../domain/time.js";
import { eventText, type ForeignBucket } from "../../foreign/event-text.js";
import type { BackupItem } from "../../storage/backup.js";
import { readBackupFile } from "../tools/backup-file.js";
import { formatCount } from "../tools/report.js";
import type { EventBatchText, Source, SourceBucket } from "./source.js";

/** Opens a backup of this server, and reads all of it first to check it. @throws ActivityError; LaunchError */
export async function openBackupSource(file: string): Promise<Source> {
  const settings = new Map<string, JsonValue>();
  const found: { bucket: ForeignBucket; events: number; first: Micros | undefined; last: Micros | undefined }[] = [];
  let records = 0;
  for await (const item of readBackupFile(file)) {
    if (item.kind === "setting") settings.set(item.key, item.value);
    else if (item.kind === "record") records++;
    else if (item.kind === "bucket") {
      const { created, data, ...bucket } = item.bucket;
      const isUsual = created >= EARLIEST && created < LATEST;
      const text = isUsual ? serializeTimestamp(created) : undefined;
      const described = { ...bucket, created: text, data: JSON.stringify(data) };
      found.push({ bucket: described, events: item.events, first: undefined, last: undefined });
    } else {
      const last = found.at(-1);
      if (last === undefined) continue;
      const events = [...item.batch.events()];
      last.first ??= events[0]?.timestamp;
      last.last = events.at(-1)?.timestamp ?? last.last;
    }
  }
  const items = readBackupFile(file);
  let pending: BackupItem | undefined;
  async function* readBucketEvents(bucketId: string): AsyncGenerator<EventBatchText> {
    for (;;) {
      if (pending === undefined) {
        const step = await items.next();
        if (step.done) return;
        pending = step.value;
      }
      const item = pending;
      if (item.kind === "events" && item.bucketId === bucketId) yield toBatchText(item.batch);
      // The next bucket starts.
      else if (item.kind === "bucket" && item.bucket.id !== bucketId) return;
      pending = undefined;
    }
  }
  const buckets = found.map((facts): SourceBucket => ({ ...facts, read: () => readBucketEvents(facts.bucket.id) }));
  // The device ID of the other server is not needed here.
  const lost = records > 1 ? [`${formatCount(records, "record")} (keys, device ID); use restore to include them`] : [];
  return {
    kind: "backup of activity-server",
    buckets,
    settings,
    losses: lost,
    close: async () => void (await items.return(undefined)),
  };
}

function toBatchText(batch: EventBatch): EventBatchText {
  const events = [...batch.events()];
  const texts = events.map(({ timestamp, duration, data }) => {
    return eventText({ timestamp, duration, data: JSON.stringify(data) });
  });
  return { text: texts.join(), count: texts.length, canSplitBefore: false };
}
