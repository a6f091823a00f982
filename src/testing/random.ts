/** A random source that returns the same values for the same name in every engine: only integer arithmetic. */
export interface Random {
  /** A number from 0 (included) to 1. */
  fraction(): number;
  /** An integer, both ends included. */
  between(low: number, high: number): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** A random entry, in proportion to its weight. */
  weighted<T>(entries: readonly (readonly [weight: number, value: T])[]): T;
  /**
   * A length with a heavy tail: half of them are shorter than `median`, one in a hundred is longer than 99 medians. No
   * power function is used, since engines differ in its last digit.
   */
  heavyTailed(median: number, longest: number): number;
}

const FNV_PRIME = 0x01000193;
const FNV_BASIS = 0x811c9dc5;
const TWO_TO_32 = 4_294_967_296;
/** Rounds until every bit of the name has reached every bit of the state. */
const WARM_UP = 16;

/** Creates a random source for a name, e.g. `"day 1 2024-03-01 UTC"`. */
export function createRandom(name: string): Random {
  const next = createGenerator(name);
  const fraction = (): number => next() / TWO_TO_32;
  const between = (low: number, high: number): number => low + Math.floor(fraction() * (high - low + 1));
  return {
    fraction,
    between,
    chance: (probability) => fraction() < probability,
    pick: <T>(list: readonly T[]) => list[between(0, list.length - 1)] as T,
    weighted<T>(entries: readonly (readonly [number, T])[]) {
      let left = fraction() * entries.reduce((sum, [weight]) => sum + weight, 0);
      const found = entries.find(([weight]) => {
        left -= weight;
        return left < 0;
      });
      return (found ?? (entries.at(-1) as readonly [number, T]))[1];
    },
    heavyTailed: (median, longest) => Math.min(longest, median * (1 / (1 - fraction()) - 1)),
  };
}

/** A random UUID, version 4, that is the same for the same name. */
export function createUuid(name: string): string {
  const next = createGenerator(name);
  const digits = Array.from({ length: 4 }, () => next().toString(16).padStart(8, "0")).join("");
  const variant = "89ab"[Number.parseInt(digits.charAt(16), 16) & 3];
  const groups = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20),
  ];
  return groups.join("-");
}

/** Integers from 0 to 2^32 - 1: a small fast counter (sfc32) that starts from a hash (FNV-1a) of the name. */
function createGenerator(name: string): () => number {
  let hash = FNV_BASIS;
  function absorb(byte: number): number {
    hash = Math.imul(hash ^ byte, FNV_PRIME);
    return hash;
  }
  for (let at = 0; at < name.length; at++) {
    absorb(name.charCodeAt(at) & 0xff);
    absorb(name.charCodeAt(at) >>> 8);
  }
  let a = absorb(1);
  let b = absorb(2);
  let c = absorb(3);
  let counter = 1;
  function next(): number {
    const word = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + word) | 0;
    return word >>> 0;
  }
  for (let round = 0; round < WARM_UP; round++) next();
  return next;
}
