import { suite } from "uvu";
import * as assert from "uvu/assert";
import { playAll } from "./fault-play.js";
import type { Failure } from "./faulty-storage.js";
import { pointOf } from "./faulty-unstorage.js";

const test = suite("unstorage: crashes");

const FAILURES: readonly Failure[] = ["crash before", "crash behind", "crash within"];

for (const failure of FAILURES) {
  test(`everything ends at every write (${failure} it): each call is there as a whole or not at all`, async () => {
    const points = await playAll({ failure, outcome: "doubtful", pointOf });
    console.log(`fault injection, ${failure}: ${points} points`);
    assert.ok(points >= 100, `only ${points} points`);
  });
}

test("every value is cut off once while it is written: the one before it counts, the next one replaces it", async () => {
  const points = await playAll({ failure: "torn", outcome: "once", pointOf });
  console.log(`fault injection, torn: ${points} points`);
  assert.ok(points >= 100, `only ${points} points`);
});

test.run();
