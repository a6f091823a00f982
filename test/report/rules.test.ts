import { suite } from "uvu";
import * as assert from "uvu/assert";
import { ActivityError } from "../../src/errors.js";
import { createTestServer, type TestServer } from "../../src/testing/index.js";

const test = suite("rules of reports");

const TITLES = ["отчёт за март", "café menu", "Notepad++", "Account 7", "ticket 12", "other"];

/** Patterns that a browser reads differently, or not at all. */
const PATTERNS: readonly (readonly [name: string, regex: string])[] = [
  ["Report", "\\bотчёт\\b"],
  ["Cafe", "caf\\w\\b"],
  ["Editor", "Notepad++"],
  ["Money", "\\AAccount"],
  ["Ticket", "(?P<word>ticket) (?P<number>\\d+)"],
];

async function withTitles(body: (server: TestServer) => Promise<void>): Promise<void> {
  const server = createTestServer({ clock: "2024-03-01T18:00:00Z" });
  try {
    await server.settings.put(
      "classes",
      PATTERNS.map(([name, regex]) => ({ name: [name], rule: { type: "regex", regex } })),
    );
    await server.buckets.create(
      "aw-watcher-window_desk",
      { type: "currentwindow", client: "test", hostname: "desk" },
      TITLES.map((title, index) => ({
        ...{ timestamp: `2024-03-01T10:0${index}:00Z`, duration: "1m" as const, data: { app: "a", title } },
      })),
    );
    await body(server);
  } finally {
    await server.close();
  }
}

const DAY = { date: "2024-03-01", groups: ["category"] };

test("data have the category of reports", () =>
  withTitles(async (server) => {
    const { categories, matches } = await server.classify({
      data: TITLES.map((title) => ({ app: "a", title })),
      filter: ["title~/caf\\w\\b/"],
    });
    assert.equal(categories, [["Report"], ["Cafe"], ["Editor"], ["Money"], ["Ticket"], ["Uncategorized"]]);
    assert.equal(matches, [false, true, false, false, false, false]);
    const { groups } = await server.report({ ...DAY, groups: ["category", "title"] });
    const ofTitle = new Map(groups["title"]?.rows.map((row) => [row.key, row.categories?.[0]?.name]));
    assert.equal(
      TITLES.map((title) => ofTitle.get(title)),
      categories,
    );
  }));

test("an invalid rule never matches data", () =>
  withTitles(async (server) => {
    await server.settings.put("classes", [
      { name: ["Bad"], rule: { type: "regex", regex: "(" } },
      { name: ["Good"], rule: { type: "regex", regex: "menu" } },
    ]);
    const { categories } = await server.classify({ data: [{ title: "café menu" }, { title: "(" }] });
    assert.equal(categories, [["Good"], ["Uncategorized"]]);
  }));

test("a report can try out other categories, and a rule", () =>
  withTitles(async (server) => {
    const categories = [{ name: ["New"], rule: { type: "regex", regex: "MENU|OTHER", ignore_case: true } }];
    const tried = await server.report({ ...DAY, categories });
    assert.equal(
      tried.groups["category"]?.rows.map(({ name, seconds }) => [name, seconds]),
      [
        [["Uncategorized"], 240],
        [["New"], 120],
      ],
    );
    const matching = await server.report({
      ...DAY,
      groups: ["category", "title"],
      rule: { type: "regex", regex: "t$|7" },
    });
    assert.is(matching.totals.active, 60);
    assert.equal(matching.groups["category"]?.rows[0]?.name, ["Money"]);
    const stored = await server.report(DAY);
    assert.is(stored.groups["category"]?.rows.length, 6);
    const both = await server.report({ ...DAY, rule: { regex: "o" }, filter: ["category:Money"] });
    assert.is(both.totals.active, 60);
    assert.is((await server.report({ ...DAY, rule: { type: "none" } })).totals.active, 0);
  }));

test("an invalid category or rule of a request is refused with its position", () =>
  withTitles(async (server) => {
    const good = { name: ["Good"], rule: { type: "regex", regex: "a" } };
    const bad = { name: ["Bad"], rule: { type: "regex", regex: "(" } };
    const refusal = async (request: object): Promise<ActivityError> => {
      const error: unknown = await server.report({ ...DAY, hosts: [], ...request }).catch((thrown: unknown) => thrown);
      assert.ok(ActivityError.is(error));
      assert.is(error.code, "INVALID_INPUT");
      return error;
    };
    const ofCategory = await refusal({ categories: [good, bad] });
    assert.equal(ofCategory.fault?.place, { rule: 2 });
    assert.match(ofCategory.message, /^categories\[1\]: /);
    assert.not.match(ofCategory.fault?.reason ?? "", /Bad|categories/);
    const ofRule = await refusal({ categories: [good], rule: { type: "regex", regex: "(" } });
    assert.equal(ofRule.fault?.place, { field: "rule" });
    assert.equal((await refusal({ categories: [bad], rule: bad.rule })).fault?.place, { field: "rule" });
    assert.match((await refusal({ categories: [{ name: 7 }] })).message, /^categories\[0\] must be a category/);
  }));

test.run();
