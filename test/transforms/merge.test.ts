import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject } from "../../src/domain/json.js";
import { chunkEventsByKey } from "../../src/transforms/chunk.js";
import { mergeEventsByKeys } from "../../src/transforms/merge.js";
import { runSteps } from "../../src/transforms/steps.js";
import { apply, idsOf, listOf, type Span, spans, spansOf } from "./lists.js";

const test = suite("merge and chunk");

interface Case {
  readonly name: string;
  readonly events: readonly Span[];
  readonly keys: readonly string[];
  readonly groups: readonly Span[];
}

const MERGES: readonly Case[] = [
  { name: "nothing has no groups", events: [], keys: ["app"], groups: [] },
  {
    name: "durations add up at the first event, groups in the order in which they appear",
    events: spans("50..53 b, 0..2 a, 9..10 b, 20..24 a"),
    keys: ["app"],
    groups: spans("50..54 b, 0..6 a"),
  },
  {
    name: "a group has the whole data of its first event",
    events: [
      [0, 1, { app: "a", title: "x" }],
      [1, 3, { app: "a", title: "y" }],
    ],
    keys: ["app"],
    groups: [[0, 3, { app: "a", title: "x" }]],
  },
  {
    name: "several keys make one group together",
    events: [
      [0, 1, { app: "a", n: 1 }],
      [1, 2, { app: "a", n: 2 }],
      [2, 3, { n: 1, app: "a", x: 0 }],
    ],
    keys: ["app", "n"],
    groups: [
      [0, 2, { app: "a", n: 1 }],
      [1, 2, { app: "a", n: 2 }],
    ],
  },
  {
    name: "an event without some of the keys groups by those that it has",
    events: [
      [0, 1, "a"],
      [1, 2, { app: "a", n: 1 }],
      [2, 4, "a"],
      [4, 5, { n: 1 }],
    ],
    keys: ["app", "n"],
    groups: [
      [0, 3, "a"],
      [1, 2, { app: "a", n: 1 }],
      [4, 5, { n: 1 }],
    ],
  },
  {
    name: "an event without any of the keys is dropped",
    events: [
      [0, 1, {}],
      [1, 2],
    ],
    keys: ["app"],
    groups: [[1, 2, "a"]],
  },
  { name: "without keys events stay", events: spans("0..1, 1..2"), keys: [], groups: spans("0..1 a, 1..2 a") },
  {
    name: "a key that is named twice counts once",
    events: spans("0..1, 1..2"),
    keys: ["app", "app"],
    groups: [[0, 2, "a"]],
  },
  {
    name: "a key that is null is there",
    events: [
      [0, 1, { n: null }],
      [1, 2, {}],
      [2, 3, { n: null }],
    ],
    keys: ["n"],
    groups: [[0, 2, { n: null }]],
  },
];

for (const { name, events, keys, groups } of MERGES) {
  test(`merge: ${name}`, () => {
    const list = listOf(...events);
    assert.equal(spansOf(apply((given) => mergeEventsByKeys(given, keys), list)), groups);
  });
}

test("keys that objects inherit are not there", () => {
  for (const key of ["toString", "constructor", "__proto__"]) {
    const own = listOf([0, 1, JSON.parse(`{"${key}": "x"}`)], [1, 2, {}]);
    assert.equal(idsOf(runSteps(chunkEventsByKey(own, key))), [1], key);
    assert.is(runSteps(mergeEventsByKeys(own, [key])).length, 1, key);
  }
});

test("merge: groups have no id", () => {
  assert.equal(idsOf(runSteps(mergeEventsByKeys(listOf([0, 1, "a"], [1, 2, "b"]), ["app"]))), [null, null]);
});

/** Each row: data that make one group by the keys `a` and `b`. Data of different rows make different groups. */
const GROUPS: readonly (readonly JsonObject[])[] = [
  [{ a: 5 }, { a: 5.0 }],
  [{ a: "5" }],
  [{ a: [5] }],
  [{ a: ["5"] }],
  [{ a: "[5]" }],
  [{ a: true }],
  [{ a: 1 }],
  [{ a: "true" }],
  [{ a: null }],
  [{ a: "null" }],
  [{ a: 0 }, { a: -0 }],
  [{ a: "" }],
  [{ a: false }],
  [{ a: [] }],
  [{ a: {} }],
  [{ a: [1, 2] }, { a: [1, 2.0] }],
  [{ a: [2, 1] }],
  [{ a: [[1], 2] }],
  [{ a: "1,2" }],
  [{ a: { x: 1, y: 2 } }, { a: { y: 2, x: 1 } }],
  [{ a: { x: 12 } }],
  [{ a: { x: 1, y: "2" } }],
  [{ b: 5 }],
  [
    { a: "x", b: "y" },
    { b: "y", a: "x", c: 1 },
  ],
  [{ a: "xy", b: "" }],
  [{ a: "", b: "xy" }],
  [{ a: "y", b: "x" }],
  [{ a: 'x"1:y' }],
  [{ a: "x", b: "1:y" }],
];

test("merge: values are compared as JSON, and different ones never share a group", () => {
  const events = GROUPS.flatMap((row, group) => row.map((data): Span => [group, group + 1, data]));
  const merged = runSteps(mergeEventsByKeys(listOf(...events), ["a", "b"]));
  assert.equal(
    spansOf(merged).map(([start, end]) => [start, end - start]),
    GROUPS.map((row, group) => [group, row.length]),
  );
});

const CHUNKS: readonly { name: string; events: readonly Span[]; chunks: readonly Span[] }[] = [
  { name: "nothing has no chunks", events: [], chunks: [] },
  {
    name: "neighbours in the list with equal values become one",
    events: spans("0..1 a, 5..7 a, 9..10 b, 3..4 a"),
    chunks: spans("0..3 a, 9..10 b, 3..4 a"),
  },
  {
    name: "a chunk has the whole data of its first event",
    events: [
      [0, 1, { app: "a", n: 1 }],
      [1, 2, { app: "a", n: 2 }],
    ],
    chunks: [[0, 2, { app: "a", n: 1 }]],
  },
  {
    name: "events without the key are passed over and part nothing",
    events: [
      [0, 1, {}],
      [1, 2, "a"],
      [2, 3, { n: 1 }],
      [3, 4, "a"],
    ],
    chunks: [[1, 3, "a"]],
  },
  {
    name: "values are compared as JSON",
    events: [
      [0, 1, { app: ["x"] }],
      [1, 2, { app: ["x"] }],
      [2, 3, { app: "x" }],
      [3, 4, { app: null }],
    ],
    chunks: [
      [0, 2, { app: ["x"] }],
      [2, 3, "x"],
      [3, 4, { app: null }],
    ],
  },
];

for (const { name, events, chunks } of CHUNKS) {
  test(`chunk: ${name}`, () => {
    assert.equal(spansOf(apply((list) => chunkEventsByKey(list, "app"), listOf(...events))), chunks);
  });
}

test("chunk: a chunk has the id of its first event", () => {
  assert.equal(idsOf(runSteps(chunkEventsByKey(listOf([0, 1, "a"], [1, 2, "a"], [2, 3, "b"]), "app"))), [1, 3]);
});

test.run();
