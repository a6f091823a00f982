import { MICROS_PER_SECOND, type Micros, microsToSeconds, SECONDS_PER_DAY, serializeDate } from "../domain/time.js";

const ZERO = 48;
const POINT = 46;
/** The first character with more than one byte. */
const FIRST_LONG = 0x80;
/** Above this, a number of seconds may have more digits than a double can represent. */
const MAX_EXACT_MICROS = 1e15;
/** The largest integer of 32 bits. */
const MAX_SMALL = 2 ** 31 - 1;
/** Larger integers are written in two parts; the last one has this many digits. */
const PART_DIGITS = 8;
const PART = 10 ** PART_DIGITS;
/** Below this size, a copy loop is faster than `set`. */
const FEW_BYTES = 32;

const encoder: TextEncoder = new TextEncoder();

/** Encodes a string for `put`. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Writes JSON as UTF-8. Several times as fast as creating strings and encoding them, and without garbage. */
export class ByteWriter {
  #bytes: Uint8Array;
  #at = 0;
  /** The last timestamp: its day, and whether it has a fraction; where it is, with its parts; where its time is. */
  #day = Number.NaN;
  #hasFraction = false;
  #timestampAt = 0;
  #timestampBytes = 0;
  #timeAt = 0;

  /** @param room expected number of bytes; there may be more */
  constructor(room: number) {
    this.#bytes = new Uint8Array(room);
  }

  /** Number of bytes written. */
  get length(): number {
    return this.#at;
  }

  /** Returns the bytes. Write nothing afterwards. */
  finish(): Uint8Array {
    const { length } = this.#bytes;
    // A copy if much is unused, since a view would keep all of the capacity alive.
    return this.#at > length * 0.75 ? this.#bytes.subarray(0, this.#at) : this.#bytes.slice(0, this.#at);
  }

  /** Ensures capacity. Call it before other methods, for all bytes that they write. */
  reserve(count: number): void {
    if (this.#at + count <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#at + count));
    larger.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = larger;
  }

  byte(value: number): void {
    this.#bytes[this.#at++] = value;
  }

  put(source: Uint8Array, from: number = 0, to: number = source.length): void {
    const bytes = this.#bytes;
    let at = this.#at;
    if (to - from > FEW_BYTES) {
      bytes.set(source.subarray(from, to), at);
      at += to - from;
    } else {
      for (let index = from; index < to; index++) bytes[at++] = source[index] as number;
    }
    this.#at = at;
  }

  /** Writes again what `length` counted from `from` up to `to`: several times as fast as `put`. */
  repeat(from: number, to: number): void {
    this.#bytes.copyWithin(this.#at, from, to);
    this.#at += to - from;
  }

  /** Writes a string, in at most three bytes per UTF-16 unit. */
  text(text: string): void {
    const bytes = this.#bytes;
    let at = this.#at;
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      if (unit >= FIRST_LONG) {
        this.#at = at + encoder.encodeInto(text.slice(index), bytes.subarray(at)).written;
        return;
      }
      bytes[at++] = unit;
    }
    this.#at = at;
  }

  /** Writes an integer from 0 to 2^53 - 1, in at most 16 bytes. */
  integer(value: number): void {
    let digits = 1;
    for (let limit = 10; value >= limit && digits < 16; limit *= 10) digits++;
    if (value > MAX_SMALL) {
      const high = Math.floor(value / PART);
      this.#digits(high, digits - PART_DIGITS);
      this.#digits(value - high * PART, PART_DIGITS);
    } else this.#digits(value, digits);
  }

  /**
   * Writes a timestamp like `serializeTimestamp`, in at most 32 bytes, between two constant parts. Pass the same parts
   * in each call.
   */
  timestamp(micros: Micros, before: Uint8Array, after: Uint8Array): void {
    const seconds = Math.floor(micros / MICROS_PER_SECOND);
    const fraction = micros - seconds * MICROS_PER_SECOND;
    const day = Math.floor(seconds / SECONDS_PER_DAY);
    const start = this.#at;
    // Responses contain thousands of timestamps on a few days. Only their digits differ.
    if (day === this.#day && (fraction !== 0) === this.#hasFraction) {
      this.repeat(this.#timestampAt, this.#timestampAt + this.#timestampBytes);
    } else {
      const date = utf8(`${serializeDate(day)}00:00:00${fraction === 0 ? "" : ".000000"}+00:00`);
      this.put(before);
      this.put(date);
      this.put(after);
      this.#day = day;
      this.#hasFraction = fraction !== 0;
      this.#timestampBytes = this.#at - start;
      this.#timeAt = before.length + serializeDate(day).length;
    }
    const end = this.#at;
    this.#timestampAt = start;
    this.#at = start + this.#timeAt;
    const ofDay = seconds - day * SECONDS_PER_DAY;
    const minutes = (ofDay / 60) | 0;
    const hours = (minutes / 60) | 0;
    this.#digits(hours, 2);
    this.#at++;
    this.#digits(minutes - hours * 60, 2);
    this.#at++;
    this.#digits(ofDay - minutes * 60, 2);
    this.#at++;
    if (fraction !== 0) this.#digits(fraction, 6);
    this.#at = end;
  }

  /** Writes a duration in microseconds as seconds, in at most 24 bytes. */
  seconds(micros: Micros): void {
    if (!(micros >= 0 && micros < MAX_EXACT_MICROS)) {
      this.put(utf8(String(microsToSeconds(micros))));
      return;
    }
    const whole = Math.floor(micros / MICROS_PER_SECOND);
    this.integer(whole);
    let fraction = micros - whole * MICROS_PER_SECOND;
    if (fraction === 0) return;
    let digits = 6;
    while (fraction % 10 === 0) {
      fraction /= 10;
      digits--;
    }
    this.byte(POINT);
    this.#digits(fraction, digits);
  }

  /** @param value at most `MAX_SMALL`: integer divisions are several times as fast as those of doubles */
  #digits(value: number, count: number): void {
    const bytes = this.#bytes;
    let rest = value | 0;
    const start = this.#at;
    let at = start + count - 1;
    for (; at > start; at -= 2) {
      const hundreds = (rest / 100) | 0;
      const pair = rest - hundreds * 100;
      const tens = (pair / 10) | 0;
      bytes[at] = ZERO + (pair - tens * 10);
      bytes[at - 1] = ZERO + tens;
      rest = hundreds;
    }
    if (at === start) bytes[at] = ZERO + (rest % 10);
    this.#at = start + count;
  }
}
