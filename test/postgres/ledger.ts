import * as assert from "uvu/assert";
import { ActivityError } from "../../src/errors.js";
import type { Storage } from "../../src/storage/storage.js";
import { bucketOf, draftOf, read } from "../contract/case.js";

/** What became of a write: `unsure` when the error says that it may have been stored. */
type Fate = "acknowledged" | "refused" | "unsure";

/** Writes numbered events through many nodes, notes what each answer promised, and compares that with what is there. */
export class Ledger {
  readonly #fates: Map<number, Fate> = new Map();
  #next = 0;

  /** How many writes were answered so. */
  count(fate: Fate): number {
    return [...this.#fates.values()].filter((each) => each === fate).length;
  }

  /** Writes one event after another until it is told to end: puts, and heartbeats that never merge. */
  async write(storage: Storage, bucketId: string, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const n = this.#next++;
      const draft = draftOf(n * 1_000, 1, n);
      const writing = n % 2 === 0 ? storage.putEvents(bucketId, [draft]) : storage.heartbeat(bucketId, draft, 0);
      this.#fates.set(n, await writing.then((): Fate => "acknowledged", fateOf));
      await new Promise(setImmediate);
    }
  }

  /** Demands that everything acknowledged is there once, and nothing that was refused. */
  async check(storage: Storage, bucketIds: readonly string[]): Promise<void> {
    const found = new Map<number, number>();
    for (const bucketId of bucketIds) {
      for (const { data } of await read(storage, bucketId)) {
        const n = Number(data.label);
        found.set(n, (found.get(n) ?? 0) + 1);
      }
    }
    const wrong = [...this.#fates].flatMap(([n, fate]) => {
      const count = found.get(n) ?? 0;
      const isRight = fate === "unsure" ? count <= 1 : count === (fate === "acknowledged" ? 1 : 0);
      return isRight ? [] : `${n} was ${fate}, and is there ${count} times`;
    });
    assert.equal(wrong, []);
  }
}

/**
 * Writes to new buckets by all nodes while something befalls the database, and demands then that what was promised is so.
 * Closes the nodes.
 */
export async function underLoad(
  nodes: readonly Storage[],
  bucketIds: readonly string[],
  befall: (ledger: Ledger, writing: Promise<unknown>) => Promise<void>,
): Promise<Ledger> {
  const [first] = nodes as readonly [Storage];
  for (const id of bucketIds) await first.createBucket(bucketOf(id));
  const ledger = new Ledger();
  let isOver = false;
  const writing = Promise.all(nodes.flatMap((node) => bucketIds.map((id) => ledger.write(node, id, () => isOver))));
  try {
    await befall(ledger, writing);
  } finally {
    isOver = true;
  }
  await writing;
  await ledger.check(first, bucketIds);
  assert.equal((await first.verify()).problems, []);
  for (const node of nodes) await node.close();
  return ledger;
}

function fateOf(error: unknown): Fate {
  assert.ok(ActivityError.is(error) && error.code === "STORAGE_FAILED", String(error));
  return /may have been stored/.test(error.message) ? "unsure" : "refused";
}
