import { MICROS_PER_SECOND, type Micros, microsToSeconds, SECONDS_PER_DAY, serializeDate } from "../domain/time.js";

const ZERO = 48;
const COLON = 58;
const POINT = 46;
/** The first character with more than one byte. */
const FIRST_LONG = 0x80;
/** Above this, a number of seconds may have more digits than a double can represent. */
const MAX_EXACT_MICROS = 1e15;
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
  /** The last formatted day: responses contain thousands of timestamps on a few days. */
  #day = Number.NaN;
  #date: Uint8Array = new Uint8Array();

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
    const end = this.#at + digits;
    let rest = value;
    for (let at = end - 1; at >= this.#at; at--) {
      const tens = Math.floor(rest / 10);
      this.#bytes[at] = ZERO + (rest - tens * 10);
      rest = tens;
    }
    this.#at = end;
  }

  /** Writes a timestamp like `serializeTimestamp`, in at most 32 bytes. */
  timestamp(micros: Micros): void {
    const seconds = Math.floor(micros / MICROS_PER_SECOND);
    const fraction = micros - seconds * MICROS_PER_SECOND;
    const day = Math.floor(seconds / SECONDS_PER_DAY);
    if (day !== this.#day) {
      this.#date = utf8(serializeDate(day));
      this.#day = day;
    }
    this.put(this.#date);
    const ofDay = seconds - day * SECONDS_PER_DAY;
    this.#digits(Math.floor(ofDay / 3600), 2);
    this.byte(COLON);
    this.#digits(Math.floor(ofDay / 60) % 60, 2);
    this.byte(COLON);
    this.#digits(ofDay % 60, 2);
    if (fraction !== 0) {
      this.byte(POINT);
      this.#digits(fraction, 6);
    }
    this.put(UTC);
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

  #digits(value: number, count: number): void {
    let rest = value;
    for (let at = this.#at + count - 1; at >= this.#at; at--) {
      const tens = Math.floor(rest / 10);
      this.#bytes[at] = ZERO + (rest - tens * 10);
      rest = tens;
    }
    this.#at += count;
  }
}

const UTC = utf8("+00:00");
