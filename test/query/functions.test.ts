import { suite } from "uvu";
import * as assert from "uvu/assert";
import { DEFAULT_LIMITS } from "../../src/query/budget.js";
import type { ParameterType, QueryFunction } from "../../src/query/function.js";
import { FUNCTIONS } from "../../src/query/functions.js";
import { MAX_TOKENS } from "../../src/query/lexer.js";
import { MAX_LENGTH, MAX_NESTING } from "../../src/query/parser.js";
import { PATTERN_LIMIT } from "../../src/regex/limits.js";
import { codesIn, tableOf } from "../readme/markdown.js";
import { type Line, withBuckets } from "./asking.js";

const test = suite("functions of the query language");

const ALL: readonly QueryFunction[] = [...FUNCTIONS.values()];

/** Data that functions do not expect, besides what they do. */
const ODD: readonly Line[] = [
  [0, 10, { app: "a", title: "(3) x", url: "https://www.example.org:8080/p?q=1#f" }],
  [10, 10, {}],
  [20, 10, { app: null, title: 5, url: 7 }],
  [30, 10, { app: ["a"], title: { t: "x" }, url: "http://[" }],
  [40, 0, { app: { a: 1 }, title: "", url: "" }],
  [50, 10, { app: 1, title: true, url: null, $category: "none", $tags: 1 }],
  [50, 5, JSON.parse('{"__proto__": 1, "constructor": "a", "toString": ["a"], "length": 2}')],
];
const BUCKETS = { odd_box: ODD, "odd_box-2": [], plain_desk: [[0, 1, { app: "a" }]] as readonly Line[] };

