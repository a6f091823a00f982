import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { QueryErrorType } from "../../src/index.js";
import { type Line, withBuckets } from "./asking.js";

const test = suite("evaluation of programs");

const WINDOW: readonly Line[] = [
  [0, 60, { app: "editor", title: "a" }],
  [60, 30, { app: "browser", title: "b", n: 1 }],
];
const BUCKETS = { window_box: WINDOW, same_box: WINDOW, idle_desk: [] };
const E = 'e = query_bucket("window_box"); ';

/** Programs and their results (docs/reference/compatibility.md#evaluation). */
const RESULTS: readonly (readonly [program: string, result: unknown])[] = [
  ["RETURN = 1; RETURN = 2", 2],
  ["return 1; x = 2", 1],
  ["return 1; return [RETURN, 2]", [1, 2]],
  ["RETURN = 4 + 2 * 3", 18],
  ["RETURN = 4 + (2 * 3)", 10],
  ["RETURN = 7 / 2", 3.5],
  ["RETURN = 7 % 3", 1],
  ["RETURN = (0 - 7) % 3", -1],
  ["RETURN = 7.5 % 2", 1.5],
  ["RETURN = 0.1 + 0.2 == 0.3", false],
  ["RETURN = 1 == 1.0", true],
  ['RETURN = "a" + "b"', "ab"],
  ["RETURN = [1] + [] + [[2]]", [1, [2]]],
  ['RETURN = "a" == "A"', false],
  ["RETURN = true == True", true],
  ["RETURN = None == null", false],
  ['RETURN = [1, {"a": [2], "b": 3}] == [1.0, {"b": 3, "a": [2]}]', true],
  ["RETURN = [1, 2] == [2, 1]", false],
  ["RETURN = [[1]] == [[true]]", false],
  ['RETURN = {"a": 1} == {"b": 1}', false],
  [`${E}RETURN = e == query_bucket("same_box")`, true],
  [`${E}RETURN = e == limit_events(e, 1)`, false],
  [`${E}RETURN = limit_events(e, 0) == []`, true],
  [`${E}RETURN = sum_durations(e + e)`, 180],
  [`${E}RETURN = sum_durations([] + e)`, 90],
  [`${E}RETURN = [e + [1]] == [e + [1]]`, true],
  ['RETURN = {"a": 1, "a": 2}', { a: 2 }],
  ['RETURN = {"__proto__": 1, "constructor": []}', JSON.parse('{"__proto__": 1, "constructor": []}')],
  ["__proto__ = 1; toString = 2; RETURN = [__proto__, toString]", [1, 2]],
  ["RETURN = [true, False, null, None, print(1)]", [true, false, null, null, null]],
  ["flood = []; RETURN = flood(flood)", []],
  ["if true { a = 1 } else { a = 2 } RETURN = a", 1],
  ["if false { a = 1 } elif 1 == 1 { a = 2 } elif true { a = 3 } else { a = 4 } RETURN = a", 2],
  ["a = 0; if false { a = 1 } RETURN = a", 0],
  ["if true { if true { RETURN = 1; } RETURN = RETURN + 1 }", 2],
  ["if false { RETURN = unknown(unknown) } RETURN = 1", 1],
  ["RETURN = NAME", "my query"],
  ["RETURN = [STARTTIME, ENDTIME]", ["2024-03-01T00:00:00+00:00", "2024-03-02T00:00:00+00:00"]],
  ["RETURN = TIMEINTERVAL", "2024-03-01T00:00:00+00:00/2024-03-02T00:00:00+00:00"],
  ['ENDTIME = "2024-03-01T10:00:30Z"; RETURN = sum_durations(query_bucket("window_box"))', 30],
  ['STARTTIME = "2024-03-01T10:01:20Z"; RETURN = sum_durations(query_bucket("window_box"))', 10],
  [
    'TIMEINTERVAL = "2024-03-01T10:00:50Z/2024-03-01T10:01:10Z"; RETURN = sum_durations(query_bucket("window_box"))',
    20,
  ],
  ['STARTTIME = "2025-01-01"; RETURN = query_bucket("window_box")', []],
  ["STARTTIME = 5; RETURN = STARTTIME", 5],
];

for (const [program, result] of RESULTS) {
  test(`${program} gives ${JSON.stringify(result)}`, () =>
    withBuckets(BUCKETS, async ({ ask }) =>
      assert.is(JSON.stringify(await ask(program, "my query")), JSON.stringify(result)),
    ));
}

const INTERPRET = "QueryInterpretException";
const FUNCTION = "QueryFunctionException";

/** Programs with a mistake, its type, column, and a part of the message. */
const MISTAKES: readonly (readonly [program: string, type: QueryErrorType, column: number, message: RegExp])[] = [
  ["a = 1", "QueryParseException", 6, /never sets RETURN/],
  ["if false { RETURN = 1 }", "QueryParseException", 24, /never sets RETURN/],
  ["RETURN = evnts", INTERPRET, 10, /no variable 'evnts'/],
  ["events = []; RETURN = [evnets]", INTERPRET, 24, /did you mean 'events'\?/],
  ["Events = []; RETURN = events", INTERPRET, 23, /did you mean 'Events'\?/],
  ["RETURN = flod([])", INTERPRET, 10, /no function 'flod', did you mean 'flood'\?/],
  ["RETURN = qurey_bucket('x')", INTERPRET, 10, /did you mean 'query_bucket'\?/],
  ["RETURN = flood", INTERPRET, 10, /'flood' is a function, call it with flood\(\.\.\.\)/],
  ["RETURN = constructor()", INTERPRET, 10, /no function 'constructor'/],
  ["RETURN = __proto__", INTERPRET, 10, /no variable '__proto__'/],
  ["RETURN = 1 / 0", INTERPRET, 12, /division by zero/],
  ["RETURN = 1 % (1 - 1)", INTERPRET, 12, /division by zero/],
  [`RETURN = 1${"0".repeat(200)} * 1${"0".repeat(200)}`, INTERPRET, 212, /too large/],
  ["if 1 { RETURN = 1 }", INTERPRET, 4, /condition must be true or false/],
  ["if null { RETURN = 1 }", INTERPRET, 4, /condition/],
  ["STARTTIME = 5; RETURN = query_bucket('window_box')", FUNCTION, 38, /STARTTIME must contain a time/],
  ["TIMEINTERVAL = 'x/y'; RETURN = query_bucket('window_box')", FUNCTION, 45, /TIMEINTERVAL must contain a time/],
];

