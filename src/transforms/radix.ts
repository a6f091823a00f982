import { forEachSlice, type Steps } from "./steps.js";

/** Below this length, a comparison sort is as fast and needs no tables. */
const SHORT = 128;
const DIGIT_BITS = 11;
const DIGIT_MASK = (1 << DIGIT_BITS) - 1;
const DIGIT_SHIFTS = [0, DIGIT_BITS, 2 * DIGIT_BITS];
const SIGN_BIT = 0x8000_0000;
const LITTLE_ENDIAN = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** The indexes of the numbers in sorted order. Stable, in linear time. */
export function* radixOrder(keys: Float64Array, direction: "ascending" | "descending"): Steps<Uint32Array> {
  const order = new Uint32Array(keys.length);
  for (let index = 0; index < order.length; index++) order[index] = index;
  if (order.length > SHORT) return yield* orderByWords(order, yield* toSortableWords(keys, direction));
  const sign = direction === "ascending" ? 1 : -1;
  return order.sort((a, b) => sign * ((keys[a] as number) - (keys[b] as number)) || a - b);
}

/**
 * Doubles as pairs of 32-bit words, lower word first, whose unsigned order equals the order of the doubles: the sign
 * bit is inverted, and all other bits if it was set.
 */
function* toSortableWords(keys: Float64Array, direction: "ascending" | "descending"): Steps<readonly Uint32Array[]> {
  const low = new Uint32Array(keys.length);
  const high = new Uint32Array(keys.length);
  const double = new Float64Array(1);
  const halves = new Uint32Array(double.buffer);
  const lowHalf = LITTLE_ENDIAN ? 0 : 1;
  const turned = direction === "ascending" ? 0 : -1;
  yield* forEachSlice(keys.length, (from, to) => {
    for (let at = from; at < to; at++) {
      // `+ 0` normalizes -0 to 0.
      double[0] = (keys[at] as number) + 0;
      const upper = halves[1 - lowHalf] as number;
      const ifNegative = upper >= SIGN_BIT ? -1 : 0;
      low[at] = (halves[lowHalf] as number) ^ ifNegative ^ turned;
      high[at] = upper ^ (ifNegative | SIGN_BIT) ^ turned;
    }
  });
  return [low, high];
}

/** Radix sort, least significant digit first. Skips digits that are equal in all words. */
function* orderByWords(order: Uint32Array, words: readonly Uint32Array[]): Steps<Uint32Array> {
  let current = order;
  let next: Uint32Array = new Uint32Array(order.length);
  for (const word of words) {
    for (const shift of DIGIT_SHIFTS) {
      const digit: Digit = { word, shift, places: new Uint32Array(DIGIT_MASK + 1) };
      yield* forEachSlice(order.length, (from, to) => countValues(digit, word.subarray(from, to)));
      if (digit.places.includes(order.length)) continue;
      countsToPlaces(digit.places);
      const [source, target] = [current, next];
      yield* forEachSlice(order.length, (from, to) => distribute(digit, source.subarray(from, to), target));
      [current, next] = [target, source];
    }
  }
  return current;
}

/** State of one pass. */
interface Digit {
  readonly word: Uint32Array;
  readonly shift: number;
  /** Per digit value: first its number of occurrences, then the position of its next index. */
  readonly places: Uint32Array;
}

function countValues({ shift, places }: Digit, part: Uint32Array): void {
  for (let at = 0; at < part.length; at++) {
    const value = ((part[at] as number) >>> shift) & DIGIT_MASK;
    places[value] = (places[value] as number) + 1;
  }
}

function countsToPlaces(places: Uint32Array): void {
  let place = 0;
  for (let value = 0; value < places.length; value++) {
    const count = places[value] as number;
    places[value] = place;
    place += count;
  }
}

function distribute({ word, shift, places }: Digit, part: Uint32Array, target: Uint32Array): void {
  for (let at = 0; at < part.length; at++) {
    const index = part[at] as number;
    const value = ((word[index] as number) >>> shift) & DIGIT_MASK;
    const place = places[value] as number;
    target[place] = index;
    places[value] = place + 1;
  }
}
