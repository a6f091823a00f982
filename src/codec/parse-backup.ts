import { EventBatch } from "../domain/batch.js";
import type { Bucket } from "../domain/bucket.js";
import type { StoredEvent } from "../domain/event.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../domain/json.js";
import { type Micros, parseTimestamp, secondsToMicros } from "../domain/time.js";
import { ActivityError, quote } from "../errors.js";
import type { BackupItem } from "../storage/backup.js";
import { GrowingBytes } from "../util/bytes.js";
import { type Sha256, sha256 } from "../util/sha256.js";
import { BACKUP_FORMAT, BACKUP_VERSION, type BackupCounts, createBackupCounter } from "./backup.js";

/** Maximum number of events in one item. */
const BATCH_LENGTH = 1000;
/** Maximum length of a line in bytes, near the maximum length of a JavaScript string. */
const MAX_LINE_BYTES = 256 * 1024 * 1024;
const LINE_BREAK = 10;

/**
 * Reads a backup. Counts and checksum are checked at the end. To rule out a damaged file, read it completely once
 * before acting on it.
 *
 * @param bytes the file, decompressed
 * @throws ActivityError `INVALID_INPUT` for another, truncated or changed file; the message contains the line
 */
export async function* parseBackup(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<BackupItem, BackupCounts> {
  const digest = sha256();
  const counter = createBackupCounter();
  const reader = new LineReader();
  for await (const text of decodeLines(bytes, digest)) {
    for (const item of reader.read(text)) {
      runCheck(reader, () => counter.add(item));
      yield item;
    }
  }
  for (const item of reader.events()) {
    runCheck(reader, () => counter.add(item));
    yield item;
  }
  const end = reader.end();
  const counts = runCheck(reader, () => counter.end());
  if (end["sha256"] !== digest.hex()) throw damagedError("its checksum does not match its content");
  for (const [name, count] of Object.entries(counts)) {
    if (end[name] !== count)
      throw damagedError(`it contains ${count} ${name}, but its last line counts ${String(end[name])}`);
  }
  return counts;
}

function runCheck<Result>(reader: LineReader, check: () => Result): Result {
  try {
    return check();
  } catch (cause) {
    throw damagedError(
      `before line ${reader.lines + 1}: ${cause instanceof Error ? cause.message : "wrong order"}`,
      cause,
    );
  }
}

function damagedError(reason: string, cause?: unknown): ActivityError {
  return new ActivityError("INVALID_INPUT", `the backup is damaged: ${reason}`, cause === undefined ? {} : { cause });
}

/** Decodes complete lines. Everything before the last line is in the digest when that line is yielded. */
async function* decodeLines(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  digest: Sha256,
): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  /** The last complete line, which is hashed only if another one follows. */
  let last: Uint8Array = new Uint8Array();
  const rest = new GrowingBytes();
  for await (const chunk of bytes) {
    const end = chunk.lastIndexOf(LINE_BREAK) + 1;
    if (end === 0) {
      rest.add(chunk.slice());
      if (rest.length > MAX_LINE_BYTES) throw damagedError("a line is too long for a backup");
      continue;
    }
    rest.add(chunk.subarray(0, end));
    const lines = rest.take();
    const start = lines.lastIndexOf(LINE_BREAK, lines.length - 2) + 1;
    digest.update(last);
    digest.update(lines.subarray(0, start));
    last = lines.slice(start);
    if (end < chunk.length) rest.add(chunk.slice(end));
    try {
      yield decoder.decode(lines);
    } catch (cause) {
      throw damagedError("it is not UTF-8 text", cause);
    }
  }
  if (rest.length > 0) throw damagedError("it ends in the middle of a line");
}

function notABackupError(cause?: unknown): ActivityError {
  const message = "this is not a backup of activity-server, or its first line is damaged";
  return new ActivityError("INVALID_INPUT", message, cause === undefined ? {} : { cause });
}

/** Converts lines to items. */
class LineReader {
  lines = 0;
  #bucketId: string | undefined;
  #events: StoredEvent[] = [];
  #end: JsonObject | undefined;

  *read(text: string): Generator<BackupItem> {
    let from = 0;
    for (let to = text.indexOf("\n"); to >= 0; to = text.indexOf("\n", from)) {
      yield* this.#line(text.slice(from, to));
      from = to + 1;
    }
  }

