// long: 300 s
// Rules and patterns over long texts: they are searched in slices, and only a hostile pattern is refused.

import { suite } from "uvu";
import * as assert from "uvu/assert";
import { EventBatch } from "../../src/domain/batch.js";
import type { JsonObject } from "../../src/domain/json.js";
import { compileRegex } from "../../src/regex/regex.js";
import { categorize, prepareCategoryRules, prepareTagRules, tag } from "../../src/transforms/classify.js";
import { filterKeyvalsRegex } from "../../src/transforms/filter.js";
import { runSteps, type Steps } from "../../src/transforms/steps.js";
import type { PausedTest } from "../../src/transforms/text-test.js";
import { sizeOf } from "../faults/sizes.js";
import { PausingBudget } from "../regex/budget.js";
import { withBuckets } from "./asking.js";

const test = suite("matching");

const RULES = 30;
const WORDS = Array.from({ length: RULES }, (_, at) => `word${at}end`);
/** Characters of the longest text. */
const LARGE = sizeOf("TEXT", { short: 720_000, long: 3_000_000 });
const TIRING = 50_000;
/** What one search may take before it looks at the budget. */
const MOST = TIRING + 200_000;

const picture = (length: number): string => `data:image/png;base64,${"iVBORw0KGgoAAAANSUhEUgAA".repeat(length / 24)}`;

/** Goes through the steps as a query does. */
function driven<T>(steps: Steps<T>, budget: Slices): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    budget.pause();
  }
}

/** A budget that is rested after each pause. */
class Slices extends PausingBudget {
  pause(): void {
    this.answer({ go: () => true });
  }
}

function listOf(...datas: readonly JsonObject[]) {
  return EventBatch.from(datas.map((data, at) => ({ timestamp: at * 1e6, duration: 1e6, data })));
}

const LONG: readonly JsonObject[] = [
  { url: picture(66_000), title: "short" },
  { url: picture(66_000) + WORDS[7], title: "short" },
  { url: picture(LARGE / 3), title: `${picture(200_000)} ${WORDS[3]}` },
  { url: `${picture(LARGE)} é ${WORDS[29]}`, title: WORDS[0] as string },
];

for (const [name, pattern] of [
  ["plain", (word: string) => word],
  ["without case", (word: string) => `(?i)${word.toUpperCase()}`],
  ["as whole words", (word: string) => `\\b${word}\\b|${word}$`],
  ["with a start", (word: string) => `[a-z].*${word}`],
  ["with a reference", (word: string) => `(${word.slice(0, 3)})(?<=\\1)${word.slice(3)}`],
] as const) {
  test(`rules over long values, words ${name}: all are decided, in slices`, () => {
    const budget = new Slices(TIRING);
    const rules = WORDS.map((word) => {
      const regex = compileRegex(pattern(word));
      return { word, matches: (text: string) => regex.test(text, budget) };
    });
    const list = listOf(...LONG, { title: "nothing" }, ...LONG);
    const categories = prepareCategoryRules(
      rules.map(({ word, matches }) => ({ name: [word], matches })),
      budget.isSliceOver,
    );
    const found = driven(categorize(list, categories), budget).datas.map((data) => data["$category"]);
    const none = name === "with a start" ? ["Uncategorized"] : [WORDS[0]];
    const expected = [["Uncategorized"], [WORDS[7]], [WORDS[3]], [WORDS[29]]];
    assert.equal(found, [...expected, ["Uncategorized"], ...expected]);
    assert.ok(budget.pauses > 20, `${budget.pauses} pauses`);
    assert.ok(budget.most <= MOST, `${budget.most} steps without a pause`);
    const tags = prepareTagRules(
      rules.map(({ word, matches }) => ({ name: word, matches })),
      budget.isSliceOver,
    );
    const tagged = driven(tag(list, tags), budget).datas.map((data) => data["$tags"]);
    const both = none[0] === WORDS[0] ? [WORDS[0], WORDS[29]] : [WORDS[29]];
    assert.equal(tagged.slice(0, 5), [[], [WORDS[7]], [WORDS[3]], both, []]);
    const [rule] = rules.slice(7);
    const kept = driven(filterKeyvalsRegex(list, "url", rule?.matches ?? (() => false), budget), budget);
    assert.equal(Array.from(kept.timestamps), [1e6, 6e6]);
    assert.ok(budget.most <= MOST, `${budget.most} steps without a pause`);
  });
}

