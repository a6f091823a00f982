import * as assert from "uvu/assert";
import { ActivityError } from "../../src/errors.js";
import type { Storage } from "../../src/storage.js";
import type { Reference } from "../contract/reference.js";
import { type Call, expectSame, SCRIPT, type Step } from "./fault-script.js";

/** An engine that can be made to fail. */
export interface FaultyEngine<Failure extends string> {
  /** Lets a call that is to come fail; 1 is the next one. */
  failCall(count: number, failure: Failure): void;
  /** Calls that were made to fail. */
  readonly failed: number;
  /** From here on nothing fails. */
  repair(): void;
}

/** A storage on such an engine, with what the script starts from. */
export interface Point<Failure extends string> {
  readonly engine: FaultyEngine<Failure>;
  readonly reference: Reference;
  storage: Storage;
  /** Opens what the engine holds. */
  open(): Promise<Storage>;
}

/** How the engine fails, and what becomes of it. */
export interface FaultPlan<Failure extends string> {
  readonly failure: Failure;
  /**
   * - `once`: the next call works again, and nothing of what was refused may be there.
   * - `stays`: nothing works until the engine is repaired, and nothing of what was refused may be there.
   * - `doubtful`: nothing works until it is opened again, and then each refused call is there as a whole or not at all.
   */
  readonly outcome: "once" | "stays" | "doubtful";
  pointOf(): Promise<Point<Failure>>;
}

/** How many points are tried at once: most of a run is waiting. */
const AT_ONCE = 6;

/** How much of the script is played behind a failure. */
const STEPS_BEHIND = 4;

/** Plays the script with every call of the engine failing once. Answers how many there were. */
export async function playAll<Failure extends string>(plan: FaultPlan<Failure>): Promise<number> {
  let points = 0;
  for (let call = 1; ; call += AT_ONCE) {
    const reached = await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => playPoint(plan, call + index)));
    points += reached.filter(Boolean).length;
    if (!reached.every(Boolean)) return points;
  }
}

