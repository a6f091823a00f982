import { suite } from "uvu";
import * as assert from "uvu/assert";
import { FlatDataMap, shareData } from "../../src/domain/flat-data.js";
import type { JsonObject } from "../../src/domain/json.js";

const test = suite("flat data");

function shared(...datas: JsonObject[]): JsonObject[] {
  return shareData(datas.map((data, index) => ({ id: index + 1, timestamp: index, duration: 1, data }))).map(
    ({ data }) => data,
  );
}

test("equal data become one object", () => {
  const [first, other, second] = shared({ app: "Code", n: 1 }, { app: "Code", n: 2 }, { app: "Code", n: 1 });
  assert.is(second, first);
  assert.equal(other, { app: "Code", n: 2 });
});

test("events keep what else they have", () => {
  const events = [
    { id: 7, timestamp: 70, duration: 700, data: { app: "a" } },
    { id: 8, timestamp: 80, duration: 800, data: { app: "a" } },
  ];
  assert.equal(shareData(events), events);
});

/** Pairs of data that a careless comparison takes for equal. */
const DIFFERENT: readonly (readonly [JsonObject, JsonObject])[] = [
  [{ a: 1 }, { a: "1" }],
  [{ a: null }, { a: "null" }],
  [{ a: true }, { a: "true" }],
  [
    { a: 1, b: 2 },
    { b: 2, a: 1 },
  ],
  [
    { a: "a", "a\0a": "a" },
    { "a\0a": "a", a: "a" },
  ],
  [{ a: "x\0b\0y" }, { a: "x", b: "y" }],
  [{ "": "" }, {}],
  [{ a: 0 }, { a: -0 }],
];

for (const [one, other] of DIFFERENT) {
  test(`${JSON.stringify(one)} and ${JSON.stringify(other)} stay apart`, () => {
    const [first, second] = shared(one, other);
    assert.is(first, one);
    assert.is(second, other);
  });
}

test("data with lists or objects have no key", () => {
  assert.is(FlatDataMap.keyOf({ a: [] }), undefined);
  assert.is(FlatDataMap.keyOf({ a: {} }), undefined);
  const nested = [{ a: { b: 1 } }, { a: { b: 1 } }] as const;
  const [first, second] = shared(...nested);
  assert.is(first, nested[0]);
  assert.is(second, nested[1]);
});

test.run();
