import type { EventBatch } from "../domain/batch.js";
import { createTimeSlice } from "../util/time-slice.js";
import type { Storage } from "./storage.js";

/** How much a storage contains. docs/explanation/durability.md#usage describes the bytes. */
export interface StorageUsage {
  /** Buckets outside the trash. */
  readonly buckets: number;
  /** Events outside the trash. */
  readonly events: number;
  /** Bytes of buckets, events and settings outside the trash. */
  readonly bytes: number;
  /** Bytes of the trash. */
  readonly trashBytes: number;
}

/** Bytes of an event besides its data. */
export const EVENT_BYTES = 32;

/** Prefix of the IDs of the trash's buckets. Stored data since 0.2 contains it. */
export const TRASH = ".trash/";

/** A count in progress. */
export type UsageCount = { -readonly [Field in keyof StorageUsage]: number };

export function emptyUsage(): UsageCount {
  return { buckets: 0, events: 0, bytes: 0, trashBytes: 0 };
}

/** Adds a bucket, which is in the trash or not. @param bytes of the bucket and its events */
export function addBucket(usage: UsageCount, bucketId: string, events: number, bytes: number): void {
  if (bucketId.startsWith(TRASH)) {
    usage.trashBytes += bytes;
    return;
  }
  usage.buckets++;
  usage.events += events;
  usage.bytes += bytes;
}

/** Counts the usage of a storage without that method: reads everything. */
export async function countUsage(storage: Storage): Promise<StorageUsage> {
  const usage = emptyUsage();
  const timeSlice = createTimeSlice();
  for (const [key, value] of await storage.settings.list()) usage.bytes += jsonBytes(key) + jsonBytes(value);
  for (const bucket of await storage.listBuckets()) {
    let bytes = jsonBytes(bucket);
    let events = 0;
    for await (const batch of (await storage.read(bucket.id)).batches) {
      events += batch.length;
      bytes += bytesOf(batch);
      await timeSlice.yield();
    }
    addBucket(usage, bucket.id, events, bytes);
  }
  return usage;
}

function bytesOf(batch: EventBatch): number {
  let bytes = 0;
  for (let index = 0; index < batch.length; index++) bytes += EVENT_BYTES + textBytes(batch.textAt(index));
  return bytes;
}

/** Bytes of a value as JSON. */
export function jsonBytes(value: unknown): number {
  return textBytes(JSON.stringify(value));
}

function textBytes(text: string): number {
  return encoder.encode(text).length;
}

const encoder: TextEncoder = new TextEncoder();
