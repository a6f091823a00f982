import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type JsonValue, serializeObject } from "../../src/domain/json.js";
import { nested } from "../contract/values.js";
import { words } from "../words.js";
import { BUCKET, cut, documentOf, encoder, naive, read, readPieces, refusal, refuses, TIME } from "./documents.js";

const test = suite("document");

test("what is no document of buckets is refused with a word about its form", async () => {
  for (const text of ["", " ", "\n\n", "\ufeff"]) await refuses(text, /^the document (must be|is not) JSON/);
  const others = words`null true 5 "x" [] {} {"Buckets":{}} {"buckets":null} {"buckets":[]} [{"buckets":{}}] {"buckets":5}
    {"buckets":[{"events":[]}]}`;
  for (const text of [...others, `[${documentOf({})}]`]) {
    await refuses(text, /^the document must look like \{"buckets": \{"<id>": \{\.\.\.\}\}\}$/);
  }
});

test("a bucket of the wrong form is refused by its name and field", async () => {
  const cases: readonly (readonly [JsonValue, RegExp])[] = [
    [null, /^bucket "a" must be /],
    [[], /^bucket "a" must be /],
    [{}, /^type of bucket "a" must be /],
    [{ ...BUCKET, client: 5 }, /^client of bucket "a" must be /],
    [{ ...BUCKET, created: "now" }, /^created of bucket "a" must be /],
    [{ ...BUCKET, data: [] }, /^data of bucket "a" must be /],
    [{ ...BUCKET, data: nested(1001) }, /^data of bucket "a" nests deeper than 1000 levels/],
    [{ ...BUCKET, id: 5 }, /^id of bucket "a" must be /],
    [{ ...BUCKET, id: {} }, /^id of bucket "a" must be /],
    [{ ...BUCKET, events: {} }, /^events of bucket "a" must be /],
    [{ ...BUCKET, events: { 0: { timestamp: TIME } } }, /^events of bucket "a" must be /],
    [{ ...BUCKET, events: "x" }, /^events of bucket "a" must be /],
  ];
  for (const [bucket, message] of cases) {
    await refuses(JSON.stringify({ buckets: { fine: BUCKET, a: bucket } }), message);
  }
});

test("a bucket takes its id, or else its key; ids are any text", async () => {
  const buckets = Object.fromEntries([
    ["key", BUCKET],
    ["other", { ...BUCKET, id: "own" }],
    ["none", { ...BUCKET, id: null, events: null }],
    ["empty", { ...BUCKET, id: "" }],
    ["__proto__", { ...BUCKET, events: [{ timestamp: TIME }] }],
    ["events", { ...BUCKET, id: "\ud800\u0000" }],
    ["*", { ...BUCKET, events: [{ timestamp: TIME }, {}] }],
  ]);
  const found = await read(JSON.stringify({ buckets }));
  const ids = found.buckets.map(({ bucketId }) => bucketId);
  assert.equal(ids, ["key", "own", "none", "", "__proto__", "\ud800\u0000", "*"]);
  assert.equal(
    found.buckets.map(({ events }) => events.length),
    [0, 0, 0, 0, 1, 0, 1],
  );
  assert.is(found.invalidEvents, 1);
});

test("events are read in their order, without ids; those that are not valid are counted", async () => {
  const valid = [
    { timestamp: TIME, id: 9 },
    { timestamp: "2024-03-01", id: "x", duration: 2, data: { a: [1] } },
  ];
  const wrong = [{ timestamp: 5 }, { timestamp: TIME, data: 5 }, { timestamp: TIME, duration: "1" }];
  const invalid = [null, 5, "x", [], {}, ...wrong];
  const deep = [
    { timestamp: TIME, data: nested(1001) },
    { timestamp: TIME, data: { a: 0 } },
  ];
  const events = [valid[0], ...invalid, valid[1], ...deep] as JsonValue[];
  const found = await read(documentOf({ events }).replace('"a":0', '"a":1e400'));
  assert.is(found.invalidEvents, invalid.length + deep.length);
  const at = Date.parse(TIME) * 1000;
  assert.equal(found.buckets[0]?.events, [
    { timestamp: at, duration: 0, data: {} },
    { timestamp: at - 36_000_000_000, duration: 2_000_000, data: { a: [1] } },
  ]);
});

