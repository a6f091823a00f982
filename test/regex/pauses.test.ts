// Long texts are searched in slices. Counted in steps and pauses, not in time.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { compileRegex, type PausedSearch } from "../../src/regex/regex.js";
import { ALWAYS_TIRED, ENDLESS, PausingBudget } from "./budget.js";

const test = suite("regex: pauses");

const raw = String.raw;
const TIRING = 50_000;
/** A window of the engine, or one state of an automaton, comes on top. */
const MOST = TIRING + 200_000;
const MEGABYTE = 1_000_000;

const filler = (length: number, piece = "iVBORw0KGgo "): string =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

/** Patterns that people write, something that they find, and what they search for that in. */
const ORDINARY: readonly (readonly [pattern: string, found: string, among?: string])[] = [
  ["meeting", "meeting"],
  ["(?i)meeting|budget", "BUDGET"],
  [raw`\bmeeting\b`, " meeting "],
  [raw`\bmeeting\b`, " meeting ", "täglich, "],
  [raw`(?<!no )meeting(?! tomorrow)`, "a meeting, "],
  [raw`[A-Z]{3}-\d{1,6}`, "ABC-17"],
  ["über", "über"],
  ["😀[0-9]", "😀7"],
  ["x.*meeting", "x, meeting"],
  [raw`\w+@\w+\.com`, " me@example.com"],
  ["(?m)^meeting$", "\nmeeting\n"],
  [raw`\d$`, "7"],
  [raw`(?:a|b)*z{3}(?:a|b)`, "zzza"],
  ["meeting".repeat(1_000), "meeting".repeat(1_000)],
  [Array.from({ length: 300 }, (_, at) => `word ${at}!`).join("|"), "word 299!"],
];

for (const [pattern, found, among] of ORDINARY) {
  test(`${pattern.slice(0, 40)} is searched for in a megabyte of ${among ?? "ASCII"}, in slices`, () => {
    const regex = compileRegex(pattern);
    const text = filler(MEGABYTE, among);
    for (const [searched, answer] of [
      [text, false],
      [text + found, true],
    ] as const) {
      const budget = new PausingBudget(TIRING);
      assert.is(budget.answer(regex.test(searched, budget)), answer);
      assert.ok(budget.pauses > 1, `${budget.pauses} pauses`);
      assert.ok(budget.most <= MOST, `${budget.most} steps without a pause`);
    }
  });
}

test("what lies across two windows is found, and nothing is found that only the end of a window makes", () => {
  const rows: readonly (readonly [pattern: string, found: string])[] = [
    ["meeting", "meeting"],
    [raw`\bmeeting\b`, " meeting "],
    [raw`(?<=a )meeting(?= b)`, "a meeting b"],
    ["😀😀", "😀😀"],
  ];
  // The window of a short pattern ends near a power of two; every place around it is tried.
  for (const [pattern, found] of rows) {
    const regex = compileRegex(pattern);
    for (let place = 16_384 - 80; place < 16_384 + 20; place++) {
      const text = filler(place, "-") + found + filler(100_000, "-");
      assert.is(new PausingBudget(TIRING).answer(regex.test(text, ENDLESS)), true, `${pattern} at ${place}`);
    }
  }
  for (const pattern of ["^-", "-$", raw`\b-`, raw`-\z|^-`, raw`--\B$`]) {
    const regex = compileRegex(pattern);
    assert.is(
      new PausingBudget(TIRING).answer(regex.test(`.${filler(300_000, "-")}.`, ENDLESS)),
      pattern === "?",
      pattern,
    );
  }
});

test("searches of one expression take turns without knowing of each other", () => {
  const size = 70_000;
  const rows: readonly (readonly [pattern: string, found: string])[] = [
    [raw`\bmeeting\b.*!`, "é meeting !"],
    [raw`(\w)\1\1!`, " aaa!"],
    [raw`(?!.*x)(?<=(?:a|b)c.)!`, "acd!"],
    [raw`(?:a|b|日)*a(?:a|b|日){9}!`, `a${"b日b".repeat(3)}!`],
    ["meeting", "meeting"],
  ];
  for (const [pattern, found] of rows) {
    const regex = compileRegex(pattern);
    const texts = [filler(size), filler(size) + found, filler(size, "ab日"), found + filler(size, "é-1"), found];
    const searches = texts.map((text) => regex.test(text, ALWAYS_TIRED));
    const answers = turns(searches);
    assert.equal(
      answers,
      texts.map((text) => text.includes(found)),
      pattern,
    );
  }
});

/** Lets each search go on for a slice in turn. */
function turns(searches: readonly (boolean | PausedSearch)[]): boolean[] {
  const answers: (boolean | undefined)[] = searches.map((search) => (typeof search === "boolean" ? search : undefined));
  while (answers.includes(undefined)) {
    for (const [index, search] of searches.entries()) {
      if (typeof search !== "boolean") answers[index] ??= search.go();
    }
  }
  return answers.map((answer) => answer === true);
}

test("a search goes on rightly when automata have forgotten everything meanwhile", () => {
  // Counts whether the `a` are even. Its characters get other letters when they are met again in another order.
  const text = `${"ab日日ba".repeat(50_000)}c!`;
  const paused = compileRegex("^(?:[b日]*a[b日]*a)*[b日]*c!$").test(text, ALWAYS_TIRED);
  // More states than are remembered.
  let state = 1;
  const characters = Array.from({ length: 150_000 }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return "ab日".charAt((state >>> 16) % 3);
  });
  const other = compileRegex("[ab日](?:a|b|日)*a(?:a|b|日){14}!").test(characters.join(""), ALWAYS_TIRED);
  if (typeof paused === "boolean" || typeof other === "boolean") throw new Error("both should need a pause");
  for (let slice = 0; other.go() === undefined; slice++) {
    if (slice % 60 === 59) assert.is(paused.go(), undefined);
  }
  assert.is(new PausingBudget(0).answer(paused), true);
});

test.run();
