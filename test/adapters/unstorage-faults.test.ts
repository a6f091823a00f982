import { suite } from "uvu";
import * as assert from "uvu/assert";
import { playAll } from "./fault-play.js";
import type { Failure } from "./faulty-storage.js";
import { pointOf } from "./faulty-unstorage.js";

const test = suite("unstorage: faults");

const FAILURES: readonly Failure[] = ["refused", "made", "full", "unread"];

for (const failure of FAILURES) {
  test(`every call fails once (${failure}): nothing acknowledged is lost, nothing is half there`, async () => {
    const points = await playAll({ failure, outcome: failure === "full" ? "stays" : "once", pointOf });
    console.log(`fault injection, ${failure}: ${points} points`);
    assert.ok(points >= 100, `only ${points} points`);
  });
}

test.run();
