import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import type { JsonObject, JsonValue } from "../../src/domain/json.js";
import { createActivityServer } from "../../src/index.js";
import { createTestServer, type TestServer } from "../../src/testing/index.js";
import { intOf, randomOf } from "../contract/case.js";

const test = suite("reports");

type Part = readonly [time: string, minutes: number, data: JsonObject];

const CLOCK = "2024-03-01T18:00:00Z";
const LATER = { clock: "2025-01-01T00:00:00Z" };

async function withReports(body: (server: TestServer) => Promise<void>, options: object = {}): Promise<void> {
  const server = createTestServer({ clock: CLOCK, ...options });
  try {
    await body(server);
  } finally {
    await server.close();
  }
}

function add(server: TestServer, id: string, type: string, host: string, ...parts: readonly Part[]): Promise<boolean> {
  const events = parts.map(([time, minutes, data]) => {
    return { timestamp: time.includes("T") ? time : `2024-03-01T${time}:00Z`, duration: `${minutes}m` as const, data };
  });
  return server.buckets.create(id, { type, client: "test", hostname: host }, events);
}

/** What clients ask (docs/reference/compatibility.md), with everything cut to active time. */
const CLIENTS_PROGRAM = `
events = flood(query_bucket("aw-watcher-window_desk"));
not_afk = filter_keyvals(flood(query_bucket("aw-watcher-afk_desk")), "status", ["not-afk"]);
pages = flood(query_bucket("aw-watcher-web-firefox_desk"));
pages = filter_period_intersect(pages, filter_keyvals_regex(events, "app", "(?i)firefox"));
pages = split_url_events(pages);
not_afk = period_union(not_afk, filter_keyvals(pages, "audible", [true]));
pages = filter_period_intersect(pages, not_afk);
events = filter_period_intersect(events, not_afk);
events = categorize(events, [[["Work"], {"type": "regex", "regex": "editor"}]]);
RETURN = {
  "window": {
    "title_events": sort_by_duration(merge_events_by_keys(events, ["app", "title"])),
    "app_events": sort_by_duration(merge_events_by_keys(events, ["app"])),
    "cat_events": sort_by_duration(merge_events_by_keys(events, ["$category"])),
    "duration": sum_durations(events)
  },
  "browser": {
    "domains": sort_by_duration(merge_events_by_keys(pages, ["$domain"])),
    "duration": sum_durations(pages)
  }
};`;

const DAY = { date: "2024-03-01" } as const;

test("of windows that overlap where the period starts, the one that started last counts", () =>
  withReports(async (server) => {
    const long: Part = ["03:30", 60, { app: "editor" }];
    await add(server, "aw-watcher-window_desk", "currentwindow", "desk", long, ["03:50", 20, { app: "mail" }]);
    const asked = { to: "2024-03-01", groups: ["app"] };
    const secondsFrom = async (date: string) => {
      const { groups } = await server.report({ ...asked, date });
      return Object.fromEntries(groups["app"]?.rows.map(({ key, seconds }) => [key, seconds]) ?? []);
    };
    assert.equal(await secondsFrom("2024-03-01"), { editor: 1200, mail: 600 });
    assert.equal(await secondsFrom("2024-02-29"), { editor: 2400, mail: 1200 });
  }));

test("an hour of windows with shorter ones inside is an hour", () =>
  withReports(async (server) => {
    const long = [0, 1, 2, 3, 4, 5].map((ten): Part => [`10:${ten}0`, 10, { app: "editor" }]);
    const short = [1, 3, 5].map((ten): Part => [`10:${ten}2`, 5, { app: "mail" }]);
    await add(server, "aw-watcher-window_desk", "currentwindow", "desk", ...long, ...short);
    const { totals, groups, bins } = await server.report({ ...DAY, groups: ["category", "app"], by: "hour" });
    assert.is(totals.active, 3600);
    assert.is(bins.find(({ active }) => active > 0)?.active, 3600);
    assert.equal(
      groups["app"]?.rows.map(({ key, seconds }) => [key, seconds]),
      [
        ["editor", 2700],
        ["mail", 900],
      ],
    );
    assert.is(groups["category"]?.seconds, 3600);
  }));

