// Patterns that make other engines stand still. Counted in steps, not in time.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Budget, compileRegex, RegexMemoryError } from "../../src/regex/regex.js";
import { CountingBudget, ENDLESS, OverBudget } from "./budget.js";

const test = suite("regex: hostile patterns");

const raw = String.raw;
const LENGTH = 100_000;
/** Steps for each character of the text, and those for finding the states of the automaton. */
const STEPS_EACH = 8;
const STEPS_MORE = 50_000;

/** The text is repeated up to the length. */
const LINEAR: readonly (readonly [pattern: string, text: string, answer: boolean])[] = [
  ["(a+)+$", "a", true],
  ["(a+)+b", "a", false],
  ["^(a+)+b", "a", false],
  ["(a|a)*b", "a", false],
  ["(a|b)*$", "ab", true],
  ["(?:a|b)*c", "ab", false],
  ["(.*)*x", "y", false],
  [raw`^(\w+\s?)*$`, "word! ", false],
  ["(x+x+)+y", "x", false],
  [raw`\w*\w*\w*\w*\w*!`, "w", false],
  ["(é|e\u0301)*z", "é", false],
  ["(?:a|a)".repeat(30).concat("b"), "a", false],
  ["(?:a?){30}b", "a", false],
  ["(?:(?=a)|(?:))*b", "a", false],
  ["[\\s\\S]*".repeat(20).concat("x"), "y", false],
  ["(?:(?:a|b)*a(?:a|b){12})!", "ab", false],
  ["(a{0,50}){0,50}b", "a", false],
  [raw`(?=(a+)+$)b`, "a", false],
  [raw`(?!(a+)+c)(?<!(a+)+c)z`, "a", false],
  [raw`\p{L}+\p{Lu}+\d+$`, "ДаВ", false],
  [raw`(\b\w+\b\s*)+[^\w\s]$`, "wörd ", false],
];

for (const [pattern, text, answer] of LINEAR) {
  test(`${pattern.slice(0, 40)} takes a few steps for each character`, () => {
    const budget = new CountingBudget(LENGTH * STEPS_EACH + STEPS_MORE);
    const long = text.repeat(LENGTH / text.length);
    assert.is(compileRegex(pattern).test(long, budget), answer);
  });
}

/** Those that only trying one way after the other can decide. */
const ENDED: readonly (readonly [pattern: string, text: string])[] = [
  [raw`(a+)+\1$`, `${"a".repeat(40)}b`],
  [raw`^(a|aa)+\1!$`, `${"a".repeat(45)}b!`],
  [raw`^(\w+\s?)*\1!$`, "word ".repeat(20)],
  [raw`^(?:(?>a)|a)+b$`, `${"a".repeat(45)}cb`],
  [raw`(?=(a+)+\1$)b|(x)\2`, `${"a".repeat(40)}b`],
];

for (const [pattern, text] of ENDED) {
  test(`${pattern} is ended by the budget, and can be used again`, () => {
    const regex = compileRegex(pattern);
    const budget = new CountingBudget(1_000_000);
    assert.throws(
      () => regex.test(text, budget),
      (error: unknown) => error instanceof OverBudget,
    );
    assert.ok(budget.largest < 50_000, `${budget.largest} steps without a question`);
    assert.is(regex.test("", ENDLESS), false);
  });
}

test("a text of a megabyte does not overflow any stack", () => {
  const text = "ab".repeat(500_000);
  for (const pattern of ["(a|b)*", "(a|b)*$", "^(?:a|b)*c", "(?:(?:a)|(?:b))+!", "^(a|b)*?c"]) {
    assert.is(compileRegex(pattern).test(text, ENDLESS), !/[c!]$/.test(pattern), pattern);
  }
  assert.is(compileRegex("^(?>(?:a|b)*)c").test(text, ENDLESS), false);
});

test("a search that needs too much memory says so, and only it fails", () => {
  const regex = compileRegex(raw`^((a|b)*)*\1c`);
  assert.throws(
    () => regex.test("ab".repeat(2_000_000), ENDLESS),
    (error: unknown) => error instanceof RegexMemoryError,
  );
  assert.is(regex.test("ababc", ENDLESS), true);
});

test("an automaton with more states than are remembered finds the same", () => {
  const regex = compileRegex("(?:a|b|日)*a(?:a|b|日){14}!");
  const kinds = ["a", "b", "日"];
  let state = 1;
  const characters = Array.from({ length: 150_000 }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return kinds[(state >>> 16) % 3] as string;
  });
  const text = characters.join("");
  assert.is(regex.test(text, ENDLESS), false);
  assert.is(regex.test(`${text}a${"b".repeat(14)}!`, ENDLESS), true);
  assert.is(regex.test(`${text}${"b".repeat(30)}!`, ENDLESS), false);
});

test("searches that are handed to the engine are reported too", () => {
  const budget = new CountingBudget(100_000);
  const regex = compileRegex("(?i)firefox|chrome|Visual Studio Code");
  const searchOn = (): void => {
    for (;;) regex.test("GitHub - a title of some length - Mozilla Thunderbird", budget);
  };
  assert.throws(searchOn, (error: unknown) => error instanceof OverBudget);
});

test("a budget that throws at once ends any search that is not handed to the engine", () => {
  const refusing: Budget = {
    spend() {
      throw new OverBudget();
    },
  };
  const regex = compileRegex("(a+)+b");
  assert.throws(
    () => regex.test("a".repeat(LENGTH), refusing),
    (error: unknown) => error instanceof OverBudget,
  );
  assert.is(regex.test("aab", ENDLESS), true);
});

test.run();
