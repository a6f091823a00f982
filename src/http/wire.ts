import type { Bucket, BucketPatch, BucketSummary } from "../domain/bucket.js";
import type { EventDraft, PrintedEvent } from "../domain/event.js";
import { isJsonObject, type JsonObject, type JsonValue, jsonDefect } from "../domain/json.js";
import {
  EARLIEST,
  LATEST,
  type Micros,
  microsToSeconds,
  parseTimestamp,
  printTimestamp,
  secondsToMicros,
} from "../domain/time.js";
import { ActivityError, quote } from "../errors.js";
import type { BucketDraft } from "../service.js";
import type { TimeRange } from "../storage.js";

// JSON and query strings on one side, domain types on the other: seconds and ISO times are read and printed here.

/** An error that names the field and says what is wanted. */
export function invalid(message: string): ActivityError {
  return new ActivityError("INVALID_INPUT", message);
}

/** @throws ActivityError `INVALID_INPUT` */
export function parseTime(value: JsonValue | undefined, field: string): Micros {
  const micros = typeof value === "string" ? parseTimestamp(value) : undefined;
  if (micros !== undefined) return micros;
  const given = value === undefined ? "is missing" : `is ${shown(value)}`;
  throw invalid(`${field} ${given}; a time like 2024-03-01T10:00:00Z, from 1700 to 2249, is expected`);
}

/**
 * Reads an event (contract rest.md 2.3).
 *
 * @param field how the event is called in messages, e.g. `event 3`
 * @param keepId whether an `id` counts; where it does not it is not even looked at
 * @throws ActivityError `INVALID_INPUT`
 */
export function parseDraft(value: JsonValue | undefined, field: string, keepId: boolean): EventDraft {
  if (!isJsonObject(value)) throw invalid(`${field} is ${shown(value)}; an event object is expected`);
  const timestamp = parseTime(value.timestamp, `timestamp of ${field}`);
  const duration = parseDuration(value.duration, timestamp, field);
  const data = parseData(value.data, field);
  const id = keepId ? value.id : null;
  return id === undefined || id === null
    ? { timestamp, duration, data }
    : { timestamp, duration, data, id: parseId(id, field) };
}

function parseDuration(value: JsonValue | undefined, timestamp: Micros, field: string): Micros {
  if (value === undefined) return 0;
  if (typeof value !== "number") throw invalid(`duration of ${field} is ${shown(value)}; seconds are expected`);
  const duration = secondsToMicros(value);
  const end = timestamp + duration;
  if (end >= EARLIEST && end < LATEST) return duration;
  throw invalid(`duration of ${field} is ${value}; the event must end between the years 1700 and 2249`);
}

function parseData(value: JsonValue | undefined, field: string): JsonObject {
  if (value === undefined) return {};
  if (!isJsonObject(value)) throw invalid(`data of ${field} is ${shown(value)}; an object is expected`);
  refuseDefect(value, `data of ${field}`);
  return value;
}

function parseId(value: JsonValue, field: string): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 1) return value;
  throw invalid(`id of ${field} is ${shown(value)}; an integer from 1 to 2^53 - 1, or none, is expected`);
}

/** @throws ActivityError `INVALID_INPUT` for a value that cannot be kept as it is */
export function refuseDefect(value: JsonValue, field: string): void {
  const defect = jsonDefect(value);
  if (defect !== undefined) throw invalid(`${field} ${defect}`);
}

/**
 * Reads what describes a bucket, as it stands in a creation or in an export document (contract rest.md 4.2, 4.7).
 *
 * @throws ActivityError `INVALID_INPUT`
 */
export function parseBucketDraft(value: JsonValue | undefined, field: string): BucketDraft {
  if (!isJsonObject(value)) throw invalid(`${field} is ${shown(value)}; a bucket object is expected`);
  const { created } = value;
  return {
    type: parseText(value.type, `type of ${field}`),
    client: parseText(value.client, `client of ${field}`),
    hostname: parseText(value.hostname, `hostname of ${field}`),
    name: value.name === undefined || value.name === null ? null : parseText(value.name, `name of ${field}`),
    ...(created === undefined || created === null ? {} : { created: parseTime(created, `created of ${field}`) }),
    data: value.data === null ? {} : parseData(value.data, field),
  };
}

