import type { EventDraft } from "./event.js";
import { type JsonObject, sameJson } from "./json.js";
import { jsonKey } from "./json-key.js";
import type { Micros } from "./time.js";

/** If at least this many drafts share a timestamp, they are looked up by a key of their data. */
const MANY = 16;

/**
 * Finds the drafts that a bucket does not contain yet, by (timestamp, duration, data), for `mergeEvents`. The caller
 * passes all events of the bucket with one of `timestamps()` to `see`, in any order.
 */
export class UnknownDrafts {
  readonly #drafts: readonly EventDraft[];
  readonly #isKnown: Uint8Array;
  /** The last draft of each timestamp, and for each draft the previous one with the same timestamp, or -1. */
  readonly #lastAt: Map<Micros, number> = new Map();
  readonly #before: Int32Array;
  /** By `keyOf`, for timestamps with many drafts. */
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

  /** The distinct timestamps of the drafts, unordered. */
  timestamps(): Iterable<Micros> {
    return this.#lastAt.keys();
  }

  /** Whether a draft has this timestamp. */
  hasTimestamp(timestamp: Micros): boolean {
    return this.#lastAt.has(timestamp);
  }

  /** Records an event of the bucket. */
  see(timestamp: Micros, duration: Micros, data: JsonObject): void {
    const last = this.#lastAt.get(timestamp);
    if (last === undefined) return;
    const keyed = this.#keyed.get(timestamp);
    if (keyed !== undefined) {
      this.#markKnown(keyed.get(keyOf(duration, data)) ?? []);
      return;
    }
    let steps = 0;
    for (let index = last; index >= 0; index = this.#before[index] as number) {
      const draft = this.#drafts[index] as EventDraft;
      if (draft.duration === duration && sameJson(draft.data, data)) this.#isKnown[index] = 1;
      steps++;
    }
    if (steps > MANY) this.#keyed.set(timestamp, this.#indexByKey(last));
  }

  /** The drafts that equal none of the recorded events, in their order. */
  rest(): readonly EventDraft[] {
    return this.#isKnown.includes(1) ? this.#drafts.filter((_, index) => this.#isKnown[index] === 0) : this.#drafts;
  }

  #indexByKey(last: number): Map<string, number[]> {
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

  #markKnown(indexes: readonly number[]): void {
    for (const index of indexes) this.#isKnown[index] = 1;
  }
}

function keyOf(duration: Micros, data: JsonObject): string {
  return `${duration};${jsonKey(data)}`;
}
