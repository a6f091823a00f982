// What the activity view is made of: the choice of buckets, the reading of reports, the scale.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ClientBucket } from "../../src/client/index.js";
import { connect } from "../../src/client/index.js";
import { createTestServer } from "../../src/testing/index.js";
import { type Calendar, periodAround, rangeOf } from "../../src/web/period.js";
import type { Report, ReportGroup } from "../../src/web/report.js";
import { barsOf, binsFor, sumByTopCategory, sumSeconds } from "../../src/web/views/activity/bars.js";
import { extentOf } from "../../src/web/views/activity/extent.js";
import { choosableHosts, defaultHosts, hostsOf, tellingBuckets } from "../../src/web/views/activity/hosts.js";
import { rowsOf } from "../../src/web/views/activity/rows.js";
import { formatLine, linesFor } from "../../src/web/views/activity/scale.js";
import { unmatchedBrowsers } from "../../src/web/views/activity/unmatched-browsers.js";

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

test("all devices are the default, and the demo only if there is nothing else", () => {
  const demo = { ...bucket("aw-watcher-window_demo", "currentwindow", "demo"), data: { demo: true } };
  assert.equal(defaultHosts(BUCKETS), { kind: "all" });
  assert.equal(defaultHosts([...BUCKETS, demo]), { kind: "all" });
  assert.equal(defaultHosts([demo]), { kind: "one", host: "demo" });
  assert.is(defaultHosts([]), undefined);
  assert.equal(tellingBuckets({ kind: "all" }, [demo]), []);
  assert.equal(hostsOf(new URLSearchParams("host=desk"), BUCKETS), { kind: "one", host: "desk" });
  assert.equal(hostsOf(new URLSearchParams("hosts=all"), [demo]), { kind: "all" });
  const pages = bucket("aw-watcher-web-firefox", "web.tab.current", "tablet");
  assert.equal([defaultHosts([pages]), choosableHosts([pages])], [{ kind: "all" }, ["tablet"]]);
  assert.equal(choosableHosts(BUCKETS), ["desk", "ipad", "mini", "phone", "unknown"]);
});

test("windows, phones and editors of a host tell of activity", () => {
  const idsOf = (host: string) => tellingBuckets({ kind: "one", host }, BUCKETS).map(({ id }) => id);
  assert.equal(idsOf("desk"), ["aw-watcher-window_desk", "aw-watcher-web-firefox_desk", "aw-watcher-vim_desk"]);
  assert.equal(idsOf("ipad"), ["screen"]);
  for (const host of ["__proto__", "constructor", "nobody"]) assert.equal(idsOf(host), [], host);
  assert.is(tellingBuckets({ kind: "all" }, BUCKETS).length, 10);
});

test("buckets tell from when to when there are events", () => {
  assert.is(extentOf([bucket("a", "t", "h")]), undefined);
  assert.equal(extentOf(BUCKETS), {
    start: Date.parse("2024-03-01T00:00:00Z"),
    end: Date.parse("2024-03-03T10:00:00Z"),
  });
});

test("times are added up by top category, the longest first", () => {
  const times = [
    { name: ["Media"], seconds: 50 },
    { name: ["Work", "Programming", "Web"], seconds: 30 },
    { name: ["Work", "Mail"], seconds: 40 },
    { name: ["__proto__", "constructor"], seconds: 2 },
  ];
  assert.equal(
    [...sumByTopCategory(times)],
    [
      ["Work", 70],
      ["Media", 50],
      ["__proto__", 2],
    ],
  );
});

const CALENDAR: Calendar = { zone: "Europe/Berlin", startOfDay: "04:00", startOfWeek: "Monday" };

test("the bins of a report become bars, several months one of a year", async () => {
  const server = createTestServer({ clock: "2024-06-01T00:00:00Z" });
  const day = { timestamp: "2024-03-01T10:00:00Z", duration: "1h", data: { app: "a" } } as const;
  const events = [day, { ...day, timestamp: "2023-07-05T10:00:00Z" }, { ...day, timestamp: "2024-04-01T10:00:00Z" }];
  await server.buckets.create("w", { type: "currentwindow", client: "c", hostname: "h" }, events);
  for (const [period, bars] of [
    [rangeOf("2020-01-01", "2024-12-31", CALENDAR), [0, 0, 0, 3600, 7200]],
    [periodAround("week", "2024-03-01", CALENDAR), [0, 0, 0, 0, 3600, 0, 0]],
  ] as const) {
    const by = binsFor(period, CALENDAR);
    const date = { date: period.first, to: period.last, time_zone: CALENDAR.zone };
    const { bins } = await connect(server).report({ ...date, by, groups: ["category"] });
    const { parts, times } = barsOf(bins, period, CALENDAR);
    assert.is(parts.length, bars.length);
    assert.equal(times.map(sumSeconds), bars);
  }
  await server.close();
});

test("a browser is noted if no host had a window of it in front", () => {
  const browser = (bucket: string, seconds: number, unmatched: number) => ({
    ...{ bucket, host: "h", kind: "browser", seconds, first: null, last: null, silent: [], unmatched },
  });
  const coverage = [browser("a", 600, 600), browser("b", 600, 600), browser("b", 600, 10), browser("c", 5, 5)];
  assert.equal(
    unmatchedBrowsers(coverage as Report["coverage"]).map(({ bucket }) => bucket),
    ["a"],
  );
});

test("rows are what the report lists, with conditions by their values", () => {
  const rows = [
    { key: '{"a":[1]}', seconds: 2, share: 0.5 },
    { key: null, seconds: 1, share: 0.25, app: "x" },
    { key: "y", seconds: 0.99, share: 0 },
    { key: "Code", seconds: 3, share: 0, names: ["Code", "code"] },
  ];
  assert.equal(
    rowsOf({ rows } as unknown as ReportGroup, "app").map(({ label, note, handle }) => [label, note, handle]),
    [
      ['{"a":[1]}', undefined, 'app={"a":[1]}'],
      ["", "x", undefined],
      ["Code", undefined, "app~/^(?:Code|code)$/"],
    ],
  );
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
