import { suite } from "uvu";
import * as assert from "uvu/assert";
import { secondsToMicros } from "../../src/domain/time.js";
import type { RangeInput } from "../../src/index.js";
import {
  copyJson,
  parseEventDuration,
  parseSetting,
  programParser,
  toDuration,
  toTimestamp,
} from "../../src/service/input-coercion.js";
import { createTestServer } from "../../src/testing/index.js";
import { assertRefused, type Refusal } from "../testing/refusal.js";

const test = suite("the forms of a program");

const NOON = Date.parse("2024-03-01T12:00:00Z") * 1000;

test("an instant is a Date, a text or microseconds", () => {
  assert.is(toTimestamp(new Date("2024-03-01T12:00:00.123Z"), "t"), NOON + 123_000);
  assert.is(toTimestamp("2024-03-01T12:00:00.123456Z", "t"), NOON + 123_456);
  assert.is(toTimestamp("2024-03-01 14:00+02:00", "t"), NOON);
  assert.is(toTimestamp(NOON + 1, "t"), NOON + 1);
  assert.is(toTimestamp(0, "t"), 0);
  assert.is(toTimestamp(-1, "t"), -1);
});

test("a duration has its unit, and an event's may be a number as well", () => {
  const cases: readonly (readonly [given: unknown, micros: number])[] = [
    ["250ms", 250_000],
    ["60s", 60_000_000],
    ["1.5h", 5_400_000_000],
    ["-5m", -300_000_000],
    [{ seconds: 0.1 }, 100_000],
    [{ seconds: 1e-7 }, 0],
    [{ micros: 7 }, 7],
    [0, 0],
    [-0, 0],
  ];
  for (const [given, micros] of cases) {
    assert.is(toDuration(given, "d"), micros);
    assert.is(parseEventDuration(given, "d"), micros);
  }
  assert.is(parseEventDuration(secondsToMicros(1.5), "d"), 1_500_000);
});

test("an event gets what it lacks", () => {
  assert.equal(programParser.event({ timestamp: NOON }, "the event", true), { timestamp: NOON, duration: 0, data: {} });
  assert.equal(
    programParser.event({ timestamp: NOON, duration: -5, data: { a: [1, { b: null }] }, id: 7 }, "the event", true),
    { timestamp: NOON, duration: -5, data: { a: [1, { b: null }] }, id: 7 },
  );
  assert.equal(
    programParser.event({ timestamp: NOON, id: null }, "the event", true),
    programParser.event({ timestamp: NOON, id: 7 }, "the event", false),
  );
});

test("data is copied: what the program does with its object afterwards changes nothing", () => {
  const list = [1, 2];
  const data = { list, deep: { text: "a" } };
  const draft = programParser.event({ timestamp: 0, data }, "the event", false);
  list.push(3);
  data.deep.text = "b";
  assert.equal(draft.data, { list: [1, 2], deep: { text: "a" } });
});

test("members without a value are left out, and __proto__ is a key like any other", () => {
  const given = JSON.parse('{"a":1,"__proto__":{"x":1}}') as Record<string, unknown>;
  given["gone"] = undefined;
  const copy = copyJson(given, "data");
  assert.is(JSON.stringify(copy), '{"a":1,"__proto__":{"x":1}}');
  assert.is(Object.getPrototypeOf(copy), Object.prototype);
  assert.equal(copyJson(Object.create(null), "data"), {});
});

function nested(depth: number): unknown {
  let value: unknown = {};
  for (let level = 1; level < depth; level++) value = { value };
  return value;
}

const circle: Record<string, unknown> = {};
circle["self"] = circle;

/** Without a look at what a value lies in, each level would double the work. */
const tree: { children: unknown[] } = { children: [] };
tree.children.push({ tree }, { tree }, { tree });

class Point {
  x = 1;
}

const read = (range: RangeInput): unknown => createTestServer().events.read("b", range);

