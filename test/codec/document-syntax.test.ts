// long: 300 s
import { isDeepStrictEqual } from "node:util";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject } from "../../src/domain/json.js";
import { intOf, randomOf } from "../contract/case.js";
import { randomData, TEXTS } from "../contract/values.js";
import { IS_LONG, sizeOf } from "../faults/sizes.js";
import { words } from "../words.js";
import { BUCKET, cut, documentOf, encoder, naive, read, readPieces, refusal, refuses, TIME } from "./documents.js";

const test = suite("document syntax");

/** Small, and with every kind of JSON value, escape and character length in it. */
const SMALL = `\t{"skip":[true,false,null,-1.5e+2,{"a":[]}], "buckets" :{"bü":
  {"id":"日","type":"t","client":"\\u0041\\n\\"","hostname":"😀","name":null,"data":{"x":[{}],"\\ud83d\\ude00":0},
  "events":[{"timestamp":"${TIME}","duration":1.25,"data":{"é":"\\ud800"}},{"bad":1},7 ] } } }\r\n`;

test("a small document is read as the plain way reads it", async () => {
  const found = await read(SMALL);
  assert.equal(found, naive(SMALL));
  assert.is(found.buckets.length, 1);
  assert.is(found.invalidEvents, 2);
});

test("wherever a document is cut in two, it is read alike", async () => {
  const bytes = encoder.encode(SMALL);
  const expected = naive(SMALL);
  for (let at = 0; at <= bytes.length; at++) {
    const found = await readPieces(cut(bytes, at));
    if (!isDeepStrictEqual(found, expected)) assert.equal(found, expected, `cut at ${at}`);
  }
});

test("a document that comes byte by byte, with empty pieces between, is read alike", async () => {
  const places = Array.from({ length: encoder.encode(SMALL).length * 2 }, (_, index) => index >> 1);
  assert.equal(await read(SMALL, ...places), naive(SMALL));
});

test("a document that ends early is refused wherever it ends", async () => {
  const bytes = encoder.encode(SMALL.trimEnd());
  for (let length = 0; length < bytes.length; length++) {
    const error = await refusal(read(bytes.subarray(0, length)), `${length} bytes`);
    assert.is(error.code, "INVALID_INPUT");
    assert.match(error.message, /^the document (is not|must be) JSON/);
  }
});

const SIGNS = [
  ...'{}[]",:\\ /018eE+-.\n\u0000\u001f',
  ...["true", "null", '"events"', '"buckets"', '\\"', "\\u0022", "[]", "{}", "ü", "\ufeff"],
];

const SEEDS = [
  SMALL.trimEnd(),
  '{"buckets":{"a":{"type":"t","client":"c","hostname":"h","events":[{"timestamp":"2024-03-01","data":{"x":"]}\\""}},5]}}}',
  ' { "buckets" : { "a" : { "events" : [ ] , "type" : "" , "client" : "" , "hostname" : "" , "data":{"events":[1]}} } , "events":[2] } ',
  '{"buckets":{"events":{"type":"t","client":"c","hostname":"h","\\u0065vents":[{"timestamp":"2024-03-01"}],"events":[[],{}]}}}',
  '{"x":{"y":{"events":[1]}},"buckets":{"b":{"type":"t","client":"c","hostname":"h","events":null}}}',
];

const FAULTS = sizeOf("SPLITTER_FAULTS", { short: 2_000, long: 20_000 });

test("a text with random faults is read, or refused, as the parser of the language does", async () => {
  const random = randomOf(7);
  let accepted = 0;
  for (let round = 0; round < FAULTS; round++) {
    let text = SEEDS[round % SEEDS.length] as string;
    for (let faults = intOf(random, 0, 2); faults > 0; faults--) {
      const at = intOf(random, 0, text.length);
      const sign = SIGNS[intOf(random, 0, SIGNS.length - 1)] as string;
      const gone = intOf(random, 0, 2);
      text = text.slice(0, at) + (random() < 0.3 ? "" : sign) + text.slice(at + gone);
    }
    // What is no text in UTF-8 is no document; that is tested below.
    if (/\p{Surrogate}/u.test(text)) continue;
    const cuts = [intOf(random, 0, text.length), intOf(random, 0, text.length)].sort((a, b) => a - b);
    let wanted: unknown;
    try {
      wanted = naive(text.startsWith("\ufeff") ? text.slice(1) : text);
      accepted++;
    } catch {
      wanted = undefined;
    }
    const found = await read(text, ...cuts).catch(() => undefined);
    assert.is(JSON.stringify(found), JSON.stringify(wanted), `round ${round}: ${text}`);
  }
  assert.ok(accepted > FAULTS / 10, `${accepted} texts were sound`);
});

