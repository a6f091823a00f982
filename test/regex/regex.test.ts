import { suite } from "uvu";
import * as assert from "uvu/assert";
import { boundSearchSteps } from "../../src/regex/bound.js";
import { parsePattern } from "../../src/regex/parser.js";
import { compileRegex } from "../../src/regex/regex.js";
import { isOrderDependent, simplify } from "../../src/regex/simplify.js";
import { ENDLESS } from "./budget.js";

const test = suite("regex");

test("a pattern is compiled once", () => {
  assert.is(compileRegex("once"), compileRegex("once"));
  assert.is(compileRegex("once", { ignoreCase: true }), compileRegex("once", { ignoreCase: true }));
  assert.is(compileRegex("once", {}), compileRegex("once", { ignoreCase: false }));
});

test("the same pattern with and without case are two", () => {
  assert.is.not(compileRegex("case"), compileRegex("case", { ignoreCase: true }));
  assert.is(compileRegex("case").test("CASE", ENDLESS), false);
  assert.is(compileRegex("case", { ignoreCase: true }).test("CASE", ENDLESS), true);
});

test("a pattern not used for long is forgotten, one in use is kept", () => {
  const [old, used] = [compileRegex("old"), compileRegex("used")];
  for (let count = 0; count < 3_000; count++) {
    compileRegex(`another pattern ${count}`);
    compileRegex("used");
  }
  assert.is(compileRegex("used"), used);
  assert.is.not(compileRegex("old"), old);
});

test("large patterns do not push out more than they weigh", () => {
  const small = compileRegex("small");
  for (let count = 0; count < 5; count++) compileRegex(`a{${20_000 + count}}`);
  assert.is(compileRegex("small"), small);
});

/** How the work of the engine grows with the text: with its length, its square or cube, or without end. */
const GROWTH: readonly (readonly [pattern: string, growth: number])[] = [
  ["firefox|chrome", 1],
  ["^foo", 0],
  ["^.*foo", 1],
  [".*foo.*", 1],
  ["foo.*bar", 2],
  ["a.*b.*c", 3],
  ["^a.*b.*c", 2],
  [String.raw`\w+@`, 1],
  [String.raw`x\w+@\w+\.com`, 2],
  [String.raw`x(?:\w+\s)*!`, 3],
  ["x(?:ab|cd)*y", 2],
  ["(?:a{2}){3}", 1],
  ["x(?!.*foo)", 2],
  ["(?:a|a)(?:a|a)b", 1],
  ["x(a+)+b", Number.POSITIVE_INFINITY],
  ["x(a|ab)*y", Number.POSITIVE_INFINITY],
  ["x(?:(a+)+b?){1,20}y", Number.POSITIVE_INFINITY],
  ["x(a?)*y", Number.POSITIVE_INFINITY],
  [String.raw`x(?:\w+\s?)*!`, Number.POSITIVE_INFINITY],
  ["(?=(a+)+b)", Number.POSITIVE_INFINITY],
  ["(?<=b(a+)+)x", Number.POSITIVE_INFINITY],
];

for (const [pattern, growth] of GROWTH) {
  test(`${pattern}: the work of the engine is bounded by the text to the power of ${growth}`, () => {
    const stepsFor = boundSearchSteps(simplify(parsePattern(pattern, false).root), "ascii");
    const [short, long] = [stepsFor(10_000), stepsFor(40_000)];
    if (!Number.isFinite(growth)) return assert.is(long, Number.POSITIVE_INFINITY);
    assert.is(Math.round(Math.log(long / short) / Math.log(4)), growth);
  });
}

/** Patterns that are found in the same texts. */
const SIMPLE: readonly (readonly [pattern: string, simpler: string])[] = [
  [".*foo.*", "foo"],
  ["(.*)foo(.*)", "foo"],
  [".+foo.+", ".foo."],
  ["(a*|b)c", "c"],
  ["(?:ab+|c*d)", "ab|d"],
  ["a*b*", ""],
  ["^.*foo", "^.*foo"],
  ["foo.*$", "foo.*$"],
  ["a{2,5}b", "a{2}b"],
  ["(?:a+)", "a"],
];

for (const [pattern, simpler] of SIMPLE) {
  test(`${pattern} is found where ${JSON.stringify(simpler)} is`, () => {
    assert.is(printed(pattern), printed(simpler));
  });
}

function printed(pattern: string): string {
  const { root } = parsePattern(pattern, false);
  return JSON.stringify(simplify(root), (key, value) => (key === "at" || key === "lazy" ? undefined : value));
}

test("the order of trying matters with references, atomic groups and conditions only", () => {
  for (const pattern of ["(a)b", "a*?", "(?=a)", "(?i)(?<x>a)"]) {
    assert.not(isOrderDependent(parsePattern(pattern, false).root), pattern);
  }
  for (const pattern of [String.raw`(a)\1`, "a*+", "(?>a)", "(a)?(?(1)b)", "(?=(?>a))"]) {
    assert.ok(isOrderDependent(parsePattern(pattern, false).root), pattern);
  }
});

test.run();