test("numbers equal those of the program of clients, to the microsecond", () =>
  withReports(async (server) => {
    const random = randomOf(7);
    let at = Date.UTC(2024, 2, 1, 6) * 1000;
    const listOf = (count: number, most: number, dataOf: () => JsonObject) =>
      Array.from({ length: count }, () => {
        const timestamp = new Date(Math.floor(at / 1000)).toISOString();
        const micros = intOf(random, 1, most) * 1000 - intOf(random, 0, 999);
        at += Math.ceil(micros / 1000) * 1000 + intOf(random, 0, 7000) * 1000;
        return { timestamp, duration: { micros }, data: dataOf() };
      });
    const word = (...words: readonly string[]): string => words[intOf(random, 0, words.length - 1)] as string;
    const windows = listOf(400, 60_000, () => ({ app: word("Firefox", "editor"), title: word("a", "b", "c") }));
    at = Date.UTC(2024, 2, 1, 6) * 1000;
    const afk = listOf(40, 600_000, () => ({ status: word("afk", "not-afk", "not-afk") }));
    at = Date.UTC(2024, 2, 1, 6) * 1000;
    const pages = listOf(200, 100_000, () => ({ url: word("https://a.example/", "https://b.example/x"), title: "t" }));
    const bucket = (type: string) => ({ type, client: "test", hostname: "desk" });
    await server.buckets.create("aw-watcher-window_desk", bucket("currentwindow"), windows);
    await server.buckets.create("aw-watcher-afk_desk", bucket("afkstatus"), afk);
    await server.buckets.create("aw-watcher-web-firefox_desk", bucket("web.tab.current"), pages);
    await server.settings.put("classes", [{ name: ["Work"], rule: { type: "regex", regex: "editor" } }]);
    const timeperiods = ["2024-03-01T04:00:00Z/2024-03-02T04:00:00Z"];
    const [answer] = (await server.query({ timeperiods, query: CLIENTS_PROGRAM })) as readonly JsonObject[];
    const { totals, groups } = await server.report({ ...DAY, groups: ["category", "app", "title", "site"] });
    const { window, browser } = answer as Readonly<Record<string, Readonly<Record<string, JsonValue>>>>;
    assert.is(totals.active, window?.["duration"]);
    assert.is(groups["site"]?.seconds, browser?.["duration"]);
    const sums = (list: JsonValue | undefined, key: string) =>
      (list as unknown as readonly { duration: number; data: Record<string, unknown> }[]).map(
        ({ duration, data }) => [String(data[key]), duration] as const,
      );
    const rows = (name: string) => groups[name]?.rows.map(({ key, seconds }) => [key, seconds] as const);
    assert.equal(rows("app"), sums(window?.["app_events"], "app"));
    assert.equal(rows("category"), sums(window?.["cat_events"], "$category"));
    assert.equal(rows("site"), sums(browser?.["domains"], "$domain"));
    assert.equal(
      groups["title"]?.rows.map(({ seconds }) => seconds),
      sums(window?.["title_events"], "title").map(([, seconds]) => seconds),
    );
  }));

for (const [date, hours] of [
  ["2024-03-31", 23],
  ["2024-10-27", 25],
] as const) {
  test(`a day of ${hours} hours has ${hours} bins, and its times are elapsed ones`, () =>
    withReports(async (server) => {
      const start = `${date}T00:00:00+0${hours === 23 ? 1 : 2}:00`;
      await add(server, "window", "currentwindow", "desk", [start, hours * 60, { app: "editor" }]);
      const report = await server.report({ date, timeZone: "Europe/Berlin", dayStart: "00:00", by: "hour" });
      assert.is((report.end - report.start) / 3_600_000_000, hours);
      assert.is(report.bins.length, hours);
      assert.ok(report.bins.every(({ active }) => active === 3600));
      assert.is(report.totals.longestFocus?.seconds, hours * 3600);
    }, LATER));
}

