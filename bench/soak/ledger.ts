import { type BucketKind, type Entry, type Found, fits, parseFound, SoakFault, shown } from "./event.js";

/** What a write does to one event; `undefined`: there is none. */
export interface Change {
  readonly before: Entry | undefined;
  readonly after: Entry | undefined;
}

/** A write under way, or one whose answer was lost. */
export interface Pending {
  /** For messages, such as `bulk insert`. */
  readonly what: string;
  readonly changes: readonly Change[];
  /** Whether it lands as a whole or not at all. Imports may land in part, of whole events. */
  readonly whole: boolean;
  /** Whether the bucket comes or goes with it. */
  readonly bucket?: "created" | "deleted";
}

/**
 * What a bucket must hold. Several writes may be under way at once as long as they touch different events: then their
 * order does not matter, and after a crash each one is either there or not.
 */
export class Ledger {
  readonly bucketId: string;
  readonly kind: BucketKind;
  exists = false;
  /** Changes with every write that begins or ends. */
  version = 0;
  /** Set while a writer waits for the others, to delete the bucket. */
  isClosing = false;
  readonly #entries: Map<number, Entry> = new Map();
  readonly #pending: Set<Pending> = new Set();
  /** Events that a write under way touches. */
  readonly #touched: Set<number> = new Set();

  constructor(bucketId: string, kind: BucketKind = "window") {
    this.bucketId = bucketId;
    this.kind = kind;
  }

  get size(): number {
    return this.#entries.size;
  }

  get isBusy(): boolean {
    return this.#pending.size > 0;
  }