const REFUSED: readonly (readonly [name: string, ...Refusal])[] = [
  ["no instant", () => toTimestamp(undefined, "start"), "start must be "],
  ["a broken Date", () => toTimestamp(new Date("x"), "start"), "start must be "],
  ["half a microsecond", () => toTimestamp(0.5, "start"), "start must be "],
  ["an endless instant", () => toTimestamp(Number.POSITIVE_INFINITY, "start"), "start must be "],
  ["a text that is no time", () => toTimestamp("now", "start"), "start must be "],
  ["a year before 1700", () => toTimestamp(new Date("1699-12-31"), "start"), "start must be "],
  ["a year after 2249", () => toTimestamp("2250-01-01", "start"), "start must be "],
  ["seconds with a fraction", () => parseEventDuration(1.5, "pulsetime"), "pulsetime must be "],
  ["a length as a text", () => parseEventDuration("5", "pulsetime"), "pulsetime must be "],
  ["a bare number", () => toDuration(60, "pulsetime"), "pulsetime must be "],
  ["a duration without a unit", () => toDuration("60", "pulsetime"), "pulsetime must be "],
  ["two units", () => toDuration({ seconds: 1, micros: 1 }, "pulsetime"), "pulsetime must be "],
  ["a unit that is none", () => toDuration({ minutes: 1 }, "pulsetime"), "pulsetime must be "],
  ["half a microsecond of length", () => toDuration({ micros: 0.5 }, "pulsetime"), "pulsetime must be "],
  ["endless seconds", () => toDuration({ seconds: Number.POSITIVE_INFINITY }, "d"), "d must be "],
  ["no length", () => parseEventDuration(Number.NaN, "pulsetime"), "pulsetime must be "],
  ["an event that is none", () => programParser.event(5, "event 3", true), "event 3 must be "],
  ["a list of events", () => programParser.event([], "the event", true), "the event must be "],
  ["no timestamp", () => programParser.event({}, "event 3", true), "timestamp of event 3 must be "],
  [
    "an end after 2249",
    () => programParser.event({ timestamp: "2249-12-31", duration: 86_400_000_000 }, "event 3", true),
    "duration of event 3 must be ",
  ],
  ["an id of 0", () => programParser.event({ timestamp: 0, id: 0 }, "event 3", true), "id of event 3 must be "],
  [
    "a list as data",
    () => programParser.event({ timestamp: 0, data: [] }, "event 3", true),
    "data of event 3 must be ",
  ],
  ["a Date in data", () => copyJson({ a: [new Date(0)] }, "data"), "data must be "],
  ["a Map in data", () => copyJson(new Map(), "data"), "data must be "],
  ["an object of a class", () => copyJson({ a: new Point() }, "data"), "data must be "],
  ["a function in data", () => copyJson({ a: () => 1 }, "data"), "data must be "],
  ["a bigint in data", () => copyJson({ a: 1n }, "data"), "data must be "],
  ["a symbol in data", () => copyJson([Symbol("a")], "data"), "data must be "],
  ["a hole in a list", () => copyJson([undefined], "data"), "data must be "],
  ["a circle", () => programParser.event({ timestamp: 0, data: circle }, "event 3", true), "data of event 3 must be "],
  ["a tree whose branches know their root", () => copyJson(tree, "data"), "data must be "],
  ["too many levels", () => parseSetting(nested(1001)), /^the setting .*1000/],
  [
    "NaN in data",
    () => programParser.event({ timestamp: 0, data: { a: Number.NaN } }, "event 3", true),
    "data of event 3",
  ],
  ["a field that a range does not have", () => read({ strat: 0 } as never), "unknown field 'strat'; fields are start"],
  ["a range that is none", () => read(null as never), "the argument must be an object, got null"],
  ["half a limit", () => read({ limit: 0.5 }), /^limit must be an integer, got 0.5/],
  ["another order", () => read({ order: "oldest first" as "oldest" }), "order must be 'newest' or 'oldest', got 'old"],
  ["a bucket that is none", () => programParser.bucket(null, "the bucket"), "the bucket must be "],
  ["a bucket without a type", () => programParser.bucket({ client: "", hostname: "" }, "the bucket"), "type of the"],
];

for (const [name, ...refusal] of REFUSED) test(`${name} is refused by name`, () => assertRefused(...refusal));

test("one object in several places is no circle", () => {
  const twice = { a: 1 };
  assert.equal(copyJson({ x: twice, y: [twice, twice] }, "data"), { x: { a: 1 }, y: [{ a: 1 }, { a: 1 }] });
});

test("the deepest data that the API takes is taken", () => {
  assert.is(JSON.stringify(parseSetting(nested(1000))).length, JSON.stringify(nested(1000)).length);
});

test.run();
