import type { DataTable } from "../domain/batch.js";
import type { Micros } from "../domain/time.js";

/** A part of a range, with the events that touch it. */
export interface TimelineBin {
  /** Position from 0: it starts `index` bin lengths after the start of the range. */
  readonly index: number;
  /** Number of events that touch it. */
  readonly count: number;
  /** Time in it that events cover, in microseconds. */
  readonly covered: Micros;
  /** Index in `datas` of the data with the longest duration in it. */
  readonly data: number;
}

/** Many events, in bins of equal length. */
export interface TimelineBinning {
  /** Microseconds. */
  readonly binLength: Micros;
  /** Bins that an event touches, in chronological order. */
  readonly bins: readonly TimelineBin[];
  /** Distinct data as JSON. */
  readonly datas: readonly string[];
}

/** Distinct data of events, with its duration in the current bin. Kinds of one table are never equal. */
export interface TimelineKind {
  /** The table with its JSON; `undefined` for data without a table. */
  readonly table: DataTable | undefined;
  readonly ref: number;
  /** Microseconds. */
  weight: Micros;
  /** JSON, serialized lazily, since most of it is never needed. */
  text: string | undefined;
}

/** Maximum number of cached JSON characters. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

/**
 * Puts events into bins, one at a time, oldest first. The cost of an event does not depend on its duration: at any time
 * only the newest current event counts, so that there are at most twice as many pieces as events. An event without a
 * positive duration touches one bin and covers nothing.
 */
export class TimelineBins {
  readonly #start: Micros;
  readonly #end: Micros;
  readonly #binLength: Micros;
  readonly #length: number;
  /** Change in the number of touching events from one bin to the next. */
  readonly #changes: Int32Array;
  readonly #covered: Float64Array;
  /** Data with the longest duration in each bin; without any duration, the newest data that touches it. */
  readonly #chosen: (string | undefined)[];
  readonly #instants: (string | undefined)[];
  #kinds: Map<string, TimelineKind> = new Map();
  #characters = 0;
  /** Stack of current events, the newest on top. Finished ones stay until they are on top. */
  readonly #ends: Micros[] = [];
  readonly #currentEvents: TimelineKind[] = [];
  /** Everything before this time is assigned. */
  #cursor: Micros;
  #bin = 0;
  /** Kinds with a duration in the current bin. */
  #currentKinds: TimelineKind[] = [];

  /**
   * @param start of the range in microseconds, not after `end`
   * @param most bins; a bin has a whole number of microseconds, so that there may be fewer
   */
  constructor(start: Micros, end: Micros, most: number) {
    this.#start = start;
    this.#end = end;
    this.#binLength = Math.max(1, Math.ceil((end - start) / most));
    this.#length = Math.max(1, Math.ceil((end - start) / this.#binLength));
    this.#changes = new Int32Array(this.#length + 1);
    this.#covered = new Float64Array(this.#length);
    this.#chosen = new Array<undefined>(this.#length).fill(undefined);
    this.#instants = new Array<undefined>(this.#length).fill(undefined);
    this.#cursor = start;
  }

  /** The kind of data without a table, by its JSON. Request it again after `forget`. */
  kindOf(text: string): TimelineKind {
    const known = this.#kinds.get(text);
    if (known !== undefined) return known;
    const kind: TimelineKind = { table: undefined, ref: 0, weight: 0, text };
    this.#kinds.set(text, kind);
    this.#characters += text.length;
    return kind;
  }