  /** Whether it is not known if the bucket is there, or somebody is about to delete it. */
  get isBlocked(): boolean {
    if (this.isClosing) return true;
    for (const { bucket } of this.#pending) if (bucket !== undefined) return true;
    return false;
  }

  entries(): IterableIterator<Entry> {
    return this.#entries.values();
  }

  get(n: number): Entry | undefined {
    return this.#entries.get(n);
  }

  /** Events that nobody is about to change, picked at random. */
  some(count: number, random: () => number): Entry[] {
    const picked = new Set<Entry>();
    const from = Math.floor(random() * Math.max(1, this.size - count * 4));
    let at = 0;
    for (const entry of this.#entries.values()) {
      if (at++ < from) continue;
      if (picked.size >= count) break;
      if (entry.id !== undefined && !this.#touched.has(entry.n) && random() < 0.5) picked.add(entry);
    }
    return [...picked];
  }

  begin(pending: Pending): void {
    this.version++;
    this.#pending.add(pending);
    for (const change of pending.changes) this.#touched.add(nOf(change));
  }

  /** Takes a write as done, or, `landed` being false, as never made. */
  settle(pending: Pending, landed: boolean): void {
    this.version++;
    this.#pending.delete(pending);
    for (const change of pending.changes) {
      this.#touched.delete(nOf(change));
      if (landed) this.#put(change);
    }
    if (!landed || pending.bucket === undefined) return;
    this.exists = pending.bucket === "created";
    this.#entries.clear();
  }

  /** Takes over an id. */
  learn(n: number, id: number): void {
    const entry = this.#entries.get(n);
    if (entry !== undefined) this.#entries.set(n, { ...entry, id });
  }

  /**
   * Compares the whole bucket, as it was found after a restart, with what must be there, and settles what was in doubt.
   *
   * @param found `undefined`: there is no such bucket
   * @throws SoakFault for the first difference
   */
  resolve(found: readonly Found[] | undefined): void {
    for (const pending of [...this.#pending].filter(({ bucket }) => bucket !== undefined)) {
      this.settle(pending, (pending.bucket === "created") === (found !== undefined));
    }
    if ((found !== undefined) !== this.exists) {
      throw new SoakFault(`bucket ${this.bucketId} is ${found ? "there, but was deleted or never made" : "lost"}`);
    }
    if (found === undefined) {
      for (const pending of [...this.#pending]) this.settle(pending, false);
      return;
    }
    const byN = this.#byN(found);
    for (const pending of [...this.#pending]) this.#decide(pending, byN);
    this.compare(found);
    for (const { n, id } of found) if (id !== undefined) this.learn(n, id);
  }

  /**
   * Compares an answer that holds all events, newest first.
   *
   * @throws SoakFault for the first difference
   */
  compare(found: readonly Found[]): void {
    this.compareSome(found, [...this.#entries.values()], "all events");
  }

  /**
   * Compares an answer with the events that belong in it.
   *
   * @throws SoakFault for the first difference
   */
  compareSome(found: readonly Found[], expected: readonly Entry[], what: string): void {
    const byN = this.#byN(found);
    for (const entry of expected) {
      const other = byN.get(entry.n);
      if (other === undefined) this.#fail(entry.n, `is lost: expected ${shown(entry)}, found nothing (${what})`);
      else if (!fits(other, entry, this.kind)) {
        this.#fail(entry.n, `is wrong: expected ${shown(entry)}, found ${shown(other)} (${what})`);
      }
    }
    if (byN.size === expected.length) return;
    const wanted = new Set(expected.map(({ n }) => n));
    for (const [n, other] of byN) {
      if (!wanted.has(n)) this.#fail(n, `must not be there (${what}): expected nothing, found ${shown(other)}`);
    }
  }

  /**
   * The events of an answer.
   *
   * @param isCut whether events are cut to a range: then several may begin with it, in any order of their ids
   * @throws SoakFault for one that is no event of the soak, and for a wrong order
   */
  parse(list: unknown, what: string, isCut = false): Found[] {
    if (!Array.isArray(list)) throw new SoakFault(`bucket ${this.bucketId}: ${shown(list)} is no list (${what})`);
    const found = list.map((value) => parseFound(value, `bucket ${this.bucketId} (${what})`));
    for (let at = 1; at < found.length; at++) {
      const newer = found[at - 1] as Found;
      const older = found[at] as Found;
      const isEqual = instant(newer) === instant(older) && (isCut || (newer.id ?? 1) > (older.id ?? 0));
      if (!isEqual && instant(newer) <= instant(older))
        this.#fail(older.n, `stands behind ${shown(newer)} though it is newer (${what})`);
    }
    return found;
  }

  #decide(pending: Pending, byN: ReadonlyMap<number, Found>): void {
    const landed = pending.changes.map((change) => this.#isThere(change.after, byN.get(nOf(change))));
    const count = landed.filter(Boolean).length;
    if (pending.whole && count > 0 && count < landed.length) {
      const other = landed.indexOf(count * 2 <= landed.length);
      const { before, after } = pending.changes[other] as Change;
      const odd = `expected ${shown(before)} or ${shown(after)}, found ${shown(byN.get(nOf({ before, after })))}`;
      const text = `half of a write is there: ${count} of ${landed.length} events of a ${pending.what}`;
      throw new SoakFault(`bucket ${this.bucketId}: ${text}; event ${nOf({ before, after })}: ${odd}`);
    }
    this.settle(pending, false);
    for (const change of pending.changes.filter((_, at) => landed[at])) this.#put(change);
  }

  /** Whether what was found is what should be there; events that should not be there are right when they are not. */
  #isThere(entry: Entry | undefined, found: Found | undefined): boolean {
    if (entry === undefined || found === undefined) return entry === undefined && found === undefined;
    return fits(found, entry, this.kind);
  }

  #byN(found: readonly Found[]): Map<number, Found> {
    const byN = new Map<number, Found>();
    for (const event of found) {
      const other = byN.get(event.n);
      if (other !== undefined) this.#fail(event.n, `is there twice: ${shown(other)} and ${shown(event)}`);
      byN.set(event.n, event);
    }
    return byN;
  }

  #put({ before, after }: Change): void {
    if (after !== undefined) this.#entries.set(after.n, after);
    else if (before !== undefined) this.#entries.delete(before.n);
  }

  #fail(n: number, text: string): never {
    throw new SoakFault(`bucket ${this.bucketId}, event ${n} ${text}`);
  }
}

function nOf({ before, after }: Change): number {
  return (before ?? (after as Entry)).n;
}

/** The microseconds, as a text that compares like them. */
function instant({ timestamp }: Found): string {
  return timestamp.length === 25 ? `${timestamp.slice(0, 19)}.000000` : timestamp.slice(0, 26);
}
