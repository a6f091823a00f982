// What nobody should send (issue: bad input): each is answered with an error or with the right value, never with 500.
// long: 300 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import type { Storage } from "../../src/index.js";
import { sampleOf } from "../faults/sizes.js";
import { BUCKET, inTime, type Served, withServer } from "../harness.js";
import { event, json } from "../http/client.js";

const test = suite("bad input of queries");

const PERIOD = "2024-03-01/2024-03-02";
const MINUTES = 60;
const ODD_DATA = [{ app: "a".repeat(40) }, { app: 5 }, {}, { app: null, url: 7 }, { app: { x: 1 }, title: ["q"] }];

/** A program as it is sent. */
interface Case {
  readonly name: string;
  readonly program: string;
  /** The result; absent: it may be an error as well. */
  readonly result?: unknown;
  /** The status; absent: 200. */
  readonly status?: 200 | 400 | 503;
  /** A part of the message. */
  readonly message?: RegExp;
}

/** `program` that sets `a` to a value and then wraps that value `times` times. */
function wrapped(step: string, times: number, rest: string, from = "[1]"): string {
  return `a = ${from}; ${step.repeat(times)} ${rest}`;
}

/** Characters of long programs: their escapes are twice as long, and a body may have 1 MiB. */
const LENGTH = 500_000;
const NESTED = 10_000;
const E = 'e = query_bucket("window"); ';

/** Runs a test on a server with an hour of events of half a minute, one each minute. */
function withWindow(options: Parameters<typeof withServer>[0], body: (served: Served) => Promise<void>): Promise<void> {
  return withServer(options, async (served) => {
    json(await served.send("POST", "/api/0/buckets/window", BUCKET));
    const events = Array.from({ length: MINUTES }, (_, at) => event(at, ODD_DATA[at % ODD_DATA.length], 30));
    json(await served.send("POST", "/api/0/buckets/window/events", events));
    await body(served);
  });
}

