import { MemoryLevel } from "memory-level";
import { suite } from "uvu";
import { leveldb } from "../../adapters/leveldb/index.js";
import { memory } from "../../adapters/memory.js";
import type { Storage } from "../../src/storage.js";
import { randomOf } from "../contract/case.js";
import { Reference } from "../contract/reference.js";
import { withFolder } from "./folder.js";
import { compareAll, type Run, takeStep } from "./model-steps.js";

const test = suite("model");

const STEPS = Number(process.env.MODEL_STEPS ?? 1_500);
/** `MODEL_SEED=7 node --import tsx test/adapters/model.test.ts` repeats one run. */
const SEEDS = process.env.MODEL_SEED === undefined ? [1, 2, 3] : [Number(process.env.MODEL_SEED)];

/** A storage that can be closed and opened again. */
interface Side {
  storage: Storage;
  reopen(): Promise<Storage>;
}

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

/**
 * What a reopening changes for callers is the partner of the next heartbeat. A storage that cannot reopen gets there
 * by a put that changes nothing else.
 */
async function forgetPartners(storage: Storage): Promise<Storage> {
  for (const { id } of await storage.listBuckets()) {
    for await (const chunk of storage.readEvents(id, { limit: 1 })) await storage.putEvents(id, chunk);
  }
  return storage;
}

async function reopenAll(sides: readonly Side[], reference: Reference): Promise<void> {
  for (const side of sides) {
    if (side.storage.traits.durability !== "nothing") await side.storage.close();
    side.storage = await side.reopen();
  }
  reference.reopen();
}

async function play(seed: number, folder: string): Promise<void> {
  const sides = await sidesIn(folder);
  const reference = new Reference();
  const random = randomOf(seed);
  let call = "";
  const run: Run = {
    storages: () => sides.map(({ storage }) => storage),
    reference,
    random,
    now: 1_000,
    tell(what) {
      call = what;
    },
  };
  let step = 0;
  try {
    for (step = 1; step <= STEPS; step++) {
      await takeStep(run);
      if (random() < 1 / 150) await reopenAll(sides, reference);
      if (step % 250 === 0) await compareAll(run);
    }
    await reopenAll(sides, reference);
    await compareAll(run);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`MODEL_SEED=${seed}, step ${step} (${call}): ${reason}`, { cause });
  } finally {
    for (const { storage } of sides) await storage.close();
  }
}

for (const seed of SEEDS) {
  test(`seed ${seed}: ${STEPS} random calls answer alike on memory, memory-level and a folder`, () =>
    withFolder((folder) => play(seed, folder)));
}

test.run();
