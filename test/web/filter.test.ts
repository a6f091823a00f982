// Filters: what reports keep, to the second.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject } from "../../src/domain/json.js";
import { formatTerm, parseTerm } from "../../src/filter/term.js";
import type { TestServer } from "../../src/testing/index.js";
import { type Category, labelOf } from "../../src/web/categories.js";
import { canAssign } from "../../src/web/filter/can-assign.js";
import { printConditions } from "../../src/web/filter/conditions.js";
import { hasOpenPattern } from "../../src/web/filter/escaped.js";
import { foldRows } from "../../src/web/filter/fold.js";
import { termsForEvents } from "../../src/web/filter/for-events.js";
import { findPlacing } from "../../src/web/filter/placing.js";
import { proposalsForFilter, proposalsForWindow, wordOfSite } from "../../src/web/filter/proposals.js";
import { movedSeconds, ruleOf, withRule } from "../../src/web/filter/rule.js";
import { rowLines } from "../../src/web/views/activity/lines.js";
import { withTestServer } from "../harness.js";

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

const CATEGORIES: readonly Category[] = [
  { name: ["Work"], rule: { type: "regex", regex: "Mail" } },
  { name: ["Work", "Thesis"], rule: { type: "regex", regex: "[Tt]hesis" } },
];

type Span = readonly [start: number, length: number, data: JsonObject];
const DAY = "2024-03-01";

/** Runs a server with buckets by type, ID and hostname: `currentwindow w desk`. */
async function withHosts(
  given: Readonly<Record<string, readonly Span[]>>,
  body: (server: TestServer) => Promise<void>,
): Promise<void> {
  await withTestServer({ clock: "2024-04-01T00:00:00Z" }, async (server) => {
    await server.settings.put("classes", JSON.parse(JSON.stringify(CATEGORIES)));
    for (const [key, spans] of Object.entries(given)) {
      const [type = "", id = "", hostname = ""] = key.split(" ");
      const begin = Date.parse(`${DAY}T10:00:00Z`);
      const events = spans.map(([start, length, data]) => ({
        ...{ timestamp: new Date(begin + start * 1000).toISOString(), duration: { seconds: length }, data },
      }));
      await server.buckets.create(id, { type, client: "test", hostname }, events);
    }
    await body(server);
  });
}

const DESK = {
  "currentwindow w desk": BUCKETS.w,
  "afkstatus a desk": BUCKETS.a,
  "web.tab.current aw-watcher-web-firefox desk": BUCKETS["aw-watcher-web-firefox"],
  "app.editor.activity e desk": BUCKETS.e,
};

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
    withHosts(DESK, async (server) => {
      const { totals, groups } = await server.report({ date: DAY, filter, groups: ["site"] });
      assert.is(totals.active, seconds);
      assert.is(groups["site"]?.seconds, ofPages);
    }));
}

test("files count while what the filter keeps is in front", () =>
  withHosts({ ...DESK, "app.editor.activity alone laptop": BUCKETS.e }, async (server) => {
    const durationOf = async (host: string, ...filter: readonly string[]): Promise<unknown> =>
      (await server.report({ date: DAY, hosts: [host], filter, groups: ["project"] })).groups["project"]?.seconds;
    assert.is(await durationOf("desk", "app=Code"), 60);
    assert.is(await durationOf("desk", "app=Mail"), 0);
    assert.is(await durationOf("desk", "project=other"), 0);
    assert.is(await durationOf("laptop", "project=thesis"), 60);
    assert.is(await durationOf("laptop", "thesis"), 60);
    assert.is(await durationOf("laptop", "app=Code"), 0, "unknown what was in front");
  }));

test("phones are filtered by apps and categories", () =>
  withHosts({ "currentwindow aw-watcher-android phone": BUCKETS.w }, async (server) => {
    for (const [filter, seconds] of [
      ["category:Work", 1300],
      ["!app=Firefox", 2500],
    ] as const) {
      assert.is((await server.report({ date: DAY, filter: [filter] })).totals.active, seconds, filter);
    }
  }));

for (const [title, pattern, others] of [
  ["PROJ-123 Fix", "\\bPROJ-\\d+\\b", ["PROJ-7 Else", "New: PROJ-124"]],
  ["(3) Inbox", "^\\(\\d+\\) Inbox$", ["(12) Inbox"]],
  ["Notes", "^Notes$", []],
] as const) {
  test(`the first rule for ${title} also matches what differs in numbers`, () => {
    const [first] = proposalsForWindow({ title });
    assert.is(printConditions(first?.conditions ?? []), pattern);
    for (const one of [title, ...others]) assert.match(one, new RegExp(pattern));
    assert.not.match("XPROJ-1 Notes Inbox", new RegExp(pattern));
  });
}

