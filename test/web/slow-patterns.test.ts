// A link brings a filter: its patterns must not block the page.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createMatcher } from "../../src/web/filter/matcher.js";

const test = suite("patterns of a link");

function matches(pattern: string, text: string): boolean {
  const term = { kind: "matches", not: false, path: undefined, pattern, ignoreCase: true } as never;
  return createMatcher([term], [])({ title: text });
}

test("patterns that may take long are not run in the page", () => {
  const text = `${"a".repeat(1000)}!`;
  for (const pattern of [
    ...["(a+)+$", "(a|a)*$", "(?:a*)*b", "(a?){50}b", "(.+)\\1+b", "a*a*a*a*a*b", ".*.*.*x", "a?a?a?a?b", "(a)\\1"],
    ...[`${"(.|.)".repeat(20)}\\0`, `${"(?:x|(a|a))".repeat(4)}b`, "(a|b)(c|d)(e|f)(g|h)", "a?a?(a|a|a)"],
    ...["(?:a{1,500}){1,500}b", "(?<x>a)\\k<x>", "[(](a|b)+[)]+"],
  ]) {
    assert.is(matches(pattern, text), true, pattern);
  }
});

test("the others are", () => {
  for (const [pattern, text, isFound] of [
    ["foo|bar", "a bar", true],
    ["foo|bar", "baz", false],
    ["foo|bar|one|two|three|four|five|six|seven", "baz", false],
    ["(chrome|firefox|safari|edge|opera|brave|arc) v", "edge x", false],
    ["^foo.*bar$", "foo and bar", true],
    ["^foo.*bar$", "foo", false],
    ["(?:GitHub|GitLab) [*+?]", "gitlab +", true],
    ["a\\+\\?b.+?", "a+?bc", true],
    ["a\\+\\?b.+?", "a+bc", false],
  ] as const) {
    assert.is(matches(pattern, text), isFound, pattern);
  }
});

test.run();
