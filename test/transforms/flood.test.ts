import { suite } from "uvu";
import * as assert from "uvu/assert";
import { flood } from "../../src/transforms/flood.js";
import { runSteps } from "../../src/transforms/steps.js";
import { apply, idsOf, listOf, type Span, spansOf } from "./lists.js";

const test = suite("flood");

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
    events: [
      [0, 10, "a"],
      [14, 20, "b"],
    ],
    flooded: [
      [0, 12, "a"],
      [12, 20, "b"],
    ],
  },
  {
    name: "the odd microsecond of a gap goes to the later event",
    events: [
      [0, 10, "a"],
      [13, 20, "b"],
    ],
    flooded: [
      [0, 11, "a"],
      [11, 20, "b"],
    ],
  },
  {
    name: "a gap between equal data joins them",
    events: [
      [0, 10],
      [14, 20],
    ],
    flooded: [[0, 20, "a"]],
  },
  {
    name: "a gap of exactly pulsetime stays",
    events: [
      [0, 10, "a"],
      [15, 20, "a"],
      [25, 30, "b"],
    ],
    flooded: [
      [0, 10, "a"],
      [15, 20, "a"],
      [25, 30, "b"],
    ],
  },
  {
    name: "neighbours without a gap are joined",
    events: [
      [0, 10],
      [10, 20],
    ],
    flooded: [[0, 20, "a"]],
  },
  {
    name: "neighbours of different data without a gap stay",
    events: [
      [0, 10, "a"],
      [10, 20, "b"],
    ],
    flooded: [
      [0, 10, "a"],
      [10, 20, "b"],
    ],
  },
  {
    name: "chains of equal data become one event",
    events: [
      [0, 1],
      [4, 5],
      [8, 9],
      [12, 13],
    ],
    flooded: [[0, 13, "a"]],
  },
  {
    name: "overlaps of equal data are joined",
    events: [
      [0, 10],
      [2, 6],
      [8, 12],
    ],
    flooded: [[0, 12, "a"]],
  },
  {
    name: "overlaps of different data stay",
    events: [
      [0, 10, "a"],
      [2, 6, "b"],
      [8, 12, "c"],
    ],
    flooded: [
      [0, 10, "a"],
      [2, 7, "b"],
      [7, 12, "c"],
    ],
  },
  {
    name: "an event of no length grows into the gap",
    events: [
      [0, 10, "a"],
      [12, 12, "b"],
      [16, 20, "c"],
    ],
    flooded: [
      [0, 11, "a"],
      [11, 14, "b"],
      [14, 20, "c"],
    ],
  },
  {
    name: "an event of no length without a gap stays",
    events: [
      [0, 10, "a"],
      [10, 10, "b"],
      [10, 20, "c"],
    ],
    flooded: [
      [0, 10, "a"],
      [10, 10, "b"],
      [10, 20, "c"],
    ],
  },
  {
    name: "events are sorted by start, then by duration",
    events: [
      [20, 30, "c"],
      [0, 8, "b"],
      [0, 3, "a"],
    ],
    flooded: [
      [0, 3, "a"],
      [0, 8, "b"],
      [20, 30, "c"],
    ],
  },
  {
    name: "another event in between keeps equal ones apart",
    events: [
      [0, 2, "a"],
      [2, 3, "b"],
      [3, 5, "a"],
    ],
    flooded: [
      [0, 2, "a"],
      [2, 3, "b"],
      [3, 5, "a"],
    ],
  },
  {
    name: "pulsetime 0 joins only what overlaps",
    pulsetime: 0,
    events: [
      [0, 10],
      [9, 12],
      [12, 15],
      [16, 18, "b"],
    ],
    flooded: [
      [0, 12, "a"],
      [12, 15, "a"],
      [16, 18, "b"],
    ],
  },
  {
    name: "a long pulsetime closes long gaps",
    pulsetime: 1000,
    events: [
      [0, 10],
      [900, 901],
      [1001, 1002, "b"],
    ],
    flooded: [
      [0, 951, "a"],
      [951, 1002, "b"],
    ],
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
