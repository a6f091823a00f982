import { MemoryLevel } from "memory-level";
import { suite } from "uvu";
import { leveldb } from "../../adapters/leveldb/index.js";
import { memory } from "../../adapters/memory.js";
import type { Storage } from "../../src/storage.js";
import { withFolder } from "./folder.js";
import { forgetPartners, playModel, SEEDS, type Side, STEPS } from "./model-play.js";

const test = suite("model");

async function sidesIn(folder: string): Promise<Side[]> {
  const db = new MemoryLevel() as never;
  const onMemory = (): Promise<Storage> => leveldb({ db });
  const onFolder = (): Promise<Storage> => leveldb({ path: folder });
  const plain = memory();
  return [
    { storage: plain, reopen: async () => forgetPartners(plain) },
    { storage: await onMemory(), reopen: onMemory },
    { storage: await onFolder(), reopen: onFolder },
  ];
}

for (const seed of SEEDS) {
  test(`seed ${seed}: ${STEPS} random calls answer alike on memory, memory-level and a folder`, () =>
    withFolder(async (folder) => playModel(seed, await sidesIn(folder))));
}

test.run();
