// Lists of events whose data repeat are read as JSON.parse and the validation of each event read them.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { wireParser } from "../../src/codec/parse.js";
import { parseRepeatedEvents } from "../../src/codec/repeated-events.js";
import { EventBatch } from "../../src/domain/batch.js";
import type { EventDraft } from "../../src/domain/event.js";
import { batchOf } from "../../src/domain/list-batch.js";
import { intOf, randomOf } from "../contract/case.js";
import { words } from "../words.js";

const test = suite("lists of events whose data repeat");

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const read = (text: string): EventDraft[] | undefined => parseRepeatedEvents(encoder.encode(text));

function readEach(text: string): EventDraft[] {
  return (JSON.parse(text) as unknown[]).map((event) => wireParser.event(event, "the event", true));
}

const TIME = '"2024-03-01T10:00:00Z"';
const DATA = '{"app":"a","title":"ä\\n\\u0041 \\\\","nested":{"list":[1,{"x":"}"}]}}';

test("forms that clients send are read, and equal data are one object", () => {
  const forms = [
    `[{"timestamp":${TIME},"duration":1.5,"data":${DATA}},{"timestamp":${TIME},"duration":0,"data":${DATA}}]`,
    ` [ {"id": null, "timestamp": "2024-03-01T10:00:00.123456+00:00", "duration": 0.0, "data": ${DATA}} ,
      {"data" : ${DATA}, "duration": -0.000001, "timestamp": "1999-12-31T23:59:59.1234567Z"} ]\n`,
    `\ufeff[{"timestamp":${TIME},"duration":12345678.901,"data":{}},{"timestamp":${TIME},"duration":3,"data":{}}]`,
  ];
  for (const text of forms) {
    const events = read(text) as EventDraft[];
    assert.equal(events, readEach(text.replace("\ufeff", "")), text);
    assert.is(events[0]?.data, events[1]?.data);
  }
});

const event = (fields: string): string => `[{"timestamp":${TIME},"duration":1,"data":{}},{${fields}}]`;

const OTHERS: Readonly<Record<string, string>> = {
  "no list": `{"timestamp":${TIME},"duration":1,"data":{}}`,
  "an empty list": "[]",
  "a list that is not closed": `[{"timestamp":${TIME},"duration":1,"data":{}}`,
  "something after the list": `[{"timestamp":${TIME},"duration":1,"data":{}}]]`,
  "a comma at the end": `[{"timestamp":${TIME},"duration":1,"data":{}},]`,
  "no events": "[1]",
  "an id": event(`"id":4,"timestamp":${TIME},"duration":1,"data":{}`),
  "a second timestamp": event(`"timestamp":${TIME},"timestamp":${TIME},"duration":1,"data":{}`),
  "an unknown member": event(`"timestamp":${TIME},"duration":1,"data":{},"more":1`),
  "no data": event(`"timestamp":${TIME},"duration":1`),
  "no duration": event(`"timestamp":${TIME},"data":{}`),
  "no timestamp": event('"duration":1,"data":{}'),
  "a comma at the end of an event": event(`"timestamp":${TIME},"duration":1,"data":{},`),
  "a date that is none": event('"timestamp":"2024-02-30T10:00:00Z","duration":1,"data":{}'),
  "a year, month and day 0": '[{"timestamp":"0000-00-00T10:00:00Z","duration":1,"data":{}}]',
  "an hour that is none": event('"timestamp":"2024-02-03T24:00:00Z","duration":1,"data":{}'),
  "another zone": event('"timestamp":"2024-03-01T10:00:00+01:00","duration":1,"data":{}'),
  "a fraction without digits": event('"timestamp":"2024-03-01T10:00:00.Z","duration":1,"data":{}'),
  "an escape in the timestamp": event('"timestamp":"2024-03-01T10:00:0\\u0030Z","duration":1,"data":{}'),
  "a zero before the number": event(`"timestamp":${TIME},"duration":01,"data":{}`),
  "a point without digits": event(`"timestamp":${TIME},"duration":1.,"data":{}`),
  "a plus sign": event(`"timestamp":${TIME},"duration":+1,"data":{}`),
  "an exponent": event(`"timestamp":${TIME},"duration":1e3,"data":{}`),
  "more digits than a double has": event(`"timestamp":${TIME},"duration":1.2345678901234567,"data":{}`),
  "an end after the last year": event(`"timestamp":${TIME},"duration":99999999999,"data":{}`),
  "data that are no object": event(`"timestamp":${TIME},"duration":1,"data":[]`),
  "data that are not closed": event(`"timestamp":${TIME},"duration":1,"data":{"a":"`),
  "invalid data": event(`"timestamp":${TIME},"duration":1,"data":{"a":1,}`),
  "a control character in data": event(`"timestamp":${TIME},"duration":1,"data":{"a":"\u0001"}`),
  "brackets that do not match": event(`"timestamp":${TIME},"duration":1,"data":{"a":[1}}`),
  "a number beyond a double": event(`"timestamp":${TIME},"duration":1,"data":{"a":1e999}`),
  "data that nest too deep": event(
    `"timestamp":${TIME},"duration":1,"data":{"a":${"[".repeat(1001)}${"]".repeat(1001)}}`,
  ),
};

