// Two forms of the results of a query, as text and as objects, which must never differ.

import { suite } from "uvu";
import * as assert from "uvu/assert";
import { copyResults } from "../../src/codec/result-objects.js";
import { ResultSerializer } from "../../src/codec/serialize-results.js";
import { type BatchColumns, EventBatch } from "../../src/domain/batch.js";
import type { JsonObject, JsonValue } from "../../src/domain/json.js";
import type { Value } from "../../src/query/values.js";

const test = suite("results of queries");

const MAX_PIECE = 256 * 1024;

const ODD: readonly JsonObject[] = [
  {},
  { "10": 1, b: "x", "2": [1, [], {}, { a: [null, true] }] },
  JSON.parse('{"__proto__": {"a": 1}, "constructor": [], "a": {"__proto__": 2}}'),
  { zero: -0, tiny: 5e-324, large: 1e21, list: [-0, 0.1] },
  { text: '\ud83d\ude00 \ud83d lone \u0000 " \\ \u2028', "\udc00": "" },
];

function columnsOf({ timestamps, durations, ids, datas }: EventBatch): BatchColumns {
  return { timestamps, durations, ids, datas };
}

function events(): EventBatch {
  const list = EventBatch.from(
    ODD.map((data, index) => ({ id: index + 1, timestamp: -1_500_001 * (index - 2), duration: index * 333_333, data })),
  );
  const durations = list.durations.map((each) => -each);
  return EventBatch.of({ ...columnsOf(list), ids: Float64Array.of(1, 0, 2 ** 53 - 1, 0, 5), durations });
}

const VALUES: Readonly<Record<string, Value>> = {
  none: null,
  true: true,
  "a negative zero": -0,
  "a fraction": 0.1 + 0.2,
  "a text": "a\n\"'\\ \ud83d \u2028",
  "an empty list": [],
  "an empty dict": new Map(),
  "no events": EventBatch.from([]),
  events: events(),
  "events without ids": EventBatch.of({ ...columnsOf(events()), ids: null }),
  "one event": { list: events(), index: 2 },
  "a dict with odd keys": new Map<string, Value>([
    ["b", 1],
    ["10", -0],
    ["__proto__", [events()]],
    ["2", new Map([["", null]])],
  ]),
  "a mixed list": [events(), { list: events(), index: 3 }, [[-0]], new Map([["a", events()]]), "x", null],
};

function textOf(results: readonly Value[]): string {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  return Array.from(new ResultSerializer().serialize(results), (piece) =>
    typeof piece === "string" ? piece : decoder.decode(piece),
  ).join("");
}

/** The objects and how many pauses there were. */
function made(results: readonly Value[]): readonly [objects: JsonValue[], pauses: number] {
  const making = copyResults(results);
  for (let pauses = 0; ; pauses++) {
    const step = making.next();
    if (step.done) return [step.value, pauses];
  }
}

/** JSON, in which zeros with different signs, keys of its own and their order are seen. */
function exact(value: unknown): string {
  return JSON.stringify(value, (_key, member) => (Object.is(member, -0) ? "-0" : member));
}

for (const [name, value] of Object.entries(VALUES)) {
  test(`${name}: the objects are those that are read from the text`, () => {
    for (const results of [[value], [value, value], [1, value, []]]) {
      const [objects] = made(results);
      assert.is(exact(objects), exact(JSON.parse(textOf(results))));
    }
  });
}

test("without a result both are an empty list", () => {
  assert.is(textOf([]), "[]");
  assert.equal(made([]), [[], 0]);
});

test("nothing of the objects is shared: not with the result, nor with each other", () => {
  const data = { app: "a", list: [{ x: 1 }] };
  const list = EventBatch.from([1, 2].map((id) => ({ id, timestamp: 0, duration: 0, data })));
  type Loose = { data: { app: string; list: { x: number }[] } };
  const [[[first, second], again]] = made([list, list]) as unknown as [[[Loose, Loose], unknown[]]];
  const before = JSON.stringify(second);
  first.data.app = "b";
  (first.data.list[0] as { x: number }).x = 2;
  first.data.list.push({ x: 3 });
  assert.equal(data, { app: "a", list: [{ x: 1 }] });
  assert.is(JSON.stringify(second).replace('"id":2', '"id":1'), before.replace('"id":2', '"id":1'));
  assert.is(JSON.stringify(again[1]), before);
});

