import type { EventBatch } from "../domain/batch.js";
import type { Bucket } from "../domain/bucket.js";
import type { JsonValue } from "../domain/json.js";
import { EARLIEST, LATEST, type Micros, microsToSeconds, secondsToMicros, serializeTimestamp } from "../domain/time.js";
import type { BackupItem } from "../storage/backup.js";
import { isBackedUp } from "../storage/records.js";
import { sha256 } from "../util/sha256.js";
import { ByteWriter } from "./byte-writer.js";
import { writeEvents } from "./serialize-events.js";

// The format of backup files. docs/reference/backup-format.md

/** Value of `format` in the first line of a backup. */
export const BACKUP_FORMAT = "activity-server-backup";
/** The supported version of the format. */
export const BACKUP_VERSION = 1;

/** Numbers of items in a backup. */
export interface BackupCounts {
  readonly settings: number;
  readonly records: number;
  readonly buckets: number;
  readonly events: number;
}

/** Values of the first line. */
export interface BackupHeader {
  /** When it was made, in Unix milliseconds. @default now */
  readonly created?: number | undefined;
  /** What made it, for people. */
  readonly producer?: string | undefined;
}

/** Size at which a piece is passed on. */
const PIECE = 64 * 1024;
const LINE_BREAK = 10;

/**
 * Writes a backup as JSON lines: a first line with format and version, one line per setting, record, bucket and event,
 * and a last line with counts and the SHA-256 of all previous lines. Each piece ends with a complete line.
 *
 * @throws Error when the items are inconsistent: events of another bucket, or a wrong number of events
 */
export async function* serializeBackup(
  items: AsyncIterable<BackupItem>,
  { created = Date.now(), producer }: BackupHeader = {},
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const digest = sha256();
  const counts = createBackupCounter();
  let text = formatLine({
    kind: "backup",
    format: BACKUP_FORMAT,
    version: BACKUP_VERSION,
    created: new Date(created).toISOString(),
    ...(producer === undefined ? {} : { producer }),
  });
  for await (const item of items) {
    if (!isBackedUp(item)) continue;
    counts.add(item);
    if (item.kind !== "events") text += formatLine(toLine(item));
    if (item.kind !== "events" && text.length < PIECE) continue;
    for (const bytes of [encoder.encode(text), ...(item.kind === "events" ? eventLines(item.batch) : [])]) {
      digest.update(bytes);
      yield bytes;
    }
    text = "";
  }
  const bytes = encoder.encode(text);
  digest.update(bytes);
  yield bytes;
  yield encoder.encode(formatLine({ kind: "end", ...counts.end(), sha256: digest.hex() }));
}

/** Counts the items of a backup, and checks that they are consistent. */
export interface BackupCounter {
  /** @throws Error for events of a bucket other than the previous one */
  add(item: BackupItem): void;
  /** @throws Error when events of the last bucket are missing */
  end(): BackupCounts;
}

export function createBackupCounter(): BackupCounter {
  const counts = { settings: 0, records: 0, buckets: 0, events: 0 };
  let bucketId: string | undefined;
  /** Expected events of that bucket. */
  let missing = 0;

  function checkComplete(): void {
    if (missing === 0) return;
    const difference = missing > 0 ? `${missing} too few` : `${-missing} too many`;
    throw new Error(`bucket ${JSON.stringify(bucketId)} has ${difference} events`);
  }

  return {
    add(item) {
      if (item.kind === "events") {
        if (item.bucketId !== bucketId) throw new Error("events must follow their bucket");
        counts.events += item.batch.length;
        missing -= item.batch.length;
        return;
      }
      checkComplete();
      if (item.kind === "setting") counts.settings++;
      else if (item.kind === "record") counts.records++;
      else {
        counts.buckets++;
        bucketId = item.bucket.id;
        missing = item.events;
        return;
      }
      bucketId = undefined;
    },
    end() {
      checkComplete();
      return counts;
    },
  };
}

type Line = Readonly<Record<string, JsonValue>>;

function formatLine(value: Line): string {
  return `${JSON.stringify(value)}\n`;
}

function toLine(item: Exclude<BackupItem, { kind: "events" }>): Line {
  if (item.kind === "bucket") return { kind: "bucket", ...bucketFields(item.bucket), events: item.events };
  if (item.kind === "setting") return { kind: "setting", key: item.key, value: item.value };
  return { kind: "record", of: item.recordKind, key: item.key, value: item.value };
}

function bucketFields({ id, name, type, client, hostname, created, data }: Bucket): Line {
  return {
    id,
    name,
    type,
    client,
    hostname,
    created: isRepresentable(created) ? serializeTimestamp(created) : created,
    data,
  };
}

/** Events in the format of API responses, one per line. */
function* eventLines(batch: EventBatch): Generator<Uint8Array> {
  const starts = new Uint32Array(batch.length);
  let from = 0;
  while (from < batch.length) {
    const plainEnd = endOfPlainRows(batch, from);
    const rows = batch.slice(0, plainEnd);
    while (from < plainEnd) {
      const writer = new ByteWriter(PIECE);
      const count = writeEvents(writer, rows, from, { withIds: true, most: PIECE, starts });
      const bytes = writer.finish();
      // A comma follows each event; replace it with a line break.
      for (let index = 1; index < count; index++) bytes[(starts[index] as number) - 1] = LINE_BREAK;
      bytes[bytes.length - 1] = LINE_BREAK;
      yield bytes;
      from += count;
    }
    if (from < batch.length) yield new TextEncoder().encode(preciseLine(batch, from++));
  }
}

/** The first row, from `from` up, whose times the API format cannot represent exactly. */
function endOfPlainRows(batch: EventBatch, from: number): number {
  for (let index = from; index < batch.length; index++) {
    const duration = batch.durations[index] as number;
    const isExact = secondsToMicros(microsToSeconds(duration)) === duration;
    if (!isExact || !isRepresentable(batch.timestamps[index] as number)) return index;
  }
  return batch.length;
}

/** An event with its times in microseconds. */
function preciseLine(batch: EventBatch, index: number): string {
  const { id, timestamp, duration } = batch.eventAt(index);
  return `{"id":${id},"micros":[${timestamp},${duration}],"data":${batch.textAt(index)}}\n`;
}

/** Whether a timestamp survives formatting and parsing. */
function isRepresentable(micros: Micros): boolean {
  return micros >= EARLIEST && micros < LATEST && Number.isInteger(micros);
}