test("a moment at two hosts counts once in all, and once in each", () =>
  withReports(async (server) => {
    await add(server, "a", "currentwindow", "desk", ["10:00", 60, { app: "editor" }]);
    await add(server, "b", "currentwindow", "laptop", ["10:30", 60, { app: "mail" }]);
    const { totals, groups } = await server.report({ ...DAY, groups: ["host", "app"] });
    assert.is(totals.active, 5400);
    assert.equal(
      groups["host"]?.rows.map(({ key, seconds }) => [key, seconds]),
      [
        ["desk", 3600],
        ["laptop", 3600],
      ],
    );
    assert.equal(
      groups["app"]?.rows.map(({ seconds }) => seconds),
      [3600, 1800],
    );
    assert.is((await server.report({ ...DAY, hosts: ["laptop"] })).totals.active, 3600);
    assert.is((await server.report({ ...DAY, hosts: ["unheard of"] })).totals.active, 0);
  }));

test("an old and a new watcher of a host both count", () =>
  withReports(async (server) => {
    await add(server, "aw-watcher-window_desk", "currentwindow", "desk", ["10:00", 30, { app: "editor" }]);
    await add(server, "other-windows", "currentwindow", "desk", ["10:20", 40, { app: "mail" }]);
    const { totals, groups } = await server.report({ ...DAY, groups: ["app"] });
    assert.is(totals.active, 3600);
    assert.equal(
      groups["app"]?.rows.map(({ seconds }) => seconds),
      [1800, 1800],
    );
  }));

test("sites of browsers with new names count, and a setting adds further ones", () =>
  withReports(async (server) => {
    const apps = ["Arc", "Dia", "Zen Browser", "Vivaldi", "Orion", "Helium Beta", "Media Browser"];
    const times = apps.map((app, index): Part => [`10:0${index}`, 1, { app }]);
    await add(server, "window", "currentwindow", "desk", ...times);
    for (const [index, app] of ["arc", "dia", "zen-browser", "vivaldi", "orion", "he", "media"].entries()) {
      const page: Part = [`10:0${index}`, 1, { url: `https://${app}.example/` }];
      await add(server, `aw-watcher-web-${app}_desk`, "web.tab.current", "desk", page);
    }
    const sites = async () => (await server.report({ ...DAY, groups: ["site"] })).groups["site"]?.total;
    assert.is(await sites(), 7, "by the word of the bucket");
    await server.settings.put("browser_apps", { he: "^nothing$" });
    assert.is(await sites(), 6, "the setting takes precedence");
    const { coverage } = await server.report(DAY);
    assert.is(coverage.find(({ bucket }) => bucket === "aw-watcher-web-he_desk")?.unmatched, 60);
  }));

test("silence of a watcher shows where another one reported", () =>
  withReports(async (server) => {
    await add(server, "aw-watcher-window_desk", "currentwindow", "desk", ["10:00", 10, { app: "editor" }]);
    await add(server, "aw-watcher-afk_desk", "afkstatus", "desk", ["10:00", 30, { status: "not-afk" }]);
    const { coverage, totals } = await server.report(DAY);
    assert.is(totals.active, 600);
    const silent = coverage.map(({ kind, silent }) => [kind, silent.map(({ seconds }) => seconds)]);
    assert.equal(silent, [
      ["window", [1200]],
      ["afk", []],
    ]);
  }));

test("a break of five minutes does not interrupt focus, a longer one does", () =>
  withReports(async (server) => {
    const app = { app: "editor" };
    await add(server, "window", "currentwindow", "desk", ["10:00", 10, app], ["10:15", 10, app], ["10:31", 5, app]);
    const { longestFocus } = (await server.report(DAY)).totals;
    assert.is(longestFocus?.seconds, 1500);
  }));

test("days with activity have an average start and end, on the clock, and an elapsed time between", () =>
  withReports(async (server) => {
    const app = { app: "editor" };
    const parts: Part[] = [
      ["2024-03-29T08:00:00+01:00", 60, app],
      ["2024-03-29T17:00:00+01:00", 60, app],
      // Across the start of a day, in the night of a change of clocks.
      ["2024-03-30T10:00:00+01:00", 24 * 60, app],
    ];
    await add(server, "window", "currentwindow", "desk", ...parts);
    const report = (given: object) => server.report({ timeZone: "Europe/Berlin", ...given });
    const hour = 3600;
    assert.equal((await report({ date: "2024-03-29" })).totals.days, {
      ...{ count: 1, first: 8 * hour, last: 18 * hour, span: 10 * hour },
    });
    assert.equal((await report({ date: "2024-03-30" })).totals.days, {
      ...{ count: 1, first: 10 * hour, last: 28 * hour, span: 17 * hour },
    });
    assert.equal((await report({ period: "week", date: "2024-03-30" })).totals.days, {
      ...{ count: 3, first: (22 / 3) * hour, last: (57 / 3) * hour, span: (34 / 3) * hour },
    });
    assert.equal((await report({ date: "2024-03-27" })).totals.days, { count: 0, first: null, last: null, span: null });
    await add(server, "exact", "currentwindow", "desk", ["2024-03-25T00:00:00.000001+01:00", 60, app]);
    const exact = { count: 1, first: 24 * hour + 0.000001, last: 25 * hour + 0.000001, span: hour };
    assert.equal((await report({ date: "2024-03-24" })).totals.days, exact);
  }, LATER));

