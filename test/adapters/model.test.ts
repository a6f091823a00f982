// The same random calls go to a storage and to the reference.
// long: 900 s
import path from "node:path";
import { MemoryLevel } from "memory-level";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { memory } from "../../adapters/memory.js";
import type { Storage } from "../../src/storage/storage.js";
import { intOf } from "../contract/case.js";
import { type Failure, FaultyDatabase } from "./faulty-database.js";
import { withFolder } from "./folder.js";
import { playModel, SEEDS, type Side, STEPS, type Trouble } from "./model-play.js";

const test = suite("model");

const FAILURES: readonly Failure[] = ["refused", "made", "full"];

for (const seed of SEEDS) {
  test(`seed ${seed}: ${STEPS} random calls are answered right by memory, memory-level, a folder and an encrypted one`, () =>
    withFolder(async (folder) => {
      const db = new MemoryLevel() as never;
      const onMemory = (): Storage => leveldb({ db });
      const onFolder = (): Storage => leveldb({ path: path.join(folder, "plain") });
      const encryption = { key: new Uint8Array(32).fill(3) };
      const onEncrypted = (): Storage => leveldb({ path: path.join(folder, "encrypted"), encryption });
      await playModel(seed, [
        { storage: memory() },
        { storage: onMemory(), reopen: onMemory },
        { storage: onFolder(), reopen: onFolder },
        { storage: onEncrypted(), reopen: onEncrypted },
      ]);
    }));
}

/** A storage whose writes fail now and then. */
function troubled(): { readonly database: FaultyDatabase; readonly side: Side } {
  const database = new FaultyDatabase();
  const open = (): Storage => leveldb({ db: database, cacheBytes: 0 });
  const trouble: Trouble = {
    stir(random) {
      if (random() < 0.04) database.failWrite(intOf(random, 1, 4), FAILURES[intOf(random, 0, 2)] as Failure);
    },
    end: () => database.repair(),
  };
  return { database, side: { storage: open(), reopen: open, trouble } };
}

test(`${STEPS} random calls while writes fail now and then: acknowledged is there, refused is not`, async () => {
  const runs = SEEDS.map((seed) => ({ seed, ...troubled() }));
  // At once: most of a run is waiting until writing has come back.
  await Promise.all(runs.map(({ seed, side }) => playModel(seed, [side])));
  for (const { database, seed } of runs)
    assert.ok(database.failed > STEPS / 80, `seed ${seed}: ${database.failed} failures`);
});

test.run();
