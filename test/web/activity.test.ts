// What the activity view is made of: the choice of buckets, the reading of answers, the scale.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { ActivityClientError } from "../../src/client/errors.js";
import type { ClientBucket } from "../../src/client/index.js";
import type { Fault } from "../../src/domain/fault.js";
import { ActivityError } from "../../src/errors.js";
import { createActivityServer } from "../../src/index.js";
import { extentOf } from "../../src/web/views/activity/extent.js";
import { isRefusal } from "../../src/web/views/activity/find-rejected.js";
import { excludeRejected } from "../../src/web/views/activity/rejected.js";
import {
  categoryRows,
  readCategoryTimes,
  readProjects,
  readSummary,
  sumByTopCategory,
} from "../../src/web/views/activity/results.js";
import { formatLine, linesFor } from "../../src/web/views/activity/scale.js";
import { choosableHosts, firstHost, programOf, sourceOf } from "../../src/web/views/activity/source.js";

const test = suite("activity");

function bucket(id: string, type: string, hostname: string, end: string | null = null): ClientBucket {
  const created = "2024-03-01T00:00:00Z";
  const metadata = { start: end && created, end };
  return { ...{ id, type, hostname, created, metadata }, name: null, client: "c", data: {}, last_updated: end };
}

const BUCKETS = [
  bucket("aw-watcher-window_desk", "currentwindow", "desk", "2024-03-01T10:00:00Z"),
  bucket("aw-watcher-afk_desk", "afkstatus", "desk", "2024-03-01T10:00:00Z"),
  bucket("aw-watcher-web-firefox_desk", "web.tab.current", "desk"),
  bucket("aw-watcher-web-chrome", "web.tab.current", "unknown"),
  bucket("aw-watcher-web-brave_mini", "web.tab.current", "mini"),
  bucket("aw-watcher-vim_desk", "app.editor.activity", "desk"),
  bucket("aw-watcher-vscode", "app.editor.activity", "unknown"),
  bucket("my-windows", "currentwindow", "mini", "2024-03-02T10:00:00Z"),
  bucket("other-windows", "currentwindow", "mini", "2024-03-03T10:00:00Z"),
  bucket("aw-watcher-android-test", "currentwindow", "phone", "2024-02-01T10:00:00Z"),
  bucket("screen", "app", "ipad"),
  bucket("aw-watcher-afk___proto__", "afkstatus", "__proto__"),
];

/** A refusal as a client has it, whatever the words. */
function refusal({ fault }: { readonly fault?: Fault }): ActivityClientError {
  return new ActivityClientError("REFUSED", "", { status: 400, serverMessage: "no", fault });
}

function of(host: string): ReturnType<typeof sourceOf> {
  return sourceOf({ kind: "one", host }, BUCKETS);
}

test("a computer is made of its own buckets and of those that do not know their host", () => {
  assert.equal(of("desk").sources, [
    {
      kind: "desktop",
      window: "aw-watcher-window_desk",
      afk: "aw-watcher-afk_desk",
      browsers: ["aw-watcher-web-chrome", "aw-watcher-web-firefox_desk"],
      editors: ["aw-watcher-vim_desk", "aw-watcher-vscode"],
    },
  ]);
  assert.equal(of("desk").editors, ["aw-watcher-vim_desk", "aw-watcher-vscode"]);
  assert.ok(of("desk").hasSites);
});

test("of several buckets of windows that of the usual watcher counts, else the newest one", () => {
  assert.is(of("mini").sources[0]?.window, "other-windows");
  const both = [
    bucket("aw-watcher-window_x", "currentwindow", "x", "2024-03-01T10:00:00Z"),
    bucket("aw-watcher-window_other", "currentwindow", "x", "2031-03-01T10:00:00Z"),
  ];
  assert.is(sourceOf({ kind: "one", host: "x" }, both).sources[0]?.window, "aw-watcher-window_x");
});

test("phones are asked as phones, and hosts without windows not at all", () => {
  assert.equal(of("phone").sources, [{ kind: "android", window: "aw-watcher-android-test" }]);
  assert.equal(of("ipad").sources, [{ kind: "android", window: "screen" }]);
  for (const host of ["__proto__", "constructor", "nobody"]) {
    assert.equal(of(host).sources, [], host);
    assert.is(programOf(of(host), { rules: [] }), undefined, host);
  }
});

