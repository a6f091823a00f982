// long: 1800 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type FaultPlan, playAll } from "./fault-play.js";
import type { Failure } from "./faulty-storage.js";
import { pointOf } from "./faulty-unstorage.js";
import { awake } from "./unstorage-awake.js";

const test = suite("unstorage: faults");

/** In the long tests every call fails once. */
const every = process.env.TEST_LONG === "1" ? 1 : 60;

const PLANS: readonly FaultPlan<Failure>[] = [
  { failure: "refused", outcome: "once", every, pointOf },
  { failure: "made", outcome: "once", every, pointOf },
  { failure: "torn", outcome: "once", every, pointOf },
  { failure: "unread", outcome: "once", every, pointOf },
  { failure: "full", outcome: "stays", every, pointOf },
  { failure: "crash behind", outcome: "told", every, pointOf },
  { failure: "crash within", outcome: "told", every, pointOf },
];

for (const plan of PLANS) {
  test(`every call fails once (${plan.failure}): nothing acknowledged is lost, nothing is half there`, () =>
    awake(async () => {
      const points = await playAll(plan);
      console.log(`fault injection, ${plan.failure}: ${points} points`);
      assert.ok(points >= 100 / every, `only ${points} points`);
    }));
}

test.run();
