import { fold, nextFold, wantsFold } from "./fold.js";
import type { Applied } from "./in-order.js";
import type { Keeper } from "./keeper.js";
import type { SealedBlocks } from "./sealed-blocks.js";
import type { Shelf } from "./shelf.js";
import type { Write } from "./store.js";

/** Folds tails into segments, step by step, so that writers of the same bucket wait for one step at the most. */
export interface Folding {
  /** One step, in the turn of the bucket. Its result is whether there was something to fold. */
  step(shelf: Shelf): Promise<Applied<boolean>>;
  /** Folds in the background where a tail has grown large; to be called after each write. */
  start(bucketId: string, shelf: Shelf): void;
}

/** @param write makes a change when the turn of its bucket comes */
export function createFolding(keeper: Keeper, blocks: SealedBlocks, write: Write): Folding {
  async function step(shelf: Shelf): Promise<Applied<boolean>> {
    const next = nextFold(shelf);
    if (next === undefined) return { result: false, landed: Promise.resolve() };
    const { target } = next;
    if (target === undefined) return { result: true, landed: keeper.commit(fold(shelf, next, undefined), shelf) };
    return blocks.reading(shelf, [target], async (blockOf) => {
      const block = await blockOf(target);
      keeper.assertCurrent(shelf);
      return { result: true, landed: keeper.commit(fold(shelf, next, block), shelf) };
    });
  }

  async function foldAll(bucketId: string, shelf: Shelf): Promise<void> {
    try {
      while (wantsFold(shelf) && !keeper.closing) {
        await new Promise((resolve) => setTimeout(resolve, 0));
        if (!(await write(bucketId, step))) break;
      }
    } finally {
      shelf.folding = false;
    }
  }

  return {
    step,
    start(bucketId, shelf) {
      if (shelf.folding || keeper.closing || !wantsFold(shelf)) return;
      shelf.folding = true;
      keeper.inBackground(foldAll(bucketId, shelf));
    },
  };
}
