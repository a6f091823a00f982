import type { Bucket } from "../../src/domain/bucket.js";
import type { StoredEvent } from "../../src/domain/event.js";
import { type JsonObject, type JsonValue, printObject, rememberText } from "../../src/domain/json.js";
import type { KeyRange, Operation } from "./database.js";
import { type SegmentEntry, segmentEntryFrom } from "./segment-entry.js";

// The disk format. docs/storage.md has it as a grammar with a worked example; a change here is a change there.

/** Version of the format; checked at open. */
export const FORMAT = 1;

export const FORMAT_KEY = "m!format";
export const DEVICE_KEY = "m!device";
export const NEXT_ID_KEY = "m!next";
/** There while a journal may hold what the database lacks. */
export const JOURNAL_KEY = "m!journal";
export const JOURNAL_RANGE: KeyRange = { gte: JOURNAL_KEY, lt: `${JOURNAL_KEY}\0` };

/** Numbers in keys: base 36 with a fixed width, so that their order as text is their order as numbers. */
const BUCKET_DIGITS = 7;
const SEGMENT_DIGITS = 7;
const EVENT_DIGITS = 11;

function digits(value: number, width: number): string {
  return value.toString(36).padStart(width, "0");
}

export function bucketKey(bucketNo: number): string {
  return `b!${digits(bucketNo, BUCKET_DIGITS)}`;
}

export function settingKey(key: string): string {
  // As JSON every text is valid UTF-8, lone surrogates and all.
  return `s!${JSON.stringify(key)}`;
}

export function tailKey(bucketNo: number, eventId: number): string {
  return `t!${digits(bucketNo, BUCKET_DIGITS)}!${digits(eventId, EVENT_DIGITS)}`;
}

export function entryKey(bucketNo: number, segmentNo: number): string {
  return `g!${digits(bucketNo, BUCKET_DIGITS)}!${digits(segmentNo, SEGMENT_DIGITS)}`;
}

export function segmentKey(bucketNo: number, segmentNo: number): string {
  return `d!${digits(bucketNo, BUCKET_DIGITS)}!${digits(segmentNo, SEGMENT_DIGITS)}`;
}

/** Says that a bucket is gone but its events may still be on disk. */
export function remainsKey(bucketNo: number): string {
  return `x!${digits(bucketNo, BUCKET_DIGITS)}`;
}

/** Where the events of a bucket lie. */
export function eventRanges(bucketNo: number): KeyRange[] {
  const number = digits(bucketNo, BUCKET_DIGITS);
  // The sign after "!" in ASCII is the quotation mark.
  return ["t", "g", "d"].map((kind) => ({ gte: `${kind}!${number}!`, lt: `${kind}!${number}"` }));
}

/** Everything but the segments themselves: what is read at open, the format first. */
export const STATE_RANGES: readonly [KeyRange, ...KeyRange[]] = [
  { gte: FORMAT_KEY, lt: `${FORMAT_KEY}\0` },
  { gte: "", lt: "d!" },
  { gte: 'd"', lt: FORMAT_KEY },
  { gte: `${FORMAT_KEY}\0`, lt: "\uffff" },
];

export function put(key: string, value: JsonValue): Operation {
  return { type: "put", key, value: JSON.stringify(value), valueEncoding: "utf8" };
}

export function putText(key: string, value: string): Operation {
  return { type: "put", key, value, valueEncoding: "utf8" };
}

export function putBytes(key: string, value: Uint8Array): Operation {
  return { type: "put", key, value, valueEncoding: "view" };
}

export function del(key: string): Operation {
  return { type: "del", key };
}

/** The value of an event of the tail; its id stands in the key. */
export function printTailEvent({ timestamp, duration, data }: StoredEvent): string {
  const text = printObject(data);
  // It will be printed again: when the event grows, when it is read, when it is sealed.
  rememberText(data, text);
  return `[${timestamp},${duration},${text}]`;
}

/** Up to where the database has what was journaled. */
export interface JournalMark {
  /** Tells the journal of this database from others. */
  readonly salt: number;
  /** Number of the last record that it has. */
  readonly no: number;
}

/** @returns `undefined` for what is no mark */
export function journalMarkFrom(text: string): JournalMark | undefined {
  const [salt, no] = JSON.parse(text) as unknown[];
  return typeof salt === "number" && typeof no === "number" ? { salt, no } : undefined;
}

/** A record of the database, read back. */
export type StoredRecord =
  | { readonly kind: "format"; readonly version: number }
  | { readonly kind: "device"; readonly id: string }
  | { readonly kind: "journal" }
  | { readonly kind: "nextId"; readonly id: number }
  | { readonly kind: "bucket"; readonly bucketNo: number; readonly bucket: Bucket }
  | { readonly kind: "setting"; readonly key: string; readonly value: JsonValue }
  | { readonly kind: "event"; readonly bucketNo: number; readonly event: StoredEvent; readonly weight: number }
  | { readonly kind: "segment"; readonly bucketNo: number; readonly entry: SegmentEntry }
  | { readonly kind: "remains"; readonly bucketNo: number };

/**
 * Reads a record of the state back.
 *
 * @throws Error for anything that the format does not hold
 */
export function parseRecord(key: string, text: string): StoredRecord {
  if (key.startsWith("x!")) return { kind: "remains", bucketNo: numberIn(key, 1) };
  if (key === JOURNAL_KEY) return { kind: "journal" };
  const value = JSON.parse(text) as unknown;
  if (key === FORMAT_KEY) return { kind: "format", version: (value as { format: number }).format };
  if (key === DEVICE_KEY) return { kind: "device", id: String(value) };
  if (key === NEXT_ID_KEY) return { kind: "nextId", id: Number(value) };
  if (key.startsWith("s!")) return { kind: "setting", key: JSON.parse(key.slice(2)), value: value as JsonValue };
  if (key.startsWith("b!")) return { kind: "bucket", bucketNo: numberIn(key, 1), bucket: value as Bucket };
  if (key.startsWith("g!")) {
    return { kind: "segment", bucketNo: numberIn(key, 1), entry: segmentEntryFrom(numberIn(key, 2), value) };
  }
  if (!key.startsWith("t!")) throw new Error(`unknown key ${JSON.stringify(key)}`);
  const [timestamp, duration, data] = value as [number, number, JsonObject];
  const event = { id: numberIn(key, 2), timestamp, duration, data };
  return { kind: "event", bucketNo: numberIn(key, 1), event, weight: text.length };
}

function numberIn(key: string, part: number): number {
  const number = Number.parseInt(key.split("!")[part] ?? "", 36);
  if (Number.isNaN(number)) throw new Error(`key ${JSON.stringify(key)} has no number`);
  return number;
}