test("all hosts are those with windows, in the order of their names", () => {
  const { sources, hasSites, editors } = sourceOf({ kind: "all" }, BUCKETS);
  assert.equal(
    sources.map(({ window }) => window),
    ["aw-watcher-window_desk", "screen", "other-windows", "aw-watcher-android-test"],
  );
  assert.not(hasSites);
  assert.is(editors.length, 2);
});

test("editors belong to the presence at their host, and those of no host to that of the only one", () => {
  const [desk] = of("desk").sources;
  assert.equal(of("desk").hostEditors, [{ editors: ["aw-watcher-vim_desk", "aw-watcher-vscode"], host: desk }]);
  const all = sourceOf({ kind: "all" }, BUCKETS);
  assert.equal(all.hostEditors, [
    { editors: ["aw-watcher-vim_desk"], host: { ...desk, editors: ["aw-watcher-vim_desk"] } },
    { editors: ["aw-watcher-vscode"], host: undefined },
  ]);
  assert.ok(all.hasHiddenSites);
  assert.not(of("desk").hasHiddenSites);
});

test("the host of the server comes first, else the one with the newest windows", () => {
  assert.is(firstHost(BUCKETS, "desk"), "desk");
  assert.is(firstHost(BUCKETS, "server"), "mini");
  assert.is(firstHost([], "server"), undefined);
  assert.equal(choosableHosts(BUCKETS), ["desk", "ipad", "mini", "phone", "unknown"]);
});

test("buckets tell from when to when there are events", () => {
  assert.is(extentOf([bucket("a", "t", "h")]), undefined);
  assert.equal(extentOf(BUCKETS), {
    start: Date.parse("2024-03-01T00:00:00Z"),
    end: Date.parse("2024-03-03T10:00:00Z"),
  });
});

test("categories are added up along the tree, the longest of neighbours first", () => {
  const times = [
    { name: ["Media"], seconds: 50 },
    { name: ["Work", "Programming", "Web"], seconds: 30 },
    { name: ["Work", "Mail"], seconds: 40 },
    { name: ["Work"], seconds: 5 },
    { name: ["Media", "Work"], seconds: 1 },
    { name: ["__proto__", "constructor"], seconds: 2 },
  ];
  assert.equal(
    categoryRows(times).map(({ name, seconds }) => `${name.join(">")} ${seconds}`),
    [
      ...["Work 75", "Work>Mail 40", "Work>Programming 30", "Work>Programming>Web 30"],
      ...["Media 51", "Media>Work 1", "__proto__ 2", "__proto__>constructor 2"],
    ],
  );
  assert.equal(
    [...sumByTopCategory(times)],
    [
      ["Work", 75],
      ["Media", 51],
      ["__proto__", 2],
    ],
  );
});

const STRANGE = [null, 5, [], "text", {}, { window: null }, { window: { app_events: [null, 3, { data: 4 }] } }];

for (const answer of STRANGE) {
  test(`the answer ${JSON.stringify(answer)} is read as nothing`, () => {
    assert.equal(readSummary(answer), { seconds: 0, apps: [], titles: [], categories: [], sites: [] });
    assert.equal(readCategoryTimes(answer), []);
  });
}

test("what is no text is shown as JSON, what took no time not at all", () => {
  const events = [
    { duration: 2, data: { app: { a: [1] }, title: 7, $category: ["A", 3] } },
    { duration: 1, data: { title: null } },
    { duration: 0, data: { app: "x" } },
    { duration: -1, data: { app: "y" } },
  ];
  const { apps, titles, seconds } = readSummary({ app_events: events, title_events: events, duration: 3 });
  assert.is(seconds, 3);
  assert.equal(
    apps.map(({ label, seconds }) => [label, seconds]),
    [
      ['{"a":[1]}', 2],
      ["", 1],
    ],
  );
  assert.equal(
    titles.map(({ label, note, category }) => [label, note, category]),
    [
      ["7", '{"a":[1]}', ["A", "3"]],
      ["", "", ["Uncategorized"]],
    ],
  );
});

