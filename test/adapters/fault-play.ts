import * as assert from "uvu/assert";
import { ActivityError, type ErrorCode } from "../../src/errors.js";
import type { Storage } from "../../src/storage/storage.js";
import type { Reference } from "../contract/reference.js";
import { IS_LONG, sizeOf } from "../faults/sizes.js";
import { type Call, expectSame, SCRIPT, type Step } from "./fault-script.js";
import { accepted } from "./until.js";

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
   * - `once`: writing comes back by itself, and nothing of what was refused may be there.
   * - `stays`: nothing works until the engine is repaired, and nothing of what was refused may be there.
   * - `doubtful`: nothing works until it is opened again, and then each refused call is there as a whole or not at all.
   * - `told`: the same, and a call that is there was refused with a message that says so.
   */
  readonly outcome: "once" | "stays" | "doubtful" | "told";
  /** The code of refusals. @default "STORAGE_FAILED" */
  readonly code?: ErrorCode;
  /** The first call that fails. @default 1 */
  readonly first?: number;
  /** Which calls fail: that one and every n-th behind it. @default 1 */
  readonly every?: number;
  pointOf(): Promise<Point<Failure>>;
}

/** How many points are tried at once: most of a run is waiting. In the short tests these are all. */
const AT_ONCE = sizeOf("POINTS_AT_ONCE", { short: 2, long: 24 });

const MAY_BE_STORED = /may be/;

/** How much of the script is played behind a failure. */
const STEPS_BEHIND = 4;

/** Plays the script with every call of the engine failing once, or every n-th of them. Answers how many failed. */
export async function playAll<Failure extends string>(plan: FaultPlan<Failure>): Promise<number> {
  const { first = 1, every = 1 } = plan;
  let points = 0;
  for (let call = first; ; call += AT_ONCE * every) {
    const calls = Array.from({ length: AT_ONCE }, (_, index) => call + index * every);
    const reached = await Promise.all(calls.map((nth) => playPoint(plan, nth)));
    points += reached.filter(Boolean).length;
    if (!IS_LONG || !reached.every(Boolean)) return points;
  }
}

/** A call that was refused, and what was said. */
interface Refusal {
  readonly call: Call;
  readonly message: string;
}

