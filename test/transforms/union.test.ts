import { suite } from "uvu";
import * as assert from "uvu/assert";
import { BatchBuilder, emptyBatch } from "../../src/transforms/batches.js";
import { runSteps } from "../../src/transforms/steps.js";
import { concat, unionNoOverlap } from "../../src/transforms/union.js";
import { apply, idsOf, listOf, type Span, spans, spansOf } from "./lists.js";

const test = suite("union");

interface Case {
  readonly name: string;
  readonly a: readonly Span[];
  readonly b: readonly Span[];
  readonly union: readonly Span[];
}

const CASES: readonly Case[] = [
  { name: "nothing and nothing is nothing", a: [], b: [], union: [] },
  { name: "a single list stays", a: [], b: spans("5..6 b, 0..1 b"), union: spans("5..6 b, 0..1 b") },
  {
    name: "events that lie apart alternate",
    a: spans("0..1 a, 4..5 a"),
    b: spans("2..3 b, 6..7 b"),
    union: spans("0..1 a, 2..3 b, 4..5 a, 6..7 b"),
  },
  {
    name: "what touches stays whole",
    a: [[5, 9, "a"]],
    b: spans("0..5 b, 9..12 b"),
    union: spans("0..5 b, 5..9 a, 9..12 b"),
  },
  {
    name: "the second list is cut around the first",
    a: spans("3..6 a, 8..9 a"),
    b: [[0, 12, "b"]],
    union: spans("0..3 b, 3..6 a, 6..8 b, 8..9 a, 9..12 b"),
  },
  { name: "what the first list covers is dropped", a: [[0, 9, "a"]], b: [[2, 4, "b"]], union: [[0, 9, "a"]] },
  { name: "equal spans leave the first", a: [[2, 4, "a"]], b: [[2, 4, "b"]], union: [[2, 4, "a"]] },
  {
    name: "an event of the first list is gone once it has cut one of the second",
    a: [[0, 9, "a"]],
    b: spans("1..2 b, 3..4 b"),
    union: spans("0..9 a, 3..4 b"),
  },
  { name: "events of no length overlap nothing", a: [[3, 3, "a"]], b: [[0, 9, "b"]], union: spans("0..9 b, 3..3 a") },
  {
    name: "of equal starts without overlap the first list comes first",
    a: [[3, 3, "a"]],
    b: [[3, 9, "b"]],
    union: spans("3..3 a, 3..9 b"),
  },
  {
    name: "lists are taken as they stand",
    a: spans("8..9 a, 0..1 a"),
    b: spans("8..10 b, 0..3 b"),
    union: spans("8..9 a, 0..1 a, 9..10 b, 0..3 b"),
  },
];

for (const { name, a, b, union } of CASES) {
  test(`without overlap: ${name}`, () => {
    assert.equal(spansOf(apply(unionNoOverlap, listOf(...a), listOf(...b))), union);
  });
}

test("without overlap: ids stay, also on pieces", () => {
  const a = listOf([3, 6, "a"]);
  assert.equal(idsOf(runSteps(unionNoOverlap(a, listOf([20, 21], [22, 23])))), [1, 1, 2]);
  assert.equal(idsOf(runSteps(unionNoOverlap(a, listOf([0, 1], [2, 9])))), [1, 2, 1, 2]);
});

test("concat puts any number of lists behind each other", () => {
  const [a, b] = [listOf([5, 6, "a"]), listOf([0, 1, "b"], [2, 3, "c"])];
  assert.equal(runSteps(concat([])), emptyBatch);
  assert.equal(runSteps(concat([emptyBatch, emptyBatch])), emptyBatch);
  assert.is(runSteps(concat([emptyBatch, b])), b);
  const joined = apply((...lists) => concat(lists), a, emptyBatch, b, a);
  assert.equal(spansOf(joined), spans("5..6 a, 0..1 b, 2..3 c, 5..6 a"));
  assert.equal(idsOf(joined), [1, 1, 2, 1]);
});

test("concat keeps ids beside events that have none", () => {
  const builder = new BatchBuilder();
  builder.add(0, 1, {}, 0);
  const without = builder.finish();
  assert.equal(idsOf(runSteps(concat([without, listOf([2, 3]), without]))), [null, 1, null]);
  assert.is(runSteps(concat([without, without])).ids, null);
});

test.run();