for (const [what, text] of Object.entries(OTHERS)) {
  test(`left to the parser of all JSON: ${what}`, () => assert.is(read(text), undefined));
}

test("bytes that are not UTF-8 are left to the parser that refuses them", () => {
  const bytes = encoder.encode(event(`"timestamp":${TIME},"duration":1,"data":{"a":"b"}`));
  bytes[bytes.lastIndexOf(98)] = 0xff;
  assert.is(parseRepeatedEvents(bytes), undefined);
});

test("a list whose data are written differently than they are stored has no batch", () => {
  const forms = ['{"a": 1}', ...words`{"a":1.0} {"a":-0} {"b":1,"1":2} {"a":1,"a":2} {"a":"\u0041"} {"a":"\/"}`];
  for (const data of ['{"a":"ü\\n\\u0000","__proto__":[{}]}', ...forms]) {
    const events = read(event(`"timestamp":${TIME},"duration":1,"data":${data}`)) as EventDraft[];
    assert.is(batchOf(events) === undefined, forms.includes(data), data);
  }
});

test("data that rarely repeat are left to the parser of all JSON", () => {
  const list = (distinct: number): string =>
    JSON.stringify(
      Array.from({ length: 300 }, (_, at) => ({
        timestamp: "2024-03-01T10:00:00Z",
        duration: at,
        data: { at: at % distinct },
      })),
    );
  assert.is(read(list(300)), undefined);
  assert.equal(read(list(50)), readEach(list(50)));
});

test("each list is read as JSON.parse reads it, or left to it", () => {
  const random = randomOf(7);
  const pick = (values: readonly string[]): string => values[intOf(random, 0, values.length - 1)] as string;
  const blank = (): string => pick(["", "", "", " ", "\n\t"]);
  const two = (most: number): string => String(intOf(random, 0, most)).padStart(2, "0");
  let known = 0;
  let withBatch = 0;
  for (let round = 0; round < 3000; round++) {
    const events = Array.from({ length: intOf(random, 1, 4) }, () => {
      const time = `20${two(99)}-${two(13)}-${two(31)}T${two(24)}:${two(60)}:${two(60)}`;
      const members = [
        `"timestamp":${blank()}"${time}${pick(["", ".5", ".1234567", "."])}${pick(["Z", "+00:00", "+0000", "-01:00"])}"`,
        `"duration"${blank()}:${pick(["0", "-0", "0.1", "-72.74629", "1e2", "0.30000000000000004", "123456.789012"])}`,
        `"data":${pick(['{"a":"b"}', '{ "a" :"b" }', '{"a":"\\""}', '{"a":"\\\\"}', '{"a":[{"b":"]"}]}', "{}", "{"])}`,
        ...(random() < 0.2 ? [`"id":${pick(["null", "7"])}`] : []),
      ];
      return `{${blank()}${members.join(`${blank()},${blank()}`)}${blank()}}`;
    });
    const text = `[${blank()}${events.join(`,${blank()}`)}]`;
    const found = read(text);
    if (found === undefined) continue;
    known++;
    assert.equal(found, readEach(text), text);
    const batch = batchOf(found);
    if (batch === undefined) continue;
    withBatch++;
    assert.equal(batch.withIds(new Float64Array(found.length)).events(), EventBatch.from(found).events(), text);
    for (let index = 0; index < found.length; index++) {
      const [from, to] = [0, 1].map((next) => batch.table.utf8?.starts[batch.refAt(index) + next]);
      const stored = decoder.decode(batch.table.utf8?.bytes.subarray(from, to));
      assert.is(stored, JSON.stringify(found[index]?.data), text);
      assert.is(batch.textAt(index), stored);
    }
  }
  assert.ok(known > 100 && withBatch > 50, `${known} lists were read, ${withBatch} with a batch`);
});

test.run();
