import { suite } from "uvu";
import * as assert from "uvu/assert";
import { EventBatch } from "../../src/domain/batch.js";
import { limitEvents } from "../../src/transforms/limit.js";
import { radixOrder } from "../../src/transforms/radix.js";
import { sortByDuration, sortByTimestamp } from "../../src/transforms/sort.js";
import { runSteps } from "../../src/transforms/steps.js";
import { sumDurations } from "../../src/transforms/sum.js";
import { intOf, randomOf } from "../contract/case.js";
import { apply, idsOf, listOf, type Span, spans } from "./lists.js";

const test = suite("sort, limit and sum");

const SORTS: readonly { name: string; events: readonly Span[]; byTimestamp: number[]; byDuration: number[] }[] = [
  { name: "nothing", events: [], byTimestamp: [], byDuration: [] },
  { name: "one event", events: [[5, 6]], byTimestamp: [1], byDuration: [1] },
  { name: "ascending starts", events: spans("0..9, 1..2, 2..4"), byTimestamp: [1, 2, 3], byDuration: [1, 3, 2] },
  { name: "descending starts", events: spans("8..9, 4..6, 0..3"), byTimestamp: [3, 2, 1], byDuration: [3, 2, 1] },
  {
    name: "descending starts with ties",
    events: spans("8..9, 4..6, 4..5, 4..6, 0..1"),
    byTimestamp: [5, 2, 3, 4, 1],
    byDuration: [2, 4, 1, 3, 5],
  },
  { name: "equal events", events: spans("3..4, 3..4, 3..4"), byTimestamp: [1, 2, 3], byDuration: [1, 2, 3] },
  {
    name: "negative durations and starts before 1970",
    events: spans("-5..-9, -7..-7, 3..1, -6..2"),
    byTimestamp: [2, 4, 1, 3],
    byDuration: [4, 2, 3, 1],
  },
];

for (const { name, events, byTimestamp, byDuration } of SORTS) {
  test(`sorting ${name}`, () => {
    assert.equal(idsOf(apply(sortByTimestamp, listOf(...events))), byTimestamp);
    assert.equal(idsOf(apply(sortByDuration, listOf(...events))), byDuration);
  });
}

test("a list in order is given back as it is", () => {
  const list = listOf([0, 9], [1, 5], [2, 3]);
  assert.is(runSteps(sortByTimestamp(list)), list);
  assert.is(runSteps(sortByDuration(list)), list);
});

/** Ways to draw numbers that have little or much in common. */
const DRAWS: readonly { name: string; draw: (random: () => number) => number }[] = [
  { name: "few values", draw: (random) => intOf(random, -3, 3) },
  { name: "microseconds of a month", draw: (random) => 1.7e15 + intOf(random, 0, 2.6e12) },
  { name: "microseconds of five centuries", draw: (random) => intOf(random, -8e15, 8e15) },
  { name: "powers of two of both signs", draw: (random) => (random() < 0.5 ? -1 : 1) * 2 ** intOf(random, 0, 53) },
  { name: "neighbours at the end of the integers", draw: (random) => 2 ** 53 - intOf(random, 0, 3) },
  { name: "both zeros", draw: (random) => (random() < 0.5 ? -0 : intOf(random, 0, 1)) },
];

for (const { name, draw } of DRAWS) {
  test(`numbers are put in order, equal ones as they stand: ${name}`, () => {
    const random = randomOf(5);
    for (const count of [0, 1, 2, 100, 127, 128, 129, 1_000, 40_000]) {
      const keys = Float64Array.from({ length: count }, () => draw(random));
      const indexes = Array.from(keys, (_, at) => at);
      const key = (at: number): number => keys[at] as number;
      const ascending = [...indexes].sort((a, b) => key(a) - key(b));
      assert.equal([...runSteps(radixOrder(keys, "ascending"))], ascending);
      const descending = indexes.sort((a, b) => key(b) - key(a));
      assert.equal([...runSteps(radixOrder(keys, "descending"))], descending);
    }
  });
}

const LIMITS: readonly (readonly [count: number, kept: number])[] = [
  [0, 0],
  [1, 1],
  [2.9, 2],
  [3, 3],
  [4, 3],
  [Number.POSITIVE_INFINITY, 3],
  [0.9, 0],
  [-0.9, 0],
  [-2, 0],
  [Number.NEGATIVE_INFINITY, 0],
  [Number.NaN, 0],
];

for (const [count, kept] of LIMITS) {
  test(`limit ${count} of three events keeps ${kept}`, () => {
    const limited = apply((list) => limitEvents(list, count), listOf([9, 10], [0, 1], [5, 6]));
    assert.equal(idsOf(limited), [1, 2, 3].slice(0, kept));
    assert.is(limited.timestamps.length, kept);
  });
}

const SUMS: readonly { name: string; durations: readonly number[]; sum: number }[] = [
  { name: "nothing", durations: [], sum: 0 },
  { name: "microseconds", durations: [1, 2, 999_999], sum: 1_000_002 },
  { name: "negative ones", durations: [5, -7], sum: -2 },
  { name: "up to the last integer", durations: [2 ** 53 - 3, 1, 1], sum: 2 ** 53 - 1 },
  { name: "far beyond and back", durations: [2 ** 60, 1, 2 ** 60, 1, -(2 ** 61), 3], sum: 5 },
];

for (const { name, durations, sum } of SUMS) {
  test(`the sum of ${name}`, () => {
    const list = EventBatch.from(durations.map((duration) => ({ timestamp: 0, duration, data: {} })));
    assert.is(runSteps(sumDurations(list)), sum);
  });
}

test.run();
