// Rules in words: what patterns mean, and the patterns of words.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { rulePattern } from "../../src/filter/categories.js";
import { DEFAULT_CLASSES } from "../../src/filter/default-classes.js";
import { type Condition, matchingCondition, printConditions, readConditions } from "../../src/web/filter/conditions.js";
import { withRule } from "../../src/web/filter/rule.js";
import { PROFESSIONS, type Profession, withProfession } from "../../src/web/views/categories/presets.js";
import { siteCandidate, wordCandidates } from "../../src/web/views/categories/words.js";
import { withTestServer } from "../harness.js";

const test = suite("rules in words");

const words = (conditions: readonly Condition[]): readonly string[] =>
  conditions.map(({ kind, text, isCaseless }) => `${kind} ${text}${isCaseless ? " (?i)" : ""}`);

for (const [regex, expected] of [
  ["", []],
  ["acme-shop", ["contains acme-shop"]],
  ["GitHub|^Code$|Disney\\+", ["contains GitHub", "is Code", "contains Disney+"]],
  ["\\bWord\\b|\\bDisney\\+|\\.pdf\\b", ["word Word", "word Disney+", "word .pdf"]],
  ["\\bWord|\\b\\.pdf\\b", ["pattern \\bWord", "pattern \\b\\.pdf\\b"]],
  ["^Slack|\\.pdf$", ["starts Slack", "ends .pdf"]],
  ["^\\(\\d+\\) Inbox$|\\bPROJ-\\d+\\b", ["like (1) Inbox", "tickets PROJ"]],
  ["(?i:thesis)|a\\$|a\\\\$", ["contains thesis (?i)", "contains a$", "ends a\\"]],
  ["a.b|(x|y)|[|]z|c\\|d", ["pattern a.b", "pattern (x|y)", "pattern [|]z", "contains c|d"]],
  ["^v2\\d+$", ["pattern ^v2\\d+$"]],
  ["^v\\d+\\d+$", ["pattern ^v\\d+\\d+$"]],
  ["^$|x", ["pattern ^$", "contains x"]],
  // Not safe to split: what follows depends on what comes before, or everything matches.
  ["(?i)a|b", ["pattern (?i)a|b"]],
  ["(a)|b\\1", ["pattern (a)|b\\1"]],
  ["a||b", ["pattern a||b"]],
  ["a|(", ["pattern a|("]],
  ["[a[|]]|b", ["pattern [a[|]]|b"]],
  ["a\\", ["pattern a\\"]],
] as const) {
  test(`${regex || "nothing"} in words, and back`, () => {
    assert.equal(words(readConditions(regex)), expected);
    assert.is(printConditions(readConditions(regex)), regex);
  });
}

test("the words of the default categories are words", () => {
  const all = DEFAULT_CLASSES.flatMap(({ rule }) => readConditions(rulePattern(rule) ?? ""));
  assert.ok(all.length > 50 && all.every(({ kind, text }) => kind === (text.endsWith("_") ? "contains" : "word")));
});

test("the default categories match no parts of longer words", () => {
  const categoryOf = (title: string): readonly string[] | undefined =>
    DEFAULT_CLASSES.findLast(({ rule }) => matchingCondition(rule, { title }) !== undefined)?.name;
  for (const title of ["My password", "organized", "a complex circle", "homepages"]) {
    assert.is(categoryOf(title), undefined, title);
  }
  assert.equal(categoryOf("Letter - Word"), ["Work", "Documents"]);
  assert.equal(categoryOf("thesis.pdf"), ["Work", "Documents"]);
  assert.equal(categoryOf("Disney+ | Home"), ["Media", "Video"]);
});

test("the default categories match apps that add to their names", () => {
  for (const [app, name] of [
    ["WindowsTerminal.exe", "Programming"],
    ["pycharm64.exe", "Programming"],
    ["Gvim", "Programming"],
    ["WINWORD.EXE", "Documents"],
    ["TelegramDesktop", "Chat"],
    ["steam_app_570", "Games"],
    ["steamwebhelper", "Games"],
  ] as const) {
    assert.is(
      DEFAULT_CLASSES.findLast(({ rule }) => matchingCondition(rule, { app }) !== undefined)?.name.at(-1),
      name,
    );
  }
});

test("conditions without a text match nothing", () => {
  assert.is(printConditions([{ kind: "contains", text: "" }]), "");
  assert.is(
    printConditions([
      { kind: "contains", text: "a" },
      { kind: "is", text: "" },
    ]),
    "a",
  );
});

