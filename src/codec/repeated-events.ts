import { EventBatch } from "../domain/batch.js";
import type { EventDraft } from "../domain/event.js";
import { rememberBatch } from "../domain/list-batch.js";
import { EARLIEST, LATEST, MICROS_PER_SECOND, type Micros, parseTimestamp, secondsToMicros } from "../domain/time.js";
import { BACKSLASH, CLOSE_LIST, CLOSE_OBJECT, COMMA, OPEN_LIST, OPEN_OBJECT, QUOTE } from "./json-characters.js";
import { findListStart } from "./json-slices.js";
import { parseRepeatedData } from "./repeated-data.js";

/** Number of events that shows whether data repeat, and the maximum of distinct data among them. */
const SAMPLE = 128;
const MAX_DISTINCT = 80;
/** Maximum number of data with the same hash that are compared: a client chooses them. */
const MAX_COMPARED = 4;

const [TIMESTAMP, DURATION, DATA, ID, NULL] = ['"timestamp"', '"duration"', '"data"', '"id"', "null"].map((text) =>
  Array.from(text, (character) => character.charCodeAt(0)),
) as [number[], number[], number[], number[], number[]];
const [PLUS, MINUS, DOT, ZERO, COLON, T, Z] = [43, 45, 46, 48, 58, 84, 90];

/**
 * Parses a JSON list of events whose data repeat, for rows `bulk/*` of the bench. Reads timestamps and durations from
 * the bytes, and parses equal data once. Events with equal data share one object. If the data have the stored form, the
 * list's batch is remembered.
 *
 * @returns `undefined` if the list has another form, is invalid, or its data do not repeat: then parse each value
 */
export function parseRepeatedEvents(bytes: Uint8Array): EventDraft[] | undefined {
  const start = findListStart(bytes);
  return start === undefined ? undefined : new Scanner(bytes, start).list();
}

/** Data whose bytes are known. */
interface Known {
  readonly from: number;
  readonly to: number;
  /** Its place among the distinct data. */
  readonly ref: number;
  readonly next: Known | undefined;
}

