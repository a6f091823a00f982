import type { CacheShare } from "../../util/memory-budget.js";
import type { FeedChange, FeedEntry } from "./message.js";

/** Maximum number of kept changes. */
export const MAX_CHANGES = 100_000;
/** How long changes are kept, in milliseconds. */
export const KEPT_MILLIS = 600_000;
/** Memory of an entry without its JSON. */
const ENTRY_BYTES = 200;
/** Maximum number of deleted events that are known for a bucket. */
const MAX_DELETED = 10_000;

/** What is no longer true of earlier entries of a bucket. */
interface Outdated {
  /** Entries before this number are outdated. */
  before: number;
  /** The same for single events, by ID. */
  readonly events: Map<number, number>;
}

/** The last changes, numbered without gaps. Drops the oldest ones when it is full or they are old. */
export class FeedRing {
  #entries: (FeedEntry | undefined)[] = [];
  /** The index of the oldest entry. */
  #head = 0;
  #next = 1;
  #version = 0;
  readonly #outdated: Map<string, Outdated> = new Map();
  /** The number of the last change that made others outdated. */
  #lastOutdating = 0;
  #bytes = 0;
  readonly #limitBytes: number;
  readonly #share: Pick<CacheShare, "add" | "countEviction"> | undefined;

  /** @param share counts the memory */
  constructor(limitBytes: number, share?: Pick<CacheShare, "add" | "countEviction">) {
    this.#limitBytes = limitBytes;
    this.#share = share;
  }

  /** The number of the next entry. */
  get next(): number {
    return this.#next;
  }

  /** Another one after each change of the entries, or of what is outdated. */
  get version(): number {
    return this.#version;
  }

  /** The number of the oldest entry; of the next one if there is none. */
  get first(): number {
    return this.#next - (this.#entries.length - this.#head);
  }

  add(change: FeedChange, json: string, at: number): void {
    const entry = { number: this.#next++, change, json, at };
    this.#version++;
    this.#entries.push(entry);
    this.dropOld(at);
    while (this.#next - this.first > MAX_CHANGES) this.#drop();
    while (this.#bytes + bytesOf(entry) > this.#limitBytes && this.first < entry.number) this.dropOldest();
    this.#bytes += bytesOf(entry);
    // Last: it may call `dropOldest`.
    this.#share?.add(bytesOf(entry));
  }

  get(number: number): FeedEntry {
    return this.#entries[this.#head + number - this.first] as FeedEntry;
  }

  /** Drops the entries of more than ten minutes ago. */
  dropOld(now: number): void {
    while (this.#head < this.#entries.length && (this.#entries[this.#head] as FeedEntry).at < now - KEPT_MILLIS) {
      this.#drop();
    }
  }

  /** @returns whether there was one */
  dropOldest(): boolean {
    if (this.#head === this.#entries.length) return false;
    this.#share?.countEviction();
    this.#drop();
    return true;
  }

  clear(): void {
    this.#version++;
    while (this.#head < this.#entries.length) this.#drop();
    this.#entries = [];
    this.#head = 0;
    this.#outdated.clear();
  }

  /**
   * Outdates the earlier entries of a bucket: their data may have been removed, so nobody may see them.
   *
   * @param ids only of these events @default all
   * @returns whether it did; `false` if there are too many of these events, and nothing changed
   */
  outdate(bucketId: string, ids?: readonly number[]): boolean {
    const known = this.#outdated.get(bucketId) ?? { before: 0, events: new Map<number, number>() };
    if (ids !== undefined && known.events.size + ids.length > MAX_DELETED) return false;
    this.#version++;
    this.#outdated.set(bucketId, known);
    this.#lastOutdating = this.#next;
    if (ids === undefined) {
      known.before = this.#next;
      known.events.clear();
    } else for (const id of ids) known.events.set(id, this.#next);
    return true;
  }

  /** Whether a later change replaces what an entry says about events. */
  isOutdated({ change, number }: FeedEntry): boolean {
    if (this.#outdated.size === 0 || change.type !== "events") return false;
    const known = this.#outdated.get(change.bucket);
    if (known === undefined) return false;
    return number < known.before || ("event" in change && number < (known.events.get(change.event.id) ?? 0));
  }

  #drop(): void {
    const entry = this.#entries[this.#head] as FeedEntry;
    this.#version++;
    this.#entries[this.#head++] = undefined;
    this.#bytes -= bytesOf(entry);
    this.#share?.add(-bytesOf(entry));
    if (this.#head >= 1024 && this.#head * 2 >= this.#entries.length) {
      this.#entries = this.#entries.slice(this.#head);
      this.#head = 0;
    }
    if (this.first >= this.#lastOutdating) this.#outdated.clear();
  }
}

function bytesOf({ json }: FeedEntry): number {
  // The event and its JSON.
  return ENTRY_BYTES + 3 * json.length;
}
