import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { ActivityError } from "../../src/errors.js";
import type { Storage } from "../../src/storage.js";
import { Reference } from "../contract/reference.js";
import { type Call, expectSame, PRELUDE, SCRIPT, type Step } from "./fault-script.js";
import { type Failure, FaultyDatabase } from "./faulty-database.js";

const test = suite("leveldb: faults");

/** How many points are tried at once: most of a run is waiting. */
const AT_ONCE = 6;

type Ground = { readonly entries: Awaited<ReturnType<FaultyDatabase["dump"]>>; readonly reference: Reference };

/** What the script starts from; made once, copied for each point. */
const ground: Promise<Ground> = prepare();

async function prepare(): Promise<Ground> {
  const database = new FaultyDatabase();
  const storage = await leveldb({ db: database });
  const reference = new Reference();
  for (const call of PRELUDE) call.apply(reference, await call.make(storage));
  await storage.close();
  reference.reopen();
  return { entries: await database.dump(), reference };
}

interface Point {
  readonly database: FaultyDatabase;
  storage: Storage;
  readonly reference: Reference;
}

async function pointOf({ entries, reference }: Ground): Promise<Point> {
  const database = new FaultyDatabase();
  await database.load(entries);
  // No cache: sealed events come from the database every time.
  const storage = await leveldb({ db: database, cacheBytes: 0 });
  return { database, storage, reference: reference.copy() };
}

async function rest(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
}

/** Makes the calls of a step at once. What is acknowledged goes to the reference; the others are answered. */
async function take({ storage, reference }: Point, { calls, rest: turns = 0 }: Step): Promise<Call[]> {
  const outcomes = await Promise.allSettled(calls.map((call) => call.make(storage)));
  const refused: Call[] = [];
  for (const [index, call] of calls.entries()) {
    const outcome = outcomes[index] as PromiseSettledResult<unknown>;
    if (outcome.status === "fulfilled") {
      call.apply(reference, outcome.value);
      continue;
    }
    assert.ok(ActivityError.is(outcome.reason), `${call.what} failed with ${outcome.reason}`);
    assert.is(outcome.reason.code, "STORAGE_FAILED", `${call.what}: ${outcome.reason.message}`);
    refused.push(call);
  }
  await rest(turns);
  return refused;
}

async function reopen(point: Point): Promise<void> {
  await point.storage.close();
  point.database.repair();
  point.storage = await leveldb({ db: point.database, cacheBytes: 0 });
  point.reference.reopen();
}

/** The next request works: what was refused is accepted at the second try. */
async function retry(point: Point, refused: readonly Call[], when: string): Promise<void> {
  for (const call of refused) {
    const again = await take(point, { calls: [call] });
    assert.is(again.length, 0, `${when}: ${call.what} was refused at the second try, too`);
  }
}

/** Runs the script with its n-th write failing. Answers whether it came so far. */
async function playPoint(failure: Failure, write: number): Promise<boolean> {
  const point = await pointOf(await ground);
  const { database, reference } = point;
  database.failWrite(write, failure);
  for (const [index, step] of SCRIPT.entries()) {
    const when = `${failure} at write ${write}, step ${index} (${step.calls.map(({ what }) => what).join(", ")})`;
    try {
      const refused = await take(point, step);
      if (failure === "unknown" && database.failed > 0) return await expectEitherWay(point, refused, when);
      if (refused.length === 0) continue;
      await expectSame(point.storage, reference, `${when}: behind the failure`);
      if (failure === "full") {
        const others = await take(point, { calls: refused });
        assert.is(others.length, refused.length, `${when}: accepted by a full disk`);
        await expectSame(point.storage, reference, `${when}: while the disk is full`);
        database.repair();
      }
      await retry(point, refused, when);
    } catch (cause) {
      throw new Error(`${when}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    }
  }
  const reached = database.failed > 0;
  database.repair();
  const end = `${failure} at write ${write}`;
  await expectSame(point.storage, reference, `${end}: in the end`);
  await reopen(point);
  await expectSame(point.storage, reference, `${end}: after a reopening`);
  await point.storage.close();
  return reached;
}

/** Of the calls that were refused, those in the batch in doubt are there as a whole or not at all; all others are not. */
async function expectEitherWay(point: Point, refused: readonly Call[], when: string): Promise<true> {
  const stuck = await take(point, { calls: [SCRIPT[6]?.calls[0] as Call] });
  assert.is(stuck.length, 1, `${when}: accepted by a broken engine`);
  const without = point.reference.copy();
  await reopen(point);
  let failure: unknown;
  for (let subset = 0; subset < 2 ** refused.length; subset++) {
    try {
      const reference = without.copy();
      const all = without.copy();
      for (const [index, call] of refused.entries()) {
        // Ids are given in the order of the calls, whether their batch lands or not.
        const answer = call.apply(all);
        if ((subset & (1 << index)) !== 0) call.apply(reference, answer);
      }
      await expectSame(point.storage, reference, `${when}: after a reopening`);
      await finish({ ...point, reference }, when);
      return true;
    } catch (thrown) {
      failure ??= thrown;
    }
  }
  throw failure;
}

/** The storage goes on after all, and what it takes then is kept as well. */
async function finish(point: Point, when: string): Promise<void> {
  const calls = [...(SCRIPT[7]?.calls ?? []), ...(SCRIPT[9]?.calls ?? []), ...(SCRIPT[13]?.calls ?? [])];
  for (const call of calls) await retry(point, [call], `${when}: afterwards`);
  await reopen(point);
  await expectSame(point.storage, point.reference, `${when}: afterwards, reopened`);
  await point.storage.close();
}

async function playAll(failure: Failure): Promise<number> {
  let points = 0;
  for (let write = 1; ; write += AT_ONCE) {
    const reached = await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => playPoint(failure, write + index)));
    points += reached.filter(Boolean).length;
    if (!reached.every(Boolean)) return points;
  }
}

for (const failure of ["refused", "full", "unknown"] as const) {
  test(`every write fails once (${failure}): nothing acknowledged is lost, nothing is half there`, async () => {
    const points = await playAll(failure);
    console.log(`fault injection, ${failure}: ${points} points`);
    assert.ok(points >= 40, `only ${points} points`);
  });
}

test.run();
