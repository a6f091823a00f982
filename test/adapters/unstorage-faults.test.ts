// long: 1800 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { IS_LONG, seedOf } from "../faults/sizes.js";
import { type FaultPlan, playAll } from "./fault-play.js";
import type { Failure } from "./faulty-storage.js";
import { pointOf } from "./faulty-unstorage.js";
import { awake } from "./unstorage-awake.js";

const test = suite("unstorage: faults");

/** In the short tests two calls fail, others for each failure. */
const someOf = (turn: number) => ({ first: 1 + 17 * turn, every: 45 });
/** In the long tests every write is refused once; of what else befalls a call, a third each day. */
const allOf = { first: 1, every: 1 };
const thirdOf = { first: 1 + (seedOf("FAULT_SEED") % 3), every: 3 };

const PLANS = (
  [
    { failure: "refused", outcome: "once" },
    { failure: "made", outcome: "once" },
    { failure: "torn", outcome: "once" },
    { failure: "unread", outcome: "once" },
    { failure: "full", outcome: "stays" },
    { failure: "crash behind", outcome: "told" },
    { failure: "crash within", outcome: "told" },
  ] as const
).map((plan, turn): FaultPlan<Failure> => {
  const long = turn === 0 ? allOf : thirdOf;
  return { ...plan, ...(IS_LONG ? long : someOf(turn)), pointOf };
});

for (const plan of PLANS) {
  const calls = IS_LONG ? "every call fails once" : "two calls fail";
  test(`${calls} (${plan.failure}): nothing acknowledged is lost, nothing is half there`, () =>
    awake(async () => {
      const points = await playAll(plan);
      console.log(`fault injection, ${plan.failure}: ${points} points`);
      assert.ok(points >= (IS_LONG ? 33 : 2), `only ${points} points`);
    }));
}

test.run();
