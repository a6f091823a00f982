import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject } from "../../src/domain/json.js";
import {
  type CategoryRule,
  categorize,
  prepareCategoryRules,
  prepareTagRules,
  type RuleTest,
  type TagRule,
  tag,
} from "../../src/transforms/classify.js";
import { runSteps } from "../../src/transforms/steps.js";
import { apply, eventsOf, idsOf, listOf, type Span } from "./lists.js";

const test = suite("classify");

const has = (part: string): RuleTest => ({ matches: (text) => text.includes(part) });
const DATA: JsonObject = { app: "Code", title: "notes.md", n: 5, list: ["inner"], dict: { k: "inner" }, none: null };

const CATEGORIES: readonly { name: string; rules: readonly CategoryRule[]; category: readonly string[] }[] = [
  { name: "no rule at all", rules: [], category: ["Uncategorized"] },
  { name: "no rule that matches", rules: [{ name: ["A"], ...has("zzz") }], category: ["Uncategorized"] },
  { name: "a rule that never matches", rules: [{ name: ["A"] }], category: ["Uncategorized"] },
  { name: "a rule that matches", rules: [{ name: ["A"], ...has("notes") }], category: ["A"] },
  {
    name: "the deepest category wins",
    rules: [
      { name: ["A", "B"], ...has("Code") },
      { name: ["C"], ...has("notes") },
    ],
    category: ["A", "B"],
  },
  {
    name: "of equal depth the later rule wins",
    rules: [
      { name: ["A"], ...has("Code") },
      { name: ["B"], ...has("Code") },
      { name: ["C"], ...has("zzz") },
    ],
    category: ["B"],
  },
  {
    name: "a rank counts instead of the depth",
    rules: [
      { name: ["A"], rank: 21, ...has("Code") },
      { name: ["B", "C"], ...has("Code") },
    ],
    category: ["A"],
  },
  {
    name: "a rank that equals that of a depth is a tie",
    rules: [
      { name: ["A"], rank: 20, ...has("Code") },
      { name: ["B", "C"], ...has("Code") },
    ],
    category: ["B", "C"],
  },
  {
    name: "a rank may be 0 or negative",
    rules: [
      { name: ["A"], rank: -1, ...has("Code") },
      { name: ["B"], rank: 0, ...has("Code") },
    ],
    category: ["B"],
  },
  {
    name: "a rule without a name is not chosen",
    rules: [
      { name: [], rank: 100, ...has("Code") },
      { name: ["B"], ...has("Code") },
    ],
    category: ["B"],
  },
  {
    name: "only texts at the top are searched",
    rules: [{ name: ["A"], ...has("inner") }],
    category: ["Uncategorized"],
  },
  { name: "numbers are not searched", rules: [{ name: ["A"], ...has("5") }], category: ["Uncategorized"] },
  {
    name: "selected keys are searched",
    rules: [{ name: ["A"], selectKeys: ["zzz", "title"], ...has("notes") }],
    category: ["A"],
  },
  {
    name: "other keys than the selected ones are not searched",
    rules: [{ name: ["A"], selectKeys: ["app", "n", "toString"], ...has("n") }],
    category: ["Uncategorized"],
  },
  { name: "no selected keys mean all", rules: [{ name: ["A"], selectKeys: [], ...has("notes") }], category: ["A"] },
];

for (const { name, rules, category } of CATEGORIES) {
  test(`categorize: ${name}`, () => {
    const [event] = eventsOf(apply((list) => categorize(list, prepareCategoryRules(rules)), listOf([0, 1, DATA])));
    assert.equal(event?.data, { ...DATA, $category: category });
  });
}

test("categorize: a category given before is replaced and not searched", () => {
  const rules = prepareCategoryRules([{ name: ["Code"], ...has("Code") }]);
  const [once] = eventsOf(runSteps(categorize(listOf([0, 1, "Code"]), rules)));
  assert.equal(once?.data, { app: "Code", $category: ["Code"] });
  const other = prepareCategoryRules([{ name: ["New"], selectKeys: ["$category"], ...has("Code") }]);
  const again = runSteps(categorize(runSteps(categorize(listOf([0, 1, "Code"]), rules)), other));
  assert.equal(eventsOf(again)[0]?.data, { app: "Code", $category: ["Uncategorized"] });
});

test("categorize: times and ids stay, and equal data share the result", () => {
  const rules = prepareCategoryRules([{ name: ["A"], ...has("a") }]);
  const list = listOf([0, 1, "a"], [5, 9, "b"], [9, 9, "a"]);
  const result = runSteps(categorize(list, rules));
  assert.is(result.timestamps, list.timestamps);
  assert.is(result.durations, list.durations);
  assert.equal(idsOf(result), [1, 2, 3]);
  assert.is(result.datas[0], result.datas[2]);
  assert.is(runSteps(categorize(list, rules)).datas[0], result.datas[0], "the same rules remember");
});

test("categorize: rules are tried once for each data object, the strongest first", () => {
  const tried: string[] = [];
  const rule = (name: readonly string[], answer: boolean): CategoryRule => ({
    name,
    matches(text) {
      tried.push(`${name.join(">")}: ${text}`);
      return answer;
    },
  });
  const rules = prepareCategoryRules([rule(["A"], true), rule(["A", "B"], false), rule(["C"], true)]);
  const list = listOf([0, 1, "x"], [1, 2, "y"], [2, 3, "x"]);
  runSteps(categorize(list, rules));
  assert.equal(tried, ["A>B: x", "C: x", "A>B: y", "C: y"]);
  runSteps(categorize(list, rules));
  assert.is(tried.length, 4);
});

const TAGS: readonly { name: string; rules: readonly TagRule[]; tags: readonly string[] }[] = [
  { name: "no rule that matches", rules: [{ name: "a", ...has("zzz") }, { name: "n" }], tags: [] },
  {
    name: "names are sorted, each once",
    rules: [
      { name: "x", ...has("o") },
      { name: "b", ...has("Code") },
      { name: "x", ...has("notes") },
    ],
    tags: ["b", "x"],
  },
  {
    name: "one of several rules of a name is enough",
    rules: [{ name: "x", ...has("zzz") }, { name: "x" }, { name: "x", ...has("notes") }],
    tags: ["x"],
  },
  {
    name: "names are sorted by code point",
    rules: ["😀", "\uffff", "\ue000", "é", "z", "Z", "zz", ""].map((name) => ({ name, ...has("o") })),
    tags: ["", "Z", "z", "zz", "é", "\ue000", "\uffff", "😀"],
  },
];

for (const { name, rules, tags } of TAGS) {
  test(`tag: ${name}`, () => {
    const [event] = eventsOf(apply((list) => tag(list, prepareTagRules(rules)), listOf([0, 1, DATA])));
    assert.equal(event?.data, { ...DATA, $tags: tags });
  });
}

test("data without any text are categorized and tagged too", () => {
  const spans: Span[] = [
    [0, 1, {}],
    [1, 2, { app: null, title: true }],
  ];
  const list = listOf(...spans);
  const categories = runSteps(categorize(list, prepareCategoryRules([{ name: ["A"], ...has("") }])));
  assert.equal(eventsOf(categories)[0]?.data, { $category: ["Uncategorized"] });
  const tags = runSteps(tag(list, prepareTagRules([{ name: "a", ...has("") }])));
  assert.equal(eventsOf(tags)[1]?.data, { app: null, title: true, $tags: [] });
});

test.run();