for (const [program, type, column, message] of MISTAKES) {
  test(`${program.slice(0, 60)} fails with ${message.source}`, () =>
    withBuckets(BUCKETS, async ({ mistakeIn }) => {
      const error = await mistakeIn(program);
      assert.is(error.type, type, error.message);
      assert.match(error.message, message);
      assert.equal(error.place, { line: 1, column }, error.message);
    }));
}

/** A value of each kind, and what messages call it. */
const VALUES: Readonly<Record<string, string>> = {
  "1": "a number",
  '"a"': "a string",
  true: "a boolean",
  null: "none",
  "[1]": "a list",
  e: "a list of events",
  '{"a": 1}': "a dict",
};
const LISTS = new Set(["[1]", "e"]);

function fits(a: string, operator: string, b: string): boolean {
  const isSame = a === b || (LISTS.has(a) && LISTS.has(b));
  if (operator === "==") return isSame;
  if (a === "1" && b === "1") return true;
  return operator === "+" && isSame && (a === '"a"' || LISTS.has(a));
}

for (const operator of ["+", "-", "*", "/", "%", "=="]) {
  test(`${operator} takes the kinds of values that it fits, and names those that it does not`, () =>
    withBuckets(BUCKETS, async ({ ask, mistakeIn }) => {
      for (const [a, kindOfA] of Object.entries(VALUES)) {
        for (const [b, kindOfB] of Object.entries(VALUES)) {
          const program = `${E}RETURN = ${a} ${operator} ${b}`;
          if (fits(a, operator, b)) {
            await ask(program);
            continue;
          }
          const { type, message } = await mistakeIn(program);
          assert.is(type, INTERPRET, program);
          assert.match(message, `'${operator}' cannot be applied to ${kindOfA} and ${kindOfB}`);
        }
      }
    }));
}

test("a mistake in one period fails the whole query", () =>
  withBuckets(BUCKETS, async ({ server }) => {
    const query = 'if STARTTIME == "2024-03-02T00:00:00+00:00" { RETURN = x } RETURN = 1';
    const days = ["2024-03-01/2024-03-02", "2024-03-02/2024-03-03"];
    assert.equal(await server.query({ timeperiods: days.slice(0, 1), query }), [1]);
    await server.query({ timeperiods: days, query }).then(
      () => assert.unreachable(),
      ({ type }) => assert.is(type, INTERPRET),
    );
  }));

test("without a period nothing is carried out, but the program is read", () =>
  withBuckets(BUCKETS, async ({ server }) => {
    assert.equal(await server.query({ timeperiods: [], query: "RETURN = unknown" }), []);
    await server.query({ timeperiods: [], query: "RETURN = " }).then(
      () => assert.unreachable(),
      ({ type }) => assert.is(type, "QueryParseException"),
    );
  }));

test("a program sees its period in the zone in which it was sent", () =>
  withBuckets(BUCKETS, async ({ server }) => {
    const timeperiods = ["2024-03-01T00:00:00+05:30/2024-03-01T10:00:00.5-08:00"];
    const query = "RETURN = [STARTTIME, ENDTIME, TIMEINTERVAL]";
    assert.equal(await server.query({ timeperiods, query }), [
      [
        "2024-03-01T00:00:00+05:30",
        "2024-03-01T10:00:00.500000-08:00",
        "2024-02-29T18:30:00+00:00/2024-03-01T18:00:00.500000+00:00",
      ],
    ]);
  }));

test("UTC is +00:00 in a program, however it was written", () =>
  withBuckets(BUCKETS, async ({ server }) => {
    for (const zone of ["", "Z", "z", "+00:00", "-00:00", "-0000", "+00", "-00"]) {
      const timeperiods = [`2024-03-01T00:00:00${zone}/2024-03-01T10:00:00.5${zone}`];
      assert.equal(
        await server.query({ timeperiods, query: "RETURN = [STARTTIME, ENDTIME]" }),
        [["2024-03-01T00:00:00+00:00", "2024-03-01T10:00:00.500000+00:00"]],
        zone,
      );
    }
  }));

test("a period that ends before it begins holds no events", () =>
  withBuckets(BUCKETS, async ({ server }) => {
    const query = 'RETURN = [query_bucket("window_box"), query_bucket_eventcount("window_box")]';
    assert.equal(await server.query({ timeperiods: ["2024-03-02/2024-03-01"], query }), [[[], 0]]);
    await server.query({ timeperiods: ["2024-03-02/2024-03-01"], query: 'RETURN = query_bucket("x")' }).then(
      () => assert.unreachable(),
      ({ type }) => assert.is(type, FUNCTION),
    );
  }));

test.run();
