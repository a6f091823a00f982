import type { EventDraft } from "../../domain/event.js";
import { mergeHeartbeat } from "../../domain/heartbeat.js";
import type { Micros } from "../../domain/time.js";

/** A beat with its number: the beats of a queue are counted from 1. */
export interface NumberedBeat {
  readonly n: number;
  readonly event: EventDraft;
}

/** Beats that became one event, to be sent as one heartbeat. */
export interface Group {
  event: EventDraft;
  /** Numbers of the first and the last beat in it. */
  readonly first: number;
  last: number;
  /** When the first beat was taken, in milliseconds of the clock. */
  takenAt: number;
  readonly bytes: number;
  /** It has been sent, maybe in vain: from then on it stays as it is, so that it can be recognized. */
  isFrozen: boolean;
  /** The server may have it already. */
  inDoubt: boolean;
}

/** Up to where a queue may grow. */
export interface QueueLimit {
  /** Events, after merging. */
  readonly events: number;
  /** Bytes of the waiting events, roughly. */
  readonly bytes: number;
}

/** Numbers of beats, both included. */
export type BeatRange = readonly [first: number, last: number];

/** What a record costs beside its data. */
const RECORD_BYTES = 96;
/** Events that are gone, above which their places are given back. */
const SPARE_PLACES = 1024;

const encoder = new TextEncoder();

/** Bytes that an event takes. */
export function bytesOf({ data }: EventDraft): number {
  return encoder.encode(JSON.stringify(data)).length + RECORD_BYTES;
}

/**
 * The events that wait, oldest first. Each beat is merged into the newest one by the rule of the server
 * (docs/compatibility.md#heartbeats): merging before sending leads to the same events as merging afterwards.
 *
 *     [ frozen: on its way ] [ closed ] [ closed ] [ open: beats still merge into it ]
 */
export class Pending implements Iterable<Group> {
  bytes = 0;
  readonly #pulsetime: Micros;
  /** Those before `#start` are gone. They are cut off now and then, since cutting moves all others. */
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

  /** Takes a beat that was handed in at `now`. */
  take(beat: NumberedBeat, now: number): void {
    this.#add(beat, now, false);
  }

  /**
   * Takes over what an earlier run has left; all of it is in doubt. Beats that were on their way together merge as they
   * did then; those that do not were events of their own, of which the file no longer says that they are done.
   *
   * @param sent number of the last beat on its way
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

  /** Drops the oldest events above the limit, but not the one on its way and not the newest. */
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
    // The one on its way moves up to those that stay.
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