test("time after now does not count, even if events claim it, and counts once it has passed", () =>
  withReports(async (server) => {
    const tomorrow: Part = ["2024-03-02T17:00:00Z", 600, { app: "editor" }];
    await add(server, "more", "currentwindow", "desk", tomorrow);
    assert.is((await server.report({ date: "2024-03-02" })).totals.active, 0);
    await add(server, "window", "currentwindow", "desk", ["17:00", 600, { app: "editor" }], ["16:00", 1, { app: "a" }]);
    const active = async () => (await server.report({})).totals.active;
    assert.is(await active(), 3660);
    server.clock.advance("1h");
    assert.is(await active(), 7260);
  }));

test("lists have pages, folded numbers, and changes since the period before", () =>
  withReports(async (server) => {
    const titles = (day: string): Part[] => [
      [`2024-${day}T10:00:00Z`, 10, { app: "mail", title: "Inbox 1" }],
      [`2024-${day}T10:10:00Z`, 5, { app: "mail", title: "Inbox 2" }],
      [`2024-${day}T10:15:00Z`, 1, { app: "editor", title: "notes" }],
    ];
    await add(server, "window", "currentwindow", "desk", ...titles("03-01"), ...titles("02-23").slice(1));
    const first = await server.report({ ...DAY, groups: ["title"], limit: 2, compare: "previous" });
    assert.is(first.groups["title"]?.next, 2);
    assert.is(first.groups["title"]?.total, 3);
    assert.equal(
      first.groups["title"]?.rows.map(({ change }) => change),
      [600, 0],
    );
    assert.is(first.compared?.totals.active, 360);
    const rest = await server.report({ ...DAY, groups: [{ by: "title", offset: 2 }] });
    assert.equal(
      rest.groups["title"]?.rows.map(({ key, app }) => [key, app]),
      [["notes", "editor"]],
    );
    assert.is(rest.groups["title"]?.next, null);
    const folded = await server.report({ ...DAY, groups: [{ by: "title", foldNumbers: true }] });
    assert.equal(
      folded.groups["title"]?.rows.map(({ key, seconds }) => [key, seconds]),
      [
        ["Inbox #", 900],
        ["notes", 60],
      ],
    );
  }));

/** Categories with scores as several programs store them. */
const SCORES: readonly (readonly [name: readonly string[], regex: string, score?: JsonValue])[] = [
  [["Work"], "editor", 10],
  [["Work", "Mail"], "mail", 0],
  [["Work", "Slides"], "slides", "0"],
  [["Work", "Notes"], "notes", "n/a"],
  [["Media"], "video", "-7"],
  [["Media", "Talks"], "talk", null],
  [["Home"], "other", 1e308],
];