const COUNT = 50_000;
const MANY = EventBatch.from(
  Array.from({ length: COUNT }, (_, index) => ({ id: index + 1, timestamp: index, duration: 1, data: { app: "a" } })),
);
const NUMBERS = Array.from({ length: COUNT }, (_, index) => index);

test("many objects are made with pauses, whatever they lie in", () => {
  const large: readonly (readonly Value[])[] = [
    [MANY],
    NUMBERS,
    [NUMBERS],
    NUMBERS.map((number) => [number]),
    [new Map(NUMBERS.map((number) => [String(number), number]))],
    [[[new Map([["a", [MANY]]])]]],
    Array.from({ length: COUNT / 100 }, () => NUMBERS.slice(0, 100)),
    [EventBatch.from([{ id: 1, timestamp: 0, duration: 0, data: { list: NUMBERS } }]), NUMBERS.slice(0, 10)],
  ];
  for (const [index, results] of large.entries()) {
    const [objects, pauses] = made(results);
    assert.is(JSON.stringify(objects), textOf(results), String(index));
    assert.ok(pauses >= (index === large.length - 1 ? 1 : 10), `${index}: ${pauses} pauses`);
  }
});

/** What JSON makes of these is serialized in chunks, and a pair of halves must not come apart. */
const LONG_TEXTS: Readonly<Record<string, string>> = {
  "plain characters": "abc".repeat(100_000),
  pairs: "\ud83d\ude00".repeat(100_000),
  "pairs at odd places": `a${"\ud83d\ude00".repeat(100_000)}`,
  "leading halves": "\ud83d".repeat(100_000),
  "trailing halves": "\ude00".repeat(100_000),
  "what is escaped": '\u0000"\\\n'.repeat(50_000),
};

for (const [name, text] of Object.entries(LONG_TEXTS)) {
  test(`a long text of ${name} is serialized in chunks as JSON has it`, () => {
    for (const result of [text, [text, 1], new Map([["a", text]])] as const) {
      const pieces = [...new ResultSerializer().serialize([result])];
      assert.is(
        textOf([result]),
        JSON.stringify([result instanceof Map ? { a: text } : result]),
        "the whole as it is serialized at once",
      );
      assert.ok(pieces.length > 0);
    }
    const pieces = [...new ResultSerializer().serialize([[text]])];
    const longest = Math.max(...pieces.map((piece) => piece.length));
    assert.ok(longest < MAX_PIECE || pieces.length === 3, `a piece of ${longest}`);
    // Serialized for the first time, that is: what is kept goes out whole.
    const plain = [...new ResultSerializer().serialize([text])];
    assert.ok(Math.max(...plain.map((piece) => piece.length)) < MAX_PIECE);
    assert.ok(plain.length > 3, `${plain.length} pieces`);
  });
}

test("a result that is requested again is cached, and comes in one chunk from then on", () => {
  const serializer = new ResultSerializer();
  const result = [1, "a", new Map([["b", [true, null]]])];
  const first = Buffer.concat([...serializer.serialize([result])].map((piece) => Buffer.from(piece)));
  for (const _ of serializer.serialize([result]));
  const again = [...serializer.serialize([result])];
  assert.is(first.toString(), '[[1,"a",{"b":[true,null]}]]');
  assert.is(again.length, 3);
  assert.is(Buffer.concat(again.map((piece) => Buffer.from(piece))).toString(), first.toString());
  const [, one] = again;
  assert.ok([...serializer.serialize([result])][1] === one, "the same bytes");
});

test("results that are too large together are not all kept", () => {
  const serializer = new ResultSerializer();
  const results = Array.from({ length: 12 }, (_, at) => [at, "x".repeat(3_000_000)]);
  const piecesOf = (result: (typeof results)[number]): number => [...serializer.serialize([result])].length;
  const first = results.map(piecesOf);
  for (const result of results) piecesOf(result);
  const kept = results.toReversed().filter((result, at) => piecesOf(result) < (first[at] as number));
  assert.ok(kept.length > 0 && kept.length < 7, `${kept.length} of 12 results of 3 MB`);
});

test("events with large data are serialized a few at a time", () => {
  const data = { text: "x".repeat(20_000) };
  const list = EventBatch.from(
    Array.from({ length: 300 }, (_, id) => ({ id: id + 1, timestamp: id, duration: 0, data })),
  );
  const pieces = [...new ResultSerializer().serialize([list])];
  assert.ok(pieces.every((piece) => piece.length < MAX_PIECE));
  assert.is((JSON.parse(textOf([list])) as unknown[][])[0]?.length, 300);
});

test.run();
