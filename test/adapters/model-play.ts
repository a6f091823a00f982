import { ActivityError } from "../../src/errors.js";
import type { Storage } from "../../src/storage/storage.js";
import { randomOf } from "../contract/case.js";
import { Reference } from "../contract/reference.js";
import { IS_LONG, seedOf, sizeOf } from "../faults/sizes.js";
import type { Run } from "./model-run.js";
import { compareAll, takeStep } from "./model-steps.js";
import { accepted } from "./until.js";

/** Calls of a run. */
export const STEPS: number = sizeOf("MODEL_STEPS", { short: 200, long: 1_500 });
/** `MODEL_SEED=7 node --import tsx test/adapters/model.test.ts` repeats one run. */
export const SEEDS: readonly number[] =
  process.env.MODEL_SEED === undefined
    ? Array.from({ length: IS_LONG ? 6 : 1 }, (_, index) => seedOf("MODEL_SEED") + index)
    : [Number(process.env.MODEL_SEED)];

/** A storage that can be closed and opened again. */
export interface Side {
  storage: Storage;
  /** Makes another storage over the same data; the first one is closed by then. Absent where nothing is kept. */
  reopen?(): Storage | Promise<Storage>;
  /** Makes the storage fail now and then. Absent where it never does. */
  readonly trouble?: Trouble;
}

/** What befalls a storage during a run. */
export interface Trouble {
  /** Called before each step: may let a write fail that is to come. */
  stir(random: () => number): void;
  /** From here on nothing fails. */
  end(): void;
}

/** Plays random calls, with reopenings between, on each storage by itself; all must answer as the reference does. */
export async function playModel(seed: number, sides: readonly Side[]): Promise<void> {
  const outcomes = await Promise.allSettled(sides.map((side) => playOn(seed, side)));
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
}

async function playOn(seed: number, side: Side): Promise<void> {
  const random = randomOf(seed);
  let call = "";
  const run: Run = {
    storage: () => side.storage,
    reference: new Reference(),
    random,
    now: 1_000,
    tell(what) {
      call = what;
    },
    wasRefused(reason) {
      const isRefusal = ActivityError.is(reason) && /^STORAGE_(FAILED|FULL)$/.test(reason.code);
      if (side.trouble === undefined || !isRefusal) return false;
      refused++;
      return true;
    },
  };
  let refused = 0;
  let step = 0;
  try {
    for (step = 1; step <= STEPS; step++) {
      side.trouble?.stir(random);
      const before = refused;
      await takeStep(run);
      if (random() < 1 / 150) await reopen(run, side);
      if (step % 250 === 0 || refused > before) await compareAll(run);
      // Mostly; else further calls are made while nothing can be written.
      if (refused > before && random() < 0.8) await recover(run, side);
    }
    await reopen(run, side);
    await compareAll(run);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const place = `${side.storage.traits.adapter}, MODEL_SEED=${seed}, step ${step} (${call})`;
    throw new Error(`${place}: ${reason}`, { cause });
  } finally {
    await side.storage.close();
  }
}

async function reopen(run: Run, side: Side): Promise<void> {
  if (side.reopen === undefined) return;
  await recover(run, side);
  await side.storage.close();
  side.storage = await side.reopen();
}

/** Writing comes back by itself; what was refused before that is not there later. */
async function recover({ storage, reference, now }: Run, { trouble }: Side): Promise<void> {
  if (trouble === undefined) return;
  trouble.end();
  await accepted(() => storage().settings.put("recovered", now));
  reference.settings.set("recovered", now);
}
