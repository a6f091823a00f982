import { suite } from "uvu";
import * as assert from "uvu/assert";
import { emptyBatch } from "../../src/transforms/batches.js";
import { periodIntersect, periodUnion } from "../../src/transforms/period.js";
import { runSteps } from "../../src/transforms/steps.js";
import { apply, eventsOf, idsOf, listOf, type Span, spans, spansOf } from "./lists.js";

const test = suite("period");

interface Case {
  readonly name: string;
  readonly events: readonly Span[];
  readonly filters: readonly Span[];
  readonly pieces: readonly Span[];
}

const INTERSECTIONS: readonly Case[] = [
  { name: "nothing is left without filters", events: [[0, 9]], filters: [], pieces: [] },
  { name: "nothing is left of nothing", events: [], filters: [[0, 9]], pieces: [] },
  { name: "an event inside a filter stays", events: [[3, 5]], filters: [[0, 9]], pieces: [[3, 5, "a"]] },
  { name: "an event is cut at both ends", events: [[0, 9]], filters: [[3, 5]], pieces: [[3, 5, "a"]] },
  {
    name: "an event is cut by several filters",
    events: [[0, 20]],
    filters: spans("-5..3, 5..6, 10..30"),
    pieces: spans("0..3 a, 5..6 a, 10..20 a"),
  },
  {
    name: "a filter keeps parts of several events",
    events: spans("0..4 a, 4..8 b, 10..12 c"),
    filters: [[2, 11]],
    pieces: spans("2..4 a, 4..8 b, 10..11 c"),
  },
  { name: "touching is not overlapping", events: spans("0..5, 9..12"), filters: [[5, 9]], pieces: [] },
  {
    name: "filters that touch each other cut the event in two",
    events: [[0, 10]],
    filters: spans("0..4, 4..10"),
    pieces: spans("0..4 a, 4..10 a"),
  },
  {
    name: "where filters overlap nothing counts twice",
    events: [[0, 10]],
    filters: spans("0..6, 0..6, 4..8"),
    pieces: spans("0..6 a, 6..8 a"),
  },
  {
    name: "an event loses what an earlier one used up of the filters",
    events: spans("0..10 a, 2..12 b"),
    filters: spans("0..4, 6..20"),
    pieces: spans("0..4 a, 6..10 a, 6..12 b"),
  },
  {
    name: "events of no length inside a filter stay, borders included",
    events: spans("-1..-1, 0..0, 5..5, 6..7, 9..9, 10..10"),
    filters: spans("0..9, 4..9"),
    pieces: spans("0..0 a, 5..5 a, 6..7 a, 9..9 a"),
  },
  {
    name: "a filter of no length leaves a piece of no length, borders included",
    events: spans("0..10 a, 10..12 b"),
    filters: spans("0..0, 3..3, 10..10, 13..13"),
    pieces: spans("0..0 a, 3..3 a, 10..10 a, 10..10 b"),
  },
  {
    name: "filters of no length at one instant count once",
    events: [[0, 10]],
    filters: spans("0..0, 0..0, 2..4, 4..4, 4..4"),
    pieces: spans("0..0 a, 2..4 a, 4..4 a"),
  },
  {
    name: "both lists are sorted first",
    events: spans("10..14 b, 0..4 a"),
    filters: spans("12..20, 1..2"),
    pieces: spans("1..2 a, 12..14 b"),
  },
];

for (const { name, events, filters, pieces } of INTERSECTIONS) {
  test(`intersect: ${name}`, () => {
    assert.equal(spansOf(apply(periodIntersect, listOf(...events), listOf(...filters))), pieces);
  });
}

test("intersect: pieces keep the id of their event", () => {
  const pieces = runSteps(periodIntersect(listOf([0, 10], [20, 30]), listOf([1, 2], [3, 4], [19, 40])));
  assert.equal(idsOf(pieces), [1, 1, 2]);
});

const NONE = {};

const UNIONS: readonly { name: string; a: readonly Span[]; b: readonly Span[]; periods: readonly Span[] }[] = [
  { name: "nothing and nothing is nothing", a: [], b: [], periods: [] },
  {
    name: "events lose their data",
    a: spans("0..1 a, 3..4 b"),
    b: [],
    periods: [
      [0, 1, NONE],
      [3, 4, NONE],
    ],
  },
  { name: "what touches is joined", a: spans("0..3, 6..9"), b: [[3, 6]], periods: [[0, 9, NONE]] },
  { name: "what overlaps is joined", a: [[0, 5]], b: spans("3..9, 4..5"), periods: [[0, 9, NONE]] },
  {
    name: "a gap of a microsecond stays",
    a: [[0, 3]],
    b: [[4, 6]],
    periods: [
      [0, 3, NONE],
      [4, 6, NONE],
    ],
  },
  { name: "an event inside another one adds nothing", a: [[0, 9]], b: spans("2..3, 9..9"), periods: [[0, 9, NONE]] },
  {
    name: "an event of no length is a period",
    a: [[5, 5]],
    b: spans("7..7, 5..5"),
    periods: [
      [5, 5, NONE],
      [7, 7, NONE],
    ],
  },
  {
    name: "the order of the lists does not matter",
    a: spans("8..9, 0..2"),
    b: spans("20..21, 1..3"),
    periods: [
      [0, 3, NONE],
      [8, 9, NONE],
      [20, 21, NONE],
    ],
  },
];

for (const { name, a, b, periods } of UNIONS) {
  test(`union: ${name}`, () => {
    const union = apply(periodUnion, listOf(...a), listOf(...b));
    assert.equal(spansOf(union), periods);
    assert.is(union.ids, null);
  });
}

test("union: the data that all periods share cannot be changed", () => {
  const [event] = eventsOf(runSteps(periodUnion(listOf([0, 1]), emptyBatch)));
  assert.ok(Object.isFrozen(event?.data));
});

test.run();
