import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type JsonValue, sameJson } from "../../src/domain/json.js";
import { jsonKey } from "../../src/domain/json-key.js";
import { randomOf } from "../contract/case.js";
import { DATA, nested, randomData, TEXTS, VALUES } from "../contract/values.js";

const test = suite("json-key");

/** Values that careless texts mix up. */
const ALIKE: readonly JsonValue[] = [
  ...["1", 1, "#1;", "n", "t", "[", "]", "[]", "{}", '"', '"1:1', "-", "1,2", "undefined"],
  ...[[1, 2], [12], ["1", "2"], ["1,2"], [[1], 2], [1, [2]], [null], [[]], [[], []]],
  ...[{ a: 1 }, { a: "1" }, { a1: "" }, { a: 1, b: 2 }, { b: 2, a: 1 }, { a: { b: 2 } }, { "": 1 }, { "1:a": 1 }],
  ...[0, -0, 1e21, "1e21", 0.1, 5e-324, 2 ** 53, 2 ** 53 + 2],
];

function sample(): JsonValue[] {
  const random = randomOf(3);
  const random300 = Array.from({ length: 300 }, () => randomData(random));
  const swapped = random300.map((data) => Object.fromEntries(Object.entries(data).reverse()));
  return [...ALIKE, ...VALUES, ...TEXTS, ...DATA.flatMap((data) => Object.values(data)), ...random300, ...swapped];
}

test("texts are equal exactly when the values are", () => {
  const values = sample();
  const keys = values.map(jsonKey);
  for (const [at, value] of values.entries()) {
    for (let other = 0; other <= at; other++) {
      if ((keys[at] === keys[other]) !== sameJson(value, values[other] as JsonValue)) {
        assert.unreachable(`${keys[at]?.slice(0, 200)} and ${keys[other]?.slice(0, 200)}`);
      }
    }
  }
});

test("no text begins with another one, so that rows of them cannot be confused", () => {
  const keys = [...new Set(sample().map(jsonKey))].sort();
  // A text would stand right before the first of those that begin with it.
  for (let at = 1; at < keys.length; at++) assert.not.ok(keys[at]?.startsWith(keys[at - 1] as string), keys[at]);
});

test("values that nest as deeply as they may have a text", () => {
  assert.is(jsonKey(nested(1000)), jsonKey(nested(1000)));
  assert.is.not(jsonKey(nested(1000)), jsonKey(nested(999)));
});

test.run();
