import type { Storage } from "../../src/storage.js";
import { randomOf } from "../contract/case.js";
import { Reference } from "../contract/reference.js";
import { compareAll, type Run, takeStep } from "./model-steps.js";

/** Calls of a run. */
export const STEPS: number = Number(process.env.MODEL_STEPS ?? 1_500);
/** `MODEL_SEED=7 node --import tsx test/adapters/model.test.ts` repeats one run. */
export const SEEDS: readonly number[] =
  process.env.MODEL_SEED === undefined ? [1, 2, 3] : [Number(process.env.MODEL_SEED)];

/** A storage that can be closed and opened again. */
export interface Side {
  storage: Storage;
  reopen(): Promise<Storage>;
}

/**
 * What a reopening changes for callers is the partner of the next heartbeat. A storage that cannot reopen gets there
 * by a put that changes nothing else.
 */
export async function forgetPartners(storage: Storage): Promise<Storage> {
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

/** Plays random calls on storages side by side, with reopenings between; all must answer as the reference does. */
export async function playModel(seed: number, sides: readonly Side[]): Promise<void> {
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
