// long: 300 s
// Every JSON value comes back as it was sent, on every way in; what cannot be kept is refused.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { MAX_JSON_DEPTH } from "../../src/domain/json.js";
import { IS_LONG } from "../faults/sizes.js";
import { BUCKET, type Send, withServer } from "../harness.js";
import { ADAPTERS, event, json, refusal } from "./client.js";
import { ask, chunk, head } from "./raw.js";

const test = suite("JSON values over HTTP");

/** A way on which the text of a JSON object goes in, and the object comes out. */
interface Way {
  readonly method: string;
  readonly path: string;
  /** The body with a JSON text put into it. */
  readonly bodyOf: (text: string) => string;
  /** Reads it back. */
  readonly get: (send: Send) => Promise<unknown>;
  /** Invalid events are skipped there, and counted. */
  readonly skips?: boolean;
  /** The limit of values there. @default none of their own */
  readonly mostBytes?: number;
}

const wrapped = (shell: unknown) => (text: string) => JSON.stringify(shell).replace('"$"', () => text);
const get =
  (path: string, ...keys: readonly string[]) =>
  async (send: Send): Promise<unknown> => {
    let value = json(await send("GET", path));
    for (const key of keys) value = (value as Record<string, unknown>)[key];
    return value;
  };
const LATEST = "/api/0/buckets/b/events?limit=1";
const IMPORT = { buckets: { new: { ...BUCKET, data: "$", events: [] } } };
const IMPORT_EVENT = { buckets: { b: { ...BUCKET, events: [event(1, "$")] } } };

const WAYS: Readonly<Record<string, Way>> = {
  "a setting": {
    method: "POST",
    path: "/api/0/settings/key",
    bodyOf: (text) => text,
    get: get("/api/0/settings/key"),
  },
  "an event": {
    method: "POST",
    path: "/api/0/buckets/b/events",
    bodyOf: wrapped([event(1, "$")]),
    get: get(LATEST, "0", "data"),
  },
  "a heartbeat": {
    method: "POST",
    path: "/api/0/buckets/b/heartbeat?pulsetime=0",
    bodyOf: wrapped(event(1, "$")),
    get: get(LATEST, "0", "data"),
  },
  "a new bucket": {
    method: "POST",
    path: "/api/0/buckets/new",
    bodyOf: wrapped({ ...BUCKET, data: "$" }),
    get: get("/api/0/buckets/new", "data"),
    mostBytes: 262_144,
  },
  "a changed bucket": {
    method: "PUT",
    path: "/api/0/buckets/b",
    bodyOf: wrapped({ data: "$" }),
    get: get("/api/0/buckets/b", "data"),
    mostBytes: 262_144,
  },
  "an imported bucket": {
    method: "POST",
    path: "/api/0/import",
    bodyOf: wrapped(IMPORT),
    get: get("/api/0/buckets/new", "data"),
  },
  "an imported event": {
    method: "POST",
    path: "/api/0/import",
    bodyOf: wrapped(IMPORT_EVENT),
    get: get(LATEST, "0", "data"),
    skips: true,
  },
};

const nested = (open: string, close: string, levels: number): string => open.repeat(levels) + close.repeat(levels);
/** An object in which so many levels of objects or lists nest, itself counted. */
const deepObject = (levels: number): string => `${'{"a":'.repeat(levels - 1)}{}${"}".repeat(levels - 1)}`;
const deepList = (levels: number): string => `{"a":${nested("[", "]", levels - 1)}}`;
const RESERVED = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf", "then", "length"];

const KEPT: Readonly<Record<string, string>> = {
  "keys with reserved names": `{${RESERVED.map((name) => `"${name}":{"${name}":1}`).join(",")}}`,
  "a prototype that is a value": '{"__proto__":null}',
  "a prototype with fields of an event": '{"__proto__":{"timestamp":"2000-01-01","duration":5,"id":7}}',
  "an empty key and keys of digits": '{"":0,"2":1,"1":2,"-1":3,"01":4}',
  "the last of equal keys": '{"a":1,"a":{"b":1,"b":2},"a":[3]}',
  NUL: '{"a\\u0000":"\\u0000"}',
  "surrogates alone": '{"\\ud800":"\\udc00 \\ud83d","b":"\\ud83d\\ude00\\ud83d","c":["\\udfff\\udfff"]}',
  "escapes of every kind": '{"a":"\\"\\\\\\/\\b\\f\\n\\r\\t\\u2028\\u00e9\\u0065\\u0301"}',
  "text beyond ASCII": '{"é":"日本 😀 \u2028"}',
  numbers: '{"a":[0.1,1e21,5e-324,1.7976931348623157e308,123456789012345680000,9007199254740993,1E2,-1.5e-7]}',
  "numbers that become zero": '{"a":[1e-400,-0,-0.0,0e5]}',
  "a number of ten thousand digits": `{"a":0.${"1234567890".repeat(1000)}}`,
  "every literal": '{"a":[null,true,false,"",{},[]]}',
  "white space": '{ \t\r\n"a" : [ 1 , 2 ]\r\n}',
  "a text of half a million characters": `{"a":"${"ä".repeat(500_000)}"}`,
  "ten thousand keys": `{${Array.from({ length: 10_000 }, (_, index) => `"k${index}":${index}`).join(",")}}`,
  "objects as deep as allowed": deepObject(MAX_JSON_DEPTH),
  "lists as deep as allowed": deepList(MAX_JSON_DEPTH),
};

