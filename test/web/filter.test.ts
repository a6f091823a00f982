// Filters as programs: what they keep, to the second.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject } from "../../src/domain/json.js";
import { formatTerm, parseTerm } from "../../src/filter/term.js";
import { type Category, labelOf } from "../../src/web/categories.js";
import { hostEditorsProgram } from "../../src/web/editor-programs.js";
import { foldRows } from "../../src/web/filter/fold.js";
import { termsForEvents } from "../../src/web/filter/for-events.js";
import { matchProgram } from "../../src/web/filter/match-program.js";
import { createMatcher } from "../../src/web/filter/matcher.js";
import { findPlacing, nameOfRule } from "../../src/web/filter/placing.js";
import { movedSeconds, patternOfTitle, suggestedRule, withRule } from "../../src/web/filter/rule.js";
import {
  androidProgram,
  type Classifying,
  desktopProgram,
  type HostSource,
  multideviceProgram,
} from "../../src/web/programs.js";
import { rowLines } from "../../src/web/views/activity/lines.js";
import { readCategoryTimes } from "../../src/web/views/activity/results.js";
import { sourceOf } from "../../src/web/views/activity/source.js";
import { withBuckets } from "../query/asking.js";

const test = suite("filter");

const BUCKETS = {
  w: [
    [0, 100, { app: "Code", title: "thesis.tex" }],
    [100, 200, { app: "Firefox", title: "News" }],
    [300, 400, { app: "Firefox", title: "My Thesis - Docs" }],
    [700, 800, { app: "Mail", title: "PROJ-7: 50% (a)" }],
    [1500, 1600, { app: 5, title: "C:\\" }],
  ],
  a: [[0, 3000, { status: "not-afk" }]],
  "aw-watcher-web-firefox": [
    [100, 50, { url: "https://news.example/a", title: "A" }],
    [150, 550, { url: "https://docs.example/thesis", title: "T" }],
  ],
  e: [[0, 60, { file: "/thesis/a.tex", language: "tex", project: "thesis" }]],
} as const;

const RULES: Classifying["rules"] = [
  [["Work"], { type: "regex", regex: "Mail" }],
  [["Work", "Thesis"], { type: "regex", regex: "[Tt]hesis" }],
];
const DESK = { window: "w", afk: "a", browsers: ["aw-watcher-web-firefox"], editors: ["e"] } as const;

function classifying(...filter: readonly string[]): Classifying {
  const names = RULES.map(([name]) => name);
  return { rules: RULES, filtering: { terms: filter.map(parseTerm), names } };
}

interface Answer {
  readonly window: { readonly duration: number };
  readonly browser: { readonly duration: number };
}

for (const [filter, seconds, ofPages] of [
  [["app=Code"], 100, 0],
  [["!app=Code"], 2900, 600],
  [["app=5"], 1500, 0],
  [["title=C:\\"], 1500, 0],
  [["!title=C:\\"], 1500, 600],
  [["title~thesis"], 500, 400],
  [["!title~thesis"], 2500, 200],
  [["title~/^PROJ-\\d+/"], 800, 0],
  [["title~/^proj-\\d+/"], 0, 0],
  [["title~/^proj-\\d+/i"], 800, 0],
  [["title~50% (a"], 800, 0],
  [["category:Work"], 1300, 400],
  [["category:Work > Thesis"], 500, 400],
  [["!category:Work"], 1700, 200],
  [["category:Uncategorized"], 1700, 200],
  [["category:Nothing"], 0, 0],
  // What is left of the windows besides the site is told to them by its pages.
  [["site=docs.example"], 550, 550],
  [["!site=docs.example"], 2450, 50],
  [["site=docs.example", "title=News"], 150, 150],
  [["project=thesis"], 60, 0],
  [["!project=thesis"], 2940, 600],
  // Windows, pages and files.
  [["thesis"], 650, 550],
  [["!thesis"], 2350, 50],
  [["thesis", "!app=Code"], 550, 550],
] as const) {
  test(`${filter.join(" and ")} keeps ${seconds} seconds, ${ofPages} of them with pages`, () =>
    withBuckets(BUCKETS, async ({ ask }) => {
      const { window, browser } = (await ask(desktopProgram(DESK, classifying(...filter)))) as unknown as Answer;
      assert.is(window.duration, seconds);
      assert.is(browser.duration, ofPages);
      const sources: readonly HostSource[] = [{ kind: "desktop", ...DESK }];
      const all = (await ask(multideviceProgram(sources, classifying(...filter)))) as unknown as Answer;
      assert.is(all.window.duration, seconds, "several hosts");
    }));
}

