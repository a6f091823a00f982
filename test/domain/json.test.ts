import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonDefect,
  MAX_JSON_DEPTH,
  rememberText,
  sameJson,
  serializeObject,
} from "../../src/domain/json.js";
import { intOf, randomOf } from "../contract/case.js";
import { DATA, nested, randomData, TEXTS, VALUES } from "../contract/values.js";

const test = suite("json");

/** Pairs of JSON texts that say the same (docs/reference/compatibility.md#heartbeats). */
const SAME: readonly (readonly [string, string])[] = [
  ["1", "1.0"],
  ["1", "1e0"],
  ["100", "1E2"],
  ["0", "-0"],
  ["0.1", "0.10"],
  ['"\\u0041"', '"A"'],
  ['{"a":1,"b":2}', '{"b":2,"a":1}'],
  ['{"a":{"x":[1,{"p":1,"q":2}],"y":null}}', '{"a":{"y":null,"x":[1,{"q":2,"p":1}]}}'],
  ['{"2":0,"1":0,"a":0}', '{"a":0,"1":0,"2":0}'],
  ['{"a":1,"a":2}', '{"a":2}'],
  ['{"__proto__":1,"a":2}', '{"a":2,"__proto__":1}'],
  ['{"__proto__":{"x":1}}', '{"__proto__":{"x":1.0}}'],
  ["[]", "[ ]"],
  ["{}", "{ }"],
  ["9007199254740993", "9007199254740992"],
];

/** Pairs of JSON texts that say something different. */
const DIFFERENT: readonly (readonly [string, string])[] = [
  ["1", "true"],
  ["0", "false"],
  ["0", "null"],
  ["false", "null"],
  ['""', "null"],
  ['""', "false"],
  ["1", '"1"'],
  ["true", '"true"'],
  ["null", '"null"'],
  ["1", "1.0000000000000002"],
  ["1", "-1"],
  ["[]", "{}"],
  ["[]", "null"],
  ["{}", "null"],
  ["[]", '""'],
  ["[0]", "0"],
  ["[1,2]", "[2,1]"],
  ["[1]", "[1,1]"],
  ["[null]", "[]"],
  ["[[]]", "[]"],
  ["[1]", '{"0":1}'],
  ["[]", '{"length":0}'],
  ['{"a":1}', '{"a":1,"b":1}'],
  ['{"a":1}', '{"b":1}'],
  ['{"a":null}', "{}"],
  ['{"a":null}', '{"b":null}'],
  ['{"a":1}', '{"A":1}'],
  ['{"":1}', "{}"],
  ['{"a":{"b":1}}', '{"a":{"b":true}}'],
  ['"caf\u00e9"', '"cafe\u0301"'],
  ['"a"', '"a "'],
  ['"\\ud800"', '"\\ufffd"'],
  ['"\\ud800"', '"\\udc00"'],
  ['{"\\ud800":1}', '{"\\udfff":1}'],
  ['{"__proto__":1}', "{}"],
  ['{"__proto__":1}', '{"__proto__":2}'],
  ['{"__proto__":{}}', '{"x":{}}'],
  ['{"__proto__":{}}', '{"x":1}'],
  ['{"__proto__":{"a":1}}', '{"a":1}'],
  ['{"__proto__":null}', '{"a":null}'],
  ['{"constructor":{}}', '{"x":{}}'],
  ['{"toString":{}}', '{"valueOf":{}}'],
];

function parse(text: string): JsonValue {
  return JSON.parse(text) as JsonValue;
}

test("values that say the same are equal, whichever comes first", () => {
  for (const [a, b] of SAME) {
    assert.ok(sameJson(parse(a), parse(b)), `${a} and ${b}`);
    assert.ok(sameJson(parse(b), parse(a)), `${b} and ${a}`);
    assert.ok(sameJson({ deep: [parse(a)] }, { deep: [parse(b)] }), `${a} and ${b}, deep inside`);
  }
});

test("values that say something different are not equal, whichever comes first", () => {
  for (const [a, b] of DIFFERENT) {
    assert.not(sameJson(parse(a), parse(b)), `${a} and ${b}`);
    assert.not(sameJson(parse(b), parse(a)), `${b} and ${a}`);
    assert.not(sameJson([{ deep: parse(a) }], [{ deep: parse(b) }]), `${a} and ${b}, deep inside`);
  }
});

test("texts are equal exactly when they are the same code units", () => {
  for (const [index, a] of TEXTS.entries()) {
    for (const [other, b] of TEXTS.entries()) {
      assert.is(sameJson({ [a]: a }, JSON.parse(JSON.stringify({ [b]: b }))), index === other, `${a} and ${b}`);
    }
  }
});

