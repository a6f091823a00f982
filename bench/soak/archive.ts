import { FIRST_DAY, MICROS_PER_DAY } from "../data.js";
import type { BucketKind, Entry } from "./event.js";
import { Ledger } from "./ledger.js";
import { between, someMicros, type World } from "./world.js";
import { Writer } from "./writers.js";

/** Days of the archive, from `FIRST_DAY`: what a program of one month reads. */
export const ARCHIVE_DAYS = 30;
const WORK_STARTS = 7 * 3_600_000_000;
const WORK_LASTS_SECONDS = 14 * 3600;
const BULK = 1000;

export interface ArchiveOptions {
  readonly bucketId: string;
  readonly kind: BucketKind;
  /** How many events it holds, about. */
  readonly events: number;
}

/** A month of one watcher, which fills up fast and then is changed a little, everywhere, without growing. */
export class Archive extends Writer {
  readonly #events: number;

  constructor(world: World, { bucketId, kind, events }: ArchiveOptions) {
    super(world, world.add(new Ledger(bucketId, kind)), { name: bucketId, restMillis: 300 });
    this.#events = events;
  }

  protected async step(signal: AbortSignal): Promise<boolean> {
    const { world, ledger, random } = this;
    while (ledger.size < this.#events - BULK && !signal.aborted) {
      const fresh = Array.from({ length: BULK }, () => this.draft(this.#anyTime()));
      fresh.sort((a, b) => a.timestamp - b.timestamp);
      if (!(await world.put(ledger, `insert ${BULK}`, fresh.map(alone)))) return false;
    }
    if (ledger.size > this.#events || random() < 0.5) return this.edit(({ timestamp }) => timestamp);
    const fresh = Array.from({ length: between(random, 1, 10) }, () => this.draft(this.#anyTime()));
    return world.put(ledger, "insert late", fresh.map(alone));
  }

  #anyTime(): number {
    const day = between(this.random, 0, ARCHIVE_DAYS - 1);
    return FIRST_DAY + day * MICROS_PER_DAY + WORK_STARTS + someMicros(this.random, WORK_LASTS_SECONDS);
  }
}

function alone(entry: Entry): readonly [undefined, Entry] {
  return [undefined, entry];
}