/** Sends a program. Afterwards the server has to be well: it logs nothing, and answers. */
function answered({ name, program, result, status, message }: Case): Promise<void> {
  return withWindow({ queryLimits: { timeMillis: 10_000 } }, async ({ send }) => {
    const request = { timeperiods: [PERIOD], query: [program] };
    const answer = await inTime(send("POST", "/api/0/query/", request), name, 60);
    const text = answer.body.toString();
    assert.ok([200, 400, 503].includes(answer.status), `${answer.status}: ${text.slice(0, 300)}`);
    if (status !== undefined) assert.is(answer.status, status, text.slice(0, 300));
    if (result !== undefined) assert.equal(JSON.parse(text), [result]);
    if (answer.status !== 200) {
      assert.ok(text.length < 1000, `a message of ${text.length} characters`);
      assert.ok(!/stack|undefined|\[object/.test(text), text);
    }
    if (message !== undefined) assert.match(text, message);
    const next = { timeperiods: [PERIOD], query: ["RETURN = 1"] };
    assert.equal(json(await send("POST", "/api/0/query/", next)), [1]);
  });
}

const LONG: readonly Case[] = [
  { name: "comments", program: `${"#\n".repeat(LENGTH / 2)}RETURN = 1;` },
  { name: "one comment", program: `#${"x".repeat(LENGTH)}\nRETURN = 1;` },
  { name: "line breaks", program: `${"\r\n".repeat(LENGTH / 2)}RETURN = 1;` },
  { name: "semicolons", program: `${";".repeat(LENGTH)}RETURN = 1;` },
  { name: "statements", program: `${"a=1;".repeat(LENGTH / 4)}RETURN = 1;` },
  { name: "operators", program: `RETURN = 1${"+1".repeat(LENGTH / 2)}` },
  { name: "items of a list", program: `RETURN = [${"1,".repeat(LENGTH / 2)}1];` },
  { name: "a text", program: `RETURN = "${'\\"'.repeat(LENGTH / 2)}"` },
  { name: "quotes", program: '"'.repeat(LENGTH + 1), status: 400 },
  { name: "texts joined", program: `RETURN = ""${'+"a"'.repeat(LENGTH / 4)}` },
  { name: "lists joined", program: `RETURN = []${"+[1]".repeat(LENGTH / 4)}` },
  { name: "conditions", program: `if false {} ${"elif false {}".repeat(LENGTH / 13)} RETURN = 1;` },
  { name: "arguments", program: `${E}RETURN = sum_durations(concat(${"e,".repeat(LENGTH / 2)}e));` },
  { name: "rules", program: `RETURN = categorize([], [${'[["a"],{"regex":"x"}],'.repeat(LENGTH / 22)}[["a"],{}]]);` },
  {
    name: "a pattern",
    program: `RETURN = filter_keyvals_regex([], "app", "${"a|".repeat(LENGTH / 2)}");`,
    status: 400,
  },
  { name: "digits", program: `RETURN = ${"9".repeat(LENGTH)};`, status: 400, message: /too large/ },
  { name: "a name", program: `RETURN = ${"n".repeat(LENGTH)};`, status: 400, message: /no variable/ },
  { name: "two names", program: `${"n".repeat(LENGTH / 2)} = 1; RETURN = ${"m".repeat(LENGTH / 2)};`, status: 400 },
  { name: "the name of a function", program: `RETURN = ${"f".repeat(LENGTH)}();`, status: 400, message: /no function/ },
  {
    name: "values that are looked for",
    program: `RETURN = filter_keyvals([], "app", [${'["z"],'.repeat(LENGTH / 6)}1]);`,
  },
  {
    name: "searches of a list",
    program: `a = [${"1,".repeat(LENGTH / 4)}2]; ${'b = contains(a, "q");'.repeat(LENGTH / 42)} RETURN = 1;`,
  },
];

for (const { name, program, ...expected } of LONG) {
  test(`a program of half a megabyte, most of it ${name}, is answered`, () => answered({ name, program, ...expected }));
}

const BRACKETS: readonly (readonly [open: string, inner: string, close: string])[] = [
  ["[", "", "]"],
  ["(", "1", ")"],
  ['{"a":', "1", "}"],
  ["nop(", "", ")"],
  ["[(", "1", ")]"],
  ["1 + (", "1", ")"],
];

for (const [open, inner, close] of sampleOf(BRACKETS, 2)) {
  const program = `RETURN = ${open.repeat(NESTED)}${inner}${close.repeat(NESTED)};`;
  test(`${NESTED} times ${open} is refused`, () =>
    answered({ name: open, program, status: 400, message: /nested more than 200 levels/ }));
  test(`${NESTED} times ${open} that are never closed is refused`, () =>
    answered({ name: open, program: `RETURN = ${open.repeat(NESTED)}`, status: 400 }));
}

test(`${NESTED} blocks in each other are refused`, () => {
  const program = `${"if true {".repeat(NESTED)}RETURN = 1;${"}".repeat(NESTED)}`;
  return answered({ name: "blocks", program, status: 400, message: /nested more than 200 levels/ });
});

/** Values that grow with each statement. Each is refused or answered, and none takes the memory or the stack. */
const GROWING: readonly Case[] = [
  { name: "a text that doubles", program: wrapped("a = a + a;", 40, "RETURN = 1;", '"0123456789"') },
  { name: "a list that doubles", program: wrapped("a = a + a;", 40, "RETURN = 1;") },
  {
    name: "a list of events that doubles",
    program: wrapped("a = a + a;", 40, "RETURN = 1;", 'query_bucket("window")'),
  },
  { name: "a list in lists", program: wrapped("a = [a];", 20_000, "RETURN = a;") },
  { name: "a dict in dicts", program: wrapped('a = {"a": a};', 20_000, "RETURN = a;") },
  {
    name: "lists in lists compared",
    program: wrapped("a = [a]; b = [b];", 20_000, "RETURN = a == b;", "[1]; b = [1]"),
  },
  { name: "a list in lists looked for", program: wrapped("a = [a];", 20_000, "RETURN = contains([a], a);") },
  { name: "a list in lists as values", program: wrapped("a = [a];", 20_000, 'RETURN = filter_keyvals([], "app", a);') },
  {
    name: "a list in lists as rules",
    program: wrapped("a = [a];", 20_000, "RETURN = categorize([], a);"),
    status: 400,
  },
  { name: "two of each", program: wrapped("a = [a, a];", 40, "RETURN = a;") },
  { name: "two of each in a dict", program: wrapped('a = {"a": a, "b": a};', 40, "RETURN = a;") },
  { name: "two of each compared", program: wrapped("a = [a,a]; b = [b,b];", 40, "RETURN = a == b;", "[1]; b = [1]") },
  { name: "two of each compared with itself", program: wrapped("a = [a, a];", 40, "RETURN = a == a;") },
  { name: "two of each as values", program: wrapped("a = [a, a];", 40, `${E}RETURN = filter_keyvals(e, "app", a);`) },
  { name: "two of each as rules", program: wrapped("a = [a, a];", 40, "RETURN = tag([], a);") },
  { name: "two of each in a rule", program: wrapped("a = [a, a];", 40, 'RETURN = tag([], [["x", {"color": a}]]);') },
];

for (const growing of sampleOf(GROWING, 2)) test(`${growing.name}: answered`, () => answered(growing));

/** Patterns that take for ever with plain backtracking. */
const HOSTILE = [
  "(a+)+$",
  "(a|a)*$",
  "(a|aa)+$",
  "(.*a){20}$",
  "^(([a-z])+.)+[A-Z]$",
  "(?:a?){40}a{40}$",
  "(a*)*\\\\1b",
];

for (const pattern of sampleOf(HOSTILE, 2)) {
  test(`the pattern ${pattern} ends, or its query does`, () =>
    answered({ name: pattern, program: `${E}RETURN = filter_keyvals_regex(e, "app", "${pattern}");` }));
}

test("10,000 periods are answered one by one", () =>
  withWindow({}, async ({ send }) => {
    const timeperiods = Array.from({ length: 10_000 }, (_, index) => {
      const start = Date.UTC(2024, 2, 1) + index * 60_000;
      return `${new Date(start).toISOString()}/${new Date(start + 59_999).toISOString()}`;
    });
    const query = ['RETURN = query_bucket_eventcount("window");'];
    const counts = json(await inTime(send("POST", "/api/0/query", { timeperiods, query }), "the query")) as number[];
    assert.is(counts.length, 10_000);
    assert.equal([...new Set(counts.slice(0, MINUTES))], [1]);
    assert.equal([...new Set(counts.slice(MINUTES))], [0]);
  }));

for (const [period, whole] of [
  ["1725-01-01/2225-01-01", true],
  ["1700-01-01/2249-12-31T23:59:59.999999Z", true],
  ["2225-01-01/1725-01-01", false],
  ["1524-01-01/2024-01-01", undefined],
  ["0001-01-01/9999-12-31", undefined],
  ["-271821-04-20/+275760-09-13", undefined],
] as const) {
  test(`the period ${period} is answered`, () =>
    withWindow({}, async ({ send }) => {
      const query = [
        `${E}RETURN = [sum_durations(e), sum_durations(flood(e, 600)), query_bucket_eventcount("window")]`,
      ];
      const answer = await send("POST", "/api/0/query", { timeperiods: [period], query });
      if (whole === undefined) assert.is(answer.status, 400, answer.body.toString());
      else assert.equal(json(answer), [whole ? [MINUTES * 30, MINUTES * 60 - 30, MINUTES] : [0, 0, 0]]);
    }));
}

test("a bucket that is deleted between two reads of a query is unknown to the second", async () => {
  const inner = memory();
  const storage: Storage = {
    ...inner,
    async read(bucketId, range) {
      const read = await inner.read(bucketId, range);
      await inner.deleteBucket("window");
      return read;
    },
  };
  await withWindow({ storage }, async ({ send }) => {
    const query = ['a = query_bucket("window"); b = query_bucket("window"); RETURN = [a, b];'];
    const answer = await send("POST", "/api/0/query", { timeperiods: [PERIOD], query });
    assert.is(answer.status, 400);
    assert.match(answer.body.toString(), "no bucket named 'window'");
  });
});

test("buckets that come and go while queries run make no query fail otherwise than by an unknown bucket", () =>
  withWindow({}, async ({ server }) => {
    const query = 'RETURN = [query_bucket_eventcount(find_bucket("win")), sum_durations(query_bucket("window"))];';
    const outcomes: string[] = [];
    for (let round = 0; round < 20; round++) {
      const queries = Array.from({ length: 5 }, () => server.query({ timeperiods: [PERIOD, PERIOD], query }));
      const deleted = server.buckets.delete("window");
      for (const outcome of await Promise.allSettled(queries)) {
        outcomes.push(outcome.status === "fulfilled" ? "answered" : String(outcome.reason.type));
      }
      await deleted;
      await server.buckets.create("window", BUCKET, [{ timestamp: "2024-03-01T10:00:00Z", duration: "1s" }]);
    }
    assert.equal(
      [...new Set(outcomes)].filter((outcome) => outcome !== "answered" && outcome !== "QueryFunctionException"),
      [],
    );
  }));

/** Bodies that are no queries (docs/reference/compatibility.md#programs-over-http). */
const BODIES: readonly unknown[] = [
  "",
  "{",
  "null",
  "[]",
  {},
  { timeperiods: [PERIOD] },
  { query: ["RETURN = 1"] },
  { timeperiods: PERIOD, query: ["RETURN = 1"] },
  { timeperiods: [PERIOD], query: "RETURN = 1" },
  { timeperiods: [1], query: ["RETURN = 1"] },
  { timeperiods: [PERIOD], query: ["RETURN = 1", null] },
  { timeperiods: [""], query: ["RETURN = 1"] },
  { timeperiods: ["2024-03-01"], query: ["RETURN = 1"] },
  { timeperiods: [`${PERIOD}/2024-03-03`], query: ["RETURN = 1"] },
  { timeperiods: ["2024-03-01/P1D"], query: ["RETURN = 1"] },
  { timeperiods: ["x".repeat(LENGTH)], query: ["RETURN = 1"] },
];

test("a body that is no query is refused, and what it is not is told", () =>
  withWindow({}, async ({ send }) => {
    for (const body of BODIES) {
      const { status, body: text } = await send("POST", "/api/0/query/", body);
      const told = `${JSON.stringify(body).slice(0, 100)}: ${text.toString().slice(0, 300)}`;
      assert.is(status, 400, told);
      assert.ok(text.length < 500, told);
      assert.ok((JSON.parse(text.toString()) as { message: string }).message.length > 10, told);
    }
  }));

test.run();