const REFUSED: Readonly<Record<string, string>> = {
  "objects one level too deep": deepObject(MAX_JSON_DEPTH + 1),
  "lists one level too deep": deepList(MAX_JSON_DEPTH + 1),
  "objects of 10,000 levels": deepObject(10_000),
  "lists of 10,000 levels": deepList(10_000),
  "lists of 200,000 levels": deepList(200_000),
  "a number beyond every double": '{"a":1e400}',
  "such a number deep inside": '{"a":[{"b":[-1e999]}]}',
};

const NOT_JSON: Readonly<Record<string, string | Buffer>> = {
  NaN: '{"a":NaN}',
  Infinity: '{"a":-Infinity}',
  "a comma too many": '{"a":1,}',
  "a comma too many in a list": '{"a":[1,]}',
  "a comma too few": '{"a":[1 2]}',
  "single quotes": "{'a':1}",
  "a key without quotes": "{a:1}",
  "a comment": '{"a":1/* */}',
  "a zero in front": '{"a":01}',
  "a plus in front": '{"a":+1}',
  "a point at the end": '{"a":1.}',
  "a point in front": '{"a":.5}',
  "an exponent without digits": '{"a":1e}',
  "a sign alone": '{"a":-}',
  "a hexadecimal number": '{"a":0x10}',
  "a line break in a text": '{"a":"\n"}',
  "a tabulator in a text": '{"a":"\t"}',
  "an escape that is none": '{"a":"\\x41"}',
  "half an escape": '{"a":"\\u12"}',
  "a text without end": '{"a":"x}',
  "a bracket of the other kind": '{"a":[1}',
  "a literal in capitals": '{"a":True}',
  "a literal cut off": '{"a":nul}',
  "a space that is none": '{"a":\u00a01}',
  "a byte that is not UTF-8": Buffer.from('{"a":"\xff"}', "latin1"),
  "a character cut off": Buffer.from('{"a":"\xe2\x82"}', "latin1"),
  "a character in more bytes than it needs": Buffer.from('{"a":"\xc0\xaf"}', "latin1"),
  "a surrogate in UTF-8": Buffer.from('{"a":"\xed\xa0\x80"}', "latin1"),
  "UTF-16": Buffer.from('{"a":1}', "utf16le"),
};