test("files count while what the filter keeps is in front", () =>
  withBuckets(BUCKETS, async ({ ask }) => {
    const durationOf = async (host: typeof DESK | undefined, ...filter: readonly string[]): Promise<unknown> =>
      ((await ask(hostEditorsProgram([{ editors: ["e"], host }], classifying(...filter)))) as JsonObject)["duration"];
    assert.is(await durationOf(DESK, "app=Code"), 60);
    assert.is(await durationOf(DESK, "app=Mail"), 0);
    assert.is(await durationOf(DESK, "project=other"), 0);
    assert.is(await durationOf(undefined, "project=thesis"), 60);
    assert.is(await durationOf(undefined, "thesis"), 60);
    assert.is(await durationOf(undefined, "app=Code"), 0, "nobody knows what was in front");
  }));

test("phones are filtered by apps and categories", () =>
  withBuckets({ p: BUCKETS.w }, async ({ ask }) => {
    for (const [filter, seconds] of [
      ["category:Work", 1300],
      ["!app=Firefox", 2500],
    ] as const) {
      const answer = (await ask(androidProgram("p", classifying(filter)))) as JsonObject;
      assert.is(answer["duration"], seconds, filter);
    }
  }));

for (const [title, pattern, others] of [
  ["PROJ-123 Fix", "\\bPROJ-\\d+\\b", ["PROJ-7 Else", "New: PROJ-124"]],
  ["(3) Inbox", "^\\(\\d+\\) Inbox$", ["(12) Inbox"]],
  ["Notes", "^Notes$", []],
] as const) {
  test(`the rule for ${title} also matches what differs in numbers`, () => {
    assert.is(patternOfTitle(title), pattern);
    for (const one of [title, ...others]) assert.match(one, new RegExp(pattern));
    assert.not.match("XPROJ-1 Notes Inbox", new RegExp(pattern));
  });
}

test("a filter suggests a rule by what rules can see", () => {
  const regexOf = (...filter: readonly string[]): string | undefined => suggestedRule(filter.map(parseTerm))?.regex;
  assert.is(regexOf("app=Fire.fox"), "^Fire\\.fox$");
  assert.is(regexOf("app=Firefox", "title=PROJ-1 a"), "\\bPROJ-\\d+\\b");
  assert.is(regexOf("title~/^PROJ-\\d+ a$/"), "\\bPROJ-\\d+\\b");
  assert.is(regexOf("a+b", "category:Work", "!title=x"), "a\\+b");
  assert.is(regexOf("site=example.org", "category:Work"), undefined);
});

test("what moves is what no stronger rule matches", async () => {
  const categories: readonly Category[] = [
    { name: ["A"], rule: { type: "regex", regex: "aaa" } },
    { name: ["B"], rule: { type: "regex", regex: "bbb" } },
    { name: ["A", "C"], rule: { type: "regex", regex: "ccc" } },
  ];
  const events = ["aaa x", "bbb x", "ccc x", "ddd x", "eee"].map(
    (title, at) => [at * 100, 100, { app: "App", title }] as const,
  );
  await withBuckets({ w: events }, async ({ ask }) => {
    const totals = async (list: readonly Category[]): Promise<ReadonlyMap<string, number>> => {
      const rules = list.map(({ name, rule }) => [name, rule] as const);
      const answer = await ask(desktopProgram({ window: "w", browsers: [] }, { rules }, { onlyCategories: true }));
      return new Map(readCategoryTimes(answer).map(({ name, seconds }) => [labelOf(name), seconds]));
    };
    const sourceOfAll = sourceOf({ kind: "one", host: "w" }, []);
    const source = { ...sourceOfAll, sources: [{ kind: "desktop" as const, window: "w", browsers: [] }] };
    const rule = { type: "regex", regex: " x" } as const;
    const rules = categories.map((one) => [one.name, one.rule] as const);
    const matched = readCategoryTimes(await ask(matchProgram(source, { rules }, rule)));
    for (const [target, seconds] of [
      [["A"], 100],
      [["B"], 200],
      [["A", "C"], 300],
      [["New"], 300],
      [["New", "One"], 400],
    ] as const) {
      assert.is(movedSeconds(matched, categories, target), seconds, labelOf(target));
      const before = (await totals(categories)).get(labelOf(target)) ?? 0;
      const after = (await totals(withRule(categories, target, rule))).get(labelOf(target)) ?? 0;
      assert.is(after - before, seconds, labelOf(target));
    }
  });
});

