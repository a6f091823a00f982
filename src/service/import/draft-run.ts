import type { EventDraft } from "../../domain/event.js";
import { jsonKey } from "../../domain/json-key.js";
import type { Micros } from "../../domain/time.js";
import type { Waiting } from "../../util/waiting.js";
import type { DraftData } from "./shared-data.js";

/** Number of drafts that are sorted at once: a millisecond or two. */
const RUN_EVENTS = 8_192;

/** Memory of a draft in a run without its data, in bytes. */
export const RUN_BYTES_PER_DRAFT = 24;

/** An event of an import. */
export interface RunDraft {
  readonly timestamp: Micros;
  readonly duration: Micros;
  readonly data: DraftData;
}

/** Converts a draft to the type of storages. */
export function toDraft({ timestamp, duration, data }: RunDraft): EventDraft {
  return { timestamp, duration, data: data.value };
}

/** Reads the drafts of a run in the order of `compareDrafts`. */
export interface RunCursor {
  /** The current draft; `undefined` after the last one. */
  readonly draft: RunDraft | undefined;
  /** Moves to the next draft, which is available on return, or when the returned promise resolves. */
  next(): Waiting;
}

/** Drafts that can be read in order. */
export interface SortedRun {
  /** Its smallest timestamp. */
  readonly first: Micros;
  /** @param readBytes number of bytes to read from a file at a time */
  open(readBytes: number): Promise<RunCursor>;
}

/** The order in which an import is stored: by (timestamp, duration, data). Equal drafts are adjacent. */
export function compareDrafts(a: RunDraft, b: RunDraft): number {
  return a.timestamp - b.timestamp || a.duration - b.duration || compareData(a.data, b.data);
}

function compareData(a: DraftData, b: DraftData): number {
  if (a === b || a.text === b.text) return 0;
  const keyA = jsonKey(a.value);
  const keyB = jsonKey(b.value);
  return keyA < keyB ? -1 : Number(keyA > keyB);
}

/** Some drafts in memory, as columns. */
export class DraftRun implements SortedRun {
  readonly #timestamps: number[] = [];
  readonly #durations: number[] = [];
  readonly #datas: DraftData[] = [];
  /** Whether each draft so far starts after the previous one, or each before it. */
  #ascends = true;
  #descends = true;
  first: Micros = Number.POSITIVE_INFINITY;

  get length(): number {
    return this.#datas.length;
  }

  get isFull(): boolean {
    return this.length >= RUN_EVENTS;
  }

  add({ timestamp, duration, data }: RunDraft): void {
    const last = this.#timestamps.at(-1);
    if (last !== undefined) {
      this.#ascends &&= last < timestamp;
      this.#descends &&= last > timestamp;
    }
    this.first = Math.min(this.first, timestamp);
    this.#timestamps.push(timestamp);
    this.#durations.push(duration);
    this.#datas.push(data);
  }

  draftAt(index: number): RunDraft {
    return {
      timestamp: this.#timestamps[index] as number,
      duration: this.#durations[index] as number,
      data: this.#datas[index] as DraftData,
    };
  }

  async open(): Promise<RunCursor> {
    const { length } = this;
    const order = this.#order();
    let at = 0;
    const draft = (): RunDraft | undefined => (at < length ? this.draftAt(order(at)) : undefined);
    const cursor = {
      draft: draft(),
      next(): undefined {
        at++;
        cursor.draft = draft();
      },
    };
    return cursor;
  }

  #order(): (step: number) => number {
    if (this.#ascends) return (step) => step;
    if (this.#descends) return (step) => this.length - 1 - step;
    const sorted = Uint32Array.from({ length: this.length }, (_, index) => index).sort((a, b) => {
      return this.#compare(a, b) || a - b;
    });
    return (step) => sorted[step] as number;
  }

  #compare(a: number, b: number): number {
    return (
      (this.#timestamps[a] as number) - (this.#timestamps[b] as number) ||
      (this.#durations[a] as number) - (this.#durations[b] as number) ||
      compareData(this.#datas[a] as DraftData, this.#datas[b] as DraftData)
    );
  }
}
