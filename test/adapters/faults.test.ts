// The n-th write of the database fails, for one n after the other.
// long: 600 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import type { Storage } from "../../src/storage/storage.js";
import { Reference } from "../contract/reference.js";
import { IS_LONG } from "../faults/sizes.js";
import { type FaultPlan, type FaultyEngine, type Point, playAll } from "./fault-play.js";
import { PRELUDE } from "./fault-script.js";
import { type Failure, FaultyDatabase } from "./faulty-database.js";

const test = suite("leveldb: faults");

type Ground = { readonly entries: Awaited<ReturnType<FaultyDatabase["dump"]>>; readonly reference: Reference };

/** What the script starts from; made once, copied for each point. */
const ground: Promise<Ground> = prepare();

async function prepare(): Promise<Ground> {
  const database = new FaultyDatabase();
  const storage = leveldb({ db: database });
  const reference = new Reference();
  for (const call of PRELUDE) call.apply(reference, await call.make(storage));
  await storage.close();
  return { entries: await database.dump(), reference };
}

async function pointOf(): Promise<Point<Failure>> {
  const { entries, reference } = await ground;
  const database = new FaultyDatabase();
  await database.load(entries);
  // No cache: segments come from the database every time.
  const open = async (): Promise<Storage> => {
    const storage = leveldb({ db: database, cacheBytes: 0 });
    await storage.ready();
    return storage;
  };
  const engine: FaultyEngine<Failure> = {
    failCall: (count, failure) => database.failWrite(count, failure),
    get failed() {
      return database.failed;
    },
    repair: () => database.repair(),
  };
  return { engine, storage: await open(), reference: reference.copy(), open };
}

/** In the long tests every write fails once; in the short ones some, others for each failure. */
const { every, shift } = IS_LONG ? { every: 1, shift: 0 } : { every: 80, shift: 7 };

const PLANS: readonly FaultPlan<Failure>[] = [
  { failure: "refused", outcome: "once", first: 1, every, pointOf },
  { failure: "made", outcome: "once", first: 1 + shift, every, pointOf },
  { failure: "full", outcome: "stays", code: "STORAGE_FULL", first: 1 + 2 * shift, every, pointOf },
  { failure: "unknown", outcome: "told", first: 1 + 3 * shift, every, pointOf },
];

for (const plan of PLANS) {
  test(`writes fail, each in a run of its own (${plan.failure}): nothing acknowledged is lost, nothing is half there`, async () => {
    const points = await playAll(plan);
    console.log(`fault injection, ${plan.failure}: ${points} points`);
    assert.ok(points >= 120 / every, `only ${points} points`);
  });
}

test.run();