test("a rule goes where it wins: below what was chosen when the time has a deeper category", () => {
  const categories: readonly Category[] = [
    { name: ["Work"], rule: { type: "none" } },
    { name: ["Work", "Code"], rule: { type: "regex", regex: "Code" } },
    { name: ["Reading"], rule: { type: "regex", regex: "News" } },
  ];
  const rule = { type: "regex", regex: patternOfTitle("page 3 of a+b.html") } as const;
  const own = "page # of a+b.html";
  const inCode = [{ name: ["Work", "Code"], seconds: 9 }];
  assert.equal(findPlacing(inCode, categories, ["Reading"], rule), {
    ...{ kind: "moves", name: ["Reading", own], seconds: 9, isOwn: true },
  });
  assert.equal(findPlacing(inCode, categories, ["New", "One"], rule), {
    ...{ kind: "moves", name: ["New", "One"], seconds: 9, isOwn: false },
  });
  assert.equal(findPlacing(inCode, categories, ["Work"], rule), { kind: "there" });
  assert.equal(findPlacing([], categories, ["Work"], rule), { kind: "unmatched" });
  const deep = ["Work", "Code", "Page"];
  const matched = [...inCode, { name: deep, seconds: 10 }];
  const withDeep = [...categories, { name: deep, rule: { type: "regex", regex: "page" } as const }];
  assert.equal(findPlacing(matched.slice(1), withDeep, ["Reading"], rule), { kind: "beaten", by: deep });
  for (const [regex, name] of [
    ["\\bPROJ-\\d+\\b", "PROJ-#"],
    ["^C:\\\\b \\$$", "C:\\b $"],
    ["^\\d+$", "#"],
    ["^$", "^$"],
  ] as const) {
    assert.is(nameOfRule(regex), name);
  }
});

test("data that the page has are told apart likewise, and sites become addresses for events", () => {
  const categories = RULES.map(([name, rule]) => ({ name, rule }));
  const isKept = (data: JsonObject, ...filter: readonly string[]): boolean =>
    createMatcher(filter.map(parseTerm), categories)(data);
  const page = { url: "https://www.example.org:8080/a", title: "My thesis" };
  for (const filter of [
    "site=example.org",
    "thesis",
    "title~MY",
    "category:Work",
    "!app=Code",
    "/^My/",
    "title~/^my/i",
  ]) {
    assert.ok(isKept(page, filter), filter);
    assert.not(isKept(page, filter.startsWith("!") ? filter.slice(1) : `!${filter}`), `not ${filter}`);
  }
  const [pattern = ""] = termsForEvents(["site=example.org"]);
  assert.ok(isKept(page, pattern), pattern);
  assert.not(isKept({ url: "https://example.org.evil/" }, pattern));
  assert.not(isKept({ url: "https://evil/https://example.org/" }, pattern));
  assert.equal(termsForEvents(["!app=x", "title~/x"]), ["!app=x", "title~/x"]);
});

test("a condition is read back as it was written", () => {
  for (const text of ["thesis", "!thesis", "title~a=b", "app=a~b", "!title~/^a\\d+$/", "category:A > B", "/x/i"]) {
    assert.is(formatTerm(parseTerm(text)), text);
  }
});

test("a row is folded when it is several, not when somebody wrote the sign of a number", () => {
  const rows = ["C# tutorial", "#general", "Film 1", "2FA", "Film 2", "3FA"].map((label, at) => ({
    ...{ key: label, label, seconds: 10 - at },
  }));
  assert.equal(
    rowLines(foldRows(rows), undefined).map(({ label, isFolded = false }) => [label, isFolded]),
    [
      ["Film #", true],
      ["#FA", true],
      ["C# tutorial", false],
      ["#general", false],
    ],
  );
});

test.run();
