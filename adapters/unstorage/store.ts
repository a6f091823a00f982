import type { OrderedEvent, StoredEvent } from "../../src/domain/event.js";
import type { Durability, EventRange, Storage } from "../../src/storage.js";
import { bucketVerbs } from "./bucket-verbs.js";
import type { Chunk } from "./chunk.js";
import { eventVerbs } from "./event-verbs.js";
import type { Keeper } from "./keeper.js";
import { asPrinted, asStored, type ChunkSource, carryOut, countOverlapping, type Form, planRead } from "./read.js";
import { countOf, type Shelf } from "./shelf.js";
import { findIn } from "./tail.js";

/** What a store is opened with. */
export interface StoreOptions {
  readonly keeper: Keeper;
  readonly durability: Durability;
  /** Called when everything is written. */
  release(): Promise<void>;
}

/** The storage over what a keeper holds. */
export function createStore({ keeper, durability, release }: StoreOptions): Storage {
  let closed: Promise<void> | undefined;

  /** Reads chunks that stay where they are until `use` is done. */
  async function holding<T>(use: () => Promise<T>): Promise<T> {
    const letGo = keeper.trash.hold();
    try {
      return await use();
    } finally {
      letGo();
    }
  }

  function chunksOf({ file }: Shelf, among: number): ChunkSource {
    return (entry): Promise<Chunk> => keeper.chunks.read(file.bucketNo, entry, among);
  }

  async function* read<E extends OrderedEvent>(
    bucketId: string,
    range: EventRange = {},
    form: Form<E>,
  ): AsyncGenerator<readonly E[]> {
    const shelf = keeper.shelfOf(bucketId);
    const plan = planRead(shelf, range);
    const letGo = keeper.trash.hold();
    try {
      yield* carryOut(plan, chunksOf(shelf, plan.chunks.length), form);
    } finally {
      letGo();
    }
  }

  async function getEvent(bucketId: string, eventId: number): Promise<StoredEvent | undefined> {
    const shelf = keeper.shelfOf(bucketId);
    const event = findIn(shelf.tail, eventId);
    if (event !== undefined) return event;
    const entries = shelf.directory.holding([eventId]);
    return holding(async () => {
      const chunkOf = chunksOf(shelf, entries.length);
      for (const entry of entries) {
        const chunk = await chunkOf(entry);
        const position = chunk.positionOfId(eventId);
        if (position >= 0) return chunk.eventAt(position);
      }
      return undefined;
    });
  }

  return {
    traits: { adapter: "unstorage", durability, snapshotReads: true, multiProcess: false },
    ...bucketVerbs(keeper),
    ...eventVerbs(keeper),
    getEvent,

    readEvents: (bucketId, range) => read(bucketId, range, asStored),
    readPrinted: (bucketId, range) => read(bucketId, range, asPrinted),

    async countEvents(bucketId, range = {}) {
      const shelf = keeper.shelfOf(bucketId);
      if (range.start === undefined && range.end === undefined) return countOf(shelf);
      return holding(() => countOverlapping(shelf, range, chunksOf(shelf, 1)));
    },

    close() {
      closed ??= keeper.close().then(release);
      return closed;
    },
  };
}
