import type { Commit, LogBatch, OpenedStore, SegmentName, SegmentStore } from "../../adapters/segments/store.js";
import { intOf } from "../contract/case.js";

interface Committed {
  number: number;
  root: string | undefined;
  records: Map<string, string>;
  entries: Map<string, { readonly name: SegmentName; readonly text: string }>;
  segments: Map<string, Uint8Array>;
}

const keyOf = ({ bucketNo, segmentNo }: SegmentName): string => `${bucketNo}/${segmentNo}`;

/** What a simulated store has written. */
export class SimulatedDisk {
  log: LogBatch[] = [];
  /** How many batches of the log are forced. */
  forced = 0;
  committed: Committed = { number: 0, root: undefined, records: new Map(), entries: new Map(), segments: new Map() };

  /** What the next process finds: after a power cut any of the batches that were not forced is the first one missing. */
  after(event: "kill" | "power cut", random: () => number): SimulatedDisk {
    const next = new SimulatedDisk();
    const kept = event === "kill" ? this.log.length : intOf(random, this.forced, this.log.length);
    next.log = this.log.slice(0, kept);
    next.forced = kept;
    const { number, root, records, entries, segments } = this.committed;
    next.committed = {
      number,
      root,
      records: new Map(records),
      entries: new Map(entries),
      segments: new Map(segments),
    };
    return next;
  }
}

/** What happens to a call of the store. */
export type Fate = "works" | "fails" | "fails, but counts" | "dies before" | "dies behind";

const NEVER: Promise<never> = new Promise(() => undefined);

/** A store in memory whose calls fail or never end as a test wants it. */
export class SimulatedStore implements SegmentStore {
  readonly name: string = "simulated store";
  readonly #disk: SimulatedDisk;
  readonly #isForced: boolean;
  readonly #fateOf: (call: string) => Fate;
  #isDead = false;
  #mustBegin = true;

  /** @param isForced whether each append is forced @param fateOf asked for each call */
  constructor(disk: SimulatedDisk, isForced: boolean, fateOf: (call: string) => Fate) {
    this.#disk = disk;
    this.#isForced = isForced;
    this.#fateOf = fateOf;
  }

  get logBytes(): number {
    return this.#disk.log.reduce((sum, { text }) => sum + text.length, 0);
  }

  async open(): Promise<OpenedStore> {
    const { root, records, entries } = this.#disk.committed;
    return {
      root,
      records: [...records],
      entries: Array.from(entries.values(), ({ name, text }) => ({ ...name, text })),
      log: [...this.#disk.log],
      problems: () => [],
    };
  }

  append(batch: LogBatch): Promise<void> {
    if (this.#mustBegin) throw new Error("append without a new log");
    return this.#call("append", () => {
      this.#disk.log.push(batch);
      if (this.#isForced) this.#disk.forced = this.#disk.log.length;
    });
  }

  force(): Promise<void> {
    const { length } = this.#disk.log;
    return this.#call("force", () => {
      this.#disk.forced = Math.max(this.#disk.forced, Math.min(length, this.#disk.log.length));
    });
  }

  async beginLog(snapshot: LogBatch): Promise<void> {
    await this.#call("beginLog", () => {
      this.#disk.log = [snapshot];
      this.#disk.forced = 1;
    });
    this.#mustBegin = false;
  }

  commit(commit: Commit): Promise<void> {
    return this.#call("commit", () => this.#apply(commit));
  }

  async recover(): Promise<number> {
    await this.#call("recover", () => undefined);
    return this.#disk.committed.number;
  }

  async readSegment(segment: SegmentName): Promise<Uint8Array | undefined> {
    return this.#disk.committed.segments.get(keyOf(segment));
  }

  async *segments(): AsyncGenerator<SegmentName> {
    for (const key of this.#disk.committed.segments.keys()) {
      const [bucketNo, segmentNo] = key.split("/").map(Number) as [number, number];
      yield { bucketNo, segmentNo };
    }
  }

  async close(): Promise<void> {}

  /** The process is gone. */
  die(): void {
    this.#isDead = true;
  }

  async #call(name: string, work: () => void): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#isDead) return NEVER;
    const fate = this.#fateOf(name);
    const counts = fate === "works" || fate === "dies behind" || (fate === "fails, but counts" && name === "commit");
    if (counts) work();
    if (fate === "works") return;
    if (fate === "dies before" || fate === "dies behind") {
      this.die();
      return NEVER;
    }
    if (name !== "commit" && name !== "recover") this.#mustBegin = true;
    throw Object.assign(new Error(`${name} failed`), { code: "EIO" });
  }

  #apply({ number, root, records, putSegments, deleteEntries, dropSegments }: Commit): void {
    const { committed } = this.#disk;
    committed.number = number;
    committed.root = root;
    for (const [key, value] of records) {
      if (value === undefined) committed.records.delete(key);
      else committed.records.set(key, value);
    }
    for (const { bytes, text, bucketNo, segmentNo } of putSegments) {
      committed.segments.set(keyOf({ bucketNo, segmentNo }), bytes);
      committed.entries.set(keyOf({ bucketNo, segmentNo }), { name: { bucketNo, segmentNo }, text });
    }
    for (const name of deleteEntries) committed.entries.delete(keyOf(name));
    for (const name of dropSegments) committed.segments.delete(keyOf(name));
  }
}