test("two queries that share rules and data decide alike, in whatever order they take turns", () => {
  const budget = new Slices(1);
  const regexes = WORDS.map((word) => compileRegex(`[a-z].*${word}$`));
  const rules = WORDS.map((word, at) => ({
    name: [word],
    matches: (text: string) => regexes[at]?.test(text, budget) ?? false,
  }));
  const categories = prepareCategoryRules(rules, budget.isSliceOver);
  const list = listOf(...WORDS.map((word, at) => ({ title: `${"ab ".repeat(3_000 + at)}${word}` })));
  const queries = [categorize(list, categories), categorize(list, categories)];
  const results: (readonly JsonObject[])[] = [];
  for (let turn = 0; results.length < queries.length; turn++) {
    // The second one starts later and goes faster.
    const [query] = queries.slice(turn > 20 && turn % 3 > 0 ? 1 : 0);
    const step = query?.next();
    budget.pause();
    if (step?.done && step.value) results.push(step.value.datas);
    if (turn > 100_000) throw new Error("the queries should have ended");
  }
  for (const datas of results)
    assert.equal(
      datas.map((data) => data["$category"]),
      WORDS.map((word) => [word]),
    );
});

test("a search that another query has made superfluous is not taken for that of the next data", () => {
  const slow = (text: string): PausedTest => {
    let left = 3;
    return { go: () => (--left > 0 ? undefined : text === "yes") };
  };
  const rules = prepareCategoryRules([{ name: ["A"], matches: slow }]);
  const list = listOf({ title: "yes" }, { title: "no" });
  const [late, early] = [categorize(list, rules), categorize(list, rules)];
  late.next();
  for (let turn = 0; turn < 5; turn++) early.next();
  const categories = runSteps(late).datas.map((data) => data["$category"]);
  assert.equal(categories, [["A"], ["Uncategorized"]]);
});

test("many rules over one event pause between each other", () => {
  const budget = new Slices(TIRING);
  const rules = WORDS.map((word) => {
    const regex = compileRegex(word);
    return { name: [word], matches: (text: string) => regex.test(text, budget) };
  });
  const text = picture(30_000);
  const list = listOf({ a: text, b: text, c: text });
  const [data] = driven(categorize(list, prepareCategoryRules(rules, budget.isSliceOver)), budget).datas;
  assert.equal(data?.["$category"], ["Uncategorized"]);
  assert.ok(budget.pauses >= RULES, `${budget.pauses} pauses`);
  assert.ok(budget.most <= TIRING + 500_000, `${budget.most} steps without a pause`);
});

test("a decision that wants a pause each time it can comes to its end", () => {
  const budget = new Slices(0);
  const rules = prepareCategoryRules(
    WORDS.map((word) => ({ name: [word], matches: (text: string) => compileRegex(`${word}$`).test(text, budget) })),
    () => true,
  );
  const [data] = driven(categorize(listOf({ a: "x", b: `${"y".repeat(100_000)}${WORDS[5]}` }), rules), budget).datas;
  assert.equal(data?.["$category"], [WORDS[5]]);
});

const ruleText = (regex: string): string => `[["found"], {"type": "regex", "regex": "${regex}"}]`;
const ASKED = `categorize(query_bucket("web"), [${WORDS.map((word) => ruleText(word)).join()}, ${ruleText("last.*one")}])`;

