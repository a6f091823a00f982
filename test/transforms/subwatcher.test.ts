import { suite } from "uvu";
import * as assert from "uvu/assert";
import { emptyBatch } from "../../src/transforms/batches.js";
import { runSteps } from "../../src/transforms/steps.js";
import { mergeSubwatcherFields } from "../../src/transforms/subwatcher.js";
import { apply, idsOf, listOf, type Span, spans, spansOf } from "./lists.js";

const test = suite("subwatcher");

const file = (name: string): { file: string } => ({ file: name });
const own = (name: string): { app: string; file: string } => ({ app: "a", file: name });

interface Case {
  readonly name: string;
  readonly base: readonly Span[];
  readonly sub: readonly Span[];
  /** @default base_wins */
  readonly conflict?: "base_wins" | "sub_wins";
  readonly slices: readonly Span[];
}

const CASES: readonly Case[] = [
  { name: "an event beside all others stays", base: [[0, 5]], sub: [[5, 9, file("x")]], slices: [[0, 5, "a"]] },
  {
    name: "an event is cut where another one begins and ends",
    base: [[0, 10]],
    sub: [[3, 5, file("x")]],
    slices: [
      [0, 3, "a"],
      [3, 5, own("x")],
      [5, 10, "a"],
    ],
  },
  {
    name: "an event that is covered whole is not cut",
    base: [[3, 5]],
    sub: [[0, 9, file("x")]],
    slices: [[3, 5, own("x")]],
  },
  {
    name: "of several the one that started last counts",
    base: [[0, 20]],
    sub: [
      [0, 15, file("x")],
      [4, 8, file("y")],
      [6, 10, file("z")],
    ],
    slices: [
      [0, 4, own("x")],
      [4, 6, own("y")],
      [6, 10, own("z")],
      [10, 15, own("x")],
      [15, 20, "a"],
    ],
  },
  {
    name: "of those that started together the one that ends last counts",
    base: [[0, 9]],
    sub: [
      [2, 4, file("x")],
      [2, 6, file("y")],
      [2, 6, file("z")],
    ],
    slices: [
      [0, 2, "a"],
      [2, 6, own("y")],
      [6, 9, "a"],
    ],
  },
  {
    name: "slices that turn out equal are one",
    base: [[0, 9]],
    sub: [
      [0, 3, file("x")],
      [3, 6, file("x")],
      [6, 9, { other: 1 }],
    ],
    slices: [
      [0, 6, own("x")],
      [6, 9, "a"],
    ],
  },
  {
    name: "a value of the event itself stays",
    base: [[0, 9, own("x")]],
    sub: [[2, 4, file("y")]],
    slices: [[0, 9, own("x")]],
  },
  {
    name: "a value of the event itself is replaced where the other list wins",
    conflict: "sub_wins",
    base: [[0, 9, own("x")]],
    sub: [[2, 4, file("y")]],
    slices: [
      [0, 2, own("x")],
      [2, 4, own("y")],
      [4, 9, own("x")],
    ],
  },
  {
    name: "an event of no length covers both slices that it parts",
    base: [[0, 9]],
    sub: [
      [2, 4, file("x")],
      [6, 6, file("y")],
    ],
    slices: [
      [0, 2, "a"],
      [2, 4, own("x")],
      [4, 9, own("y")],
    ],
  },
  {
    name: "an event of no length at the border of an event does not count",
    base: spans("0..5, 5..9"),
    sub: [
      [5, 5, file("x")],
      [0, 0, file("y")],
    ],
    slices: spans("0..5 a, 5..9 a"),
  },
  {
    name: "events of no length or a negative one stay as they are",
    base: spans("3..3, 8..4"),
    sub: [[0, 9, file("x")]],
    slices: spans("3..3 a, 8..4 a"),
  },
  { name: "events of negative length cover nothing", base: [[0, 9]], sub: [[6, 2, file("x")]], slices: [[0, 9, "a"]] },
  {
    name: "events keep their order, and may overlap",
    base: spans("6..9 b, 0..8 a"),
    sub: [[7, 20, file("x")]],
    slices: [
      [6, 7, "b"],
      [7, 9, { app: "b", file: "x" }],
      [0, 7, "a"],
      [7, 8, own("x")],
    ],
  },
];

for (const { name, base, sub, conflict = "base_wins", slices } of CASES) {
  test(name, () => {
    const merge = (
      a: ReturnType<typeof listOf>,
      b: ReturnType<typeof listOf>,
    ): ReturnType<typeof mergeSubwatcherFields> => mergeSubwatcherFields(a, b, ["file"], conflict);
    assert.equal(spansOf(apply(merge, listOf(...base), listOf(...sub))), slices);
  });
}

test("only the keys that are named are copied, those that are missing are not", () => {
  const sub = listOf([0, 9, { file: "x", line: 5, more: null }]);
  const merged = runSteps(mergeSubwatcherFields(listOf([0, 9]), sub, ["more", "file", "zzz"], "base_wins"));
  assert.equal(merged.datas, [{ app: "a", more: null, file: "x" }]);
});

test("without keys or another list events stay", () => {
  const base = listOf([0, 9]);
  assert.is(runSteps(mergeSubwatcherFields(base, listOf([2, 3]), [], "sub_wins")), base);
  assert.is(runSteps(mergeSubwatcherFields(base, emptyBatch, ["app"], "sub_wins")), base);
});

test("slices keep the id of their event", () => {
  const merged = runSteps(
    mergeSubwatcherFields(listOf([0, 9], [9, 12]), listOf([2, 3, file("x")]), ["file"], "base_wins"),
  );
  assert.equal(idsOf(merged), [1, 1, 1, 2]);
});

test("who asks is told how many events there are, and can end it", () => {
  const base = listOf(...Array.from({ length: 300 }, (): Span => [0, 1_000]));
  const sub = listOf(...Array.from({ length: 500 }, (_, at): Span => [2 * at, 2 * at + 1, file("x")]));
  const told: number[] = [];
  const most = 50_000;
  function check(events: number): void {
    told.push(events);
    if (events > most) throw new RangeError("too many events");
  }
  assert.throws(() => runSteps(mergeSubwatcherFields(base, sub, ["file"], "base_wins", check)), /too many events/);
  assert.ok(told.length > 1);
  assert.ok((told.at(-1) as number) < 2 * most);
});

test.run();
