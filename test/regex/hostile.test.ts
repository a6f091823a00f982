// long: 300 s
// Patterns that make other engines stand still. Counted in steps, not in time.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Budget, compileRegex, RegexLimitError } from "../../src/regex/regex.js";
import { sampleOf } from "../faults/sizes.js";
import { answerOf, CountingBudget, ENDLESS, OverBudget, PausingBudget } from "./budget.js";

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
  ["[ab](?:a|b)*a(?:a|b){12}!", "ab", false],
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
    assert.is(answerOf(compileRegex(pattern).test(long, budget)), answer);
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

test("trying one way after the other ends after so many steps, always the same, where nothing else ends it", () => {
  const [pattern, text] = ENDED[1] as (typeof ENDED)[number];
  const [first, second] = [new CountingBudget(), new CountingBudget()];
  for (const budget of [first, second]) assert.throws(() => compileRegex(pattern).test(text, budget), isLimitError);
  assert.is(first.steps, second.steps);
});

test("trying one way after the other pauses, wherever it is", () => {
  for (const [pattern, text] of sampleOf(ENDED.slice(3).reverse(), 2)) {
    const budget = new PausingBudget(10_000);
    assert.throws(() => budget.answer(compileRegex(pattern).test(text, budget)), isLimitError, pattern);
    assert.ok(budget.pauses > 1_000, `${pattern}: ${budget.pauses} pauses`);
    assert.ok(budget.most < 20_000, `${pattern}: ${budget.most} steps without a pause`);
  }
});

test("an ordinary reference in a long text is found, in slices", () => {
  const words = Array.from({ length: 20_000 }, (_, at) => `word${at} `).join("");
  for (const [end, answer] of [
    ["", false],
    ["same same!", true],
  ] as const) {
    const budget = new PausingBudget(10_000);
    assert.is(budget.answer(compileRegex(raw`\b(\w+) \1!`).test(words + end, budget)), answer);
    assert.ok(budget.pauses > 10, `${budget.pauses} pauses`);
    assert.ok(budget.most < 20_000, `${budget.most} steps without a pause`);
  }
});

test("a long group that is repeated in the other case is compared in slices", () => {
  const half = "aB\u{10400}".repeat(30_000);
  const regex = compileRegex("(?i)^(.*),\\1$");
  for (const [other, answer] of [
    [half.toUpperCase(), true],
    [half.toLowerCase(), true],
    [`${half.slice(0, -2)}xx`, false],
    [half.slice(2), false],
  ] as const) {
    const budget = new PausingBudget(1_000);
    assert.is(budget.answer(regex.test(`${half},${other}`, budget)), answer);
    assert.ok(budget.pauses > 10, `${budget.pauses} pauses`);
  }
});

test("a text of a megabyte does not overflow any stack", () => {
  const text = "ab".repeat(500_000);
  for (const pattern of ["(a|b)*", "(a|b)*$", "^(?:a|b)*c", "(?:(?:a)|(?:b))+!", "^(a|b)*?c"]) {
    assert.is(answerOf(compileRegex(pattern).test(text, ENDLESS)), !/[c!]$/.test(pattern), pattern);
  }
  assert.is(answerOf(compileRegex("^(?>(?:a|b)*)c").test(text, ENDLESS)), false);
});

test("a search that needs too much memory says so, and only it fails", () => {
  const regex = compileRegex(raw`^((a|b)*)*\1c`);
  assert.throws(
    () => regex.test("ab".repeat(2_000_000), ENDLESS),
    (error: unknown) => error instanceof RegexLimitError,
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

function isLimitError(error: unknown): boolean {
  return error instanceof RegexLimitError && /too many steps/.test(error.message);
}

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
