import type { CacheMemory, CacheShare } from "./memory-budget.js";

/** Memory of a value in addition to its string, and per character of both. */
const BYTES_PER_VALUE = 200;
const BYTES_PER_CHARACTER = 3;

/** The budget that counts a cache's memory. */
export interface CountedIn {
  readonly memory: CacheMemory;
  /** Name in the statistics of the memory. */
  readonly name: string;
}

/** A cache of values by their strings. */
export class TextCache<Value extends { readonly text: string }> {
  readonly #most: number;
  readonly #share: CacheShare | undefined;
  /** Recently used values. */
  #known: Map<string, Value> = new Map();
  #characters = 0;
  #bytes = 0;
  /** Values used before those; dropped once as many have been used again. */
  #before: Map<string, Value> = new Map();
  #bytesBefore = 0;

  /**
   * @param most maximum characters of all cached strings
   * @param counted absent for a cache that lasts as long as a request
   */
  constructor(most: number, counted?: CountedIn) {
    this.#most = most;
    this.#share = counted?.memory.share(counted.name, () => this.#evict());
  }

  get(text: string): Value | undefined {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const before = this.#before.get(text);
    if (before !== undefined) this.add(before);
    return before;
  }

  /** Adds a value. Its string must not be a slice of a larger one, which would stay in memory; see `ownCopyOf`. */
  add(value: Value): void {
    const { text } = value;
    if (this.#characters + text.length > this.#most / 2) this.#startGeneration();
    this.#known.set(text, value);
    this.#characters += text.length;
    const bytes = BYTES_PER_VALUE + BYTES_PER_CHARACTER * text.length;
    this.#bytes += bytes;
    this.#share?.add(bytes);
  }

  clear(): void {
    this.#startGeneration();
    this.#startGeneration();
  }

  /** Drops the values that were not used recently. */
  #startGeneration(): void {
    const freed = this.#bytesBefore;
    [this.#before, this.#bytesBefore] = [this.#known, this.#bytes];
    [this.#known, this.#bytes, this.#characters] = [new Map(), 0, 0];
    this.#share?.add(-freed);
  }

  /** @returns whether there was a value */
  #evict(): boolean {
    if (this.#known.size + this.#before.size === 0) return false;
    if (this.#bytesBefore === 0) this.#startGeneration();
    this.#startGeneration();
    this.#share?.countEviction();
    return true;
  }
}

const encoder: TextEncoder = new TextEncoder();
const decoder: TextDecoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Copies a string: a slice of a larger string keeps all of that in memory. */
export function ownCopyOf(text: string): string {
  return decoder.decode(encoder.encode(text));
}
