import { suite } from "uvu";
import * as assert from "uvu/assert";
import { parseTime, wireParser } from "../../src/codec/parse.js";
import { serializeBucket } from "../../src/codec/serialize-buckets.js";
import { serializeEvent } from "../../src/codec/serialize-events.js";
import { type JsonValue, sameJson } from "../../src/domain/json.js";
import { EARLIEST, LATEST } from "../../src/domain/time.js";
import { ActivityError } from "../../src/errors.js";
import { parsePulsetime } from "../../src/http/parameters.js";
import { readQuery } from "../../src/http/routes/action-handlers.js";
import { type EventSelection, parseSelection } from "../../src/service/event-reads.js";
import { intOf, randomOf } from "../contract/case.js";
import { DATA, nested, randomData, TEXTS } from "../contract/values.js";

const test = suite("wire");

const TIME = "2024-03-01T10:00:00Z";
const MICROS = Date.parse(TIME) * 1000;
const BUCKET = { type: "t", client: "c", hostname: "h" };

function json(text: string): JsonValue {
  return JSON.parse(text) as JsonValue;
}

function draftOf(value: JsonValue, keepId = true): unknown {
  return wireParser.event(value, "event 3", keepId);
}

function selectionIn(text: string): EventSelection {
  return parseSelection(readQuery("getEvents", query(text)));
}

function bucketOf(value: JsonValue): unknown {
  return wireParser.bucket(value, "bucket 'x'");
}

function query(text: string): URLSearchParams {
  return new URLSearchParams(text);
}

/** Beyond values of wrong types, which test/api/wrong-types and agreement send. */
const REFUSED: readonly (readonly [name: string, call: () => unknown, message: RegExp])[] = [
  ["an endless text for a time", () => parseTime("x".repeat(9e5), "the time"), /^the time must be /],
  ...[1e300, -1e300, 1e11, -1.1e10, Infinity, -Infinity].map(
    (duration) =>
      [
        `a duration of ${duration}`,
        () => draftOf({ timestamp: TIME, duration }),
        /^duration of event 3 must be /,
      ] as const,
  ),
  [
    "an end at 2250",
    () => draftOf({ timestamp: "2249-12-31T23:59:59Z", duration: 1 }),
    /^duration of event 3 must be /,
  ],
  ["an end before 1700", () => draftOf({ timestamp: "1700-01-01", duration: -1e-6 }), /^duration of event 3 must be /],
  ["data too deep", () => draftOf({ timestamp: TIME, data: nested(1001) }), /^data of event 3 nests deeper than 1000 /],
  [
    "data with a number beyond a double",
    () => draftOf({ timestamp: TIME, data: json('{"a":[1e400]}') }),
    /^data of event 3 contains /,
  ],
  ["an empty creation time", () => bucketOf({ ...BUCKET, created: "" }), /^created of bucket 'x' must be /],
  [
    "a raw plus in a zone",
    () => selectionIn("end=2024-03-01T10:00:00+01:00"),
    /^end must be a time like .*, got '2024/,
  ],
  ["no pulsetime", () => parsePulsetime(query("")), /^pulsetime must be /],
];

for (const [name, call, message] of REFUSED) {
  test(`${name} is refused by name, and the message says what is wanted`, () => {
    let thrown: unknown;
    try {
      thrown = `it was read as ${JSON.stringify(call())}`;
    } catch (error) {
      thrown = error;
    }
    assert.ok(ActivityError.is(thrown), String(thrown));
    assert.is(thrown.code, "INVALID_INPUT");
    assert.match(thrown.message, message);
    assert.ok(thrown.message.length < 300, "a message that fits on a line");
  });
}

test("a time is read in microseconds", () => {
  assert.is(parseTime(TIME, "x"), MICROS);
  assert.is(parseTime("2024-03-01T12:00:00.000001+02:00", "x"), MICROS + 1);
});

test("an event needs a time only; the rest has defaults", () => {
  assert.equal(draftOf({ timestamp: TIME }), { timestamp: MICROS, duration: 0, data: {} });
  assert.equal(draftOf({ timestamp: TIME, id: null }), { timestamp: MICROS, duration: 0, data: {} });
  const whole = { id: 7, timestamp: TIME, duration: 1.5, data: { a: [1] }, extra: "ignored", metadata: null };
  assert.equal(draftOf(whole), { id: 7, timestamp: MICROS, duration: 1_500_000, data: { a: [1] } });
});

test("where ids do not count they are not even looked at", () => {
  for (const id of [7, 0, "x", null, {}, -1] as JsonValue[]) {
    assert.equal(draftOf({ timestamp: TIME, id }, false), { timestamp: MICROS, duration: 0, data: {} });
  }
});

test("ids go up to 2^53 - 1", () => {
  for (const id of [1, 2 ** 31, Number.MAX_SAFE_INTEGER]) {
    assert.is((draftOf({ timestamp: TIME, id }) as { id: number }).id, id);
  }
});