test("a period has a score, and lists of what is productive or distracting, as in ActivityWatch's web UI", () =>
  withReports(async (server) => {
    const classes = SCORES.map(([name, regex, score]) => {
      return { name, rule: { type: "regex", regex }, data: score === undefined ? {} : { score } };
    }) as unknown as JsonValue;
    await server.settings.put("classes", classes);
    const minutes = { editor: 60, mail: 6, slides: 60, notes: 12, video: 30, talk: 6, other: 5 };
    const windows = Object.entries(minutes).map(([title, length], hour): Part => {
      return [`${10 + hour}:00`, length, { app: hour % 2 === 0 ? "a" : "b", title }];
    });
    await add(server, "window", "currentwindow", "desk", ...windows);
    const groups = [
      "category",
      "app",
      { by: "app", only: "distracting", name: "distractions" },
      { by: "title", only: "productive" },
      { by: "host", name: "__proto__" },
    ] as const;
    const report = await server.report({ ...DAY, groups });
    assert.equal(report.score, { points: (78 * 10 - 36 * 7) / 60, productive: 78 * 60, distracting: 36 * 60 });
    assert.equal(
      report.groups["category"]?.rows.map(({ key, score }) => [key, score]),
      [
        ["Work", 10],
        ["Work > Slides", undefined],
        ["Work > Notes", 10],
        ["Work > Mail", 10],
        ["Media", -7],
        ["Media > Talks", -7],
        ["Home", undefined],
      ],
    );
    const rows = (name: string) => report.groups[name]?.rows.map(({ key, seconds, share }) => [key, seconds, share]);
    assert.equal(rows("distractions"), [
      ["a", 1800, 1800 / 2160],
      ["b", 360, 360 / 2160],
    ]);
    assert.equal(
      rows("title")?.map(([key]) => key),
      ["editor", "notes", "mail"],
    );
    assert.is(report.groups["app"]?.seconds, report.totals.active);
    assert.equal(Object.keys(report.groups), ["category", "app", "distractions", "title", "__proto__"]);
    // Without the list of categories, too.
    const { score, groups: own } = await server.report({ ...DAY, groups: [{ by: "title", only: "distracting" }] });
    assert.is(score, undefined);
    assert.equal(
      own["title"]?.rows.map(({ key, categories }) => [key, categories]),
      [
        ["video", [{ name: ["Media"], seconds: 1800 }]],
        ["talk", [{ name: ["Media", "Talks"], seconds: 360 }]],
      ],
    );
    // Categories to try out bring their own scores.
    const categories = [{ name: ["Play"], rule: { type: "regex", regex: "video" }, data: { score: 2 } }];
    assert.is((await server.report({ ...DAY, groups: ["category"], categories })).score?.points, 1);
  }));

test("a current day is compared up to the same time", () =>
  withReports(async (server) => {
    const app = { app: "editor" };
    const before: Part[] = [
      ["2024-02-23T17:00:00Z", 30, app],
      ["2024-02-23T18:30:00Z", 30, app],
    ];
    await add(server, "window", "currentwindow", "desk", ["10:00", 10, app], ...before);
    const { compared } = await server.report({ compare: "previous" });
    assert.is(compared?.totals.active, 1800);
  }));

test("goals and limits have their target and the time spent, but not with a filter", () =>
  withReports(async (server) => {
    await server.settings.put("classes", [{ name: ["Work", "Code"], rule: { type: "regex", regex: "editor" } }]);
    await server.settings.put("goals", [{ category: ["Work"], goal: 3600, per: "day" }, "invalid"]);
    const app = { app: "editor" };
    await add(server, "window", "currentwindow", "desk", ["10:00", 10, app], ["2024-02-28T10:00:00Z", 20, app]);
    const goal = { category: ["Work"], kind: "goal", per: "day" };
    assert.equal((await server.report(DAY)).goals, [{ ...goal, target: 3600, seconds: 600 }]);
    assert.equal((await server.report({ ...DAY, period: "week" })).goals, [
      { ...goal, target: 7200, seconds: 1800, days: { count: 2, met: 0 } },
    ]);
    assert.equal((await server.report({ ...DAY, filter: ["app=editor"] })).goals, []);
  }));

test("an invalid pattern of a category is a fault, and the others apply", () =>
  withReports(async (server) => {
    const rule = (regex: string) => ({ type: "regex", regex });
    const classes = [
      { name: ["Broken"], rule: rule("(") },
      { name: ["Work"], rule: rule("editor") },
    ];
    await server.settings.put("classes", classes);
    await add(server, "window", "currentwindow", "desk", ["10:00", 10, { app: "editor" }]);
    const { faults, groups } = await server.report({ ...DAY, groups: ["category"] });
    assert.is(faults[0]?.fault, "openGroup", "for translations");
    assert.equal(
      faults.map(({ setting, rule }) => [setting, rule]),
      [["categories", "Broken"]],
    );
    assert.is(groups["category"]?.rows[0]?.key, "Work");
  }));

