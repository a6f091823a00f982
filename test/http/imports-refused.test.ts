// Imports that are refused write nothing, however late the reason shows; and forms of every shape.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { BUCKET, inTime, type Served, withServer } from "../harness.js";
import { event, json, refusal } from "./client.js";
import { connect, head } from "./raw.js";

const test = suite("imports that are refused, and forms");

const events = (count: number): object[] => Array.from({ length: count }, (_, minute) => event(minute));
const documentOf = (buckets: object): string => JSON.stringify({ buckets });
/** Large enough to come in many pieces. */
const LARGE = documentOf({ new: { ...BUCKET, events: events(5000) }, b: { ...BUCKET, events: events(5000) } });
const GOOD = documentOf({ good: { ...BUCKET, events: events(2) } });

async function stateOf({ send }: Served): Promise<string> {
  return (await send("GET", "/api/0/export")).body.toString();
}

/** Serves with a bucket `b` that holds an event, and wants everything to be as it was afterwards. */
function unchanged(body: (served: Served) => Promise<void>): Promise<void> {
  return withServer({}, async (served) => {
    json(await served.send("POST", "/api/0/buckets/b", BUCKET));
    json(await served.send("POST", "/api/0/buckets/b/events", [event(9999)]));
    const before = await stateOf(served);
    await body(served);
    assert.is(await stateOf(served), before);
  });
}

/** What stands beside events in the parts of a form, each by itself within its limits. */
const TOGETHER: Readonly<Record<string, readonly [parts: number, data: object, message: RegExp]>> = {
  characters: [9, { text: "x".repeat(1_000_000) }, /more than 8388608 characters outside of the events/],
  values: [21, { list: Array.from({ length: 10_000 }, () => 1) }, /more than 200000 values outside of the events/],
};

for (const [name, [count, data, message]] of Object.entries(TOGETHER)) {
  test(`the limit of ${name} beside the events is that of all parts of a form together`, () =>
    unchanged(async ({ send }) => {
      const parts = Array.from({ length: count }, (_, index) =>
        part(FILE, documentOf({ [`new${index}`]: { ...BUCKET, data, events: events(1) } })),
      );
      const headers = { "content-type": "multipart/form-data; boundary=x" };
      assert.match(refusal(await send("POST", "/api/0/import", form("x", ...parts), headers), 400), message);
    }));
}

test("a boundary has at most 70 characters", () =>
  unchanged(async ({ send }) => {
    const boundary = "x".repeat(71);
    const headers = { "content-type": `multipart/form-data; boundary=${boundary}` };
    const refused = refusal(await send("POST", "/api/0/import", form(boundary, part(FILE, GOOD)), headers), 400);
    assert.match(refused, "at most 70 characters");
  }));

const TOO_LATE: Readonly<Record<string, string>> = {
  "text behind the end": `${LARGE}x`,
  "a second document behind the end": LARGE + GOOD,
  "a missing end": LARGE.slice(0, -1),
  "half of it": LARGE.slice(0, LARGE.length / 2),
  "a bad comma at the end": LARGE.replace(/\}\}$/, "},}"),
  "a bad byte at the end": LARGE.replace(/\}\}$/, ',"x":"\u0001"}}'),
  "a bucket without a type behind good ones": LARGE.replace(/\}\}$/, ',"bad":{"client":"c","hostname":"h"}}}'),
  "a bucket that is null behind good ones": LARGE.replace(/\}\}$/, ',"bad":null}}'),
  "a bucket with events that are no list": LARGE.replace(
    /\}\}$/,
    `,"bad":${documentOf({ ...BUCKET, events: {} }).slice(11)}}`,
  ),
  "buckets that are replaced by a list": LARGE.replace(/\}$/, ',"buckets":[]}'),
};

test("a document that is wrong at its very end writes nothing", () =>
  unchanged(async ({ send }) => {
    for (const [name, text] of Object.entries(TOO_LATE)) {
      const answer = await send("POST", "/api/0/import", text);
      assert.is(answer.status, 400, `${name}: ${answer.body.toString().slice(0, 200)}`);
      refusal(answer, 400);
    }
  }));

for (const leave of ["destroy", "resetAndDestroy", "end"] as const) {
  test(`an upload that breaks off half way writes nothing (${leave})`, () =>
    unchanged(async (served) => {
      for (const type of ["application/json", "multipart/form-data; boundary=x"]) {
        const body = type.startsWith("app") ? LARGE : form("x", part('name="f"; filename="f"', LARGE));
        const connection = await connect(served.port);
        const lines = ["Host: localhost", `Content-Type: ${type}`, `Content-Length: ${body.length}`];
        connection.write(head("POST /api/0/import", ...lines, "Expect: 100-continue"));
        assert.is((await inTime(connection.answer(), "the go-ahead"))?.status, 100);
        await new Promise<void>((resolve) => connection.socket.write(body.slice(0, -10), () => resolve()));
        connection.socket[leave]();
        await inTime(connection.rest(), "the connection");
        json(await served.send("GET", "/api/0/info"));
      }
    }));
}

/** A part of a form: what stands behind `form-data; ` and the content. */
function part(disposition: string, content: string, ...headers: readonly string[]): string {
  return [`Content-Disposition: form-data; ${disposition}`, ...headers, "", content].join("\r\n");
}

function form(boundary: string, ...parts: readonly string[]): string {
  return `${parts.map((text) => `--${boundary}\r\n${text}\r\n`).join("")}--${boundary}--\r\n`;
}

