import * as assert from "uvu/assert";
import { readDocument } from "../../src/codec/document.js";
import { wireParser } from "../../src/codec/parse.js";
import { activityEvents } from "../../src/domain/activity-event.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/domain/json.js";
import { ActivityError, type ErrorCode } from "../../src/errors.js";
import { SpoolBudget } from "../../src/service/import/spool.js";
import type { ImportedBucket } from "../../src/service/import.js";

export const encoder: TextEncoder = new TextEncoder();
export const NO_LIMIT: number = 1e9;

/** Bytes in pieces that end at the given places. */
export async function* cut(bytes: Uint8Array, ...places: readonly number[]): AsyncGenerator<Uint8Array> {
  let start = 0;
  for (const place of [...places, bytes.length]) {
    yield bytes.slice(start, place);
    start = place;
  }
}

/** A document with its events at hand. */
export interface PlainDocument {
  readonly buckets: readonly ImportedBucket[];
  readonly invalidEvents: number;
}

/** Reads a document into memory. */
export async function readPieces(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limitBytes: number = NO_LIMIT,
): Promise<PlainDocument> {
  const spool = new SpoolBudget().open(true);
  const { buckets, invalidEvents } = await readDocument(pieces, { spool, limitBytes });
  return {
    buckets: buckets.map((bucket) => ({ ...bucket, events: activityEvents(bucket.events.toArray()) })),
    invalidEvents,
  };
}

/** Reads a document that comes in pieces. */
export function read(text: string | Uint8Array, ...places: readonly number[]): Promise<PlainDocument> {
  const bytes = typeof text === "string" ? encoder.encode(text) : text;
  return readPieces(cut(bytes, ...places));
}

/** The plain way: the text as a whole, with the parser of the language. */
export function naive(text: string): PlainDocument {
  const top = JSON.parse(text) as JsonValue;
  const buckets = isJsonObject(top) ? top["buckets"] : undefined;
  if (!isJsonObject(buckets)) throw new Error("no buckets");
  let invalidEvents = 0;
  const imported = Object.entries(buckets).map(([key, value]) => {
    const draft = wireParser.bucket(value, key);
    const { id, events } = value as JsonObject;
    const drafts = ((events ?? []) as readonly JsonValue[]).flatMap((event) => {
      try {
        return wireParser.event(event, "event", false);
      } catch {
        invalidEvents++;
        return [];
      }
    });
    const ids: readonly unknown[] = [undefined, null];
    if (!ids.includes(id) && typeof id !== "string") throw new Error("id");
    if (!ids.includes(events) && !Array.isArray(events)) throw new Error("events");
    return { bucketId: (id ?? key) as string, draft, events: activityEvents(drafts) };
  });
  return { buckets: imported, invalidEvents };
}

/** Demands that a reading is refused. */
export async function refusal(reading: Promise<unknown>, what: string): Promise<ActivityError> {
  const thrown: unknown = await reading.then(
    (found) => `${what} was read as ${JSON.stringify(found)}`,
    (error: unknown) => error,
  );
  assert.ok(ActivityError.is(thrown), String(thrown));
  return thrown;
}

/** Demands that a document is refused with a message. */
export async function refuses(
  text: string | Uint8Array,
  message: RegExp,
  code: ErrorCode = "INVALID_INPUT",
): Promise<void> {
  const error = await refusal(read(text), JSON.stringify(text));
  assert.is(error.code, code, error.message);
  assert.match(error.message, message);
}

export const BUCKET: JsonObject = { type: "t", client: "c", hostname: "h" };
export const TIME: string = "2024-03-01T10:00:00Z";

/** The text of a document with one bucket. */
export function documentOf(bucket: JsonObject, id = "a"): string {
  return JSON.stringify({ buckets: Object.fromEntries([[id, { ...BUCKET, ...bucket }]]) });
}
