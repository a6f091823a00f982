import type { Bucket } from "../../src/domain/bucket.js";
import type { StoredEvent } from "../../src/domain/event.js";
import { type JsonObject, type JsonValue, serializeObject } from "../../src/domain/json.js";

// Lines of the log. docs/reference/format-leveldb.md describes them as a table; change both together.
//
// Each line is a JSON list that starts with its kind. Lines describe states rather than operations, so that applying
// one twice is harmless: a snapshot may be followed by lines that it already contains.

/** No merge target: heartbeats are compared with the newest event. */
const NO_TARGET = 0;

/** A parsed line of the log. */
export type LogLine =
  | { readonly kind: "put"; readonly bucketNo: number; readonly targetId: number; readonly events: StoredEvent[] }
  | { readonly kind: "extend"; readonly bucketNo: number; readonly eventId: number; readonly duration: number }
  | { readonly kind: "target"; readonly bucketNo: number; readonly targetId: number }
  | { readonly kind: "delete"; readonly bucketNo: number; readonly eventIds: readonly number[] }
  | { readonly kind: "memtable"; readonly bucketNo: number; readonly targetId: number; readonly events: StoredEvent[] }
  | {
      readonly kind: "flush";
      readonly bucketNo: number;
      readonly commit: number;
      readonly targetId: number;
      readonly events: StoredEvent[];
    }
  | { readonly kind: "commit"; readonly commit: number }
  | { readonly kind: "committed"; readonly commit: number }
  | { readonly kind: "bucket"; readonly bucketNo: number; readonly bucket: Bucket }
  | { readonly kind: "deleteBucket"; readonly bucketNo: number }
  | { readonly kind: "record"; readonly key: string; readonly value: JsonValue | undefined }
  | { readonly kind: "nextId"; readonly nextId: number };

function serializeRow({ id, timestamp, duration, data }: StoredEvent): string {
  return `[${id},${timestamp},${duration},${serializeObject(data)}]`;
}

/** Joins many rows here, in the time slice of their memtable. V8 would join what is appended with `+` at the end. */
function serializeRows(events: readonly StoredEvent[]): string {
  const [first] = events;
  if (events.length === 1 && first !== undefined) return `[${serializeRow(first)}]`;
  return `[${events.map(serializeRow).join()}]`;
}

/** Events that are now in the memtable, replacing those with the same IDs. */
export function putLine(bucketNo: number, targetId: number | undefined, events: readonly StoredEvent[]): string {
  return `["P",${bucketNo},${targetId ?? NO_TARGET},${serializeRows(events)}]`;
}

/** The duration of an event, which is now the merge target. */
export function extendLine(bucketNo: number, { id, duration }: StoredEvent): string {
  return `["E",${bucketNo},${id},${duration}]`;
}

/** The merge target only. */
export function targetLine(bucketNo: number, targetId: number): string {
  return `["T",${bucketNo},${targetId}]`;
}

/** Events that are no longer in the memtable. */
export function deleteLine(bucketNo: number, eventIds: readonly number[]): string {
  return `["D",${bucketNo},[${eventIds.join()}]]`;
}

/** The complete memtable. */
export function memtableLine(bucketNo: number, targetId: number | undefined, events: readonly StoredEvent[]): string {
  return `["M",${bucketNo},${targetId ?? NO_TARGET},${serializeRows(events)}]`;
}

/** The complete memtable after a commit. Ignored if the commit failed. */
export function flushLine(
  bucketNo: number,
  commit: number,
  targetId: number | undefined,
  events: readonly StoredEvent[],
): string {
  return `["F",${bucketNo},${commit},${targetId ?? NO_TARGET},${serializeRows(events)}]`;
}

/** The log contains changes of records after this that the commit does not contain. */
export function commitLine(commit: number): string {
  return `["C",${commit}]`;
}

/** A successful commit. */
export function committedLine(commit: number): string {
  return `["L",${commit}]`;
}

/** The new or changed record of a bucket. */
export function bucketLine(bucketNo: number, bucket: Bucket): string {
  return `["B",${bucketNo},${JSON.stringify(bucket)}]`;
}

export function deleteBucketLine(bucketNo: number): string {
  return `["X",${bucketNo}]`;
}

/** @param value `undefined` for a deleted record */
export function recordLine(key: string, value: JsonValue | undefined): string {
  const text = JSON.stringify(key);
  return value === undefined ? `["R",${text}]` : `["R",${text},${JSON.stringify(value)}]`;
}

/** The counter of event IDs, if it does not follow from the events. */
export function nextIdLine(nextId: number): string {
  return `["N",${nextId}]`;
}

type Row = readonly [id: number, timestamp: number, duration: number, data: JsonObject];

function parseRows(list: unknown): StoredEvent[] {
  return (list as Row[]).map(([id, timestamp, duration, data]) => ({ id, timestamp, duration, data }));
}

/** @throws Error for an invalid line */
export function parseLine(line: string): LogLine {
  const [kind, ...fields] = JSON.parse(line) as [string, ...unknown[]];
  const [a, b, c, d] = fields as [number, number, number, unknown];
  switch (kind) {
    case "P":
      return { kind: "put", bucketNo: a, targetId: b, events: parseRows(c) };
    case "E":
      return { kind: "extend", bucketNo: a, eventId: b, duration: c };
    case "T":
      return { kind: "target", bucketNo: a, targetId: b };
    case "D":
      return { kind: "delete", bucketNo: a, eventIds: b as unknown as number[] };
    case "M":
      return { kind: "memtable", bucketNo: a, targetId: b, events: parseRows(c) };
    case "F":
      return { kind: "flush", bucketNo: a, commit: b, targetId: c, events: parseRows(d) };
    case "C":
      return { kind: "commit", commit: a };
    case "L":
      return { kind: "committed", commit: a };
    case "B":
      return { kind: "bucket", bucketNo: a, bucket: b as unknown as Bucket };
    case "X":
      return { kind: "deleteBucket", bucketNo: a };
    case "R":
      return { kind: "record", key: a as unknown as string, value: b as unknown as JsonValue | undefined };
    case "N":
      return { kind: "nextId", nextId: a };
    default:
      throw new Error(`unknown line ${JSON.stringify(line.slice(0, 40))} in the log`);
  }
}

/** Whether a batch starts a log: a snapshot, encrypted or not. */
export function startsLog(text: string): boolean {
  return text.startsWith('["N",') || text.startsWith('["S",');
}