/** Forms with a part that is not a document, with its field and the reason. */
const NOT_DOCUMENTS: Readonly<Record<string, readonly [disposition: string, content: string, message: string]>> = {
  "a path in place of a file": [
    'name="file"',
    "buckets.json",
    "field 'file' of the form has no file: the document is not JSON: it starts with \"b\"; send the file itself, " +
      "as curl does with -F file=@buckets.json",
  ],
  "a field beside the file": [
    "name=submit",
    "Import",
    "field 'submit' of the form has no file: the document is not JSON: it starts with \"I\"; send the file itself, " +
      "as curl does with -F file=@buckets.json",
  ],
  "a file field without a chosen file": [
    'name="file"; filename=""',
    "",
    "field 'file' of the form has no file: the document must be JSON, got nothing; send the file itself, " +
      "as curl does with -F file=@buckets.json",
  ],
  "another file": [
    'filename="x.txt"; name="the \\"file\\""',
    "[]",
    'field \'the \\"file\\"\' of the form: the document must look like {"buckets": {"<id>": {...}}}',
  ],
};

for (const [name, [disposition, content, message]] of Object.entries(NOT_DOCUMENTS)) {
  test(`a form with ${name} is refused, and the message names the field`, () =>
    unchanged(async ({ send }) => {
      const headers = { "content-type": "multipart/form-data; boundary=x" };
      const body = form("x", part(FILE, GOOD), part(disposition, content));
      assert.is(refusal(await send("POST", "/api/0/import", body, headers), 400), message);
    }));
}

const FILE = 'name="buckets.json"; filename="buckets.json"';
const named = (id: string): string => documentOf({ [id]: { ...BUCKET, events: events(2) } });

const A = part(FILE, named("a"));

/** Forms that are taken, with the IDs of the buckets that they bring, and how the type continues. */
const FORMS: Readonly<Record<string, readonly [body: string, ids: readonly string[], type?: string]>> = {
  "a file, as the web UI sends it": [form("x", part(FILE, named("a"), "Content-Type: application/json")), ["a"]],
  "a file of another name": [
    form("x", part('name="f"; filename="ü.txt"', named("a"), "Content-Type: text/plain")),
    ["a"],
  ],
  "a plain field": [form("x", part('name="f"', named("a"))), ["a"]],
  "several parts": [form("x", A, part('name="f"', named("b")), part('name="f"', named("c"))), ["a", "b", "c"]],
  "parts of one bucket": [form("x", A, A), ["a"]],
  "a boundary in quotes": [form("a b:c/d", A), ["a"], '; boundary="a b:c/d"'],
  "a boundary as browsers make them": [form("----Web7MA4YWxkT", A), ["a"], "; boundary=----Web7MA4YWxkT"],
  "more parameters": [form("x", A), ["a"], "; charset=utf-8; boundary=x"],
  "other letters in the type": [form("x", A), ["a"], "; BOUNDARY=x"],
  "a text behind": [`${form("x", A)}epilogue`, ["a"]],
  "no line break at the end": [form("x", A).trimEnd(), ["a"]],
  "text beyond ASCII": [form("x", part(FILE, named("ü😀\u0000")), part('name="f"', named("é"))), ["é", "ü😀\u0000"]],
  "the boundary inside the document": [
    form("x", part(FILE, named("--x")), part('name="f"', named("\r\n--x"))),
    ["\r\n--x", "--x"],
  ],
};

for (const [name, [body, ids, type = "; boundary=x"]] of Object.entries(FORMS)) {
  test(`a form is taken: ${name}`, () =>
    withServer({}, async ({ send }) => {
      json(await send("POST", "/api/0/import", body, { "Content-Type": `multipart/form-data${type}` }));
      assert.equal(Object.keys(json(await send("GET", "/api/0/buckets")) as object).sort(), ids);
    }));
}

const LATIN = GOOD.replace("test", "\xff");

const BAD_FORMS: Readonly<Record<string, readonly [body: string | Buffer, type?: string]>> = {
  "no boundary": [form("x", part(FILE, GOOD)), ""],
  "an empty boundary": [form("", part(FILE, GOOD)), "; boundary="],
  "another boundary": [form("x", part(FILE, GOOD)), "; boundary=y"],
  "nothing at all": [""],
  "no part": [form("x")],
  "no end": [form("x", part(FILE, GOOD)).replace("--x--\r\n", "")],
  "cut off in the document": [form("x", part(FILE, LARGE)).slice(0, 5000)],
  "cut off in a head": [`--x\r\nContent-Disposition: form-data; na`],
  "a second part that is no document": [form("x", part(FILE, GOOD), part('name="f"', "hello"))],
  "a second part that is empty": [form("x", part(FILE, GOOD), part('name="f"; filename=""', ""))],
  "a document with a bad end in the last part": [form("x", part(FILE, GOOD), part(FILE, `${LARGE}x`))],
  "a file that is not UTF-8": [Buffer.from(form("x", part(FILE, LATIN)), "latin1")],
  "a field that is not UTF-8": [Buffer.from(form("x", part('name="f"', LATIN)), "latin1")],
  "JSON that is called a form": [GOOD],
};

test("forms that are cut, or whose parts are no documents, are refused", () =>
  unchanged(async ({ send }) => {
    for (const [name, [body, type = "; boundary=x"]] of Object.entries(BAD_FORMS)) {
      const answer = await send("POST", "/api/0/import", body, { "Content-Type": `multipart/form-data${type}` });
      assert.is(answer.status, 400, name);
      refusal(answer, 400);
    }
  }));

test.run();
