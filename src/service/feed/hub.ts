import type { StoredEvent } from "../../domain/event.js";
import type { CacheMemory, CacheShare } from "../../util/memory-budget.js";
import { randomSecret } from "../../util/random-secret.js";
import { FeedBatches } from "./batches.js";
import { type FeedChange, type FeedPairing, serializeChange } from "./message.js";
import { FeedReader, type ReaderOptions } from "./reader.js";
import { FeedRing } from "./ring.js";
import type { FeedTimes } from "./times.js";

/** Within this time, the extensions of an event become one message, in milliseconds. */
export const COALESCING_MILLIS = 1000;
/** How often readers get something, even if nothing changes. */
export const KEEP_ALIVE_MILLIS = 15_000;
/** Larger writes become one message without events. */
const MAX_EVENTS = 1000;
const MAX_IDS = 100;
/** How long after a write of another node the order of its writes and ours is unknown, in milliseconds. */
const SHARED_MILLIS = 60_000;
/** Maximum bytes of kept changes. */
const RING_BYTES = 32 * 1024 * 1024;
/** Pauses between two deliveries: longer with more readers, because each delivery is a packet to each of them. */
const SHORTEST_PAUSE_MILLIS = 20;
const LONGEST_PAUSE_MILLIS = 500;

/** The last message about a bucket's events that a next one may be combined with. */
interface Recent {
  /** `undefined`: the bucket has changed. */
  readonly eventId: number | undefined;
  /** The combined message, to be sent later. */
  held: FeedChange | undefined;
  readonly at: number;
}

/** Keeps the last changes for readers. All of them read the same entries. */
export class FeedHub {
  readonly ring: FeedRing;
  readonly batches: FeedBatches;
  readonly #times: FeedTimes;
  readonly #limitBytes: number;
  readonly #readers: Set<FeedReader> = new Set();
  /** By bucket, the oldest first. */
  readonly #recent: Map<string, Recent> = new Map();
  /** Buckets that other nodes write to, and until when that counts. */
  readonly #shared: Map<string, number> = new Map();
  #epoch: string = newEpoch();
  #stopFlushing: (() => void) | undefined;
  #stopWaking: (() => void) | undefined;
  #stopKeepingAlive: (() => void) | undefined;
  #wokenAt = Number.NEGATIVE_INFINITY;