/** For each type of parameter an expression that fits, and some that do not. */
const FITTING: Readonly<Record<ParameterType, string>> = {
  events: "e",
  text: '"app"',
  texts: '["app"]',
  number: "1",
  list: "[]",
  container: "[1]",
  any: "null",
};
const WRONG: Readonly<Record<ParameterType, readonly string[]>> = {
  events: ["1", '"e"', "true", "null", "{}", "[1]", "[e]", "[[]]", "e + [1]"],
  text: ["1", "false", "null", "[]", "{}", "e"],
  texts: ['"app"', "1", "null", "{}", "e", '["app", 1]', "[null]", '[["app"]]'],
  number: ['"1"', "true", "null", "[1]", "{}", "e"],
  list: ['"app"', "1", "null", "{}", "true"],
  container: ['"app"', "1", "null", "true"],
  any: [],
};
const WANTED: Readonly<Record<ParameterType, RegExp>> = {
  events: /must be a list of events/,
  text: /must be a string/,
  texts: /must be a list of strings/,
  number: /must be a number/,
  list: /must be a list/,
  container: /must be a list or a dict/,
  any: /must be a value/,
};
/** Arguments that have the right type and are no good for these functions. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  query_bucket: ['"odd_box"'],
  query_bucket_eventcount: ['"odd_box"'],
  find_bucket: ['"odd"'],
  contains: ["{}", '"a"'],
  merge_subwatcher_fields: ["e", "e", '["app"]', '"base_wins"'],
};

const INTERPRET = "QueryInterpretException";
const FUNCTION = "QueryFunctionException";

function callOf(name: string, args: readonly string[]): string {
  return `e = query_bucket("odd_box"); RETURN = ${name}(${args.join(", ")})`;
}

function fittingFor({ name, parameters }: QueryFunction): string[] {
  return parameters.map((type, index) => ARGUMENTS[name]?.[index] ?? FITTING[type]);
}

for (const called of ALL) {
  const { name, parameters, optional = 0, rest } = called;
  const fitting = fittingFor(called);

  test(`${name} takes as many arguments as it says`, () =>
    withBuckets(BUCKETS, async ({ ask, mistakeIn }) => {
      for (let count = 0; count <= parameters.length + 2; count++) {
        const more = Array.from({ length: count }, () => FITTING[rest ?? "any"]);
        const program = callOf(name, [...fitting, ...more].slice(0, count));
        if (count >= parameters.length - optional && (count <= parameters.length || rest !== undefined)) {
          await ask(program);
          continue;
        }
        const { type, message, place } = await mistakeIn(program);
        assert.is(type, INTERPRET, message);
        assert.match(message, new RegExp(`^${name} takes .*, got ${count} `));
        assert.is(place.column, program.lastIndexOf(`${name}(`) + 1, message);
      }
    }));

  test(`${name} names the argument that it cannot use`, () =>
    withBuckets(BUCKETS, async ({ mistakeIn }) => {
      const types = rest === undefined ? parameters : [...parameters, rest, rest];
      for (const [index, parameter] of types.entries()) {
        const others = [...fitting, ...types.slice(parameters.length).map((each) => FITTING[each])];
        for (const wrong of WRONG[parameter]) {
          const program = callOf(name, others.slice(0, index).concat(wrong, others.slice(index + 1)));
          const { type, message } = await mistakeIn(program);
          assert.is(type, FUNCTION, `${program}: ${message}`);
          assert.match(message, `argument ${index + 1} of ${name} must be `, program);
          assert.match(message, WANTED[parameter], program);
        }
      }
    }));

  test(`${name} takes an empty list for any list, and data that it does not expect`, () =>
    withBuckets(BUCKETS, async ({ ask }) => {
      const empty = parameters.map((type, index) =>
        type === "events" || type === "texts" || type === "list" ? "[]" : (fitting[index] as string),
      );
      await ask(callOf(name, empty));
      for (const key of ["app", "title", "url", "__proto__", "constructor", "toString", "missing"]) {
        const args = fitting.map((arg) => arg.replace('"app"', JSON.stringify(key)));
        await ask(callOf(name, args));
      }
    }));
}

/** Calls with arguments of the right type that cannot be used, the type and a part of the message. */
const REFUSED: readonly (readonly [call: string, message: RegExp])[] = [
  ['query_bucket("nope")', /no bucket named 'nope'/],
  ['query_bucket_eventcount("")', /no bucket named ''/],
  ['find_bucket("nope")', /no bucket has 'nope' in its ID/],
  ['find_bucket("odd", "desk")', /no bucket of hostname 'desk' has 'odd' in its ID/],
  ['find_bucket("odd", 5)', /the hostname must be a string/],
  ['filter_keyvals_regex([], "app", "(")', /filter_keyvals_regex: /],
  ['contains({"a": 1}, 1)', /the key of a dict must be a string/],
  ['merge_subwatcher_fields([], [], [], "both_win")', /conflict must be base_wins or sub_wins, got 'both_win'/],
  ["categorize([], [1])", /rule 1 must be a list of a name and a dict, got a number/],
  ["categorize([], [[[]]])", /rule 1 must be a list of a name and a dict, got a list/],
  ['categorize([], [["A", {}]])', /name of rule 1 must be a list of strings, got a string/],
  ["categorize([], [[[1], {}]])", /name of rule 1 must be a list of strings, got a list/],
  ['tag([], [[["A"], {}]])', /name of rule 1 must be a string, got a list/],
  ['tag([], [["a", {}], ["b", {"type": "regexp"}]])', /type of rule 2 must be regex or none, got 'regexp'/],
  ['tag([], [["a", {"type": 1}]])', /type of rule 1 must be regex or none, got a number/],
  ['tag([], [["a", {"regex": 1}]])', /regex of rule 1 must be a string, got a number/],
  ['tag([], [["a", {"regex": "("}]])', /regex of rule 1: /],
  ['tag([], [["a", {"select_keys": "app"}]])', /select_keys of rule 1 must be a list of strings, got a string/],
  ['tag([], [["a", {"select_keys": [1]}]])', /select_keys of rule 1 must be a list of strings, got a list/],
  ['categorize([], [[["a"], {"priority": 1.5}]])', /priority of rule 1 must be an integer, got a number/],
  ['categorize([], [[["a"], {"weight": "1"}]])', /weight of rule 1 must be an integer, got a string/],
];

