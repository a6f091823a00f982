import type { StoredEvent } from "../../src/domain/event.js";
import { noSuchBucket } from "../../src/errors.js";
import type { Durability, EventRange, Storage } from "../../src/storage.js";
import { bucketVerbs } from "./bucket-verbs.js";
import { carryOutColumns } from "./columns.js";
import type { TextDatabase } from "./database.js";
import { eventVerbs } from "./event-verbs.js";
import { isOverfull } from "./fold.js";
import { createFolding } from "./folding.js";
import type { Applied } from "./in-order.js";
import { createKeeper } from "./keeper.js";
import {
  type BlockSource,
  countOverlapping,
  planRead,
  type ReadPlan,
  readPrinted,
  readStored,
  tailSuffices,
} from "./read.js";
import { SealedBlocks } from "./sealed-blocks.js";
import { mayHold } from "./segment-entry.js";
import { settingsVerbs } from "./settings-verbs.js";
import type { Shelf } from "./shelf.js";
import type { State } from "./state.js";

/** What a store is opened with. */
export interface StoreOptions {
  readonly database: TextDatabase;
  readonly state: State;
  readonly durability: Durability;
  /** What to call the database in messages. */
  readonly name: string;
  /** Size of decoded segments kept in memory. */
  readonly cacheBytes: number;
  /** Called when everything is written. */
  release(): Promise<void>;
}

/**
 * Makes a change of a bucket when its turn comes.
 *
 * @throws ActivityError `NO_SUCH_BUCKET`, `STORAGE_FAILED`, `STORAGE_CLOSED`
 */
export type Write = <T>(bucketId: string, change: (shelf: Shelf) => Applied<T> | Promise<Applied<T>>) => Promise<T>;

/** The storage over one database: shelves are what is in memory, the keeper gets it to disk. */
export function createStore({ database, state, durability, name, cacheBytes, release }: StoreOptions): Storage {
  const blocks = new SealedBlocks(database, name, cacheBytes);
  const keeper = createKeeper({ database, state, name, onReload: () => blocks.clear() });
  const folding = createFolding(keeper, blocks, write);
  let closed: Promise<void> | undefined;

  function shelfOf(bucketId: string): Shelf {
    const shelf = keeper.state.shelves.get(bucketId);
    if (shelf === undefined) throw noSuchBucket(bucketId);
    return shelf;
  }

  function write<T>(bucketId: string, change: (shelf: Shelf) => Applied<T> | Promise<Applied<T>>): Promise<T> {
    return keeper.inTurn(bucketId, () => {
      const shelf = shelfOf(bucketId);
      // Writers that outrun the folding pay for a step of it each: the tail must not grow without end.
      const applied = isOverfull(shelf) ? folding.step(shelf).then(() => change(shelf)) : change(shelf);
      folding.start(bucketId, shelf);
      return applied;
    });
  }

  async function readShelf(bucketId: string): Promise<Shelf> {
    await keeper.opened();
    return shelfOf(bucketId);
  }

  async function* read<Chunk>(
    bucketId: string,
    range: EventRange = {},
    carry: (plan: ReadPlan, blockOf: BlockSource) => AsyncGenerator<Chunk>,
  ): AsyncGenerator<Chunk> {
    const shelf = await readShelf(bucketId);
    const plan = planRead(shelf, range);
    const view = blocks.view(shelf, tailSuffices(plan) ? [] : plan.segments);
    try {
      yield* carry(plan, view.blockOf);
    } finally {
      await view.close();
    }
  }

  async function getEvent(bucketId: string, eventId: number): Promise<StoredEvent | undefined> {
    const shelf = await readShelf(bucketId);
    const event = shelf.tail.get(eventId);
    if (event !== undefined) return event;
    const segments = shelf.directory.entries.filter((entry) => mayHold(entry, eventId));
    return blocks.reading(shelf, segments, async (blockOf) => {
      for (const entry of segments) {
        const block = await blockOf(entry);
        const position = block.positionOfId(eventId);
        if (position >= 0) return block.eventAt(position);
      }
      return undefined;
    });
  }

  return {
    traits: { adapter: "leveldb", durability, snapshotReads: true, multiProcess: false },
    settings: settingsVerbs(keeper),
    ...bucketVerbs(keeper, database, write),
    ...eventVerbs(keeper, blocks, write),
    getEvent,

    readEvents: (bucketId, range) => read(bucketId, range, readStored),
    readPrinted: (bucketId, range) => read(bucketId, range, readPrinted),

    async *readColumns(bucketId, range = {}) {
      const shelf = await readShelf(bucketId);
      const plan = planRead(shelf, { ...range, order: "oldest" });
      const view = blocks.view(shelf, plan.segments);
      try {
        yield* carryOutColumns(plan, view.blockOf);
      } finally {
        await view.close();
      }
    },

    revision(bucketId) {
      const { shelves } = keeper.state;
      if (keeper.closing) return undefined;
      // What was built on a failed write is not there; reads wait until the state is read again.
      if (bucketId !== undefined) {
        const shelf = shelves.get(bucketId);
        return shelf?.stale ? undefined : shelf?.revision;
      }
      const all = Array.from(shelves.values());
      return all.some(({ stale }) => stale) ? undefined : all.map(({ recordRevision }) => recordRevision).join();
    },

    async countEvents(bucketId, range = {}) {
      const shelf = await readShelf(bucketId);
      if (range.start === undefined && range.end === undefined) return shelf.count;
      return blocks.reading(shelf, shelf.directory.entries, (blockOf) => countOverlapping(shelf, range, blockOf));
    },

    close() {
      closed ??= keeper.close().then(release);
      return closed;
    },
  };
}