test("a duration is rounded to the microsecond and may reach the ends of the range", () => {
  const durationOf = (timestamp: string, duration: number): unknown =>
    (draftOf({ timestamp, duration }) as { duration: number }).duration;
  assert.is(durationOf(TIME, 0.1 + 0.2), 300_000);
  assert.is(durationOf(TIME, 1.000_000_6), 1_000_001);
  assert.is(durationOf(TIME, -2.5), -2_500_000);
  assert.ok(Object.is(durationOf(TIME, -0), 0));
  assert.is(durationOf("2249-12-31T23:59:59Z", 0.999_999), 999_999);
  assert.is(durationOf("1700-01-01T00:00:01Z", -1), -1_000_000);
});

test("data are kept as they are", () => {
  for (const data of DATA) {
    const draft = draftOf({ timestamp: TIME, data }) as { data: JsonValue };
    assert.is(draft.data, data);
  }
});

test("a bucket needs three texts, which may be empty; the rest has defaults", () => {
  const texts = { type: "", client: "", hostname: "" };
  assert.equal(bucketOf(texts), { ...texts, name: null, data: {} });
  const nulls = { name: null, created: null, data: null, events: null, id: null, metadata: null, last_updated: null };
  assert.equal(bucketOf({ ...BUCKET, ...nulls }), { ...BUCKET, name: null, data: {} });
  const whole = { ...BUCKET, name: "n", created: TIME, data: { a: 1 }, id: 5, metadata: 5, events: 5 };
  assert.equal(bucketOf(whole), { ...BUCKET, name: "n", created: MICROS, data: { a: 1 } });
});

test("a range has the ends that are given; the first of a repeated parameter counts", () => {
  const all = { offset: 0, terms: [] };
  assert.equal(selectionIn(""), all);
  assert.equal(selectionIn("Start=x&END=y&Limit=z"), all);
  assert.equal(selectionIn(`start=${TIME}`), { ...all, start: MICROS });
  assert.equal(selectionIn(`end=${TIME}&end=bad`), { ...all, end: MICROS });
  const both = selectionIn("start=2024-03-01+10:00&end=2024-03-01T12:00:00%2B02:00");
  assert.equal(both, { ...all, start: MICROS, end: MICROS });
});

test("a limit is an integer; absent and negative ones mean all", () => {
  const cases: readonly (readonly [string, number | undefined])[] = [
    ["", undefined],
    ["limit=-1", undefined],
    ["limit=-99999999999999999999", undefined],
    ["limit=0", 0],
    ["limit=-0", 0],
    ["limit=%2B5", 5],
    ["limit=007", 7],
    ["limit=7&limit=x", 7],
    ["limit=99999999999999999999", 1e20],
  ];
  for (const [text, limit] of cases) assert.is(selectionIn(text).limit, limit, text);
});

test("a pulsetime is a decimal number of seconds", () => {
  const cases = {
    "60": 60,
    "60.0": 60,
    "60.": 60,
    ".5": 0.5,
    "1e1": 10,
    "1E+1": 10,
    "25e-1": 2.5,
    "-1": -1,
    "00.5": 0.5,
  };
  for (const [text, seconds] of Object.entries(cases)) {
    assert.is(parsePulsetime(new URLSearchParams({ pulsetime: text })), seconds * 1e6, text);
  }
  assert.is(parsePulsetime(query("pulsetime=%2B5")), 5_000_000);
  assert.is(parsePulsetime(query("pulsetime=5&pulsetime=x")), 5_000_000);
  assert.ok(Object.is(parsePulsetime(query("pulsetime=-0")), 0));
});

test("what is serialized is read back as the same event", () => {
  const random = randomOf(1);
  for (let round = 0; round < 2_000; round++) {
    const timestamp = intOf(random, EARLIEST, LATEST - 1);
    const most = Math.min(2 ** intOf(random, 0, 50), LATEST - 1 - timestamp);
    const least = Math.max(-(2 ** intOf(random, 0, 50)), EARLIEST - timestamp);
    const duration = intOf(random, least, most) + 0;
    const event = { id: intOf(random, 1, 2 ** 53 - 1), timestamp, duration, data: randomData(random) };
    const { data, ...fields } = wireParser.event(json(serializeEvent(event)), "x", true);
    assert.equal(fields, { id: event.id, timestamp, duration });
    assert.ok(sameJson(data, event.data));
  }
});

test("a bucket record holds what is known of it, and nulls where it is empty", () => {
  const bucket = { id: "b", name: null, ...BUCKET, created: MICROS, data: { a: 1 } };
  const time = "2024-03-01T10:00:00+00:00";
  assert.equal(json(serializeBucket({ ...bucket, start: null, end: null })), {
    ...bucket,
    created: time,
    metadata: { start: null, end: null },
    last_updated: null,
  });
  assert.equal(json(serializeBucket({ ...bucket, name: "n", start: 0, end: MICROS })), {
    ...bucket,
    name: "n",
    created: time,
    metadata: { start: "1970-01-01T00:00:00+00:00", end: time },
    last_updated: time,
  });
});

test("a bucket record carries any text and any data", () => {
  for (const [index, text] of TEXTS.entries()) {
    const data = DATA[index % DATA.length] ?? {};
    const bucket = { id: text, name: text, type: text, client: text, hostname: text, created: 0, data };
    const record = json(serializeBucket({ ...bucket, start: null, end: null })) as { readonly data: JsonValue };
    for (const field of ["id", "name", "type", "client", "hostname"]) {
      assert.is((record as unknown as Record<string, unknown>)[field], text);
    }
    assert.ok(sameJson(record.data, data));
  }
});

test.run();
