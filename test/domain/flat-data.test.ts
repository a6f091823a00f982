import { suite } from "uvu";
import * as assert from "uvu/assert";
import { FlatDataMap, isFlat } from "../../src/domain/flat-data.js";
import type { JsonObject } from "../../src/domain/json.js";

const test = suite("flat data");

/** For each of some data the first that is the same; `undefined` for what is not flat. */
function firstOf(...datas: JsonObject[]): (JsonObject | undefined)[] {
  const map = new FlatDataMap<JsonObject>();
  return datas.map((data) => {
    const known = map.get(data);
    const first = map.getOrSet(data, data);
    assert.is(map.get(data), first);
    if (known !== undefined) assert.is(first, known);
    assert.is(first !== undefined, isFlat(data));
    return first;
  });
}

test("equal data have one value, the first", () => {
  const datas = [{ app: "Code", n: 1 }, { app: "Code", n: 2 }, { app: "Code", n: 1 }, { app: "Code" }, {}, {}];
  const [a, b, , c, d] = datas;
  assert.ok(firstOf(...datas).every((found, index) => found === [a, b, a, c, d, d][index]));
});

test("members of many names and values", () => {
  const datas = Array.from({ length: 3_000 }, (_, n) => ({ [`name ${n % 30}`]: n % 7, [`n${n % 11}`]: `${n % 3}` }));
  const texts = new Map<string, JsonObject>();
  for (const data of datas) if (!texts.has(JSON.stringify(data))) texts.set(JSON.stringify(data), data);
  for (const [index, first] of firstOf(...datas).entries()) {
    assert.is(first, texts.get(JSON.stringify(datas[index])));
  }
});

test("nothing is known after clearing", () => {
  const map = new FlatDataMap<number>();
  map.getOrSet({ a: 1 }, 5);
  map.clear();
  assert.is(map.get({ a: 1 }), undefined);
  assert.is(map.getOrSet({ a: 1 }, 6), 6);
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
];

for (const [one, other] of DIFFERENT) {
  test(`${JSON.stringify(one)} and ${JSON.stringify(other)} stay apart`, () => {
    assert.ok(firstOf(one, other)[0] === one);
    assert.ok(firstOf(other, one)[1] === one);
  });
}

test("data with lists or objects, and -0, which a map takes for 0, have no value", () => {
  for (const a of [[], {}, { b: 1 }, -0]) assert.equal(firstOf({ a }, { z: 1, a }), [undefined, undefined]);
});

test.run();
