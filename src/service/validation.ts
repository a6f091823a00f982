import type { DomainOf } from "../api/codec.js";
import type { BucketDraft, BucketPatch } from "../domain/bucket.js";
import type { EventDraft } from "../domain/event.js";
import { isJsonObject, type JsonObject, type JsonValue, jsonDefect } from "../domain/json.js";
import { EARLIEST, LATEST, type Micros } from "../domain/time.js";
import { ActivityError, mustBe } from "../errors.js";

/**
 * How an interface represents timestamps, durations and data. Each validates events by the same rules; JSON has
 * strings and seconds, calls in process have `Date` and microseconds.
 */
export interface InputForms {
  /** @throws ActivityError `INVALID_INPUT` with the field */
  instant(value: unknown, field: string): Micros;
  /** @throws ActivityError `INVALID_INPUT` with the field */
  length(value: unknown, field: string): Micros;
  /** @throws ActivityError `INVALID_INPUT` with the field */
  json(value: unknown, field: string): JsonValue;
}

/** A value with fields, in any representation. */
type Fields = Readonly<Record<string, unknown>>;

/** The error for an invalid field. The message contains the field and the valid values. */
export function invalid(message: string, fault?: string): ActivityError {
  return new ActivityError("INVALID_INPUT", message, fault === undefined ? {} : { fault: { name: fault, values: {} } });
}

/** Parses input from one interface. */
export interface Parser {
  /**
   * Parses an event (docs/reference/api.md#events).
   *
   * @param field name of the event in messages, e.g. `event 3`
   * @param keepId whether to use an `id`; otherwise it is ignored
   * @throws ActivityError `INVALID_INPUT`
   */
  event(value: unknown, field: string, keepId: boolean): EventDraft;
  /**
   * Parses the description of a bucket, from a request or an export document
   * (docs/reference/api.md#creating-changing-and-deleting-buckets).
   *
   * @throws ActivityError `INVALID_INPUT`
   */
  bucket(value: unknown, field: string): BucketDraft;
}

/** Creates the parser of one interface. */
export function createParser({ instant, length, json }: InputForms): Parser {
  function data(value: unknown, field: string): JsonObject {
    if (value === undefined) return {};
    const given = json(value, `data of ${field}`);
    if (!isJsonObject(given)) throw mustBe(`data of ${field}`, "an object", value);
    refuseDefect(given, `data of ${field}`);
    return given;
  }

  return {
    event(value, field, keepId) {
      if (!isFields(value)) throw mustBe(field, "an object", value);
      const timestamp = instant(value.timestamp, `timestamp of ${field}`);
      const duration = value.duration === undefined ? 0 : length(value.duration, `duration of ${field}`);
      refuseEnd(timestamp + duration, value.duration, field);
      const draft = { timestamp, duration, data: data(value.data, field) };
      const id = keepId ? value.id : null;
      return id === undefined || id === null ? draft : { ...draft, id: parseId(id, field) };
    },

    bucket(value, field) {
      if (!isFields(value)) throw mustBe(field, "an object", value);
      const { created, name } = value;
      return {
        type: parseString(value.type, `type of ${field}`),
        client: parseString(value.client, `client of ${field}`),
        hostname: parseString(value.hostname, `hostname of ${field}`),
        name: name === undefined || name === null ? null : parseString(name, `name of ${field}`),
        ...(created === undefined || created === null ? {} : { created: instant(created, `created of ${field}`) }),
        data: value.data === null ? {} : data(value.data, field),
      };
    },
  };
}

function isFields(value: unknown): value is Fields {
  return isJsonObject(value);
}

function refuseEnd(end: Micros, given: unknown, field: string): void {
  if (end >= EARLIEST && end < LATEST) return;
  throw mustBe(`duration of ${field}`, "one with which the event ends between the years 1700 and 2249", given);
}

/** @throws ActivityError `INVALID_INPUT` for an invalid event ID */
export function parseId(value: unknown, field: string): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 1) return value;
  throw mustBe(`id of ${field}`, "an integer from 1 to 2^53 - 1, or left out", value);
}

/** @throws ActivityError `INVALID_INPUT` for an invalid bucket ID */
export function parseBucketId(value: unknown): string {
  return parseString(value, "bucketId");
}

/**
 * Maximum length of a new bucket's ID, and of each string that describes a bucket, in UTF-8 bytes
 * (docs/reference/limits.md).
 */
const MAX_BUCKET_ID_BYTES = 1024;
const MAX_BUCKET_TEXT_BYTES = 4096;
/** Maximum size of a bucket's data as JSON, in UTF-8 bytes. */
const MAX_BUCKET_DATA_BYTES = 256 * 1024;

/**
 * Checks the size of a bucket's description. All buckets are in memory, and their records in each list of buckets.
 *
 * @returns the error for the first field above its limit
 */
export function findOversize(fields: Partial<BucketDraft>, bucketId = ""): ActivityError | undefined {
  const texts = (["type", "client", "hostname", "name"] as const).map((field) => {
    return checkBytes(`${field} of the bucket`, fields[field] ?? "", MAX_BUCKET_TEXT_BYTES);
  });
  return (
    checkBytes("bucketId", bucketId, MAX_BUCKET_ID_BYTES) ??
    texts.find((error) => error !== undefined) ??
    checkBytes("data of the bucket", JSON.stringify(fields.data ?? {}), MAX_BUCKET_DATA_BYTES)
  );
}

function checkBytes(field: string, text: string, mostBytes: number): ActivityError | undefined {
  // Cheap check first: no code unit takes more than three bytes.
  const bytes = text.length * 3 <= mostBytes ? 0 : encoder.encode(text).length;
  return bytes <= mostBytes ? undefined : invalid(`${field} must be at most ${mostBytes} bytes, got ${bytes}`);
}

/** @throws ActivityError `INVALID_INPUT` for an invalid ID of a new bucket */
export function parseNewBucketId(value: unknown, field: string = "bucketId"): string {
  const text = parseString(value, field);
  // No path can name it. Imports may contain one, which is available in process.
  if (text === "") throw mustBe(field, "a string with at least one character", text);
  return text;
}

/** @throws ActivityError `INVALID_INPUT` */
export function parseString(value: unknown, field: string): string {
  if (typeof value === "string") return value;
  throw mustBe(field, "a string", value);
}

/** @throws ActivityError `INVALID_INPUT` for a value that cannot be stored unchanged */
export function refuseDefect(value: JsonValue, field: string): void {
  const defect = jsonDefect(value);
  if (defect !== undefined) throw invalid(`${field} ${defect}`);
}

/** Null leaves a field unchanged. @throws ActivityError `INVALID_INPUT` for data that cannot be stored unchanged */
export function toPatch(fields: DomainOf<"BucketPatch">): BucketPatch {
  refuseDefect(fields.data ?? null, "data");
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** Maximum length of a settings key in UTF-8 bytes (docs/reference/limits.md). */
const MAX_SETTING_KEY_BYTES = 127;

const encoder: TextEncoder = new TextEncoder();

/** @throws ActivityError `INVALID_INPUT` for a key of 128 bytes or more */
export function parseSettingKey(key: string): string {
  // Cheap check first: every code unit takes at least one byte.
  if (key.length <= MAX_SETTING_KEY_BYTES && encoder.encode(key).length <= MAX_SETTING_KEY_BYTES) return key;
  throw mustBe("key", `at most ${MAX_SETTING_KEY_BYTES} bytes`, key);
}
