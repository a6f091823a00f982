// Values as PostgreSQL keeps them: exact texts, their hashes, and what people read beside them.
import { createHash } from "node:crypto";
import type { Bucket } from "../../src/domain/bucket.js";
import type { EventDraft } from "../../src/domain/event.js";
import { type JsonObject, type JsonValue, serializeObject } from "../../src/domain/json.js";
import { jsonKey } from "../../src/domain/json-key.js";

/** JSON texts beyond this length have no readable form beside them: jsonb has limits of its own. */
const READABLE_LENGTH = 32 * 1024 * 1024;
/** Times beyond every event; differences to them still fit. */
const FOREVER = 4e18;

/** 128 bits for a text, as a `uuid`. Different for texts that differ in one code unit. */
export function hashOf(text: string): string {
  // UTF-8 would make all lone surrogates one.
  return createHash("sha256").update(text, "utf16le").digest("hex").slice(0, 32);
}

/** The same for JSON values that are equal, whatever the order of keys. */
export function jsonHash(value: JsonValue): string {
  return hashOf(jsonKey(value));
}

/** A text that PostgreSQL can hold: U+FFFD for NUL and lone surrogates. */
export function readable(text: string): string {
  return text.replaceAll("\0", "\ufffd").toWellFormed();
}

/** Escapes of a JSON text; the group is the second half of a pair. */
const ESCAPES = /\\(?:u0000|ud[89ab][0-9a-f]{2}(\\ud[c-f][0-9a-f]{2})?|ud[c-f][0-9a-f]{2}|.)/gi;
const HALF_OR_NUL = /^\\u(?:0000|d[89a-f]..)$/i;

/** What `jsonb` is made of beside an exact JSON text: `null` = the text itself, an empty text = nothing. */
export function readableJson(text: string): string | null {
  if (text.length > READABLE_LENGTH) return "";
  if (!text.includes("\\u")) return null;
  return text.replace(ESCAPES, (found) => (HALF_OR_NUL.test(found) ? "\\ufffd" : found));
}

/** A whole number as a `bigint`; times without end as times beyond every event. */
export function micros(value: number): string {
  return String(Math.max(-FOREVER, Math.min(FOREVER, Math.floor(value))));
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

export function columnsOf(drafts: readonly EventDraft[]): DraftColumns {
  const forms = new Map<JsonObject, DataForm>();
  const datas = drafts.map(({ data }) => {
    const form = forms.get(data) ?? dataForm(data);
    forms.set(data, form);
    return form;
  });
  return {
    ids: drafts.map(({ id }) => (id === undefined ? null : String(id))),
    starts: drafts.map(({ timestamp }) => micros(timestamp)),
    durations: drafts.map(({ duration }) => micros(duration)),
    hashes: datas.map(({ hash }) => hash),
    texts: datas.map(({ text }) => text),
    shown: datas.map(({ shown }) => shown),
  };
}

/** Data of an event. */
export interface DataForm {
  readonly hash: string;
  readonly text: string;
  readonly shown: string | null;
}

export function dataForm(data: JsonObject): DataForm {
  const text = serializeObject(data);
  return { hash: jsonHash(data), text, shown: readableJson(text) };
}

/** A bucket as arguments: exact record, readable fields, readable data. */
export function recordForm(bucket: Bucket): {
  readonly exact: string;
  readonly fields: (string | null)[];
  data: string;
} {
  const { id, ...fields } = bucket;
  const { type, client, hostname, name } = fields;
  const data = serializeObject(bucket.data);
  return {
    // The id first: the database reads it from there.
    exact: JSON.stringify({ id, ...fields }),
    fields: [id, type, client, hostname, name].map((text) => (text === null ? null : readable(text))),
    data: readableJson(data) ?? data,
  };
}

/** A bucket out of its exact record. */
export function bucketOf(exact: string): Bucket {
  return JSON.parse(exact) as Bucket;
}