// In the short tests on LevelDB alone, which writes and reads what the other one keeps as it is.
for (const [adapter, withStorage] of Object.entries(ADAPTERS)) {
  if (adapter === "memory" && !IS_LONG) continue;
  for (const [
    wayName,
    { method, path, bodyOf, get: read, skips, mostBytes = Number.POSITIVE_INFINITY },
  ] of Object.entries(WAYS)) {
    /** Starts anew for each value: one may not lean on what the one before has left. */
    const each = (body: (send: Send) => Promise<void>): Promise<void> =>
      withStorage((storage) =>
        withServer({ storage, buckets: ["b"] }, async ({ send }) => {
          await body(send);
          json(await send("GET", "/api/0/info"));
        }),
      );

    test(`${wayName} keeps every value, in ${adapter}`, () =>
      each(async (send) => {
        for (const [name, text] of Object.entries(KEPT)) {
          if (Buffer.byteLength(text) > mostBytes) continue;
          await send("DELETE", "/api/0/buckets/new?force=1");
          const answer = await send(method, path, bodyOf(text));
          assert.is(answer.status, 200, `${name}: ${answer.body.toString().slice(0, 200)}`);
          const kept = JSON.stringify(await read(send));
          assert.ok(kept === JSON.stringify(JSON.parse(text)), `${name}: ${kept.slice(0, 300)}`);
        }
        json(await send("GET", "/api/0/export"));
        json(await send("GET", "/api/0/settings"));
      }));

    test(`${wayName} refuses what cannot be kept or is not JSON, in ${adapter}`, () =>
      each(async (send) => {
        for (const [name, text] of Object.entries(REFUSED)) {
          const answer = await send(method, path, bodyOf(text));
          if (skips) assert.is((json(answer) as { events_invalid: number }).events_invalid, 1, name);
          else refusal(answer, 400);
        }
        for (const [name, text] of Object.entries(NOT_JSON)) {
          const [before = "", after = ""] = bodyOf("\u0000").split("\u0000");
          const body = Buffer.concat([Buffer.from(before), Buffer.from(text), Buffer.from(after)]);
          const answer = await send(method, path, body);
          assert.is(answer.status, 400, `${name}: ${answer.body.toString().slice(0, 200)}`);
        }
        for (const extra of ["}", "x", "{}", "\u0000", ",", "\u00a0", "[]"]) {
          refusal(await send(method, path, bodyOf("{}") + extra), 400);
        }
        assert.is(json(await send("GET", "/api/0/buckets/b/events/count")), 0);
        assert.equal(Object.keys(json(await send("GET", "/api/0/buckets")) as object), ["b"]);
        assert.equal(json(await send("GET", "/api/0/settings")), {});
      }));
  }
}

test("a byte order mark in front of a body is no part of it", () =>
  withServer({ buckets: ["b"] }, async ({ send }) => {
    for (const [name, { method, path, bodyOf }] of Object.entries(WAYS)) {
      const answer = await send(method, path, `\ufeff${bodyOf('{"a":1}')}`);
      assert.is(answer.status, 200, `${name}: ${answer.body.toString()}`);
    }
  }));

test("a byte order mark inside a text is kept", () =>
  withServer({ buckets: ["b"] }, async ({ send }) => {
    const value = { a: "\ufeff", b: "\ufeffx", c: "x\ufeff", "\ufeff": "ü\ufeff" };
    const lossy: string[] = [];
    for (const [name, { method, path, bodyOf, get: read }] of Object.entries(WAYS)) {
      await send("DELETE", "/api/0/buckets/new?force=1");
      json(await send(method, path, bodyOf(JSON.stringify(value))));
      if (JSON.stringify(await read(send)) !== JSON.stringify(value)) lossy.push(name);
    }
    assert.equal(lossy, []);
  }));

test("deep JSON where nobody reads it does no harm", () =>
  withServer({}, async ({ send }) => {
    const deep = nested("[", "]", 10_000);
    json(await send("POST", "/api/0/buckets/b", JSON.stringify({ ...BUCKET, x: 0 }).replace('"x":0', `"x":${deep}`)));
    for (const path of ["/api/0/buckets/b/events", "/api/0/buckets/b/heartbeat?pulsetime=1", "/api/0/settings/x"]) {
      refusal(await send("POST", path, deep), 400);
      refusal(await send("POST", path, nested('{"a":', "}", 10_000).replace(":}", ":1}")), 400);
      refusal(await send("POST", path, "[".repeat(10_000)), 400);
    }
    refusal(await send("POST", "/api/0/import", deep), 400);
    refusal(await send("POST", "/api/0/import", "[".repeat(1_000_000)), 400);
    const query = await send("POST", "/api/0/query/", `{"timeperiods":[],"query":${deep}}`);
    assert.ok(query.status >= 400 && query.status < 500, String(query.status));
    json(await send("DELETE", "/api/0/buckets/b?force=1", deep));
    json(await send("GET", "/api/0/info"));
  }));

test("a character that two chunks share is whole", () =>
  withServer({}, async ({ port, send }) => {
    for (const [path, text] of [
      ["/api/0/settings/key", '"😀ü"'],
      ["/api/0/import", JSON.stringify({ buckets: { "😀ü": { ...BUCKET } } })],
    ]) {
      const bytes = Buffer.from(text as string);
      const lines = ["Host: localhost", "Content-Type: application/json", "Transfer-Encoding: chunked"];
      const pieces = Array.from(bytes, (byte) => chunk(Buffer.from([byte])).toString("latin1"));
      json(await ask(port, `${head(`POST ${path}`, ...lines)}${pieces.join("")}0\r\n\r\n`));
    }
    assert.is(json(await send("GET", "/api/0/settings/key")), "😀ü");
    json(await send("GET", "/api/0/buckets/%F0%9F%98%80%C3%BC"));
  }));

test.run();
