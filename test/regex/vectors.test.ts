// The recorded cases of the dialect, without a server: the pattern is taken out of each program.
import fs from "node:fs";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { compileRegex, RegexSyntaxError } from "../../src/regex/regex.js";
import { ENDLESS } from "./budget.js";
import { enginesOf } from "./engines.js";

const FOLDER = new URL("../conformance/query/", import.meta.url);

interface QueryCase {
  readonly name: string;
  readonly query: readonly string[];
  readonly expect: {
    readonly target: {
      readonly error?: { readonly status: number };
      readonly results?: readonly (readonly { readonly data: Readonly<Record<string, unknown>> }[])[];
    };
  };
}

interface QueryFile {
  readonly buckets: readonly { readonly events: readonly { readonly data: Readonly<Record<string, unknown>> }[] }[];
  readonly cases: readonly QueryCase[];
}

function read(name: string): QueryFile {
  return JSON.parse(fs.readFileSync(new URL(name, FOLDER), "utf8")) as QueryFile;
}

const TEXT = String.raw`"((?:\\"|[^"])*)"`;
const FILTER = new RegExp(String.raw`filter_keyvals_regex\(\w+, "s", ${TEXT}\)`);
const RULE = new RegExp(`"regex": ${TEXT}, "ignore_case": (true|false)`);
const ANY_PATTERN = new RegExp(String.raw`(?:"regex":\s*|filter_keyvals_regex\([^;]*?, "\w+", )${TEXT}`, "g");

/** Only the quote is escaped in a text of the query language. */
function unquoted(text: string): string {
  return text.replaceAll('\\"', '"');
}

function patternOf({ name, query }: QueryCase): { pattern: string; ignoreCase: boolean } {
  const text = query.join("\n");
  const filter = FILTER.exec(text);
  if (filter) return { pattern: unquoted(filter[1] ?? ""), ignoreCase: false };
  const rule = RULE.exec(text);
  if (!rule) throw new Error(`${name} has no pattern that this test can find`);
  return { pattern: unquoted(rule[1] ?? ""), ignoreCase: rule[2] === "true" };
}

const test = suite("regex: recorded cases");

const FLAVOUR = read("05-regex-flavour.json");
const TEXTS = FLAVOUR.buckets.flatMap(({ events }) => events.map(({ data }) => String(data["s"])));

for (const item of FLAVOUR.cases) {
  const { pattern, ignoreCase } = patternOf(item);
  const { error, results } = item.expect.target;
  if (error) {
    test(`${item.name}: ${JSON.stringify(pattern)} is refused`, () => {
      assert.throws(() => compileRegex(pattern, { ignoreCase }), isSyntaxError);
    });
    continue;
  }
  test(`${item.name}: ${JSON.stringify(pattern)} finds what it must`, () => {
    const expected = new Set(results?.[0]?.map(({ data }) => data["s"]));
    const engines = enginesOf(pattern, ignoreCase);
    for (const text of TEXTS) {
      for (const [engine, search] of Object.entries(engines)) {
        const answer = search(text, ENDLESS);
        if (answer !== undefined) assert.is(answer, expected.has(text), `${engine} on ${JSON.stringify(text)}`);
      }
    }
  });
}

test("all patterns of all recorded cases compile, where their case is no error", () => {
  const names = fs.readdirSync(FOLDER).filter((name) => name.endsWith(".json"));
  let count = 0;
  for (const item of names.flatMap((name) => read(name).cases)) {
    if (item.expect.target.error) continue;
    for (const [, text = ""] of item.query.join("\n").matchAll(ANY_PATTERN)) {
      compileRegex(unquoted(text));
      count++;
    }
  }
  assert.ok(count > 500, `${count} patterns`);
});

function isSyntaxError(error: unknown): boolean {
  return error instanceof RegexSyntaxError;
}

test.run();