test("conditions match what the server says", () =>
  withTestServer({}, async (server) => {
    const texts = [
      "Code",
      "code",
      "(12) Inbox",
      "PROJ-7 Fix the [door]",
      "proj-7",
      "a.pdf",
      "a.pdf.bak",
      "größe C++",
      "文件Word文件",
      "Worden",
      "Word",
    ];
    const given: readonly Condition[] = [
      ...texts.flatMap((text): Condition[] => [
        { kind: "is", text },
        { kind: "contains", text, isCaseless: true },
        { kind: "like", text },
      ]),
      { kind: "tickets", text: "PROJ" },
      { kind: "starts", text: "a." },
      { kind: "ends", text: ".pdf" },
      { kind: "contains", text: "[door]" },
      ...["Word", "C++", "größe", "отчёт"].map((text): Condition => ({ kind: "word", text })),
    ];
    for (const ignore_case of [false, true]) {
      for (const condition of given) {
        const rule = { type: "regex", regex: printConditions([condition]), ignore_case };
        await server.settings.put("classes", [{ name: ["Found"], rule }]);
        const { categories } = await server.classify({ data: texts.map((title) => ({ title })) });
        const found = texts.filter((title) => matchingCondition(rule, { title }) !== undefined);
        const expected = texts.filter((_, at) => categories[at]?.[0] === "Found");
        assert.equal(found, expected, `${words([condition])} ${ignore_case}`);
      }
    }
  }));

test("the condition that applies is found, else a pattern that may", () => {
  const rule = { type: "regex", regex: "x.y|GitHub|^Code$" };
  assert.equal(matchingCondition(rule, { app: "Code", title: "a" }), { kind: "is", text: "Code" });
  assert.equal(matchingCondition(rule, { app: "Firefox", title: "b" }), { kind: "pattern", text: "x.y" });
  assert.is(matchingCondition({ type: "regex", regex: "GitHub" }, { app: "Firefox", title: "b" }), undefined);
});

test("a rule that ignores case stays so next to one that does not", () => {
  const categories = [{ name: ["A"], rule: { type: "regex", regex: "Mail" } }];
  const [joined] = withRule(categories, ["A"], { type: "regex", regex: "news|^a$", ignore_case: true });
  assert.is(joined?.rule.regex, "Mail|(?i:news)|(?i:^a$)");
});

test("words of uncategorized titles have the time that they would move", () => {
  const category = ["Uncategorized"];
  const titles = [
    { app: "Code", title: "a.ts — acme-shop — Code", duration: 60, category },
    { app: "Code", title: "b.ts — acme-shop — Code", duration: 30, category },
    { app: "Firefox", title: "acme-shop: Orders — Mozilla Firefox", duration: 9, category },
    { app: "Firefox", title: "12:30", duration: 5, category },
  ];
  const found = wordCandidates(titles, ["ORDERS"]);
  assert.equal(
    found.map(({ label, seconds }) => [label, seconds]),
    [
      ["acme-shop", 99],
      ["a.ts", 60],
      ["b.ts", 30],
    ],
  );
  assert.equal(siteCandidate("acme.example", "acme-shop: ", titles), {
    ...{ label: "acme.example", condition: { kind: "contains", text: "acme-shop: " }, seconds: 9 },
  });
});

test("categories of each profession are added below work, once, and keep what is there", () => {
  const nameOf = (name: string): string => name.toUpperCase();
  for (const profession of Object.keys(PROFESSIONS) as Profession[]) {
    const fresh = withProfession([], profession, nameOf);
    assert.equal(fresh[0]?.name, ["WORK"]);
    assert.ok(fresh.length > 3 && fresh.slice(1).every(({ name, rule }) => name[0] === "WORK" && rule.ignore_case));
    assert.equal(withProfession(fresh, profession, nameOf), fresh, profession);
  }
  const own = [
    { name: ["Work", "PLANNING"], rule: { type: "regex", regex: "Jira|My list" }, data: { color: "#123456" } },
  ];
  const [work, ...others] = withProfession(own, "developer", nameOf).filter(({ name }) => name.length === 1);
  assert.equal([work?.name, others], [["Work"], []]);
  const planning = withProfession(own, "developer", nameOf)[0];
  assert.is(rulePattern(planning?.rule ?? {}), "Jira|My list|(?i:^Linear$)|(?i:Trello)|(?i:Asana)|(?i:Kanban)");
  assert.equal(planning?.data, { color: "#123456" });
  const mine = [{ name: ["Work", "REFERENCE"], rule: { type: "regex", regex: "My wiki" } }];
  const once = withProfession(mine, "developer", nameOf);
  assert.equal(withProfession(once, "developer", nameOf), once);
});

test.run();