/** Reads the parts of a list, one after the other. Each method returns `undefined` for another form. */
class Scanner {
  readonly #bytes: Uint8Array;
  #at: number;
  readonly #known: Map<number, Known> = new Map();
  /** Start and end of each distinct data. */
  readonly #places: number[] = [];
  readonly #timestamps: Micros[] = [];
  readonly #durations: Micros[] = [];
  /** Each event's place among the distinct data. */
  readonly #refs: number[] = [];
  /** The last date as a number `YYYYMMDD`, and its start. */
  #date = Number.NaN;
  #dayStart: Micros = 0;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  list(): EventDraft[] | undefined {
    do {
      if (!this.#event()) return undefined;
      if (this.#refs.length === SAMPLE && this.#places.length > 2 * MAX_DISTINCT) return undefined;
    } while (this.#skip(COMMA));
    if (!this.#skip(CLOSE_LIST) || this.#peek() !== undefined) return undefined;
    const table = parseRepeatedData(this.#bytes, this.#places);
    if (table === undefined) return undefined;
    const timestamps = Float64Array.from(this.#timestamps);
    const durations = Float64Array.from(this.#durations);
    const refs = this.#refs;
    const drafts = refs.map((ref, index) => ({
      timestamp: timestamps[index] as Micros,
      duration: durations[index] as Micros,
      data: table.valueAt(ref),
    }));
    if (table.utf8 !== undefined) {
      rememberBatch(drafts, EventBatch.withTable({ timestamps, durations, ids: null, refs, table }));
    }
    return drafts;
  }

  /** Reads an event. @returns whether it has the expected form */
  #event(): boolean {
    let timestamp: Micros | undefined;
    let duration: Micros | undefined;
    let ref: number | undefined;
    let hasId = false;
    if (!this.#skip(OPEN_OBJECT)) return false;
    do {
      if (timestamp === undefined && this.#member(TIMESTAMP)) {
        timestamp = this.#timestamp();
        if (timestamp === undefined) return false;
      } else if (duration === undefined && this.#member(DURATION)) {
        duration = this.#duration();
        if (duration === undefined) return false;
      } else if (ref === undefined && this.#member(DATA)) {
        ref = this.#data();
        if (ref === undefined) return false;
      } else if (!hasId && this.#member(ID)) {
        hasId = this.#word(NULL);
        if (!hasId) return false;
      } else return false;
    } while (this.#skip(COMMA));
    if (!this.#skip(CLOSE_OBJECT) || timestamp === undefined || duration === undefined || ref === undefined) {
      return false;
    }
    const end = timestamp + duration;
    if (!(end >= EARLIEST && end < LATEST)) return false;
    this.#timestamps.push(timestamp);
    this.#durations.push(duration);
    this.#refs.push(ref);
    return true;
  }

  /** The next byte after white space. */
  #peek(): number | undefined {
    for (;;) {
      const byte = this.#bytes[this.#at];
      if (byte !== 32 && byte !== 10 && byte !== 13 && byte !== 9) return byte;
      this.#at++;
    }
  }

  /** Skips a sign. @returns whether it was there */
  #skip(sign: number): boolean {
    if (this.#peek() !== sign) return false;
    this.#at++;
    return true;
  }

  /** Skips a word. @returns whether it was there */
  #word(word: readonly number[]): boolean {
    this.#peek();
    for (let index = 0; index < word.length; index++) {
      if (this.#bytes[this.#at + index] !== word[index]) return false;
    }
    this.#at += word.length;
    return true;
  }

  /** Skips the name of a member and its colon. */
  #member(name: readonly number[]): boolean {
    return this.#word(name) && this.#skip(COLON as number);
  }

  /** `"YYYY-MM-DDTHH:MM:SS[.digits](Z|+00:00)"`, which every client sends. */
  #timestamp(): Micros | undefined {
    if (!this.#skip(QUOTE)) return undefined;
    const bytes = this.#bytes;
    const at = this.#at;
    const isForm =
      bytes[at + 4] === MINUS && bytes[at + 7] === MINUS && bytes[at + 10] === T && bytes[at + 13] === COLON;
    if (!isForm || bytes[at + 16] !== COLON) return undefined;
    const date = (this.#two(at) * 100 + this.#two(at + 2)) * 10_000 + this.#two(at + 5) * 100 + this.#two(at + 8);
    const [hour, minute, second] = [this.#two(at + 11), this.#two(at + 14), this.#two(at + 17)];
    // Also false for NaN.
    if (!(date >= 0 && hour < 24 && minute < 60 && second < 60)) return undefined;
    if (date !== this.#date) {
      const dayStart = parseTimestamp(`${String(date).padStart(8, "0")}T000000Z`);
      if (dayStart === undefined) return undefined;
      this.#date = date;
      this.#dayStart = dayStart;
    }
    let micros = this.#dayStart + (hour * 3600 + minute * 60 + second) * MICROS_PER_SECOND;
    let end = at + 19;
    if (bytes[end] === DOT) {
      let weight = MICROS_PER_SECOND / 10;
      for (end++; isDigit(bytes[end]); end++) {
        micros += ((bytes[end] as number) - (ZERO as number)) * weight;
        weight = weight > 1 ? weight / 10 : 0;
      }
      if (end === at + 20) return undefined;
    }
    if (bytes[end] === Z) end++;
    else {
      const isUtc = bytes[end] === PLUS && this.#two(end + 1) === 0 && bytes[end + 3] === COLON;
      if (!isUtc || this.#two(end + 4) !== 0) return undefined;
      end += 6;
    }
    this.#at = end;
    return this.#skip(QUOTE) ? micros : undefined;
  }

  /** Two digits; NaN for others. */
  #two(at: number): number {
    const high = this.#bytes[at];
    const low = this.#bytes[at + 1];
    if (!isDigit(high) || !isDigit(low)) return Number.NaN;
    return ((high as number) - (ZERO as number)) * 10 + (low as number) - (ZERO as number);
  }

  /** A number without exponent, of so few digits that the division is exact to the last bit. */
  #duration(): Micros | undefined {
    const isNegative = this.#skip(MINUS as number);
    const bytes = this.#bytes;
    const from = this.#at;
    let end = from;
    let mantissa = 0;
    for (; isDigit(bytes[end]); end++) mantissa = mantissa * 10 + (bytes[end] as number) - (ZERO as number);
    if (end === from || (bytes[from] === ZERO && end > from + 1)) return undefined;
    let scale = 1;
    if (bytes[end] === DOT) {
      const point = end;
      for (end++; isDigit(bytes[end]); end++) {
        mantissa = mantissa * 10 + (bytes[end] as number) - (ZERO as number);
        scale *= 10;
      }
      if (end === point + 1) return undefined;
    }
    if (end - from > 15) return undefined;
    this.#at = end;
    return secondsToMicros((isNegative ? -mantissa : mantissa) / scale);
  }

  /** @returns the place of the data among the distinct ones */
  #data(): number | undefined {
    this.#peek();
    const from = this.#at;
    const hash = this.#skipObject();
    if (hash === undefined) return undefined;
    const to = this.#at;
    const first = this.#known.get(hash);
    let compared = 0;
    for (let known = first; known !== undefined; known = known.next) {
      if (this.#isSame(known, from, to)) return known.ref;
      compared++;
    }
    const ref = this.#places.push(from, to) / 2 - 1;
    if (compared < MAX_COMPARED) this.#known.set(hash, { from, to, ref, next: first });
    return ref;
  }

  /** Skips an object. @returns a hash of its bytes; `undefined` if there is no object, or it is not closed */
  #skipObject(): number | undefined {
    const bytes = this.#bytes;
    let at = this.#at;
    if (bytes[at] !== OPEN_OBJECT) return undefined;
    let hash = 0;
    let depth = 0;
    for (; at < bytes.length; at++) {
      let byte = bytes[at] as number;
      hash = Math.imul(hash ^ byte, 0x01000193);
      if (byte === QUOTE) {
        do {
          byte = bytes[++at] as number;
          hash = Math.imul(hash ^ byte, 0x01000193);
          if (byte === BACKSLASH) hash = Math.imul(hash ^ (bytes[++at] as number), 0x01000193);
        } while (byte !== QUOTE && at < bytes.length);
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++;
      else if ((byte === CLOSE_OBJECT || byte === CLOSE_LIST) && --depth === 0) {
        this.#at = at + 1;
        return hash;
      }
    }
    return undefined;
  }

  #isSame(known: Known, from: number, to: number): boolean {
    if (known.to - known.from !== to - from) return false;
    const bytes = this.#bytes;
    for (let at = from, other = known.from; at < to; at++, other++) if (bytes[at] !== bytes[other]) return false;
    return true;
  }
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 48 && byte <= 57;
}
