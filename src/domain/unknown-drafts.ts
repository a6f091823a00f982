import type { EventDraft } from "./event.js";
import { type JsonObject, sameJson } from "./json.js";
import { jsonKey } from "./json-key.js";
import type { Micros } from "./time.js";

/** Drafts of one timestamp from which on they are found by a key of their data. */
const MANY = 16;

/**
 * Finds out which of many drafts a bucket does not hold yet, by (timestamp, duration, data): what `mergeEvents` stores.
 * The caller shows it the events of the bucket that have one of `timestamps()`, in any order.
 */
export class UnknownDrafts {
  readonly #drafts: readonly EventDraft[];
  readonly #isKnown: Uint8Array;
  /** The last draft of each timestamp, and for each draft the one before it with the same timestamp, or -1. */
  readonly #lastAt: Map<Micros, number> = new Map();
  readonly #before: Int32Array;
  /** By `keyOf`, for timestamps of many drafts. */
  readonly #keyed: Map<Micros, Map<string, number[]>> = new Map();

  constructor(drafts: readonly EventDraft[]) {
    this.#drafts = drafts;
    this.#isKnown = new Uint8Array(drafts.length);
    this.#before = new Int32Array(drafts.length);
    for (const [index, { timestamp }] of drafts.entries()) {
      this.#before[index] = this.#lastAt.get(timestamp) ?? -1;
      this.#lastAt.set(timestamp, index);
    }
  }

  /** The distinct timestamps of the drafts, in no particular order. */
  timestamps(): Iterable<Micros> {
    return this.#lastAt.keys();
  }

  /** Whether a draft has this timestamp. */
  hasTimestamp(timestamp: Micros): boolean {
    return this.#lastAt.has(timestamp);
  }

  /** Takes note of an event that the bucket holds. */
  see(timestamp: Micros, duration: Micros, data: JsonObject): void {
    const last = this.#lastAt.get(timestamp);
    if (last === undefined) return;
    const keyed = this.#keyed.get(timestamp);
    if (keyed !== undefined) {
      this.#know(keyed.get(keyOf(duration, data)) ?? []);
      return;
    }
    let steps = 0;
    for (let index = last; index >= 0; index = this.#before[index] as number) {
      const draft = this.#drafts[index] as EventDraft;
      if (draft.duration === duration && sameJson(draft.data, data)) this.#isKnown[index] = 1;
      steps++;
    }
    if (steps > MANY) this.#keyed.set(timestamp, this.#keysFrom(last));
  }

  /** The drafts that no event seen so far equals, in their order. */
  rest(): readonly EventDraft[] {
    return this.#isKnown.includes(1) ? this.#drafts.filter((_, index) => this.#isKnown[index] === 0) : this.#drafts;
  }

  #keysFrom(last: number): Map<string, number[]> {
    const keys = new Map<string, number[]>();
    for (let index = last; index >= 0; index = this.#before[index] as number) {
      const { duration, data } = this.#drafts[index] as EventDraft;
      const key = keyOf(duration, data);
      const indexes = keys.get(key);
      if (indexes === undefined) keys.set(key, [index]);
      else indexes.push(index);
    }
    return keys;
  }

  #know(indexes: readonly number[]): void {
    for (const index of indexes) this.#isKnown[index] = 1;
  }
}

function keyOf(duration: Micros, data: JsonObject): string {
  return `${duration};${jsonKey(data)}`;
}