  /** Drops cached JSON that is no longer needed, if there is a lot of it. */
  forget(): void {
    if (this.#characters < MAX_CHARACTERS) return;
    const needed = [...this.#currentKinds, ...this.#currentEvents].filter(({ table }) => table === undefined);
    this.#kinds = new Map(needed.map((kind) => [serializeKind(kind), kind]));
    this.#characters = 0;
    for (const text of this.#kinds.keys()) this.#characters += text.length;
  }

  /** Adds an event that touches the range. Events must arrive oldest first. */
  add(timestamp: Micros, duration: Micros, kind: TimelineKind): void {
    const from = timestamp < this.#start ? this.#start : timestamp;
    const to = Math.min(timestamp + duration, this.#end);
    const first = this.#binAt(from);
    this.#changes[first] = (this.#changes[first] as number) + 1;
    if (to <= from) {
      this.#changes[first + 1] = (this.#changes[first + 1] as number) - 1;
      this.#instants[first] = serializeKind(kind);
      return;
    }
    const behind = this.#binAt(to - 1) + 1;
    this.#changes[behind] = (this.#changes[behind] as number) - 1;
    this.#advanceTo(from);
    this.#ends.push(to);
    this.#currentEvents.push(kind);
  }

  finish(): TimelineBinning {
    this.#advanceTo(this.#end);
    this.#finishBin();
    const bins: TimelineBin[] = [];
    const datas = new Map<string, number>();
    let count = 0;
    for (let index = 0; index < this.#length; index++) {
      count += this.#changes[index] as number;
      const text = this.#chosen[index] ?? this.#instants[index];
      if (text === undefined) continue;
      const data = datas.get(text) ?? datas.size;
      if (data === datas.size) datas.set(text, data);
      bins.push({ index, count, covered: this.#covered[index] as number, data });
    }
    return { binLength: this.#binLength, bins, datas: [...datas.keys()] };
  }

  /** The end of the range belongs to the last bin. */
  #binAt(instant: Micros): number {
    return Math.min(this.#length - 1, Math.floor((instant - this.#start) / this.#binLength));
  }

  /** Assigns the time up to a timestamp to the current events. */
  #advanceTo(instant: Micros): void {
    while (this.#cursor < instant && this.#ends.length > 0) {
      const end = this.#ends.at(-1) as number;
      if (end > this.#cursor) this.#assignTime(Math.min(end, instant), this.#currentEvents.at(-1) as TimelineKind);
      if (end > instant) return;
      this.#ends.pop();
      this.#currentEvents.pop();
    }
    if (this.#cursor < instant) this.#cursor = instant;
  }

  /** Assigns the time from the cursor up to `to` to one kind. */
  #assignTime(to: Micros, kind: TimelineKind): void {
    while (this.#cursor < to) {
      const bin = this.#binAt(this.#cursor);
      if (bin !== this.#bin) {
        this.#finishBin();
        this.#bin = bin;
      }
      const stop = Math.min(to, this.#start + (bin + 1) * this.#binLength);
      if (kind.weight === 0) this.#currentKinds.push(kind);
      kind.weight += stop - this.#cursor;
      this.#covered[bin] = (this.#covered[bin] as number) + stop - this.#cursor;
      this.#cursor = stop;
    }
  }

  #finishBin(): void {
    if (this.#currentKinds.length === 0) return;
    this.#chosen[this.#bin] = findLongest(this.#currentKinds);
    for (const kind of this.#currentKinds) kind.weight = 0;
    this.#currentKinds = [];
  }
}

function serializeKind(kind: TimelineKind): string {
  kind.text ??= kind.table?.textAt(kind.ref) ?? "";
  return kind.text;
}

/** JSON of the data with the longest duration; on a tie, the first. */
function findLongest(kinds: readonly TimelineKind[]): string {
  let [best] = kinds as readonly [TimelineKind];
  /** Maximum weight per table. */
  const mosts = new Map<DataTable | undefined, Micros>();
  for (const kind of kinds) {
    if (kind.weight > best.weight) best = kind;
    if (kind.weight > (mosts.get(kind.table) ?? 0)) mosts.set(kind.table, kind.weight);
  }
  if (mosts.size === 1) return serializeKind(best);
  // Several tables may contain the same JSON. Kinds that cannot win even with the other tables' weights are never
  // decoded.
  let all = 0;
  for (const most of mosts.values()) all += most;
  const weights = new Map<string, Micros>();
  for (const kind of kinds) {
    if (kind.weight + all - (mosts.get(kind.table) ?? 0) < best.weight) continue;
    weights.set(serializeKind(kind), (weights.get(serializeKind(kind)) ?? 0) + kind.weight);
  }
  let longest = serializeKind(best);
  let most = 0;
  for (const [text, weight] of weights) {
    if (weight <= most) continue;
    longest = text;
    most = weight;
  }
  return longest;
}