/** Plays the script with the n-th call of the engine failing. Answers whether it came so far. */
async function playPoint<Failure extends string>(plan: FaultPlan<Failure>, nth: number): Promise<boolean> {
  const { failure, outcome } = plan;
  const point = await plan.pointOf();
  const { engine, reference } = point;
  engine.failCall(nth, failure);
  let left = STEPS_BEHIND;
  for (const [index, step] of SCRIPT.entries()) {
    if (engine.failed > 0 && left-- === 0) break;
    const when = `${failure} at call ${nth}, step ${index} (${step.calls.map(({ what }) => what).join(", ")})`;
    try {
      const refused = await take(point, step);
      if (outcome === "doubtful" && engine.failed > 0) return await expectEitherWay(point, refused, when);
      if (refused.length === 0) continue;
      await expectSame(point.storage, reference, `${when}: behind the failure`);
      if (outcome === "stays") {
        const others = await take(point, { calls: refused });
        assert.is(others.length, refused.length, `${when}: accepted by a full disk`);
        await expectSame(point.storage, reference, `${when}: while the disk is full`);
        engine.repair();
      }
      await retry(point, refused, when);
    } catch (cause) {
      throw new Error(`${when}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    }
  }
  const reached = engine.failed > 0;
  engine.repair();
  const end = `${failure} at call ${nth}`;
  await expectSame(point.storage, reference, `${end}: in the end`);
  await reopen(point);
  await expectSame(point.storage, reference, `${end}: after a reopening`);
  await point.storage.close();
  return reached;
}

async function rest(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
}

/** Makes the calls of a step at once. What is acknowledged goes to the reference; the others are answered. */
async function take<Failure extends string>(
  { storage, reference }: Point<Failure>,
  { calls, rest: turns = 0 }: Step,
): Promise<Call[]> {
  const outcomes = await Promise.allSettled(calls.map((call) => call.make(storage)));
  const refused: Call[] = [];
  for (const [index, call] of calls.entries()) {
    const outcome = outcomes[index] as PromiseSettledResult<unknown>;
    if (outcome.status === "fulfilled") {
      call.apply(reference, outcome.value);
      continue;
    }
    assert.ok(ActivityError.is(outcome.reason), `${call.what} failed with ${outcome.reason}`);
    // What comes behind a creation that failed may find no bucket.
    const code = refused.length > 0 && outcome.reason.code === "NO_SUCH_BUCKET" ? "NO_SUCH_BUCKET" : "STORAGE_FAILED";
    assert.is(outcome.reason.code, code, `${call.what}: ${outcome.reason.message}`);
    refused.push(call);
  }
  await rest(turns);
  return refused;
}

async function reopen<Failure extends string>(point: Point<Failure>): Promise<void> {
  await point.storage.close();
  point.engine.repair();
  point.storage = await point.open();
  point.reference.reopen();
}

/** The next request works: what was refused is accepted at the second try. */
async function retry<Failure extends string>(
  point: Point<Failure>,
  refused: readonly Call[],
  when: string,
): Promise<void> {
  for (const call of refused) {
    const again = await take(point, { calls: [call] });
    assert.is(again.length, 0, `${when}: ${call.what} was refused at the second try, too`);
  }
}

/** Of the calls that were refused, those in doubt are there as a whole or not at all; all others are not. */
async function expectEitherWay<Failure extends string>(
  point: Point<Failure>,
  refused: readonly Call[],
  when: string,
): Promise<true> {
  const stuck = await take(point, { calls: [SCRIPT[6]?.calls[0] as Call] });
  assert.is(stuck.length, 1, `${when}: accepted by a broken engine`);
  const without = point.reference.copy();
  await reopen(point);
  let failure: unknown;
  for (const reference of outcomesOf(without, refused)) {
    try {
      await expectSame(point.storage, reference, `${when}: after a reopening`);
      await finish({ ...point, reference }, when);
      return true;
    } catch (thrown) {
      failure ??= thrown;
    }
  }
  throw failure;
}

/** All that calls in doubt may have led to: each was made or not, and they got their ids in any order. */
function* outcomesOf(before: Reference, calls: readonly Call[]): Generator<Reference> {
  for (const order of ordersOf(calls)) {
    const answers = new Map<Call, unknown>();
    if (applied(before, order, (call, reference) => answers.set(call, call.apply(reference))) === undefined) continue;
    for (let subset = 0; subset < 2 ** calls.length; subset++) {
      const made = calls.filter((_, index) => (subset & (1 << index)) !== 0);
      const outcome = applied(before, made, (call, reference) => call.apply(reference, answers.get(call)));
      if (outcome !== undefined) yield outcome;
    }
  }
}

/** @returns `undefined` when the calls make no sense in this order: a bucket is used before it is made */
function applied(
  before: Reference,
  calls: readonly Call[],
  apply: (call: Call, reference: Reference) => unknown,
): Reference | undefined {
  const reference = before.copy();
  try {
    for (const call of calls) apply(call, reference);
    return reference;
  } catch {
    return undefined;
  }
}

function* ordersOf<T>(items: readonly T[]): Generator<T[]> {
  if (items.length === 0) yield [];
  for (const [index, item] of items.entries()) {
    for (const others of ordersOf(items.filter((_, other) => other !== index))) yield [item, ...others];
  }
}

/** The storage goes on after all, and what it takes then is kept as well. */
async function finish<Failure extends string>(point: Point<Failure>, when: string): Promise<void> {
  const calls = [...(SCRIPT[7]?.calls ?? []), ...(SCRIPT[9]?.calls ?? []), ...(SCRIPT[13]?.calls ?? [])];
  for (const call of calls) await retry(point, [call], `${when}: afterwards`);
  await reopen(point);
  await expectSame(point.storage, point.reference, `${when}: afterwards, reopened`);
  await point.storage.close();
}
