// long: 1800 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { IS_LONG, seedOf } from "../faults/sizes.js";
import { type FaultPlan, playAll } from "./fault-play.js";
import type { Failure } from "./faulty-storage.js";
import { pointOf } from "./faulty-unstorage.js";
import { awake } from "./unstorage-awake.js";

const test = suite("unstorage: faults");

/** In the long tests every write is refused once. */
const every = IS_LONG ? 1 : 120;
/** Of what else befalls a call, a third each day. */
const third = IS_LONG ? { first: 1 + (seedOf("FAULT_SEED") % 3), every: 3 } : { every };

const PLANS: readonly FaultPlan<Failure>[] = [
  { failure: "refused", outcome: "once", every, pointOf },
  { failure: "made", outcome: "once", ...third, pointOf },
  { failure: "torn", outcome: "once", ...third, pointOf },
  { failure: "unread", outcome: "once", ...third, pointOf },
  { failure: "full", outcome: "stays", ...third, pointOf },
  { failure: "crash behind", outcome: "told", ...third, pointOf },
  { failure: "crash within", outcome: "told", ...third, pointOf },
];

for (const plan of PLANS) {
  test(`every call fails once (${plan.failure}): nothing acknowledged is lost, nothing is half there`, () =>
    awake(async () => {
      const points = await playAll(plan);
      console.log(`fault injection, ${plan.failure}: ${points} points`);
      assert.ok(points >= 100 / (plan.every ?? 1), `only ${points} points`);
    }));
}

test.run();