  constructor(times: FeedTimes, budget: CacheMemory | undefined) {
    this.#times = times;
    const share: CacheShare | undefined = budget?.share("feed", () => this.ring.dropOldest(), RING_BYTES);
    this.#limitBytes = share?.limitBytes ?? RING_BYTES;
    this.ring = new FeedRing(this.#limitBytes, share);
    this.batches = new FeedBatches(this.ring);
  }

  /** Identifies the numbers of the ring. */
  get epoch(): string {
    return this.#epoch;
  }

  get readers(): number {
    return this.#readers.size;
  }

  addReader(options: ReaderOptions, onEnd: () => void): FeedReader {
    const reader = new FeedReader(this, options, () => {
      this.#readers.delete(reader);
      onEnd();
    });
    this.#readers.add(reader);
    this.#stopKeepingAlive ??= this.#times.after(KEEP_ALIVE_MILLIS, () => this.#keepAlive());
    return reader;
  }

  /**
   * Another node writes to a bucket. For a while, messages about our own writes have no events: one that arrives later
   * may be about an earlier write.
   */
  share(bucket: string): void {
    this.#shared.set(bucket, this.#times.now() + SHARED_MILLIS);
  }

  /** A heartbeat created or extended an event. */
  heartbeat(bucket: string, event: StoredEvent, isNew: boolean): void {
    if (this.#isShared(bucket)) {
      this.changed(bucket);
      return;
    }
    const recent = this.#recent.get(bucket);
    if (recent?.eventId === event.id) {
      recent.held = { type: "events", action: "extended", bucket, event };
      return;
    }
    this.#flush(bucket);
    this.#add({ type: "events", action: isNew ? "inserted" : "extended", bucket, event });
    this.#remember(bucket, event.id);
  }

  stored(
    bucket: string,
    events: readonly StoredEvent[],
    actionOf: (event: StoredEvent) => "inserted" | "replaced",
  ): void {
    if (events.length === 0) return;
    if (events.length > MAX_EVENTS || this.#isShared(bucket)) {
      this.changed(bucket);
      return;
    }
    this.#flush(bucket);
    for (const event of events) this.#add({ type: "events", action: actionOf(event), bucket, event });
  }

  deleted(bucket: string, ids: readonly number[]): void {
    this.#flush(bucket);
    const isUnfit = ids.length > MAX_IDS || this.#isShared(bucket);
    if (isUnfit || !this.ring.outdate(bucket, ids)) this.changed(bucket);
    else this.#add({ type: "events", action: "deleted", bucket, ids });
  }

  /** The events of a bucket have changed in a way that a reader must read again. */
  changed(bucket: string): void {
    this.ring.outdate(bucket);
    const recent = this.#recent.get(bucket);
    const change: FeedChange = { type: "events", action: "changed", bucket };
    if (recent !== undefined && recent.eventId === undefined) {
      recent.held = change;
      return;
    }
    this.#recent.delete(bucket);
    this.#add(change);
    this.#remember(bucket, undefined);
  }

  bucket(action: "created" | "updated", bucket: string): void {
    this.#flush(bucket);
    this.#add({ type: "bucket", action, bucket });
  }

  bucketDeleted(bucket: string): void {
    this.#forget(bucket);
    this.#add({ type: "bucket", action: "deleted", bucket });
  }

  /** The events of a bucket belong to another one. A message about them follows. */
  bucketMoved(action: "renamed" | "merged", from: string, bucket: string): void {
    this.#forget(from);
    this.#add({ type: "bucket", action, bucket, from });
    this.changed(bucket);
  }

  setting(key: string): void {
    this.#add({ type: "setting", key });
  }

  pairing(action: FeedPairing["action"], code: string): void {
    this.#add({ type: "pairing", action, code });
  }

  /** Starts again with no changes: all readers must read again what they need. */
  reset(): void {
    this.#epoch = newEpoch();
    this.#recent.clear();
    this.#shared.clear();
    this.ring.clear();
    this.batches.clear();
    this.#scheduleWake();
  }

  /** Ends all readers: the server stops. */
  close(): void {
    for (const reader of [...this.#readers]) reader.endByServer();
    this.stop();
  }

  /** Frees everything, until the next change. */
  stop(): void {
    this.reset();
    for (const stop of [this.#stopFlushing, this.#stopWaking, this.#stopKeepingAlive]) stop?.();
    this.#stopFlushing = undefined;
    this.#stopWaking = undefined;
    this.#stopKeepingAlive = undefined;
  }

  #isShared(bucket: string): boolean {
    // Usually empty: this runs for every heartbeat.
    if (this.#shared.size === 0) return false;
    const until = this.#shared.get(bucket) ?? 0;
    if (until > this.#times.now()) return true;
    this.#shared.delete(bucket);
    return false;
  }

  #add(change: FeedChange): void {
    const json = serializeChange(change);
    // One that would fill the ring tells the reader to read it.
    if ("event" in change && json.length > this.#limitBytes / 10) {
      this.changed(change.bucket);
      return;
    }
    this.ring.add(change, json, this.#times.now());
    this.#scheduleWake();
  }

  /** Forgets what is known of a bucket that has gone. */
  #forget(bucket: string): void {
    this.#recent.delete(bucket);
    this.ring.outdate(bucket);
  }

  #remember(bucket: string, eventId: number | undefined): void {
    this.#recent.set(bucket, { eventId, held: undefined, at: this.#times.now() });
    this.#scheduleFlush();
  }

  #scheduleFlush(): void {
    const [oldest] = this.#recent.values();
    if (oldest === undefined) return;
    const wait = Math.max(0, oldest.at + COALESCING_MILLIS - this.#times.now());
    this.#stopFlushing ??= this.#times.after(wait, () => this.#flushDue());
  }

  /** Sends the held message of a bucket, so that its messages keep their order. */
  #flush(bucket: string): void {
    const held = this.#recent.get(bucket)?.held;
    this.#recent.delete(bucket);
    if (held !== undefined) this.#add(held);
  }

  #flushDue(): void {
    const until = this.#times.now() - COALESCING_MILLIS;
    const due = Array.from(this.#recent).filter(([, { at }]) => at <= until);
    for (const [bucket, { eventId, held, at }] of due) {
      this.#flush(bucket);
      if (held !== undefined) this.#recent.set(bucket, { eventId, held: undefined, at: at + COALESCING_MILLIS });
    }
    this.#stopFlushing = undefined;
    this.#scheduleFlush();
  }

  #scheduleWake(): void {
    if (this.#stopWaking !== undefined || this.#readers.size === 0) return;
    const pause = Math.min(LONGEST_PAUSE_MILLIS, SHORTEST_PAUSE_MILLIS + this.#readers.size);
    const wait = Math.max(0, this.#wokenAt + pause - this.#times.now());
    this.#stopWaking = this.#times.soon(wait, () => {
      this.#stopWaking = undefined;
      this.#wokenAt = this.#times.now();
      for (const reader of this.#readers) reader.wake();
    });
  }

  #keepAlive(): void {
    this.#stopKeepingAlive = undefined;
    this.ring.dropOld(this.#times.now());
    for (const reader of this.#readers) reader.keepAlive();
    if (this.#readers.size > 0) {
      this.#stopKeepingAlive = this.#times.after(KEEP_ALIVE_MILLIS, () => this.#keepAlive());
    }
  }
}

function newEpoch(): string {
  return randomSecret().replace(/[-_]/g, "").slice(0, 10);
}