/** A text that equal values share: keys sorted by code units. */
function canonical(value: JsonValue): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item as JsonValue)).join()}]`;
  const members = Object.entries(value as JsonObject).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join()}}`;
}

function shuffled(value: JsonValue, random: () => number): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => shuffled(item as JsonValue, random));
  const members = Object.entries(value as JsonObject).map(([key, member]) => [key, shuffled(member, random)] as const);
  return Object.fromEntries(members.sort(() => random() - 0.5));
}

test("random values are equal exactly when their canonical texts are", () => {
  const random = randomOf(1);
  const values = [...VALUES, ...Array.from({ length: 300 }, () => randomData(random))];
  let equal = 0;
  for (let round = 0; round < 30_000; round++) {
    const a = values[intOf(random, 0, values.length - 1)] as JsonValue;
    const b = values[intOf(random, 0, values.length - 1)] as JsonValue;
    const expected = canonical(a) === canonical(b);
    if (sameJson(a, b) !== expected) assert.is(sameJson(a, b), expected, `${canonical(a)} and ${canonical(b)}`);
    if (expected) equal++;
  }
  assert.ok(equal > 50, "some of the pairs are equal");
  for (const value of values) {
    const copy = shuffled(parse(JSON.stringify(value)), random);
    assert.ok(sameJson(value, copy), `${canonical(value)} in another order`);
  }
});

test("only objects are objects", () => {
  for (const value of [{}, parse('{"__proto__":null}'), Object.create(null)]) assert.ok(isJsonObject(value));
  for (const value of [null, undefined, [], "", "{}", 0, true]) assert.not(isJsonObject(value), String(value));
});

/** A value in so many containers of alternating kinds. */
function wrapped(value: JsonValue, containers: number): JsonValue {
  let wrapping = value;
  for (let level = 0; level < containers; level++) wrapping = level % 2 === 0 ? [wrapping] : { a: 1, deeper: wrapping };
  return wrapping;
}

const TOO_DEEP = "nests deeper than 1000 levels";
const TOO_LARGE = "contains a number beyond the range of a double";

test("a value may nest a thousand levels deep, and no deeper", () => {
  assert.is(MAX_JSON_DEPTH, 1000);
  for (const leaf of [0, "x", null, [], {}] as const) {
    const own = typeof leaf === "object" && leaf !== null ? 1 : 0;
    assert.is(jsonDefect(wrapped(leaf, 1000 - own)), undefined);
    assert.is(jsonDefect(wrapped(leaf, 1001 - own)), TOO_DEEP);
  }
  assert.is(jsonDefect([[], 1, wrapped(1, 998), wrapped(1, 999)]), undefined);
  assert.is(jsonDefect([[], 1, wrapped(1, 1000), []]), TOO_DEEP);
  assert.is(jsonDefect(nested(1000)), undefined);
  assert.is(jsonDefect(nested(1001)), TOO_DEEP);
});

test("nesting of any depth is refused without exhausting the stack", () => {
  assert.is(jsonDefect(wrapped(0, 200_000)), TOO_DEEP);
});

test("what may be kept can be compared and serialized", () => {
  const [a, b] = [nested(1000), nested(1000)];
  assert.ok(sameJson(a, b));
  assert.is(serializeObject(a), serializeObject(b));
  assert.ok(sameJson(parse(serializeObject(a)), b));
});

test("a number beyond the range of a double is found wherever it stands", () => {
  for (const text of ["1e400", "-1e400", "[1e309]", '{"a":1e400}', '[[{"a":[0,-1e999]}]]', '{"__proto__":1e400}']) {
    assert.is(jsonDefect(parse(text)), TOO_LARGE, text);
  }
  for (const text of ["1e308", "-1.7976931348623157e308", "1e-400", "[0,-0]", '{"a":"1e400"}', "null"]) {
    assert.is(jsonDefect(parse(text)), undefined, text);
  }
  for (const value of VALUES) assert.is(jsonDefect(value), undefined);
});

test("an object prints as JSON whether or not its text is remembered", () => {
  for (const data of DATA) {
    const text = JSON.stringify(data);
    assert.is(serializeObject(data), text);
    const copy = parse(text) as JsonObject;
    rememberText(copy, text);
    assert.is(serializeObject(copy), text);
    assert.ok(sameJson(parse(serializeObject(copy)), data));
  }
});

test("a remembered text belongs to the one object, not to its equals", () => {
  const object = { a: 1 };
  rememberText(object, '{ "a": 1 }');
  assert.is(serializeObject(object), '{ "a": 1 }');
  assert.is(serializeObject({ a: 1 }), '{"a":1}');
  rememberText(object, '{"a":1.0}');
  assert.is(serializeObject(object), '{"a":1.0}');
});

test.run();