for (const [call, message] of REFUSED) {
  test(`${call} is refused with ${message.source}`, () =>
    withBuckets(BUCKETS, async ({ mistakeIn }) => {
      const error = await mistakeIn(`RETURN = ${call}`);
      assert.is(error.type, FUNCTION, error.message);
      assert.match(error.message, message);
    }));
}

/** Calls that fail because of a text, which may be a long one. */
const LONG_TEXTS: readonly ((text: string) => string)[] = [
  (text) => `find_bucket("${text}")`,
  (text) => `find_bucket("odd", "${text}")`,
  (text) => `query_bucket("${text}")`,
  (text) => `merge_subwatcher_fields([], [], [], "${text}")`,
];

test("a message shows of a long text only the beginning", () =>
  withBuckets(BUCKETS, async ({ mistakeIn }) => {
    for (const call of LONG_TEXTS) {
      const { message } = await mistakeIn(`RETURN = ${call("x\n".repeat(50_000))}`);
      assert.match(message, "'x\\nx\\n");
      assert.ok(message.length < 500, `${message.length} characters`);
    }
  }));

test("the oldest bucket comes first, also when it was brought in last", () =>
  withBuckets({ window_b: [], window_a: [] }, async ({ ask, server }) => {
    const bucket = { type: "test", client: "test", hostname: "old", events: [] };
    const created = "2001-01-01T00:00:00Z";
    await server.import({ buckets: { old_window_: { id: "old_window_", created, ...bucket } } });
    await server.import({ buckets: { window_c: { id: "window_c", created: "2002-01-01T00:00:00Z", ...bucket } } });
    assert.equal(await ask("RETURN = query_bucket_names()"), ["old_window_", "window_c", "window_b", "window_a"]);
    assert.is(await ask('RETURN = find_bucket("window_")'), "window_c", "the oldest whose id begins so");
    assert.is(await ask('RETURN = find_bucket("indow")'), "old_window_", "the oldest that has it in its id");
    assert.is(await ask('RETURN = find_bucket("window_a")'), "window_a", "the one with this id");
  }));

/** Numbers that nobody means. */
const NUMBERS = ["0", "0 - 1", "0.5", "0 - 0.5", "1.999", "9".repeat(30), "9".repeat(300), `0 - ${"9".repeat(300)}`];

test("flood and limit_events take any number, flood only from 0", () =>
  withBuckets(BUCKETS, async ({ ask }) => {
    for (const number of NUMBERS) {
      const limited = (await ask(callOf("limit_events", ["e", number]))) as unknown[];
      const wanted = Math.max(0, Math.min(ODD.length, Math.trunc(valueOfNumber(number))));
      assert.is(limited.length, wanted, number);
      if (valueOfNumber(number) < 0) continue;
      const flooded = (await ask(callOf("flood", ["e", number]))) as { duration: unknown; timestamp: unknown }[];
      for (const { duration, timestamp } of flooded) {
        assert.ok(Number.isFinite(duration), `${number}: ${duration}`);
        assert.match(String(timestamp), /^2024-03-01T/);
      }
    }
  }));

test("flood refuses a negative pulse time at its place", () =>
  withBuckets(BUCKETS, async ({ mistakeIn }) => {
    const error = await mistakeIn("e = [];\nRETURN = flood(e, 0 - 1);");
    assert.is(error.type, "QueryFunctionException");
    assert.match(error.message, /^flood: pulsetime must not be negative, got -1 \(line 2, column 19\)/);
  }));

function valueOfNumber(text: string): number {
  return text.startsWith("0 - ") ? -Number(text.slice(4)) : Number(text);
}

test("lists of rules are told apart, whatever else stands in them", () =>
  withBuckets(BUCKETS, async ({ ask }) => {
    const program = (name: string): string =>
      `e = query_bucket("plain_desk");
       RETURN = categorize(e, [[["${name}"], {"regex": "^a$", "color": e, "score": [e, 1]}]]);`;
    for (const name of ["A", "B"]) {
      const [event] = (await ask(program(name))) as { data: Record<string, unknown> }[];
      assert.equal(event?.data["$category"], [name]);
    }
    const none = 'RETURN = categorize(query_bucket("plain_desk"), query_bucket("odd_box-2"))';
    const [event] = (await ask(none)) as { data: Record<string, unknown> }[];
    assert.equal(event?.data["$category"], ["Uncategorized"]);
  }));

