import type { StoredEvent } from "../../src/domain/event.js";
import { printChunk } from "./chunk.js";
import type { ChunkEntry } from "./directory.js";
import { type Manifest, printJournal, printManifest } from "./manifest.js";
import { chunkName, journalRecord, manifestRecord } from "./names.js";
import { Slots } from "./slots.js";
import type { Values } from "./values.js";
import type { Work } from "./work.js";

/**
 * A journal longer than this is replaced by a new manifest. Up to here the time that a driver takes does not depend on
 * the length; behind it every heartbeat would pay for inserts before it, and a manifest of every few inserts is no
 * better.
 */
const JOURNAL_CHARS = 4096;
/** Chunks that are written at the same time. */
const AT_ONCE = 16;

/** What a store is made with. */
interface StoreStep {
  /** The id counter. */
  readonly nextId: number;
  /** Asked behind the last write: from then on the store counts. */
  verify(): Promise<void>;
}

/**
 * Writes what is stored of one bucket. The last write of a store decides: one value, the journal or the manifest, in
 * the place that does not count yet. Chunks are written before it, under names that nothing refers to, and those that
 * are no longer needed are removed behind it.
 */
export class BucketFile {
  readonly term: string;
  readonly bucketNo: number;
  readonly #values: Values;
  readonly #manifests: Slots;
  readonly #journals: Slots;
  #version = 0;
  /** Version of the manifest that counts, and the tail in it, by id. */
  #base = 0;
  #written: ReadonlyMap<number, StoredEvent> = new Map();
  /** What a journal must tell. */
  #changes: Map<number, StoredEvent | undefined> = new Map();
  /** Set while the last store has not landed: only a new manifest, which overrides it, is certain then. */
  #isInDoubt = false;
  #nextChunkNo = 0;
  /** Chunks of stores that failed. A manifest in doubt may refer to them. */
  #orphans: string[] = [];

  constructor(values: Values, term: string, bucketNo: number) {
    this.term = term;
    this.bucketNo = bucketNo;
    this.#values = values;
    this.#manifests = new Slots(manifestRecord(term, bucketNo));
    this.#journals = new Slots(journalRecord(term, bucketNo));
  }

  /** Whether what was refused might be found after a crash. */
  get isInDoubt(): boolean {
    return this.#isInDoubt;
  }

  /** Numbers of chunks are never used again within a term. */
  nextChunkNo(): number {
    return this.#nextChunkNo++;
  }

  /** Writes the first manifest of a term. Nothing refers to it yet, so that nothing needs to be verified. */
  async begin(state: Omit<Manifest, "version">): Promise<void> {
    await this.#values.write(this.#manifests.next, printManifest({ ...state, version: ++this.#version }));
    this.#manifests.landed();
    this.#manifestLanded(this.#version, state.tail);
  }

  /**
   * Stores a working copy.
   *
   * @returns names that mean nothing any more
   */
  async store(work: Work, { nextId, verify }: StoreStep): Promise<readonly string[]> {
    const version = ++this.#version;
    const mustRewrite = this.#isInDoubt || !work.onlyTailDiffers;
    this.#isInDoubt = true;
    const journal = mustRewrite ? undefined : this.#journalOf(work, version, nextId);
    if (journal !== undefined && journal.length <= JOURNAL_CHARS) {
      await this.#write(this.#journals, journal, verify);
      this.#isInDoubt = false;
      return [];
    }
    const orphans = [...this.#orphans];
    await this.#writeChunks(work.fresh);
    const { bucket, directory, tail } = work;
    await this.#write(this.#manifests, printManifest({ version, nextId, bucket, directory, tail }), verify);
    this.#manifestLanded(version, tail);
    this.#orphans = [];
    return [...orphans, ...this.chunkNames(work.dropped)];
  }

  /** Everything that is stored of a bucket with these chunks. */
  namesWith(entries: Iterable<ChunkEntry>): string[] {
    return [...this.#manifests.names, ...this.#journals.names, ...this.#orphans, ...this.chunkNames(entries)];
  }

  chunkNames(entries: Iterable<ChunkEntry>): string[] {
    return Array.from(entries, ({ term, chunkNo }) => chunkName(term, this.bucketNo, chunkNo));
  }

  async #write(slots: Slots, body: string, verify: () => Promise<void>): Promise<void> {
    try {
      await this.#values.write(slots.next, body);
      await verify();
    } catch (thrown) {
      slots.failed();
      throw thrown;
    }
    slots.landed();
  }

  #manifestLanded(version: number, tail: readonly StoredEvent[]): void {
    this.#base = version;
    this.#written = new Map(tail.map((event) => [event.id, event]));
    this.#changes = new Map();
    this.#isInDoubt = false;
  }

  #journalOf(work: Work, version: number, nextId: number): string {
    for (const [id, event] of work.changes) this.#changes.set(id, event);
    return printJournal({ version, base: this.#base, nextId }, this.#changes, this.#written);
  }

  async #writeChunks(fresh: ReadonlyMap<ChunkEntry, readonly StoredEvent[]>): Promise<void> {
    const names = this.chunkNames(fresh.keys());
    this.#orphans.push(...names);
    const bodies = [...fresh.values()];
    for (let at = 0; at < names.length; at += AT_ONCE) {
      const group = names.slice(at, at + AT_ONCE);
      await Promise.all(group.map((name, index) => this.#writeChunk(name, bodies[at + index] ?? [])));
    }
  }

  #writeChunk(name: string, events: readonly StoredEvent[]): Promise<void> {
    return this.#values.write(name, printChunk(events));
  }
}
