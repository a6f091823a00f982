import type { Bucket, BucketSummary } from "../../src/domain/bucket.js";
import type { StoredEvent } from "../../src/domain/event.js";
import type { BucketFile } from "./bucket-file.js";
import type { Directory } from "./directory.js";
import { endOfAll } from "./tail.js";

/** A bucket as it is stored. Never changed in place: a reader that holds one sees it as it was. */
export interface Shelf {
  readonly bucket: Bucket;
  /** Where its events lie. */
  readonly directory: Directory;
  /** Events in no chunk, ascending by (timestamp, id): usually the newest, and late ones for a while. */
  readonly tail: readonly StoredEvent[];
  /** Size of the tail in characters, roughly. */
  readonly tailWeight: number;
  /** What the previous heartbeat made or extended; if it exists, it is in the tail. */
  readonly partnerId: number | undefined;
  /** Where it is stored. */
  readonly file: BucketFile;
}

export function countOf({ directory, tail }: Shelf): number {
  return directory.count + tail.length;
}

export function summaryOf({ bucket, directory, tail }: Shelf): BucketSummary {
  const [chunk] = directory.entries;
  const [event] = tail;
  if (chunk === undefined && event === undefined) return { ...bucket, start: null, end: null };
  const start = Math.min(chunk?.first[0] ?? Number.POSITIVE_INFINITY, event?.timestamp ?? Number.POSITIVE_INFINITY);
  return { ...bucket, start, end: Math.max(directory.end, endOfAll(tail)) };
}