test("keys of buckets of any type are groups", () =>
  withReports(async (server) => {
    const stopwatch = (label: string) => ({ label, running: false });
    await add(server, "aw-stopwatch", "general.stopwatch", "unknown", ["10:00", 10, stopwatch("call")]);
    const { groups } = await server.report({ ...DAY, groups: ["general.stopwatch:label"] });
    assert.equal(groups["general.stopwatch:label"]?.rows, [{ key: "call", seconds: 600, share: 1 }]);
  }));

test("a bucket that the caller may not read does not exist", () =>
  withReports(async (server) => {
    await add(server, "aw-watcher-window_desk", "currentwindow", "desk", ["10:00", 10, { app: "editor" }]);
    await add(server, "secret", "currentwindow", "desk", ["11:00", 10, { app: "diary" }]);
    const { key } = await server.keys.add({ name: "reader", scopes: ["read:aw-*"] });
    const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
    const body = JSON.stringify({ ...DAY, groups: ["app"] });
    const response = await server.fetch("/api/0/report", { method: "POST", headers, body });
    const text = await response.text();
    assert.is(response.status, 200);
    assert.is((JSON.parse(text) as { totals: { active: number } }).totals.active, 600);
    assert.not.match(text, /secret|diary/);
  }));

test("a key that may read no bucket learns no settings, with or without buckets", () =>
  withReports(async (server) => {
    await server.settings.put("goals", [{ category: ["Private"], goal: 7200, per: "day" }]);
    await server.settings.put("always_active_pattern", "private(");
    await server.settings.put("classes", [{ name: ["Private"], rule: { type: "regex", regex: "editor" } }]);
    const { key: reader } = await server.keys.add({ name: "reader", scopes: ["read:*"] });
    const { key: watcher } = await server.keys.add({ name: "watcher", scopes: ["append:window"] });
    const ask = async (key: string) => {
      const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
      const send = (path: string, body: object) =>
        server.fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
      const classified = await send("/api/0/classify", { data: [{ app: "editor" }] });
      return [await (await send("/api/0/report", DAY)).text(), await classified.text()] as const;
    };
    const assertSettings = async () => {
      const [report, classified] = await ask(reader);
      assert.match(report, /Private.*always_active_pattern/);
      assert.match(classified, /Private/);
      assert.not.match((await ask(watcher)).join(), /[Pp]rivate|always_active/);
    };
    await assertSettings();
    await add(server, "window", "currentwindow", "desk", ["10:00", 10, { app: "editor" }]);
    await assertSettings();
  }));

test("a repeated report shows new events, changed settings and new buckets, and is the caller's own", () =>
  withReports(async (server) => {
    await add(server, "a", "currentwindow", "desk", ["10:00", 10, { app: "editor" }]);
    const ask = () => server.report({ ...DAY, groups: ["category"] });
    const first = await ask();
    (first.groups["category"]?.rows as unknown[]).length = 0;
    assert.is((await ask()).groups["category"]?.rows.length, 1);
    await server.events.insert("a", { timestamp: "2024-03-01T12:00:00Z", duration: "5m", data: { app: "mail" } });
    assert.is((await ask()).totals.active, 900);
    await server.settings.put("classes", [{ name: ["All"], rule: { type: "regex", regex: "." } }]);
    assert.equal(
      (await ask()).groups["category"]?.rows.map(({ key }) => key),
      ["All"],
    );
    await add(server, "b", "currentwindow", "desk", ["14:00", 5, { app: "mail" }]);
    assert.is((await ask()).totals.active, 1200);
    await server.settings.put("startOfDay", "11:00");
    assert.is((await ask()).totals.active, 600);
  }));

