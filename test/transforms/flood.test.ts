import { suite } from "uvu";
import * as assert from "uvu/assert";
import { flood } from "../../src/transforms/flood.js";
import { runSteps } from "../../src/transforms/steps.js";
import { apply, idsOf, listOf, type Span, spans, spansOf } from "./lists.js";

const test = suite("flood");

/** In microseconds, as all times here. */
const SECOND = 1_000_000;

interface Case {
  readonly name: string;
  readonly events: readonly Span[];
  /** @default 5 */
  readonly pulsetime?: number;
  readonly flooded: readonly Span[];
}

const CASES: readonly Case[] = [
  { name: "an empty list stays empty", events: [], flooded: [] },
  { name: "a single event stays", events: [[3, 9]], flooded: [[3, 9, "a"]] },
  {
    name: "a gap between different data is halved",
    events: spans("0..10 a, 14..20 b"),
    flooded: spans("0..12 a, 12..20 b"),
  },
  {
    name: "the odd microsecond of a gap goes to the later event",
    events: spans("0..10 a, 13..20 b"),
    flooded: spans("0..11 a, 11..20 b"),
  },
  { name: "a gap between equal data joins them", events: spans("0..10, 14..20"), flooded: [[0, 20, "a"]] },
  {
    name: "a gap of exactly pulsetime is closed, a longer one stays",
    events: spans("0..10 a, 15..20 a, 25..30 b, 36..40 b"),
    flooded: spans("0..22 a, 22..30 b, 36..40 b"),
  },
  { name: "neighbours without a gap are joined", events: spans("0..10, 10..20"), flooded: [[0, 20, "a"]] },
  {
    name: "neighbours of different data without a gap stay",
    events: spans("0..10 a, 10..20 b"),
    flooded: spans("0..10 a, 10..20 b"),
  },
  { name: "chains of equal data become one event", events: spans("0..1, 4..5, 8..9, 12..13"), flooded: [[0, 13, "a"]] },
  { name: "overlaps of equal data are joined", events: spans("0..10, 2..6, 8..12"), flooded: [[0, 12, "a"]] },
  {
    name: "an overlap of different data below 0.1 s is halved",
    events: spans("0..10 a, 7..12 b, 99_011..299_011 c, 199_012..400_000 d"),
    flooded: spans("0..8 a, 8..12 b, 99_011..249_011 c, 249_011..400_000 d"),
  },
  {
    name: "equal events start with the first of them, even if a halved overlap moved it",
    events: spans("0..100 a, 90..92 b, 92..200 b"),
    flooded: spans("0..92 a, 92..200 b"),
  },
  {
    name: "a longer overlap of different data goes to the later event",
    events: [
      [0, SECOND, "a"],
      [SECOND - 100_000, 2 * SECOND, "b"],
    ],
    flooded: [
      [0, SECOND - 100_000, "a"],
      [SECOND - 100_000, 2 * SECOND, "b"],
    ],
  },
  {
    name: "an event does not resume after a shorter one inside it",
    events: [
      [0, 9 * SECOND, "a"],
      [2 * SECOND, 3 * SECOND, "b"],
      [5 * SECOND, 6 * SECOND, "a"],
    ],
    flooded: [
      [0, 2 * SECOND, "a"],
      [2 * SECOND, 3 * SECOND, "b"],
      [5 * SECOND, 6 * SECOND, "a"],
    ],
  },
  {
    name: "an event that loses all its time disappears, and equal neighbors of it are joined",
    events: [
      [0, 4 * SECOND, "a"],
      [2 * SECOND, 3 * SECOND, "b"],
      [2 * SECOND, 9 * SECOND, "a"],
    ],
    flooded: [[0, 9 * SECOND, "a"]],
  },
  {
    name: "an event of no length grows into the gap",
    events: spans("0..10 a, 12..12 b, 16..20 c"),
    flooded: spans("0..11 a, 11..14 b, 14..20 c"),
  },
  {
    name: "an event of no length without a gap disappears",
    events: spans("0..10 a, 10..10 b, 10..20 c"),
    flooded: spans("0..10 a, 10..20 c"),
  },
  {
    name: "events are sorted by start, then by duration",
    events: spans("20..30 c, 0..8 b, 0..3 a"),
    flooded: spans("0..1 a, 1..8 b, 20..30 c"),
  },
  {
    name: "another event in between keeps equal ones apart",
    events: spans("0..2 a, 2..3 b, 3..5 a"),
    flooded: spans("0..2 a, 2..3 b, 3..5 a"),
  },
  {
    name: "pulsetime 0 joins only what overlaps or touches",
    pulsetime: 0,
    events: spans("0..10, 9..12, 12..15, 16..18 b"),
    flooded: spans("0..15 a, 16..18 b"),
  },
  {
    name: "a long pulsetime closes long gaps",
    pulsetime: 1000,
    events: spans("0..10, 900..901, 1001..1002 b"),
    flooded: spans("0..951 a, 951..1002 b"),
  },
  {
    name: "equal data need not be one object",
    events: [
      [0, 1, { app: "a", n: [1] }],
      [2, 3, { n: [1], app: "a" }],
      [4, 5, { app: "a", n: ["1"] }],
    ],
    flooded: [
      [0, 3, { app: "a", n: [1] }],
      [3, 5, { app: "a", n: ["1"] }],
    ],
  },
  {
    name: "a key that is missing differs from one that is null",
    events: [
      [0, 1, { app: null, title: "x" }],
      [1, 2, { title: "x" }],
      [2, 3, { title: "x", app: "a" }],
    ],
    flooded: [
      [0, 1, { app: null, title: "x" }],
      [1, 2, { title: "x" }],
      [2, 3, { title: "x", app: "a" }],
    ],
  },
  {
    name: "keys that objects inherit are no data",
    events: [
      [0, 1, { toString: "x", n: 1 }],
      [1, 2, { n: 1, y: "x" }],
      [2, 3, JSON.parse('{"__proto__": {}, "n": 1}')],
    ],
    flooded: [
      [0, 1, { toString: "x", n: 1 }],
      [1, 2, { n: 1, y: "x" }],
      [2, 3, JSON.parse('{"__proto__": {}, "n": 1}')],
    ],
  },
];

for (const { name, events, pulsetime = 5, flooded } of CASES) {
  test(name, () => {
    const list = listOf(...events);
    assert.equal(spansOf(apply((given) => flood(given, pulsetime), list)), flooded);
  });
}

test("what is joined of several events has no id, what is cut or grown keeps its own", () => {
  const list = listOf([0, 10, "a"], [13, 20, "b"], [21, 30, "b"], [40, 50, "a"]);
  assert.equal(idsOf(runSteps(flood(list, 5))), [1, null, 4]);
});

test("a flooded list stays as it is when it is flooded again", () => {
  const once = runSteps(flood(listOf([0, 3, "a"], [4, 6, "b"], [9, 9, "b"], [20, 21, "c"]), 5));
  assert.equal(spansOf(runSteps(flood(once, 5))), spansOf(once));
});

test.run();
