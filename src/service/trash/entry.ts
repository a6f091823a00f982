import type { DomainOf } from "../../api/codec.js";
import type { EventBatch } from "../../domain/batch.js";
import type { Bucket } from "../../domain/bucket.js";
import type { StoredEvent } from "../../domain/event.js";
import { isJsonObject, type JsonObject, type JsonValue, serializeObject } from "../../domain/json.js";
import type { Micros } from "../../domain/time.js";
import { ActivityError, quote } from "../../errors.js";
import { BUCKET_ACCESS, type BucketAccess } from "../access/bucket-access.js";
import { parseCause } from "./reasons.js";

/** Records of this kind contain entries, by their IDs. */
export const TRASH_KIND = "trash";

/** Number, time range and approximate size of events. */
export interface Extent {
  readonly events: number;
  /** The earliest start in microseconds; `null` for no events. */
  readonly start: Micros | null;
  /** The latest end in microseconds; `null` for no events. */
  readonly end: Micros | null;
  /** Sum of the durations in microseconds; `null` if it is unknown, as for whole buckets. */
  readonly duration: Micros | null;
  /** Approximate size as JSON. */
  readonly bytes: number;
}

/** The data of one deletion in the trash. */
export type TrashEntry = DomainOf<"TrashEntry">;

/** The result of a deletion for callers. */
export interface Deleted {
  /** The trash entry that undoes the deletion; `null`: there is none, or the caller may not use it. */
  readonly entry: string | null;
}

/** The result of deleting several events. */
export interface DeletedEvents extends Deleted {
  /** Number of deleted events. */
  readonly count: number;
}

/** The deleted data of one bucket, and their place. */
export interface StoredItem extends Extent {
  readonly bucketId: string;
  /** Whether it is the whole bucket. */
  readonly isWhole: boolean;
  /** The record of the bucket at that time. */
  readonly bucket: Bucket;
  readonly access: BucketAccess;
  /**
   * The record of its private times (docs/guides/privacy.md#private-times); `null`, or missing: none, or not all of it.
   */
  readonly privateTimes?: JsonValue;
  /** Distinguishes the bucket from others with the same ID, if known; missing in entries of versions before 0.3. */
  readonly incarnation?: string | null;
  /** The bucket that contains the events; `null`: they are in this record. */
  readonly hiddenId: string | null;
  readonly inline: readonly StoredEvent[];
}

/** A stored entry. */
export interface StoredEntry {
  readonly id: string;
  readonly deleted: Micros;
  readonly reason: string;
  readonly items: readonly StoredItem[];
  /** The record that it was read from. */
  readonly record: JsonValue;
}

/** An empty extent. */
export const EMPTY_EXTENT: Extent = { events: 0, start: null, end: null, duration: 0, bytes: 0 };

/** Combines two extents. */
export function mergeExtents(a: Extent, b: Extent): Extent {
  const earlier = (x: Micros | null, y: Micros | null) => (x === null ? y : y === null ? x : Math.min(x, y));
  const later = (x: Micros | null, y: Micros | null) => (x === null ? y : y === null ? x : Math.max(x, y));
  return {
    events: a.events + b.events,
    start: earlier(a.start, b.start),
    end: later(a.end, b.end),
    duration: a.duration === null || b.duration === null ? null : a.duration + b.duration,
    bytes: a.bytes + b.bytes,
  };
}

/** Bytes of an event in addition to its data, as JSON. */
const FRAME_BYTES = 80;

/** Computes the extent of rows in a batch. */
export function measureExtent(batch: EventBatch, rows: Iterable<number>): Extent {
  let [events, start, end, duration, bytes] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0];
  for (const row of rows) {
    events++;
    start = Math.min(start, batch.timestamps[row] as number);
    end = Math.max(end, batch.endAt(row));
    duration += batch.durations[row] as number;
    bytes += FRAME_BYTES + batch.textAt(row).length;
  }
  return events === 0 ? EMPTY_EXTENT : { events, start, end, duration, bytes };
}

/** The extent of a whole bucket. @param sample a few of its events, to estimate its size */
export function estimateBucketExtent(
  events: number,
  sample: readonly StoredEvent[],
  { start, end }: Pick<Extent, "start" | "end">,
): Extent {
  if (events === 0 || sample.length === 0) return EMPTY_EXTENT;
  const sampled = sample.reduce((sum, { data }) => sum + FRAME_BYTES + serializeObject(data).length, 0);
  return { events, start, end, duration: null, bytes: Math.round((sampled / sample.length) * events) };
}

/** The entry for callers. @param lengthMicros how long entries are kept */
export function toTrashEntry({ id, deleted, reason, items }: StoredEntry, lengthMicros: Micros): TrashEntry {
  const buckets = items.map(({ bucketId, isWhole, events, start, end, duration, bytes }) => {
    return { bucketId, whole: isWhole, events, start, end, duration, bytes };
  });
  const extent = buckets.reduce<Extent>((sum, each) => mergeExtents(sum, each), EMPTY_EXTENT);
  const kind = items.every(({ isWhole }) => isWhole) ? "bucket" : "events";
  return { id, kind, deleted, expires: deleted + lengthMicros, reason, ...parseCause(reason), buckets, ...extent };
}

/** The record of an entry. */
export function serializeEntry({ deleted, reason, items }: Omit<StoredEntry, "record" | "id">): JsonObject {
  const kept = items.map((item) => ({
    ...item,
    bucket: { ...item.bucket },
    // As a string: data may be nested as deeply as JSON allows.
    inline: item.inline.map(({ id, timestamp, duration, data }) => [id, timestamp, duration, serializeObject(data)]),
  }));
  return { deleted, reason, items: kept };
}

/** Parses a record; `undefined` for one of another version. */
export function parseEntry(id: string, record: JsonValue): StoredEntry | undefined {
  if (!isJsonObject(record) || typeof record.deleted !== "number" || !Array.isArray(record.items)) return undefined;
  const items = (record.items as readonly JsonValue[]).map(parseItem);
  if (!items.every((item) => item !== undefined)) return undefined;
  return { id, deleted: record.deleted, reason: String(record.reason), items, record };
}

function parseItem(value: JsonValue): StoredItem | undefined {
  if (!isJsonObject(value) || !isJsonObject(value.bucket) || !Array.isArray(value.inline)) return undefined;
  const inline = (value.inline as readonly (readonly [number, number, number, string])[]).map(
    ([id, timestamp, duration, text]) => ({ id, timestamp, duration, data: JSON.parse(text) as JsonObject }),
  );
  const access = BUCKET_ACCESS.find((known) => known === value.access) ?? "open";
  return { ...(value as unknown as StoredItem), access, inline };
}

/** The error for an unknown trash entry. */
export function noSuchEntry(id: string): ActivityError {
  const reason = "if it had one, it was restored already, deleted, or has expired";
  return new ActivityError("NO_SUCH_ENTRY", `the trash has no entry ${quote(id)}; ${reason}`);
}

/** The result of a deletion for callers. @param deletion `undefined`: skipped the trash */
export function toDeleted(deletion: { readonly entry: TrashEntry | undefined } | undefined): Deleted {
  return { entry: deletion?.entry?.id ?? null };
}