  /** The pending events. */
  *events(): Generator<BackupItem> {
    if (this.#events.length === 0 || this.#bucketId === undefined) return;
    const batch = EventBatch.from(this.#events);
    this.#events = [];
    yield { kind: "events", bucketId: this.#bucketId, batch };
  }

  /** The last line. */
  end(): JsonObject {
    if (this.lines === 0) throw damagedError("it is empty");
    if (this.#end === undefined) throw damagedError("its last line is missing");
    return this.#end;
  }

  *#line(text: string): Generator<BackupItem> {
    this.lines++;
    const line = this.#parsed(text);
    if (this.lines === 1) return this.#checkHeader(line);
    if (this.#end !== undefined) throw this.#malformed("something follows the last line");
    const { kind } = line;
    if (kind === undefined) {
      if (this.#bucketId === undefined) throw this.#malformed("an event follows no bucket");
      this.#events.push(this.#event(line));
      if (this.#events.length >= BATCH_LENGTH) yield* this.events();
      return;
    }
    yield* this.events();
    this.#bucketId = undefined;
    if (kind === "setting") yield { kind, key: this.#text(line, "key"), value: this.#value(line) };
    else if (kind === "record") {
      yield { kind, recordKind: this.#text(line, "of"), key: this.#text(line, "key"), value: this.#value(line) };
    } else if (kind === "bucket") {
      const bucket = this.#bucket(line);
      this.#bucketId = bucket.id;
      yield { kind, bucket, events: this.#integer(line["events"], "events", 0) };
    } else if (kind === "end") this.#end = line;
    else throw this.#malformed(`the kind ${quote(String(kind))} is unknown`);
  }

  #parsed(text: string): JsonObject {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (cause) {
      if (this.lines === 1) throw notABackupError(cause);
      throw this.#malformed("it is not JSON", cause);
    }
    if (!isJsonObject(value)) throw this.#malformed("it must be an object");
    return value;
  }

  #checkHeader({ kind, format, version }: JsonObject): void {
    if (kind !== "backup" || format !== BACKUP_FORMAT) throw notABackupError();
    if (version === BACKUP_VERSION) return;
    const message = `the backup must have format version ${BACKUP_VERSION}, got ${String(version)}`;
    throw new ActivityError("INVALID_INPUT", message);
  }

  #bucket(line: JsonObject): Bucket {
    const { name = null, created = null } = line;
    if (name !== null && typeof name !== "string") throw this.#malformed("name must be a string");
    return {
      id: this.#text(line, "id"),
      name,
      type: this.#text(line, "type"),
      client: this.#text(line, "client"),
      hostname: this.#text(line, "hostname"),
      created: this.#instant(created, "created"),
      data: this.#object(line, "data"),
    };
  }

  #event(line: JsonObject): StoredEvent {
    const id = this.#integer(line["id"], "id", 1);
    const data = this.#object(line, "data");
    const { micros, timestamp = null, duration } = line;
    if (Array.isArray(micros)) {
      const [start, length] = micros as readonly JsonValue[];
      return { id, timestamp: this.#integer(start, "micros"), duration: this.#integer(length, "micros"), data };
    }
    if (typeof duration !== "number" || !Number.isFinite(duration)) throw this.#malformed("duration must be a number");
    return { id, timestamp: this.#instant(timestamp, "timestamp"), duration: secondsToMicros(duration), data };
  }

  #instant(value: JsonValue, field: string): Micros {
    const micros = typeof value === "string" ? parseTimestamp(value) : value;
    return this.#integer(micros, field);
  }

  #integer(value: JsonValue | undefined, field: string, least: number = Number.NEGATIVE_INFINITY): number {
    if (typeof value === "number" && Number.isInteger(value) && value >= least) return value;
    throw this.#malformed(`${field} has an invalid value`);
  }

  #text(line: JsonObject, field: string): string {
    const value = line[field];
    if (typeof value === "string") return value;
    throw this.#malformed(`${field} must be a string`);
  }

  #object(line: JsonObject, field: string): JsonObject {
    const value = line[field];
    if (isJsonObject(value)) return value;
    throw this.#malformed(`${field} must be an object`);
  }

  #value(line: JsonObject): JsonValue {
    const { value } = line;
    if (value !== undefined) return value;
    throw this.#malformed("value is missing");
  }

  #malformed(reason: string, cause?: unknown): ActivityError {
    return damagedError(`line ${this.lines}: ${reason}`, cause);
  }
}
