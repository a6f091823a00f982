import type { EventDraft } from "../../domain/event.js";
import { mergeHeartbeat } from "../../domain/heartbeat.js";
import type { Micros } from "../../domain/time.js";

/** A heartbeat with its number, starting with 1 for each queue. */
export interface NumberedBeat {
  readonly n: number;
  readonly event: EventDraft;
}

/** Heartbeats that were merged into one event, to send as one heartbeat. */
export interface Group {
  event: EventDraft;
  readonly first: number;
  last: number;
  /** When the first heartbeat was taken, in milliseconds of the clock. */
  takenAt: number;
  readonly bytes: number;
  /** It was sent, maybe without success: it stays unchanged, so that it can be recognized. */
  isFrozen: boolean;
  /** The server may already have it. */
  inDoubt: boolean;
}

export interface QueueLimit {
  /** Events, after merging. */
  readonly events: number;
  /** Approximate bytes of the waiting events. */
  readonly bytes: number;
}

/** Numbers of heartbeats, including both ends. */
export type BeatRange = readonly [first: number, last: number];

/** Bytes of a record in addition to its data. */
const RECORD_BYTES = 96;
/** Number of removed events after which their slots are freed. */
const SPARE_PLACES = 1024;

const encoder = new TextEncoder();

export function bytesOf({ data }: EventDraft): number {
  return encoder.encode(JSON.stringify(data)).length + RECORD_BYTES;
}

/**
 * The waiting events, oldest first. Each heartbeat is merged into the newest one by the server's rule
 * (docs/reference/compatibility.md#heartbeats): merging before sending leads to the same events as merging afterwards.
 *
 *     [ frozen: being sent ] [ closed ] [ closed ] [ open: heartbeats still merge into it ]
 */
export class Pending implements Iterable<Group> {
  bytes = 0;
  readonly #pulsetime: Micros;
  /** Slots before `#start` are empty. They are only cut off from time to time, because that moves all others. */
  #groups: (Group | undefined)[] = [];
  #start = 0;

  constructor(pulsetime: Micros) {
    this.#pulsetime = pulsetime;
  }

  get size(): number {
    return this.#groups.length - this.#start;
  }

  get head(): Group | undefined {
    return this.#groups[this.#start];
  }

  *[Symbol.iterator](): Generator<Group, void, undefined> {
    for (let at = this.#start; at < this.#groups.length; at++) {
      const group = this.#groups[at];
      if (group !== undefined) yield group;
    }
  }

  /** Takes a heartbeat that was reported at `now`. */
  take(beat: NumberedBeat, now: number): void {
    this.#add(beat, now, false);
  }

  /**
   * Restores the events of an earlier run; all of them are in doubt. Heartbeats that were sent together merge as they
   * did then. Those that do not merge were separate events, whose completion the file no longer records.
   *
   * @param sent number of the last heartbeat that was being sent
   */
  restore(beats: readonly NumberedBeat[], sent: number): void {
    for (const beat of beats) this.#add(beat, Number.NEGATIVE_INFINITY, beat.n <= sent);
    for (const group of this) group.inDoubt = true;
  }

  #add({ n, event }: NumberedBeat, takenAt: number, isFrozen: boolean): void {
    const newest = this.#groups.at(-1);
    const merged = newest?.isFrozen === isFrozen ? mergeHeartbeat(newest.event, event, this.#pulsetime) : undefined;
    if (newest !== undefined && merged !== undefined) {
      newest.event = merged;
      newest.last = n;
      return;
    }
    const bytes = bytesOf(event);
    this.#groups.push({ event, first: n, last: n, takenAt, bytes, isFrozen, inDoubt: false });
    this.bytes += bytes;
  }

  removeHead(): void {
    if (this.head === undefined) return;
    this.bytes -= this.head.bytes;
    this.#skip(1);
  }

  /** Drops the oldest events above the limit, except the one being sent and the newest. */
  trim(limit: QueueLimit): { readonly count: number; readonly range: BeatRange } | undefined {
    const { head, size } = this;
    const kept = head?.isFrozen ? 1 : 0;
    let { bytes } = this;
    let count = 0;
    let first: Group | undefined;
    let last: Group | undefined;
    while (kept + count < size - 1 && (size - count > limit.events || bytes > limit.bytes)) {
      last = this.#groups[this.#start + kept + count];
      first ??= last;
      bytes -= last?.bytes ?? 0;
      count++;
    }
    if (first === undefined || last === undefined) return undefined;
    // The one being sent moves next to the remaining ones.
    if (kept === 1) this.#groups[this.#start + count] = head;
    this.#skip(count);
    this.bytes = bytes;
    return { count, range: [first.first, last.last] };
  }

  #skip(count: number): void {
    this.#groups.fill(undefined, this.#start, this.#start + count);
    this.#start += count;
    if (this.#start <= SPARE_PLACES || this.#start * 2 <= this.#groups.length) return;
    this.#groups = this.#groups.slice(this.#start);
    this.#start = 0;
  }
}