test("a filter proposes rules by what rules can see, in words", () => {
  const proposed = (...filter: readonly string[]): readonly string[] =>
    proposalsForFilter(filter.map(parseTerm)).map(({ about, conditions }) => `${about}: ${ruleOf(conditions).regex}`);
  assert.equal(proposed("app=Fire.fox"), ["app: ^Fire\\.fox$"]);
  assert.equal(proposed("app=Code", "title=a.ts — acme-shop — Code"), [
    "title: ^a\\.ts — acme-shop — Code$",
    ...["file: a\\.ts", "words: acme-shop", "app: ^Code$"],
  ]);
  assert.equal(proposed("title~/^PROJ-\\d+ a$/")[0], "tickets: \\bPROJ-\\d+\\b");
  assert.equal(proposed("app~/^(?:Code|code-oss)$/"), ["app: ^Code$|^code-oss$"]);
  assert.equal(proposed("app~/^(?:Code|code-oss)$/i"), ["app: ^Code$|^code-oss$"]);
  assert.is(ruleOf(proposalsForFilter([parseTerm("app~/^(?:Code|x)$/i")])[0]?.conditions ?? []).ignore_case, true);
  assert.equal(proposed("project=/home/me/acme-shop", "file=C:\\me\\a.ts"), ["file: a\\.ts", "project: acme-shop"]);
  assert.equal(proposed("a+b", "category:Work", "!title=x"), ["words: a\\+b"]);
  assert.is(ruleOf(proposalsForFilter([parseTerm("a+b")])[0]?.conditions ?? []).ignore_case, true);
  assert.equal(proposed("url=x", "category:Work"), []);
  for (const [filter, isPossible] of [
    [["site=example.org"], true],
    [["x"], true],
    [["file=/a/b.ts"], true],
    [["url=x", "!x", "category:Work"], false],
    [["site~x", "project~x", "file~/x/"], false],
  ] as const) {
    assert.is(canAssign(filter.map(parseTerm)), isPossible);
  }
});

test("a site is found by the text that only its titles have in common", () => {
  const own = [
    { title: "Pull requests · acme/shop - GitHub — Mozilla Firefox", seconds: 60 },
    { title: "Notifications - GitHub — Mozilla Firefox", seconds: 60 },
    { title: "Sign in — Mozilla Firefox", seconds: 30 },
  ];
  const others = [...own, { title: "Weather — Mozilla Firefox", seconds: 90 }, { title: "Sign in", seconds: 90 }];
  assert.is(wordOfSite("www.github.com", own, others), "GitHub");
  assert.is(wordOfSite("example.org", own.slice(2), others), undefined);
  assert.is(wordOfSite("news.ycombinator.com", [{ title: "Ask | Hacker News", seconds: 1 }], []), "Hacker News");
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
  await withHosts({ "currentwindow w desk": events }, async (server) => {
    const timesOf = async (request: object): Promise<{ name: readonly string[]; seconds: number }[]> => {
      const { groups } = await server.report({ date: DAY, groups: ["category"], ...request });
      const rows = groups["category"]?.rows ?? [];
      return rows.flatMap(({ name, own }) => (name && own ? [{ name, seconds: own }] : []));
    };
    const totals = async (list: readonly Category[]): Promise<ReadonlyMap<string, number>> => {
      const times = await timesOf({ categories: list });
      return new Map(times.map(({ name, seconds }) => [labelOf(name), seconds]));
    };
    const rule = { type: "regex", regex: " x" } as const;
    const matched = await timesOf({ categories, rule });
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
  // Rules share it: a category is never named after a title.
  const own = "Other";
  const inCode = [{ name: ["Work", "Code"], seconds: 9 }];
  assert.equal(findPlacing(inCode, categories, ["Reading"], own), {
    ...{ kind: "moves", name: ["Reading", own], seconds: 9, isOwn: true },
  });
  assert.equal(findPlacing(inCode, categories, ["New", "One"], own), {
    ...{ kind: "moves", name: ["New", "One"], seconds: 9, isOwn: false },
  });
  assert.equal(findPlacing(inCode, categories, ["Work"], own), { kind: "there" });
  assert.equal(findPlacing([], categories, ["Work"], own), { kind: "unmatched" });
  const deep = ["Work", "Code", "Page"];
  const matched = [...inCode, { name: deep, seconds: 10 }];
  const withDeep = [...categories, { name: deep, rule: { type: "regex", regex: "page" } as const }];
  assert.equal(findPlacing(matched.slice(1), withDeep, ["Reading"], own), { kind: "beaten", by: deep });
});

test("stored data are told apart likewise, and sites become addresses for them", () =>
  withHosts({}, async (server) => {
    const isKept = async (data: JsonObject, ...filter: readonly string[]): Promise<boolean> =>
      (await server.classify({ data: [data], filter: [...termsForEvents(filter)] })).matches[0] === true;
    const page = { url: "https://www.example.org:8080/a", title: "My thesis" };
    for (const filter of [
      ...["site=example.org", "thesis", "title~MY", "category:Work"],
      ...["!app=Code", "/^My/", "title~/^my/i"],
    ]) {
      assert.ok(await isKept(page, filter), filter);
      assert.not(await isKept(page, filter.startsWith("!") ? filter.slice(1) : `!${filter}`), `not ${filter}`);
    }
    assert.not(await isKept({ url: "https://example.org.evil/" }, "site=example.org"));
    assert.not(await isKept({ url: "https://evil/https://example.org/" }, "site=example.org"));
    assert.equal(termsForEvents(["!app=x", "title~/x"]), ["!app=x", "title~/x"]);
  }));

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

test("a pattern that does not end is found in any text of a link", () => {
  for (const text of ["title~/a", "title~ /a/b", 'x="a" ~/']) assert.ok(hasOpenPattern(text), text);
  for (const text of ["title~a", 'title~/"', "a/b~", ""]) assert.not(hasOpenPattern(text), text);
  assert.not(hasOpenPattern(`title~/${"~/".repeat(500_000)}"`));
});

test.run();