/**
 * Reads the fields of a bucket that are to change; absent and null ones stay (contract rest.md 4.2).
 *
 * @throws ActivityError `INVALID_INPUT`
 */
export function parseBucketPatch(value: JsonValue): BucketPatch {
  if (!isJsonObject(value)) throw invalid(`the body is ${shown(value)}; an object of bucket fields is expected`);
  const patch: { -readonly [Field in keyof BucketPatch]: BucketPatch[Field] } = {};
  for (const field of ["type", "client", "hostname", "name"] as const) {
    const text = value[field];
    if (text !== undefined && text !== null) patch[field] = parseText(text, `${field} of the bucket`);
  }
  if (value.data !== undefined && value.data !== null) patch.data = parseData(value.data, "the bucket");
  return patch;
}

function parseText(value: JsonValue | undefined, field: string): string {
  if (typeof value === "string") return value;
  throw invalid(`${field} is ${shown(value)}; a text is expected`);
}

/** @throws ActivityError `INVALID_INPUT` */
export function parseRange(query: URLSearchParams): TimeRange {
  const start = query.get("start");
  const end = query.get("end");
  return {
    ...(start === null ? {} : { start: parseTime(start, "query parameter start") }),
    ...(end === null ? {} : { end: parseTime(end, "query parameter end") }),
  };
}

/**
 * Reads `limit` (contract rest.md 4.3).
 *
 * @returns the most events to answer; `undefined` = all, which absent and negative ones mean
 * @throws ActivityError `INVALID_INPUT`
 */
export function parseLimit(query: URLSearchParams): number | undefined {
  const text = query.get("limit");
  if (text === null) return undefined;
  if (!/^[+-]?\d+$/.test(text)) throw invalid(`query parameter limit is ${quote(text)}; an integer is expected`);
  return text.startsWith("-") && Number(text) !== 0 ? undefined : Number(text);
}

/**
 * Reads `pulsetime` (contract rest.md 4.4).
 *
 * @returns microseconds
 * @throws ActivityError `INVALID_INPUT`
 */
export function parsePulsetime(query: URLSearchParams): Micros {
  const text = query.get("pulsetime");
  if (text === null) throw invalid("query parameter pulsetime is missing; seconds are expected");
  const seconds = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(seconds)) return secondsToMicros(seconds);
  throw invalid(`query parameter pulsetime is ${quote(text)}; seconds are expected`);
}

/** Prints an event as it stands in every answer. */
export function printEvent(event: PrintedEvent): string {
  return `{"id":${event.id},${printSpan(event)}}`;
}

/** Prints an event without its id, as it stands in an export. */
export function printExportedEvent(event: PrintedEvent): string {
  return `{${printSpan(event)}}`;
}

function printSpan({ timestamp, duration, dataText }: PrintedEvent): string {
  const time = printTimestamp(timestamp);
  return `"timestamp":"${time}","duration":${microsToSeconds(duration)},"data":${dataText}`;
}

/** What describes a bucket, in the forms of JSON: what an export and a bucket record have in common. */
export function wireBucket({ id, name, type, client, hostname, created, data }: Bucket): JsonObject {
  return { id, name, type, client, hostname, created: printTimestamp(created), data };
}

/** Prints a bucket record (contract rest.md 2.4). */
export function printBucket(bucket: BucketSummary): string {
  const end = bucket.end === null ? null : printTimestamp(bucket.end);
  return JSON.stringify({
    ...wireBucket(bucket),
    metadata: { start: bucket.start === null ? null : printTimestamp(bucket.start), end },
    last_updated: end,
  });
}

function shown(value: JsonValue | undefined): string {
  if (value === undefined) return "missing";
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}