/** Plays the script with the n-th call of the engine failing. Answers whether it came so far. */
async function playPoint<Failure extends string>(plan: FaultPlan<Failure>, nth: number): Promise<boolean> {
  const { failure, outcome, code = "STORAGE_FAILED" } = plan;
  const point = await plan.pointOf();
  const { engine, reference } = point;
  const isDoubtful = outcome === "doubtful" || outcome === "told";
  let when = `${failure} at call ${nth}`;
  try {
    engine.failCall(nth, failure);
    let left = STEPS_BEHIND;
    for (const [index, step] of SCRIPT.entries()) {
      if (engine.failed > 0 && left-- === 0) break;
      when = `${failure} at call ${nth}, step ${index} (${step.calls.map(({ what }) => what).join(", ")})`;
      const refused = await take(point, step, code);
      if (isDoubtful && engine.failed > 0) return await expectEitherWay(point, refused, { when, plan });
      if (refused.length === 0) continue;
      await expectSame(point.storage, reference, `${when}: behind the failure`);
      const calls = refused.map(({ call }) => call);
      if (outcome === "stays") {
        const others = await take(point, { calls }, code);
        assert.is(others.length, refused.length, `${when}: accepted by a full disk`);
        await expectSame(point.storage, reference, `${when}: while the disk is full`);
        engine.repair();
      }
      await retry(point, calls, when);
    }
    const reached = engine.failed > 0;
    engine.repair();
    await expectSame(point.storage, reference, `${when}: in the end`);
    await reopen(point);
    await expectSame(point.storage, reference, `${when}: after a reopening`);
    return reached;
  } catch (cause) {
    throw new Error(`${when}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  } finally {
    engine.repair();
    await point.storage.close();
  }
}

async function rest(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
}

/** Makes the calls of a step at once. What is acknowledged goes to the reference; the others are answered. */
async function take<Failure extends string>(
  { storage, reference }: Point<Failure>,
  { calls, rest: turns = 0 }: Step,
  code: ErrorCode,
): Promise<Refusal[]> {
  const outcomes = await Promise.allSettled(calls.map((call) => call.make(storage)));
  const refused: Refusal[] = [];
  for (const [index, call] of calls.entries()) {
    const outcome = outcomes[index] as PromiseSettledResult<unknown>;
    if (outcome.status === "fulfilled") {
      call.apply(reference, outcome.value);
      continue;
    }
    assert.ok(ActivityError.is(outcome.reason), `${call.what} failed with ${outcome.reason}`);
    // What comes behind a creation that failed may find no bucket.
    const isExpected = outcome.reason.code === code || (refused.length > 0 && outcome.reason.code === "NO_SUCH_BUCKET");
    assert.ok(isExpected, `${call.what}: ${outcome.reason.code}, ${outcome.reason.message}`);
    refused.push({ call, message: outcome.reason.message });
  }
  await rest(turns);
  return refused;
}

async function reopen<Failure extends string>(point: Point<Failure>): Promise<void> {
  await point.storage.close();
  point.engine.repair();
  point.storage = await point.open();
}

/** Writing comes back by itself: what was refused is accepted after a while. */
async function retry<Failure extends string>(
  { storage, reference }: Point<Failure>,
  refused: readonly Call[],
  when: string,
): Promise<void> {
  for (const call of refused) {
    call.apply(reference, await accepted(() => call.make(storage), `${when}: ${call.what}`));
  }
}

/** Of the calls that were refused, those in doubt are there as a whole or not at all; all others are not. */
async function expectEitherWay<Failure extends string>(
  point: Point<Failure>,
  refused: readonly Refusal[],
  { when, plan: { outcome, code = "STORAGE_FAILED" } }: { readonly when: string; readonly plan: FaultPlan<Failure> },
): Promise<true> {
  const stuck = await take(point, { calls: [SCRIPT[6]?.calls[0] as Call] }, code);
  assert.is(stuck.length, 1, `${when}: accepted by a broken engine`);
  const without = point.reference.copy();
  await reopen(point);
  let failure: unknown;
  for (const { reference, made } of outcomesOf(without, refused)) {
    try {
      await expectSame(point.storage, reference, `${when}: after a reopening`, "any ids");
    } catch (thrown) {
      failure ??= thrown;
      continue;
    }
    for (const { call, message } of outcome === "told" ? made : []) {
      assert.match(message, MAY_BE_STORED, `${when}: ${call.what} was refused, but is stored`);
    }
    await finish({ point, reference, when });
    return true;
  }
  throw failure;
}

interface Outcome {
  readonly reference: Reference;
  /** Calls that were refused, and are there. */
  readonly made: readonly Refusal[];
}

/** All that calls in doubt may have led to: each was made or not, and they took effect in any order. Few come first. */
function* outcomesOf(before: Reference, refused: readonly Refusal[]): Generator<Outcome> {
  for (const order of ordersOf(refused)) {
    for (let subset = 0; subset < 2 ** refused.length; subset++) {
      const made = order.filter((_, index) => (subset & (1 << index)) !== 0);
      const reference = applied(before, made);
      if (reference !== undefined) yield { reference, made };
    }
  }
}

/** @returns `undefined` when the calls make no sense in this order: a bucket is used before it is made */
function applied(before: Reference, refused: readonly Refusal[]): Reference | undefined {
  const reference = before.copy();
  try {
    for (const { call } of refused) call.apply(reference);
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
async function finish<Failure extends string>({
  point,
  reference,
  when,
}: {
  readonly point: Point<Failure>;
  readonly reference: Reference;
  readonly when: string;
}): Promise<void> {
  const calls = [...(SCRIPT[7]?.calls ?? []), ...(SCRIPT[9]?.calls ?? []), ...(SCRIPT[13]?.calls ?? [])];
  await retry({ ...point, reference }, calls, `${when}: afterwards`);
  await reopen(point);
  await expectSame(point.storage, reference, `${when}: afterwards, reopened`, "any ids");
}