test("a query with thirty rules over a picture of a megabyte is answered", () =>
  withBuckets(
    {
      web: [
        [0, 5, { url: picture(1_000_000) }],
        [10, 7, { url: `${picture(1_000_000)} last, this one` }],
      ],
    },
    async ({ ask }) => {
      const program = `events = filter_keyvals(${ASKED}, "$category", [["found"]]); RETURN = sum_durations(events);`;
      assert.is(await ask(program), 7);
      assert.is(await ask('RETURN = sum_durations(filter_keyvals_regex(query_bucket("web"), "url", "this one$"));'), 7);
    },
  ));

test("a pattern that takes for ever ends its own query, and no other one", () =>
  withBuckets({ web: [[0, 5, { url: `${"a".repeat(45)}b` }]] }, async ({ ask }) => {
    const hostile = (index: number): Promise<unknown> =>
      ask(`i = ${index}; RETURN = filter_keyvals_regex(query_bucket("web"), "url", "^(a|aa)+\\1!$");`);
    const outcomes = await Promise.allSettled([
      hostile(1),
      ask(`RETURN = sum_durations(${ASKED});`),
      hostile(2),
      ask('RETURN = sum_durations(filter_keyvals_regex(query_bucket("web"), "url", "^(a)\\1"));'),
    ]);
    const [first, ordinary, second, reference] = outcomes;
    for (const ended of [first, second]) {
      assert.is(ended?.status === "rejected" && ended.reason.code, "QUERY_TOO_LARGE");
      assert.match(ended?.status === "rejected" ? ended.reason.message : "", /needs too many steps for one string/);
    }
    for (const answered of [ordinary, reference]) assert.is(answered?.status === "fulfilled" && answered.value, 5);
  }));

test("long texts are searched until the time of the query is over, and no shorter limit ends that", () =>
  withBuckets(
    { web: Array.from({ length: 20 }, (_, at) => [at, 1, { url: `${picture(1_000_000)} é${at}` }] as const) },
    async ({ ask }) => {
      const program = 'RETURN = filter_keyvals_regex(query_bucket("web"), "url", "(é|e).*(f|g).*(h|k) [^0-9]$");';
      const error = await ask(program).catch((thrown: Error) => thrown);
      assert.match((error as Error).message, /longer than 100 ms \(queryLimits\.timeMillis\)/);
    },
    { timeMillis: 100 },
  ));

test("the rank of a rule is 10 for each level of its name, where it says nothing else", () =>
  withBuckets({ w: [[0, 5, { app: "a" }]] }, async ({ ask, mistakeIn }) => {
    const winner = async (...rules: readonly unknown[]): Promise<unknown> => {
      const events = await ask(`RETURN = categorize(query_bucket("w"), ${JSON.stringify(rules)});`);
      return (events as { data: JsonObject }[])[0]?.data["$category"];
    };
    const deep = [["A", "B"], { regex: "a" }];
    assert.equal(await winner(deep, [["C"], { regex: "a" }]), ["A", "B"]);
    assert.equal(await winner(deep, [["C"], { regex: "a", priority: 19 }]), ["A", "B"]);
    assert.equal(await winner(deep, [["C"], { regex: "a", weight: 20 }]), ["C"]);
    assert.equal(await winner([["C"], { regex: "a", priority: 21, weight: 1 }], deep), ["C"]);
    const odd = JSON.stringify([["C"], { regex: "a", type: "q".repeat(5_000) }]);
    const { message } = await mistakeIn(`RETURN = categorize([], [${odd}]);`);
    assert.match(message, /type of rule 1 must be regex or none, got 'qqq.*…'/);
    const rank = JSON.stringify([["C"], { regex: "a", weight: "high" }]);
    assert.match(
      (await mistakeIn(`RETURN = categorize([], [${rank}]);`)).message,
      /weight of rule 1 must be an integer, got a string/,
    );
  }));

test.run();
