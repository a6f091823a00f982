import { suite } from "uvu";
import * as assert from "uvu/assert";
import { collectGarbage, quietCollector } from "../../src/cli/give-back.js";

const test = suite("memory of a quiet launcher");

/** The looks, counted from 1, at which garbage is collected; each look stands for the time used since the one before. */
function collections(cpuMillis: readonly number[], residentBytes: number): number[] {
  const isDue = quietCollector({ cpuMillis: 0, residentBytes }, 1000);
  let sum = 0;
  return cpuMillis.flatMap((millis, index) => {
    sum += millis;
    return isDue({ cpuMillis: sum, residentBytes }) ? [index + 1] : [];
  });
}

const quiet = (looks: number): number[] => Array.from({ length: looks }, () => 3);

test("a process that was busy collects when it has been quiet for a while, and then no more", () => {
  assert.equal(collections([900, ...quiet(40)], 300e6), [8, 9, 10]);
});

test("it does not while it is busy, and begins to wait anew afterwards", () => {
  assert.equal(collections([900, ...quiet(5), 80, ...quiet(6), 900], 300e6), []);
  assert.equal(collections([900, ...quiet(8), 80, ...quiet(20)], 300e6), [8, 9, 17, 18, 19]);
});

test("a small process and one that has only started do not", () => {
  assert.equal(collections([900, ...quiet(40)], 90e6), []);
  assert.equal(collections(quiet(40), 300e6), []);
});

test("garbage is collected when it is told to", async () => {
  const garbage = new WeakRef({});
  // What was looked at is held until the turn has ended.
  await new Promise((resolve) => setImmediate(resolve));
  assert.is(collectGarbage(), true);
  assert.is(garbage.deref(), undefined);
});

test.run();
