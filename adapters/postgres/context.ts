import type { EventDraft, StoredEvent } from "../../src/domain/event.js";
import type { Micros } from "../../src/domain/time.js";
import type { Database } from "./database.js";
import type { LongReads } from "./long-read.js";
import type { LongReadSlots } from "./long-read-slots.js";
import type { WriteQueue } from "./write-queue.js";
import type { Writer } from "./writer.js";

/** A heartbeat in the queue. */
export interface QueuedHeartbeat {
  readonly bucketId: string;
  readonly draft: EventDraft;
  readonly pulsetimeMicros: Micros;
}

/** State that the methods of one storage share. */
export interface StorageContext {
  readonly database: Database;
  readonly namespace: string;
  readonly writer: Writer;
  /** Returns `null` for a bucket that does not exist. */
  readonly queue: WriteQueue<QueuedHeartbeat, StoredEvent | null>;
  readonly longReads: LongReads;
  slots(): Promise<LongReadSlots>;
}
