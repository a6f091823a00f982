// Values in PostgreSQL: exact strings, their hashes, and readable copies.
import { createHash } from "node:crypto";
import type { Bucket } from "../../src/domain/bucket.js";
import type { EventDraft } from "../../src/domain/event.js";
import { type JsonObject, type JsonValue, serializeObject } from "../../src/domain/json.js";
import { jsonKey } from "../../src/domain/json-key.js";

/** Longer JSON strings have no readable copy: jsonb has its own limits. */
const READABLE_LENGTH = 32 * 1024 * 1024;
/** Times after every event. Differences to them still fit. */
const AFTER_ALL_EVENTS = 4e18;

/** The 128-bit hash of a string, as a `uuid`. It differs for strings that differ in one code unit. */
export function hashOf(text: string): string {
  // UTF-8 would map all lone surrogates to one character.
  return createHash("sha256").update(text, "utf16le").digest("hex").slice(0, 32);
}

/** The hash of a JSON value. Equal values have equal hashes, whatever the order of keys. */
export function jsonHash(value: JsonValue): string {
  return hashOf(jsonKey(value));
}

/** A string that PostgreSQL can store: U+FFFD replaces NUL and lone surrogates. */
export function toStorable(text: string): string {
  return text.replaceAll("\0", "\ufffd").toWellFormed();
}

/** Escapes of a JSON string; the group is the second half of a pair. */
const ESCAPES = /\\(?:u0000|ud[89ab][0-9a-f]{2}(\\ud[c-f][0-9a-f]{2})?|ud[c-f][0-9a-f]{2}|.)/gi;
const HALF_OR_NUL = /^\\u(?:0000|d[89a-f]..)$/i;

/** The source of the `jsonb` copy of an exact JSON string: `null` = the string itself, an empty string = no copy. */
export function readableCopy(text: string): string | null {
  if (text.length > READABLE_LENGTH) return "";
  if (!text.includes("\\u")) return null;
  return text.replace(ESCAPES, (found) => (HALF_OR_NUL.test(found) ? "\\ufffd" : found));
}

/** A whole number as a `bigint`. Infinite times become times after every event. */
export function toBigint(value: number): string {
  return String(Math.max(-AFTER_ALL_EVENTS, Math.min(AFTER_ALL_EVENTS, Math.floor(value))));
}

/** Drafts as arrays, one for each column. */
export interface DraftColumns {
  readonly ids: (string | null)[];
  readonly starts: string[];
  readonly durations: string[];
  readonly hashes: string[];
  readonly texts: string[];
  readonly shown: (string | null)[];
}

export function encodeDrafts(drafts: readonly EventDraft[]): DraftColumns {
  const forms = new Map<JsonObject, EncodedData>();
  const datas = drafts.map(({ data }) => {
    const form = forms.get(data) ?? encodeData(data);
    forms.set(data, form);
    return form;
  });
  return {
    ids: drafts.map(({ id }) => (id === undefined ? null : String(id))),
    starts: drafts.map(({ timestamp }) => toBigint(timestamp)),
    durations: drafts.map(({ duration }) => toBigint(duration)),
    hashes: datas.map(({ hash }) => hash),
    texts: datas.map(({ text }) => text),
    shown: datas.map(({ shown }) => shown),
  };
}

/** The data of an event. */
export interface EncodedData {
  readonly hash: string;
  readonly text: string;
  readonly shown: string | null;
}

export function encodeData(data: JsonObject): EncodedData {
  const text = serializeObject(data);
  return { hash: jsonHash(data), text, shown: readableCopy(text) };
}

/** A bucket as arguments: exact record, readable fields, readable data. */
export function encodeBucket(bucket: Bucket): {
  readonly exact: string;
  readonly fields: (string | null)[];
  data: string;
} {
  const { id, ...fields } = bucket;
  const { type, client, hostname, name } = fields;
  const data = serializeObject(bucket.data);
  return {
    // The ID comes first: the database reads it from there.
    exact: JSON.stringify({ id, ...fields }),
    fields: [id, type, client, hostname, name].map((text) => (text === null ? null : toStorable(text))),
    data: readableCopy(data) ?? data,
  };
}

/** Parses the exact record of a bucket. */
export function parseBucket(exact: string): Bucket {
  return JSON.parse(exact) as Bucket;
}
