import { type ActivityError, noSuchBucket, storageClosed } from "../../src/errors.js";
import { BucketFile } from "./bucket-file.js";
import { eventsOf } from "./chunk.js";
import { ChunkCache } from "./chunk-cache.js";
import { fold, wantsFold } from "./fold.js";
import { Line } from "./line.js";
import type { Root } from "./root.js";
import type { RootWork } from "./root-file.js";
import type { Shelf } from "./shelf.js";
import type { Term } from "./term.js";
import { Trash } from "./trash.js";
import type { Values } from "./values.js";
import { type ChunkEvents, Work } from "./work.js";

/** Numbers that only grow, whatever becomes of the calls that took them. */
interface Counters {
  nextEventId: number;
  nextBucketNo: number;
}

/**
 * Holds what is stored, as it is stored: all but the content of chunks is in memory. Changes go through lines, one for
 * each bucket id and one for the root; see line.ts.
 */
export class Keeper {
  /** By bucket id. Only what was stored and acknowledged is in it. */
  readonly shelves: Map<string, Shelf> = new Map();
  readonly counters: Counters;
  readonly chunks: ChunkCache;
  readonly trash: Trash;
  readonly #values: Values;
  readonly #term: Term;
  readonly #rootLine: Line<RootWork>;
  readonly #lines: Map<string, Line<Work>> = new Map();
  #isClosing = false;

  constructor(values: Values, term: Term, cacheBytes: number) {
    this.#values = values;
    this.#term = term;
    this.counters = { nextEventId: term.nextEventId, nextBucketNo: term.root.root.nextBucket };
    this.chunks = new ChunkCache(values, cacheBytes, () => term.fence.verify());
    this.trash = new Trash(values, () => term.fence.lost === undefined);
    this.#rootLine = new Line({ begin: () => term.root.begin(), store: (work) => this.#storeRoot(work) });
    for (const shelf of term.shelves) this.shelves.set(shelf.bucket.id, shelf);
    this.trash.add(term.garbage);
  }

  /** The root as it was stored last. */
  get root(): Root {
    return this.#term.root.root;
  }

  /** @throws ActivityError `STORAGE_CLOSED`, or what `Fence.lost` says */
  assertUsable(): void {
    const refusal = this.#refusal();
    if (refusal !== undefined) throw refusal;
  }

  #refusal(): ActivityError | undefined {
    return this.#isClosing ? storageClosed() : this.#term.fence.lost;
  }

  /** @throws ActivityError `NO_SUCH_BUCKET`, and as `assertUsable` */
  shelfOf(bucketId: string): Shelf {
    this.assertUsable();
    const shelf = this.shelves.get(bucketId);
    if (shelf === undefined) throw noSuchBucket(bucketId);
    return shelf;
  }

  /** Changes a bucket. Rejects with `NO_SUCH_BUCKET` or `STORAGE_FAILED`, and as `assertUsable`. */
  change<T>(bucketId: string, apply: (work: Work) => T | Promise<T>): Promise<T> {
    const refusal = this.#refusal();
    return refusal === undefined ? this.#lineOf(bucketId).share(apply) : Promise.reject(refusal);
  }

  /** Makes or deletes a bucket when it is its turn among the changes of that id. */
  inTurn<T>(bucketId: string, run: () => Promise<T>): Promise<T> {
    const refusal = this.#refusal();
    return refusal === undefined ? this.#lineOf(bucketId).alone(run) : Promise.reject(refusal);
  }

  /** Changes the root. */
  changeRoot<T>(apply: (work: RootWork) => T): Promise<T> {
    const refusal = this.#term.fence.lost;
    return refusal === undefined ? this.#rootLine.share(apply) : Promise.reject(refusal);
  }

  /** Makes sure that what was acknowledged is found by the next writer. */
  async verify(): Promise<void> {
    await (this.#term.root.isInDoubt ? this.changeRoot(() => undefined) : this.#term.fence.verify());
  }

  /** Where a new bucket is stored. Numbers of buckets are never used again, whatever becomes of the call. */
  newFile(): BucketFile {
    return new BucketFile(this.#values, this.#term.name, this.counters.nextBucketNo++);
  }

  /** Reads the events of a chunk for a change, which may have made it itself. */
  eventsFor(work: Work): ChunkEvents {
    return async (entry) => work.fresh.get(entry) ?? eventsOf(await this.chunks.read(work.shelf.file.bucketNo, entry));
  }

  /** Waits for what was begun, and overrides what was refused but may have been written. */
  async close(): Promise<void> {
    this.#isClosing = true;
    while (this.#lines.size > 0) await Promise.all(Array.from(this.#lines.values(), settled));
    await settled(this.#rootLine);
    if (this.#term.fence.lost === undefined) {
      const doubtful = [...this.shelves].filter(([, { file }]) => file.isInDoubt);
      await Promise.all(doubtful.map(([id]) => settled(this.#lineOf(id))));
    }
    this.chunks.close();
    await this.trash.idle();
  }

  #lineOf(bucketId: string): Line<Work> {
    const known = this.#lines.get(bucketId);
    if (known !== undefined) return known;
    const line = new Line<Work>({
      begin: () => {
        const shelf = this.shelves.get(bucketId);
        if (shelf === undefined) throw noSuchBucket(bucketId);
        return new Work(shelf);
      },
      store: (work) => this.#store(bucketId, work),
      idle: () => this.#lines.delete(bucketId),
    });
    this.#lines.set(bucketId, line);
    return line;
  }

  async #store(bucketId: string, work: Work): Promise<void> {
    const { file } = work.shelf;
    // A root in doubt may lack the bucket: nothing may be acknowledged that would go with it.
    if (this.#term.root.isInDoubt) await this.verify();
    if (wantsFold(work)) await fold(work, this.eventsFor(work));
    if (work.isChanged || file.isInDoubt) {
      const nextId = this.counters.nextEventId;
      this.trash.add(await file.store(work, { nextId, verify: () => this.#term.fence.verify() }));
    } else await this.verify();
    const { bucket, directory, tail, tailWeight, partnerId } = work;
    this.shelves.set(bucketId, { bucket, directory, tail, tailWeight, partnerId, file });
  }

  #storeRoot(work: RootWork): Promise<void> {
    const { nextEventId: nextId, nextBucketNo: nextBucket } = this.counters;
    return this.#term.root.store(work, { nextId, nextBucket }, () => this.#term.fence.verify());
  }
}

/** Resolves when everything in a line is done, and with it what it left in doubt. */
function settled<T>(line: Line<T>): Promise<void> {
  return line.share(() => undefined).catch(() => undefined);
}