test("docs/reference/query.md lists every function with its parameters, and no other", () => {
  const listed = tableOf("docs/reference/query.md", "Function").map(([call]) => codesIn(call)[0] ?? "");
  assert.equal(listed.map((call) => call.replace(/\(.*/, "")).sort(), ALL.map(({ name }) => name).sort());
  for (const call of listed) {
    const [, name, inner = ""] = /^(\w+)\((.*)\)$/.exec(call) ?? [];
    const { parameters, optional = 0, rest } = ALL.find((each) => each.name === name) as QueryFunction;
    const isOpen = inner.endsWith(" ...");
    const [needed = "", ...others] = inner.replace(" ...", "").split(" [, ");
    const count = (isOpen ? needed.replace(/\w+$/, "") : needed).match(/\w+/g)?.length ?? 0;
    assert.is(count, parameters.length - optional, call);
    assert.is(others.length, optional, call);
    assert.is(isOpen, rest !== undefined, call);
  }
});

test("docs/reference/query.md lists every limit with its value", () => {
  const numberIn = (cell = ""): number => Number(cell.replaceAll(",", ""));
  const options = tableOf("docs/reference/query.md", "Limit").map(([name, , byDefault]) => [
    codesIn(name)[0],
    numberIn(byDefault),
  ]);
  assert.equal(options, Object.entries(DEFAULT_LIMITS));
  assert.equal(
    tableOf("docs/reference/query.md", "Fixed limit").map(([, most]) => numberIn(most)),
    [MAX_LENGTH, MAX_TOKENS, MAX_NESTING, PATTERN_LIMIT],
  );
});

/** A text that each row of the table of patterns is shown to match, and one that it does not. */
const PATTERNS: readonly (readonly [pattern: string, match: string, other: string])[] = [
  ["^a.[b-d][^b-d](?:e|f)$", "a\rbxf", "a\nbxf"],
  ["^a{2,3}?b*+c?$", "aaabbc", "abc"],
  ["\\A\\bé\\b.\\B-\\z", "é -", "é x"],
  ["^\\d\\w\\s\\D\\W\\S$", "٣é\u2003a-b", "aé a-b"],
  ["^\\p{L}\\p{Greek}[[:alpha:]]$", "éλz", "1λz"],
  ["(?i)ÄB(?-i)c", "äbc", "äbC"],
  ["(?i:A)b", "ab", "aB"],
  ["(?s)a.b(?x) c # end", "a\nbc", "a\nb c"],
  ["(?m)^b$", "a\nb\nc", "ab"],
  ["(?<=a)b(?=c)(?!cd)(?<!xb)", "abc", "abcd"],
  ["(?>a+)b", "aab", "aa"],
  ["(a|b)\\1(?P<n>c|d)(?P=n)(?<m>e|f)\\k<m>", "bbccff", "abccff"],
  ["\\x41\\u00e9\\U0001f600\\t", "Aé😀\t", "Aé😀"],
  ["^\\.\\-\\/\\_\\ $", ".-/_ ", "x-/_ "],
];

for (const [pattern, match, other] of PATTERNS) {
  test(`the pattern ${pattern} is understood as docs/reference/query.md says`, () => {
    const buckets = { texts_box: [[0, 1, { text: match }] as const, [5, 1, { text: other }] as const] };
    return withBuckets(buckets, async ({ ask }) => {
      const program = `RETURN = filter_keyvals_regex(query_bucket("texts_box"), "text", "${pattern}")`;
      const found = (await ask(program)) as { data: { text: string } }[];
      assert.equal(
        found.map(({ data }) => data.text),
        [match],
      );
    });
  });
}

test.run();