test("what a list has no name for is a line of it, unless the list was cut or the rest is rounding", () => {
  const group = (duration: number, app: string) => ({ duration, data: { app } });
  const shown = (apps: readonly { duration: number; data: { app: string } }[], duration: number) =>
    readSummary({ window: { app_events: [...apps], duration } }).apps.map(({ label, seconds }) => [label, seconds]);
  assert.equal(shown([group(50, "A"), group(10, "B")], 80), [
    ["A", 50],
    ["", 20],
    ["B", 10],
  ]);
  assert.equal(shown([group(50, "A"), group(10, "")], 100), [
    ["A", 50],
    ["", 50],
  ]);
  assert.equal(shown([], 5), [["", 5]]);
  assert.equal(shown([group(50, "A")], 51), [["A", 50]]);
  const many = Array.from({ length: 100 }, (_, index) => group(1, `${index}`));
  assert.is(shown(many, 5000).length, 100);
  assert.is(shown(many.slice(1), 5000).length, 100);
  const projects = readProjects({ projects: [{ duration: 5, data: { project: "p" } }], duration: 9 });
  assert.equal(
    projects.map(({ label, seconds }) => [label, seconds]),
    [
      ["p", 5],
      ["", 4],
    ],
  );
});

test("rules and patterns that the server refuses are left out by name, the others stay", async () => {
  const server = createActivityServer({ storage: memory() });
  await server.buckets.create("w", { type: "currentwindow", client: "c", hostname: "h" });
  await server.buckets.create("a", { type: "afkstatus", client: "c", hostname: "h" });
  const rule = (regex: string) => ({ type: "regex", regex }) as const;
  const none = { type: "none" } as const;
  const categories = [
    { name: ["None"], rule: none },
    { name: ["A"], rule: rule("a") },
    { name: ["Twice"], rule: rule("b") },
    { name: ["Twice"], rule: rule("(") },
    { name: ["C", "D"], rule: rule("[") },
  ];
  const buckets = [bucket("w", "currentwindow", "h"), bucket("a", "afkstatus", "h")];
  const source = sourceOf({ kind: "one", host: "h" }, buckets);
  const wished = { categories, pattern: "*" };
  let told = excludeRejected(wished);
  assert.equal(told.refused, []);
  for (let rounds = 0; ; rounds++) {
    const query = programOf(source, told.classifying) ?? "";
    try {
      await server.query({ timeperiods: ["2024-03-01T00:00:00Z/2024-03-02T00:00:00Z"], query });
      break;
    } catch (thrown) {
      assert.ok(rounds < 3 && ActivityError.is(thrown));
      assert.ok(isRefusal(refusal(thrown as ActivityError), query, told), String(thrown));
      told = excludeRejected(wished);
    }
  }
  await server.close();
  assert.equal(told.classifying, {
    rules: [
      [["A"], rule("a")],
      [["Twice"], rule("b")],
    ],
    alwaysActivePattern: "",
  });
  assert.equal(
    told.refused.map(({ category }) => category),
    [["Twice"], ["C", "D"], undefined],
  );
  // What has been mended is told again; and other failures are no refusals of rules.
  assert.equal(excludeRejected({ categories: [{ name: ["Twice"], rule: rule("()") }], pattern: "x" }).refused, []);
  assert.not(isRefusal(refusal({}), "", told));
  assert.not(isRefusal(new Error("categorize: regex of rule 1: no"), "", told));
});

for (const [longest, least, lines] of [
  [0, 3600, ["0m", "15m", "30m", "45m", "1h"]],
  [3600.0004, 3600, ["0m", "15m", "30m", "45m", "1h"]],
  [3601, 3600, ["0m", "15m", "30m", "45m", "1h", "1h 15m"]],
  [0, 0, ["0m", "1m"]],
  [8 * 3600, 0, ["0m", "2h", "4h", "6h", "8h"]],
  [9 * 3600 + 1, 0, ["0m", "2h", "4h", "6h", "8h", "10h"]],
  [500_000_000, 0, ["0m", "27,778h", "55,556h", "83,334h", "111,112h", "138,890h"]],
] as const) {
  test(`a bar of ${longest} seconds fits between lines at ${lines.join(", ")}`, () => {
    assert.equal(linesFor(longest, least).map(formatLine), lines);
    assert.ok((linesFor(longest, least).at(-1) ?? 0) >= Math.floor(longest));
  });
}

test.run();
