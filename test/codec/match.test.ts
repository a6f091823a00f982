// A comparison that accepts too much would make every recorded case worthless, so each rule is tried from both sides.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Bindings, differenceOf } from "./match.js";
import type { Json } from "./scenario.js";

const NOW = Date.parse("2024-03-01T12:00:00Z");

interface Case {
  readonly name: string;
  readonly expected: Json;
  readonly match?: "subset";
  readonly exactKeys?: Record<string, string[]>;
  readonly same: readonly (Json | undefined)[];
  readonly different: readonly (Json | undefined)[];
}

const CASES: readonly Case[] = [
  {
    name: "numbers are compared by value and type",
    expected: { a: 1 },
    same: [{ a: 1.0 }],
    different: [{ a: 2 }, { a: "1" }, { a: true }, { a: null }, {}, undefined],
  },
  {
    name: "exact objects have exactly the expected keys",
    expected: { a: 1, b: null },
    same: [{ b: null, a: 1 }],
    different: [{ a: 1 }, { a: 1, b: null, c: 1 }, [1, null], null, undefined],
  },
  {
    name: "subset allows more keys at every level",
    expected: { a: { b: 1 } },
    match: "subset",
    same: [{ a: { b: 1 } }, { a: { b: 1, c: 2 }, d: 3 }],
    different: [{ a: { c: 2 } }, { d: 3 }, {}],
  },
  {
    name: "subset does not reach into data",
    expected: { data: { a: { b: 1 } } },
    match: "subset",
    same: [{ data: { a: { b: 1 } }, more: 1 }],
    different: [{ data: { a: { b: 1 }, more: 1 } }, { data: { a: { b: 1, more: 1 } } }],
  },
  {
    name: "exactKeys closes the place it names",
    expected: { buckets: { constructor: { id: "constructor" } } },
    match: "subset",
    exactKeys: { buckets: ["constructor"] },
    same: [{ buckets: { constructor: { id: "constructor", more: 1 } }, more: 1 }],
    different: [
      { buckets: { constructor: { id: "constructor" }, more: {} } },
      { buckets: {} },
      { buckets: { constructor: {} } },
    ],
  },
  {
    name: "exactKeys with the empty place closes the top",
    expected: {},
    match: "subset",
    exactKeys: { "": ["toString"] },
    same: [{ toString: 1 }],
    different: [{}, { toString: 1, more: 2 }],
  },
  {
    name: "an own key __proto__ is a key",
    expected: JSON.parse('{"__proto__":{"a":1}}'),
    same: [JSON.parse('{"__proto__":{"a":1}}')],
    different: [{}, JSON.parse('{"__proto__":{"a":2}}')],
  },
  { name: "arrays have length and order", expected: [1, 2], same: [[1, 2]], different: [[2, 1], [1], [1, 2, 3], {}] },
  { name: "$length counts", expected: { $length: 2 }, same: [["a", {}]], different: [[], [1], { $length: 2 }] },
  { name: "<any> is anything present", expected: { a: "<any>" }, same: [{ a: null }, { a: 0 }], different: [{}] },
  { name: "<string> is not empty", expected: "<string>", same: ["x"], different: ["", 1, null, {}, undefined] },
  { name: "<empty> is no body, null or {}", expected: "<empty>", same: [undefined, null, {}], different: [[], "", 0] },
  { name: "<hostname> is not !local", expected: "<hostname>", same: ["box"], different: ["", "!local", 1] },
  {
    name: "<hostname> is one name",
    expected: ["<hostname>", "<hostname>"],
    same: [["a", "a"]],
    different: [["a", "b"]],
  },
  {
    name: "<now> is a recent timestamp in our form",
    expected: "<now>",
    same: ["2024-03-01T12:00:00+00:00", "2024-03-01T11:50:00.000001+00:00"],
    different: ["2024-03-01T11:49:59+00:00", "2024-03-01T12:00:02+00:00", "2024-03-01T12:00:00Z", NOW, null],
  },
  {
    name: "one name is one id, two names are two",
    expected: ["<id:1>", "<id:2>", "<id:1>"],
    same: [[7, 3, 7]],
    different: [
      [7, 3, 3],
      [7, 7, 7],
      ["7", 3, "7"],
      [-1, 3, -1],
      [1.5, 3, 1.5],
    ],
  },
  {
    name: "timestamps are instants in our form",
    expected: { timestamp: "2024-03-01T10:00:00.5+01:00" },
    same: [{ timestamp: "2024-03-01T09:00:00.500000+00:00" }],
    different: [
      { timestamp: "2024-03-01T09:00:00.500001+00:00" },
      { timestamp: "2024-03-01T09:00:00.5+00:00" },
      { timestamp: "2024-03-01T10:00:00.500000+01:00" },
      { timestamp: "2024-03-01T10:00:00.500000+00:00" },
      { timestamp: null },
    ],
  },
  {
    name: "timestamps before 1970 keep their microseconds",
    expected: { start: "1969-12-31T23:59:59.999999Z" },
    same: [{ start: "1969-12-31T23:59:59.999999+00:00" }],
    different: [{ start: "1969-12-31T23:59:59.999998+00:00" }, { start: "1970-01-01T00:00:00+00:00" }],
  },
  {
    name: "elsewhere a timestamp is a text",
    expected: { title: "2024-03-01T10:00:00Z", data: { timestamp: "2024-03-01T10:00:00Z" } },
    same: [{ title: "2024-03-01T10:00:00Z", data: { timestamp: "2024-03-01T10:00:00Z" } }],
    different: [{ title: "2024-03-01T10:00:00Z", data: { timestamp: "2024-03-01T10:00:00+00:00" } }],
  },
  {
    name: "durations have a tolerance, other numbers none",
    expected: { duration: 1.5 },
    same: [{ duration: 1.5 }, { duration: 1.5000009 }],
    different: [{ duration: 1.5000011 }, { duration: "1.5" }, {}],
  },
  {
    name: "inside data a duration has no tolerance",
    expected: { data: { duration: 1.5 } },
    same: [{ data: { duration: 1.5 } }],
    different: [{ data: { duration: 1.5000009 } }],
  },
  {
    name: "a repeated character is written out",
    expected: { data: { a: "{repeat:é:3}" } },
    same: [{ data: { a: "ééé" } }],
    different: [{ data: { a: "éé" } }, { data: { a: "{repeat:é:3}" } }],
  },
];

const test = suite("matching of recorded answers");

for (const { name, expected, match = "exact", exactKeys = {}, same, different } of CASES) {
  const look = (actual: Json | undefined): string | undefined => {
    const bindings: Bindings = { ids: new Map() };
    return differenceOf(expected, actual, { bindings, match, exactKeys, now: NOW });
  };
  test(name, () => {
    for (const actual of same) assert.is(look(actual), undefined, JSON.stringify(actual));
    for (const actual of different) assert.type(look(actual), "string", JSON.stringify(actual));
  });
}

test("a difference names its place", () => {
  const options = { bindings: { ids: new Map() }, match: "exact", exactKeys: {}, now: NOW } as const;
  const difference = differenceOf({ buckets: [{ id: "a" }] }, { buckets: [{ id: "b" }] }, options);
  assert.is(difference, '.buckets.0.id: expected "a", got "b"');
});

test.run();
