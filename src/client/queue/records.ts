// The lines of a queue file. docs/guides/client-queue.md describes them.
import { isJsonObject, type JsonValue, jsonDefect } from "../../domain/json.js";
import { parseTimestamp, secondsToMicros } from "../../domain/time.js";
import { endsInTime, serializeBeat } from "./beat.js";
import type { BeatRange, NumberedBeat } from "./pending.js";

const VERSION = 1;

export interface Header {
  readonly bucketId: string;
  readonly next: number;
  /** ID of the event that the last heartbeat created or extended; 0 = unknown. */
  readonly eventId: number;
}

export function headerLine({ bucketId, next, eventId }: Header): string {
  return line({ queue: VERSION, bucket: bucketId, next, event: eventId });
}

/** A taken heartbeat. It names its bucket, so that damage to the first line cannot send it to another one. */
export function beatLine(bucketId: string, { n, event }: NumberedBeat): string {
  return line({ beat: n, bucket: bucketId, ...serializeBeat(event) });
}

/** All heartbeats up to this number are being sent, as one event. */
export function sendingLine(n: number): string {
  return line({ sending: n });
}

/** All heartbeats up to this number are done: stored by the server as `eventId`, or permanently refused. */
export function doneLine(n: number, eventId: number | undefined): string {
  return line(eventId === undefined ? { done: n } : { done: n, event: eventId });
}

export function droppedLine(range: BeatRange): string {
  return line({ dropped: range });
}

function line(record: object): string {
  return `${JSON.stringify(record)}\n`;
}

export interface Recovered {
  readonly next: number;
  readonly eventId: number;
  /** Those of the wanted bucket, in order. */
  readonly beats: readonly NumberedBeat[];
  readonly others: Others | undefined;
  /** Number of the last heartbeat that was being sent; 0 = none. */
  readonly sent: number;
  /** Why the file is damaged, or `undefined`. */
  readonly damage: string | undefined;
}

export interface Others {
  readonly bucketId: string;
  readonly count: number;
}

export const NOTHING: Recovered = {
  ...{ next: 1, eventId: 0, sent: 0 },
  ...{ beats: [], others: undefined, damage: undefined },
};

const NEWLINE = 10;
/** Maximum number of heartbeats: far from where numbers lose precision. */
const MAX_BEATS = 2 ** 50;

/**
 * Reads the readable part of a file. An incomplete last line comes from a killed process: it was never acknowledged,
 * and is ignored.
 *
 * @param bucketId whose heartbeats are wanted
 */
export function recover(bytes: Uint8Array, bucketId: string): Recovered {
  const reading = new Reading(bucketId);
  let from = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, from)) {
    reading.take(bytes.subarray(from, at));
    from = at + 1;
  }
  return reading.result();
}

/** Throws for invalid UTF-8, which must not become other characters. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

class Reading {
  readonly #bucketId: string;
  #header: Header | undefined;
  readonly #beats: (NumberedBeat & { readonly bucketId: string })[] = [];
  readonly #dropped: BeatRange[] = [];
  #newest = 0;
  #sent = 0;
  #done = 0;
  #eventId = 0;
  #lines = 0;
  #unreadable = 0;

  constructor(bucketId: string) {
    this.#bucketId = bucketId;
  }

  take(bytes: Uint8Array): void {
    this.#lines++;
    if (!this.#read(bytes)) this.#unreadable++;
  }

  #read(bytes: Uint8Array): boolean {
    let record: JsonValue;
    try {
      record = JSON.parse(decoder.decode(bytes));
    } catch {
      return false;
    }
    if (!isJsonObject(record)) return false;
    if ("queue" in record) return this.#readHeader(record);
    if ("beat" in record) return this.#readBeat(record);
    if ("done" in record) return this.#readDone(record);
    if ("dropped" in record) return this.#readDropped(record["dropped"]);
    const { sending } = record;
    if (!isNumber(sending)) return false;
    this.#sent = sending;
    return true;
  }

  #readHeader({ queue, bucket, next, event }: Readonly<Record<string, JsonValue>>): boolean {
    const isFirst = this.#lines === 1;
    if (!isFirst || queue !== VERSION || typeof bucket !== "string" || !isNumber(next) || !isCount(event)) return false;
    this.#header = { bucketId: bucket, next, eventId: event };
    this.#eventId = event;
    return true;
  }

  #readBeat({ beat, timestamp, duration, data, ...rest }: Readonly<Record<string, JsonValue>>): boolean {
    const { bucket = this.#header?.bucketId } = rest;
    if (!isNumber(beat) || beat <= this.#newest || typeof bucket !== "string") return false;
    const micros = typeof timestamp === "string" ? parseTimestamp(timestamp) : undefined;
    if (micros === undefined || typeof duration !== "number" || !(duration >= 0)) return false;
    if (data === undefined || !isJsonObject(data) || jsonDefect(data) !== undefined) return false;
    const event = { timestamp: micros, duration: secondsToMicros(duration), data };
    if (!endsInTime(event)) return false;
    this.#newest = beat;
    this.#beats.push({ n: beat, event, bucketId: bucket });
    return true;
  }

  #readDone({ done, event = this.#eventId }: Readonly<Record<string, JsonValue>>): boolean {
    if (!isNumber(done) || done > this.#newest || !isCount(event)) return false;
    this.#done = Math.max(this.#done, done);
    this.#eventId = event;
    return true;
  }

  #readDropped(range: JsonValue | undefined): boolean {
    if (!Array.isArray(range) || range.length !== 2) return false;
    const [first, last]: readonly unknown[] = range;
    if (!isNumber(first) || !isNumber(last) || last > this.#newest) return false;
    this.#dropped.push([first, last]);
    return true;
  }

  result(): Recovered {
    const waiting = this.#waiting();
    const beats = waiting.filter(({ bucketId }) => bucketId === this.#bucketId);
    const other = waiting.find(({ bucketId }) => bucketId !== this.#bucketId);
    const others = other && { bucketId: other.bucketId, count: waiting.length - beats.length };
    return {
      next: Math.max(this.#header?.next ?? 1, this.#newest + 1, this.#done + 1),
      eventId: this.#eventId,
      beats,
      others,
      sent: this.#sent > this.#done ? this.#sent : 0,
      damage: this.#damage(beats.length > 0, others),
    };
  }

  /** Heartbeats that are neither done nor dropped. */
  #waiting(): (NumberedBeat & { readonly bucketId: string })[] {
    const ranges = this.#dropped.sort(([one], [other]) => one - other);
    let at = 0;
    let dropped = 0;
    return this.#beats.filter(({ n }) => {
      for (let range = ranges[at]; range !== undefined && range[0] <= n; range = ranges[++at]) {
        dropped = Math.max(dropped, range[1]);
      }
      return n > this.#done && n > dropped;
    });
  }

  #damage(hasBeats: boolean, others: Others | undefined): string | undefined {
    if (this.#unreadable > 0) return `${this.#unreadable} of its ${this.#lines} lines cannot be read`;
    if (this.#header === undefined) return "it is not a file of a heartbeat queue";
    // There is nothing to compare.
    if (!hasBeats) return undefined;
    if (others !== undefined) {
      const are = others.count === 1 ? "1 of its beats is" : `${others.count} of its beats are`;
      return `${are} for the bucket '${others.bucketId}'`;
    }
    const { bucketId } = this.#header;
    return bucketId !== this.#bucketId ? `its first line names the bucket '${bucketId}'` : undefined;
  }
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function isNumber(value: unknown): value is number {
  return isCount(value) && value > 0 && value <= MAX_BEATS;
}
