import type { EventBatch } from "../domain/batch.js";
import type { Bucket } from "../domain/bucket.js";
import type { JsonValue } from "../domain/json.js";
import { EARLIEST, LATEST, type Micros, microsToSeconds, secondsToMicros, serializeTimestamp } from "../domain/time.js";
import type { BackupItem } from "../storage/backup.js";
import { sha256 } from "../util/sha256.js";
import { ByteWriter } from "./byte-writer.js";
import { writeEvents } from "./serialize-events.js";

// The format of backup files, described in docs/operations.md#backup-files.

/** What the first line of a backup says it is. */
export const BACKUP_FORMAT = "activity-server-backup";
/** The version of the format that is written and read. */
export const BACKUP_VERSION = 1;

/** What a backup holds. */
export interface BackupCounts {
  readonly settings: number;
  readonly records: number;
  readonly buckets: number;
  readonly events: number;
}

/** Facts for the first line. */
export interface BackupHeader {
  /** When it was made, in Unix milliseconds. @default now */
  readonly created?: number | undefined;
  /** What made it, for people. */
  readonly producer?: string | undefined;
}

/** Size from which on a piece is handed over. */
const PIECE = 64 * 1024;
const LINE_BREAK = 10;

/**
 * Writes a backup as JSON lines: a first line with format and version, one line for each setting, record, bucket and
 * event, and a last line with counts and the SHA-256 of everything before it. Pieces end with a whole line.
 *
 * @throws Error when the items contradict themselves: events of another bucket, or another number of them
 */
export async function* serializeBackup(
  items: AsyncIterable<BackupItem>,
  { created = Date.now(), producer }: BackupHeader = {},
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const digest = sha256();
  const counts = createCounter();
  let text = lineOf({
    kind: "backup",
    format: BACKUP_FORMAT,
    version: BACKUP_VERSION,
    created: new Date(created).toISOString(),
    ...(producer === undefined ? {} : { producer }),
  });
  for await (const item of items) {
    counts.add(item);
    if (item.kind !== "events") text += lineOf(objectOf(item));
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
  yield encoder.encode(lineOf({ kind: "end", ...counts.end(), sha256: digest.hex() }));
}

/** Counts the items of a backup, and sees to it that they fit together. */
export interface BackupCounter {
  /** @throws Error for events that are not those of the bucket before them */
  add(item: BackupItem): void;
  /** @throws Error when events of the last bucket are missing */
  end(): BackupCounts;
}

/** Begins to count. */
export function createCounter(): BackupCounter {
  const counts = { settings: 0, records: 0, buckets: 0, events: 0 };
  let bucketId: string | undefined;
  /** Events of that bucket that are still to come. */
  let missing = 0;

  function checkWhole(): void {
    if (missing === 0) return;
    const difference = missing > 0 ? `${missing} too few` : `${-missing} too many`;
    throw new Error(`bucket ${JSON.stringify(bucketId)} has another number of events than announced: ${difference}`);
  }

  return {
    add(item) {
      if (item.kind === "events") {
        if (item.bucketId !== bucketId) throw new Error("there are events that follow no bucket");
        counts.events += item.batch.length;
        missing -= item.batch.length;
        return;
      }
      checkWhole();
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
      checkWhole();
      return counts;
    },
  };
}

type Line = Readonly<Record<string, JsonValue>>;

function lineOf(value: Line): string {
  return `${JSON.stringify(value)}\n`;
}

function objectOf(item: Exclude<BackupItem, { kind: "events" }>): Line {
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
    created: isPrintable(created) ? serializeTimestamp(created) : created,
    data,
  };
}

/** Events as in responses of the API, a line each. */
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
      // Behind each event stands a comma.
      for (let index = 1; index < count; index++) bytes[(starts[index] as number) - 1] = LINE_BREAK;
      bytes[bytes.length - 1] = LINE_BREAK;
      yield bytes;
      from += count;
    }
    if (from < batch.length) yield new TextEncoder().encode(unusualLine(batch, from++));
  }
}

/** The first row from one on whose times text and seconds do not hold exactly. */
function endOfPlainRows(batch: EventBatch, from: number): number {
  for (let index = from; index < batch.length; index++) {
    const duration = batch.durations[index] as number;
    const isExact = secondsToMicros(microsToSeconds(duration)) === duration;
    if (!isExact || !isPrintable(batch.timestamps[index] as number)) return index;
  }
  return batch.length;
}

/** An event with its times in microseconds. */
function unusualLine(batch: EventBatch, index: number): string {
  const { id, timestamp, duration } = batch.eventAt(index);
  return `{"id":${id},"micros":[${timestamp},${duration}],"data":${batch.textAt(index)}}\n`;
}

/** Whether an instant comes back from its text. */
function isPrintable(micros: Micros): boolean {
  return micros >= EARLIEST && micros < LATEST && Number.isInteger(micros);
}
