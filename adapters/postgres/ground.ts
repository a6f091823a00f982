import type { EventDraft, StoredEvent } from "../../src/domain/event.js";
import type { Micros } from "../../src/domain/time.js";
import type { Database } from "./database.js";
import type { HeldReads } from "./held-read.js";
import type { Slots } from "./slots.js";
import type { WriteQueue } from "./write-queue.js";
import type { Writer } from "./writer.js";

/** A heartbeat in the queue. */
export interface Beat {
  readonly bucketId: string;
  readonly draft: EventDraft;
  readonly pulsetimeMicros: Micros;
}

/** State that the methods of one storage share. */
export interface Ground {
  readonly database: Database;
  readonly namespace: string;
  readonly writer: Writer;
  /** Returns `null` for a bucket that does not exist. */
  readonly queue: WriteQueue<Beat, StoredEvent | null>;
  readonly held: HeldReads;
  slots(): Promise<Slots>;
}