test("lists called events that are not those of a bucket are let pass", async () => {
  const event = { timestamp: TIME };
  const data = { events: [event], buckets: { a: { events: [event, 5] } } };
  const text = JSON.stringify({
    events: [5],
    a: { events: [5] },
    buckets: { a: { ...BUCKET, data, x: { events: [5] } } },
  });
  const found = await read(text);
  assert.equal(found, {
    buckets: [{ bucketId: "a", draft: { ...BUCKET, name: null, data }, events: [] }],
    invalidEvents: 0,
  });
});

test("of repeated keys the last counts, with its events and no others", async () => {
  const event = (label: string): string => `{"timestamp":"${TIME}","data":{"label":"${label}"}}`;
  const fields = '"type":"t","client":"c","hostname":"h"';
  const texts = [
    `{"buckets":{"a":{${fields},"events":[${event("1")},5],"events":[${event("2")}]}}}`,
    `{"buckets":{"a":{${fields},"events":[5]},"a":{${fields},"events":[${event("1")}]}}}`,
    `{"buckets":{"a":{${fields},"events":[5,${event("1")}]},"a":{${fields}}}}`,
    `{"buckets":{"x":{"events":[5]}},"buckets":{"a":{${fields},"events":[${event("1")}]}}}`,
    `{"buckets":{"a":{${fields},"events":[${event("1")}],"events":null}}}`,
    `{"buckets":{"a":{${fields},"type":"u","events":{},"events":[{"timestamp":5,"timestamp":"${TIME}"}]}}}`,
    `{"buckets":{"__proto__":{},"__proto__":{${fields},"events":[${event("1")}]}}}`,
  ];
  for (const text of texts) {
    const found = await read(text);
    assert.equal(found, naive(text), text);
    assert.is(found.invalidEvents, 0, text);
  }
});

test("equal data of a document become one object when they come again, and different ones stay apart", async () => {
  const data = [{ a: 1, b: [] }, { a: 1, b: [] }, { a: true, b: [] }, { a: "1", b: [] }, { a: 1, b: {} }, { a: 1 }];
  const events = [...data, ...data].map((each) => ({ timestamp: TIME, data: each }));
  const found = await read(JSON.stringify({ buckets: { x: { ...BUCKET, events }, y: { ...BUCKET, events } } }));
  const all = found.buckets.flatMap((bucket) => bucket.events);
  assert.equal(
    all.map((event) => event.data),
    [...data, ...data, ...data, ...data],
  );
  assert.is(new Set(all.slice(data.length).map((event) => event.data)).size, 5);
  for (const { data } of all) assert.is(serializeObject(data), JSON.stringify(data));
});

test("a document may be as large as the limit, and not a byte larger", async () => {
  const bytes = encoder.encode(documentOf({}));
  for (const places of [[], [5], [bytes.length - 1]]) {
    assert.is((await readPieces(cut(bytes, ...places), bytes.length)).buckets.length, 1);
    const error = await refusal(readPieces(cut(bytes, ...places), bytes.length - 1), "too large");
    assert.is(error.code, "TOO_LARGE");
    assert.match(error.message, `larger than ${bytes.length - 1} bytes`);
  }
});

test("nothing more is read once a document is too large or not JSON", async () => {
  for (const [piece, code] of [
    ["[1,", "TOO_LARGE"],
    ["xx", "INVALID_INPUT"],
  ] as const) {
    let pulled = 0;
    let closed = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) {
          pulled++;
          yield encoder.encode(piece);
        }
      } finally {
        closed = true;
      }
    }
    const error = await refusal(readPieces(endless(), 10), piece);
    assert.is(error.code, code);
    assert.is(pulled, code === "TOO_LARGE" ? 4 : 1);
    assert.ok(closed);
  }
});

test("what the source throws is passed on", async () => {
  const failure = new Error("the client left");
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield encoder.encode('{"buckets":');
    throw failure;
  }
  const thrown = await readPieces(broken()).catch((error: unknown) => error);
  assert.is(thrown, failure);
});

test.run();
