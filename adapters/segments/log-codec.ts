import type { Bucket } from "../../src/domain/bucket.js";
import type { StoredEvent } from "../../src/domain/event.js";
import { type JsonObject, type JsonValue, serializeObject } from "../../src/domain/json.js";

// The lines of the log. docs/storage.md has them as a table; a change here is a change there.
//
// Each line is a JSON list that begins with its kind. All of them say what is, not what to do about it, so a line that
// is carried out twice does no harm: a snapshot is followed by the lines that it already contains.

/** No event: heartbeats are compared with the newest one. */
const NO_TARGET = 0;

/** A line of the log, read back. */
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

function rows(events: readonly StoredEvent[]): string {
  let text = "[";
  for (let index = 0; index < events.length; index++) {
    const { id, timestamp, duration, data } = events[index] as StoredEvent;
    text += `${index === 0 ? "" : ","}[${id},${timestamp},${duration},${serializeObject(data)}]`;
  }
  return `${text}]`;
}

/** Events that are in the memtable from now on, over those of their ids. */
export function putLine(bucketNo: number, targetId: number | undefined, events: readonly StoredEvent[]): string {
  return `["P",${bucketNo},${targetId ?? NO_TARGET},${rows(events)}]`;
}

/** The duration of the merge target, which it is from now on if it was not. */
export function extendLine(bucketNo: number, { id, duration }: StoredEvent): string {
  return `["E",${bucketNo},${id},${duration}]`;
}

/** The merge target alone. */
export function targetLine(bucketNo: number, targetId: number): string {
  return `["T",${bucketNo},${targetId}]`;
}

/** Events that are no longer in the memtable. */
export function deleteLine(bucketNo: number, eventIds: readonly number[]): string {
  return `["D",${bucketNo},[${eventIds.join()}]]`;
}

/** The whole memtable. */
export function memtableLine(bucketNo: number, targetId: number | undefined, events: readonly StoredEvent[]): string {
  return `["M",${bucketNo},${targetId ?? NO_TARGET},${rows(events)}]`;
}

/** The whole memtable as it is if a commit counts; otherwise the line means nothing. */
export function flushLine(
  bucketNo: number,
  commit: number,
  targetId: number | undefined,
  events: readonly StoredEvent[],
): string {
  return `["F",${bucketNo},${commit},${targetId ?? NO_TARGET},${rows(events)}]`;
}

/** From here on the log holds changes of records that a commit does not. */
export function commitLine(commit: number): string {
  return `["C",${commit}]`;
}

/** A commit counts. */
export function committedLine(commit: number): string {
  return `["L",${commit}]`;
}

/** The record of a bucket, new or changed. */
export function bucketLine(bucketNo: number, bucket: Bucket): string {
  return `["B",${bucketNo},${JSON.stringify(bucket)}]`;
}

export function deleteBucketLine(bucketNo: number): string {
  return `["X",${bucketNo}]`;
}

/** @param value `undefined` for a record that is no longer there */
export function recordLine(key: string, value: JsonValue | undefined): string {
  const text = JSON.stringify(key);
  return value === undefined ? `["R",${text}]` : `["R",${text},${JSON.stringify(value)}]`;
}

/** The counter of event ids, where it does not follow from the events. */
export function nextIdLine(nextId: number): string {
  return `["N",${nextId}]`;
}

type Row = readonly [id: number, timestamp: number, duration: number, data: JsonObject];

function eventsOf(list: unknown): StoredEvent[] {
  return (list as Row[]).map(([id, timestamp, duration, data]) => ({ id, timestamp, duration, data }));
}

/** @throws Error for a line that is none */
export function parseLine(line: string): LogLine {
  const [kind, ...fields] = JSON.parse(line) as [string, ...unknown[]];
  const [a, b, c, d] = fields as [number, number, number, unknown];
  switch (kind) {
    case "P":
      return { kind: "put", bucketNo: a, targetId: b, events: eventsOf(c) };
    case "E":
      return { kind: "extend", bucketNo: a, eventId: b, duration: c };
    case "T":
      return { kind: "target", bucketNo: a, targetId: b };
    case "D":
      return { kind: "delete", bucketNo: a, eventIds: b as unknown as number[] };
    case "M":
      return { kind: "memtable", bucketNo: a, targetId: b, events: eventsOf(c) };
    case "F":
      return { kind: "flush", bucketNo: a, commit: b, targetId: c, events: eventsOf(d) };
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

/** Whether a batch is one that a log begins with: a snapshot, sealed or not. */
export function beginsLog(text: string): boolean {
  return text.startsWith('["N",') || text.startsWith('["S",');
}