test("long lists come out in several batches, and an element missing between two of them is noticed", async () => {
  const event = `{"timestamp":"2024-03-01","data":{"title":"${"x".repeat(500)}"}}`;
  const bucket = (events: string): string =>
    `{"buckets":{"a":{"type":"t","client":"c","hostname":"h","events":[${events}]}}}`;
  const many = Array.from({ length: 500 }, () => event);
  const { buckets } = await read(bucket(many.join(" ,\n")));
  assert.is(buckets[0]?.events.length, 500);
  for (let place = 0; place <= many.length; place += IS_LONG ? 1 : 25) {
    const holed = [...many.slice(0, place), " ", ...many.slice(place)].join(",");
    const found = await read(bucket(holed)).catch(() => undefined);
    assert.is(found, undefined, `a hole before element ${place}`);
  }
});

function randomDocument(random: () => number): string {
  const textOf = (): string => (TEXTS[intOf(random, 0, TEXTS.length - 1)] as string).replaceAll("\ufeff", "x");
  const eventOf = (): JsonObject => {
    if (random() < 0.2) return randomData(random);
    return { id: 5, timestamp: TIME, duration: intOf(random, -5, 5), data: randomData(random) };
  };
  const bucketOf = (): JsonObject => ({
    ...BUCKET,
    ...(random() < 0.5 ? { id: textOf() } : {}),
    data: randomData(random),
    ...(random() < 0.9 ? { events: Array.from({ length: intOf(random, 0, 5) }, eventOf) } : {}),
  });
  const buckets = Array.from({ length: intOf(random, 0, 4) }, () => [textOf(), bucketOf()] as const);
  const document = { buckets: Object.fromEntries(buckets), other: randomData(random) };
  return JSON.stringify(document, null, random() < 0.3 ? 2 : undefined).replaceAll("\ufeff", "x");
}

test("random documents in random pieces are read as the plain way reads them", async () => {
  const random = randomOf(1);
  for (let round = 0; round < 1_000; round++) {
    const text = randomDocument(random);
    const length = encoder.encode(text).length;
    const places = Array.from({ length: intOf(random, 0, 20) }, () => intOf(random, 0, length)).sort((a, b) => a - b);
    const found = await read(text, ...places);
    if (!isDeepStrictEqual(found, naive(text))) assert.equal(found, naive(text), text);
  }
});

test("a byte order mark may begin the document", async () => {
  const text = `\ufeff${documentOf({})}`;
  for (const places of [[], [1], [2], [3], [1, 2, 3]]) assert.equal(await read(text, ...places), naive(documentOf({})));
});

test("bytes that are not UTF-8 are refused, wherever they stand and however they are cut", async () => {
  const wrong = words`ff 80 c3 c080 eda080 f09f98 f5808080`.map((digits) => Buffer.from(digits, "hex"));
  const [head, tail] = documentOf({ data: { x: "@" } })
    .split("@")
    .map((part) => encoder.encode(part));
  for (const bytes of wrong) {
    const text = Uint8Array.from([...(head ?? []), ...bytes, ...(tail ?? [])]);
    const at = head?.length ?? 0;
    for (const places of [[], [at], [at + 1], [at + 2], [at, at + bytes.length]]) {
      const error = await refusal(read(text, ...places), bytes.toString("hex"));
      assert.match(error.message, /^the document is not JSON: /);
    }
    await refuses(Uint8Array.from([...bytes, ...encoder.encode(documentOf({}))]), /^the document is not JSON: /);
    await refuses(Uint8Array.from([...encoder.encode(documentOf({})), ...bytes]), /^the document is not JSON: /);
  }
});

test("UTF-16 is read, wherever it is cut, and what is no UTF-16 is refused", async () => {
  const text = documentOf({ data: { x: "Müller 🙂" } });
  for (const mark of ["\ufeff", ""]) {
    const little = Buffer.from(`${mark}${text}`, "utf16le");
    for (const bytes of [little, Buffer.from(little).swap16()]) {
      const given = new Uint8Array(bytes);
      for (const places of [[], [1], [2], [3], [1, 2, 3], [given.length - 1]]) {
        assert.equal(await read(given, ...places), naive(text));
      }
    }
  }
  await refuses(new Uint8Array(Buffer.from("{\ud83d", "utf16le")), /it is not UTF-16LE text/);
  await refuses(new Uint8Array(Buffer.from(text, "utf16le").subarray(1)), /^the document is not JSON: /);
});

test("only blank text may follow the document", async () => {
  const text = documentOf({});
  assert.equal(await read(`${text} \t\r\n`), naive(text));
  for (const rest of ["x", "{}", "]", "}", ",", "0", '""', "\u0000", "\u00a0", "\ufeff", " null"]) {
    await refuses(`${text}${rest}`, /^the document is not JSON: /);
    const error = await refusal(read(`${text}${rest}`, text.length), rest);
    assert.match(error.message, /^the document is not JSON: /);
  }
});

test("a document of many slices of text is read as a whole", async () => {
  const events = Array.from({ length: 4_000 }, (_, index) => {
    return { timestamp: TIME, duration: index, data: { title: `日本語 😀 ${"é".repeat(index % 50)}`, index } };
  });
  const text = documentOf({ events: [...events, 5] });
  assert.ok(text.length > 300_000);
  const found = await read(text);
  assert.ok(isDeepStrictEqual(found, naive(text)));
});

test.run();