const REFUSED: readonly (readonly [body: object, message: RegExp])[] = [
  [{ groups: ["nonsense"] }, /^groups\[0\] must be one of category, /],
  [{ groups: ["app", "app"] }, /^groups\[1\] must be different/],
  [{ groups: [{ by: "type:" }] }, /^groups\[0\]\.by must end with a key/],
  [
    { groups: ["app", { by: "title", name: "app" }] },
    /^groups\[1\]\.name must be different from the other groups, got/,
  ],
  [{ groups: [{ by: "site", only: "distracting" }] }, /^groups\[0\]\.only needs a list of windows .*; use app, title/],
  [{ groups: [{ by: "app", only: "distracting", in_bins: true }] }, /^groups\[0\]\.only .*; omit in_bins/],
  [{ groups: [{ by: "app", only: "funny" }] }, /^groups\[0\]\.only must be/],
  [{ groups: [{ by: "app", limit: -1 }] }, /^groups\[0\]\.limit must be an integer from 0 to 10000, got -1/],
  [{ date: "2024-02-30" }, /^date must be a date/],
  [{ date: "2024-03-02", to: "2024-03-01" }, /^to must not be before date/],
  [{ period: "week", to: "2024-03-01" }, /^to is the last day of a range/],
  [{ by: "hour", date: "2020-01-01", to: "2022-01-01" }, /^by must make at most 10000 bins/],
  [{ filter: ["app~/(/"] }, /^filter 'app~\/\(\/': /],
  [{ filter: ["category:"] }, /^filter 'category:': .* at character /],
  [{ time_zone: "Mars" }, /^time_zone must be a name like Europe\/Berlin/],
  [{ day_start: "25:00" }, /^day_start must be a time like 04:00/],
  [{ hosts: "some" }, /^hosts must be a list or 'all'/],
  [{ unknown: 1 }, /^unknown field 'unknown'/],
];

for (const [body, message] of REFUSED) {
  test(`400 for ${JSON.stringify(body)}`, () =>
    withReports(async (server) => {
      const headers = { "content-type": "application/json" };
      const response = await server.fetch("/api/0/report", { method: "POST", headers, body: JSON.stringify(body) });
      assert.is(response.status, 400);
      assert.match(((await response.json()) as { message: string }).message, message);
    }));
}

test("a report that finds no place in line is refused with 503 and Retry-After", async () => {
  const storage = memory();
  const { read } = storage;
  let go = (): void => {};
  const isFree = new Promise<void>((resolve) => {
    go = resolve;
  });
  const server = createActivityServer({ storage });
  await server.buckets.create("window", { type: "currentwindow", client: "test", hostname: "desk" });
  storage.read = async (...given) => {
    await isFree;
    return read.apply(storage, given);
  };
  const headers = { "content-type": "application/json" };
  const ask = () => server.fetch("/api/0/report", { method: "POST", headers, body: "{}" });
  // Eight run, and 64 wait.
  const refused: Response[] = [];
  const others: Response[] = [];
  const all = Array.from({ length: 75 }, async () => {
    const response = await ask();
    (response.status === 503 ? refused : others).push(response);
    if (refused.length === 3) go();
  });
  await Promise.all(all);
  assert.is(refused.length, 3);
  assert.ok(refused.every(({ headers }) => Number(headers.get("retry-after")) >= 1));
  assert.match(await (refused[0] as Response).text(), /too many queries are running/);
  assert.ok(others.every(({ status }) => status === 200));
  await server.close();
});

test("a gap across the start of a day closes in a range", () =>
  withReports(async (server) => {
    await server.buckets.create("window", { type: "currentwindow", client: "test", hostname: "desk" }, [
      { timestamp: "2024-02-28T03:59:00Z", duration: { seconds: 59 }, data: { app: "a" } },
      { timestamp: "2024-02-28T04:00:03Z", duration: { seconds: 57 }, data: { app: "b" } },
    ]);
    const { totals, groups, bins } = await server.report({
      ...{ date: "2024-02-26", to: "2024-02-28", groups: ["app"], by: "day" },
    });
    assert.is(totals.active, 120);
    assert.is(totals.longestFocus?.seconds, 120);
    assert.equal(
      groups["app"]?.rows.map(({ key, seconds }) => [key, seconds]),
      [
        ["a", 61],
        ["b", 59],
      ],
    );
    assert.equal(
      bins.map(({ active }) => active),
      [0, 60, 60],
    );
  }));

test("a report has the limits of a query", () =>
  withReports(
    async (server) => {
      const parts = [0, 1, 2, 3].map((minute): Part => [`10:0${minute}`, 1, { app: `app ${minute}` }]);
      await add(server, "window", "currentwindow", "desk", ...parts);
      const failure = await server.report(DAY).catch((cause: { code?: string }) => cause.code);
      assert.is(failure, "QUERY_TOO_LARGE");
    },
    { queryLimits: { events: 3 } },
  ));

test.run();
