// Reports of several devices, against a painting of each moment.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject } from "../../src/domain/json.js";
import { createTestServer, type TestServer } from "../../src/testing/index.js";
import { intOf, randomOf } from "../contract/case.js";

const test = suite("reports of several devices");

const DAYS = 31;
const FIRST = Date.UTC(2024, 2, 1, 4) / 1000;
const DAY = 86_400;
const MONTH = { period: "month", date: "2024-03-01" } as const;

interface Span {
  readonly start: number;
  readonly end: number;
  readonly data: JsonObject;
}

/** Painted at once, in seconds. */
const STEP = 10;

/** Sessions without overlaps in each day of a month, in seconds. */
function sessions(seed: number, dataOf: (index: number) => JsonObject): readonly Span[] {
  const random = randomOf(seed);
  return Array.from({ length: DAYS }, (_, day) => {
    let at = FIRST + day * DAY + STEP * intOf(random, 0, 2000);
    return Array.from({ length: 12 }, (_, index): Span => {
      const start = at + STEP * intOf(random, 6, 400);
      at = start + STEP * intOf(random, 1, 150);
      return { start, end: at, data: dataOf(index) };
    });
  }).flat();
}

/** The first span of several lists at each moment. */
function paint(...lists: readonly (readonly Span[])[]): (Span | undefined)[] {
  const seconds = new Array<Span | undefined>((DAYS * DAY) / STEP);
  for (const span of lists.flat()) {
    for (let at = span.start; at < span.end; at += STEP) seconds[(at - FIRST) / STEP] ??= span;
  }
  return seconds;
}

/** The seconds at which something counts. */
function count(seconds: readonly (Span | undefined)[], isCounted: (span: Span) => boolean = () => true): number {
  return seconds.filter((span) => span !== undefined && isCounted(span)).length * STEP;
}

function onDay(seconds: readonly (Span | undefined)[], day: number): readonly (Span | undefined)[] {
  return seconds.slice((day * DAY) / STEP, ((day + 1) * DAY) / STEP);
}

function daysOf(seconds: readonly (Span | undefined)[]): number {
  return Array.from({ length: DAYS }, (_, day) => onDay(seconds, day)).filter((own) => count(own) > 0).length;
}

type Given = readonly (readonly [
  id: string,
  type: string,
  hostname: string,
  spans: readonly Span[],
  data?: JsonObject,
])[];

async function withBuckets(given: Given, body: (server: TestServer) => Promise<void>): Promise<void> {
  const server = createTestServer({ clock: "2024-06-01T00:00:00Z" });
  try {
    for (const [id, type, hostname, spans, data = {}] of given) {
      const events = spans.map(({ start, end, data }) => {
        return { timestamp: new Date(start * 1000), duration: { seconds: end - start }, data };
      });
      await server.buckets.create(id, { type, client: "test", hostname, data }, events);
    }
    await body(server);
  } finally {
    await server.close();
  }
}

const DESK = sessions(1, (index) => ({ app: ["editor", "firefox", "google-chrome"][index % 3] as string, title: "a" }));
const LAPTOP = sessions(2, (index) => ({ app: ["Code", "Firefox", "Google Chrome"][index % 3] as string, title: "b" }));
const PHONE = sessions(3, () => ({ app: "Chrome", classname: "c" }));
const ENTERED = sessions(4, (index) => ({ label: ["client call", "lunch"][index % 2] as string, running: false }));

const DEVICES: Given = [
  ["aw-watcher-window_desk", "currentwindow", "desk", DESK],
  ["aw-watcher-window_laptop", "currentwindow", "laptop", LAPTOP],
  ["aw-watcher-android-test", "currentwindow", "phone", PHONE],
];

test("all devices count by the clock, and a phone counts on each of its days", () =>
  withBuckets(DEVICES, async (server) => {
    const all = paint(DESK, LAPTOP, PHONE);
    const { totals, groups } = await server.report({ ...MONTH, groups: ["host"] });
    assert.equal([totals.active, totals.days.count], [count(all), daysOf(all)]);
    const own = Object.fromEntries(groups["host"]?.rows.map(({ key, seconds }) => [key, seconds]) ?? []);
    assert.equal(own, { desk: count(paint(DESK)), laptop: count(paint(LAPTOP)), phone: count(paint(PHONE)) });
    const phone = (await server.report({ ...MONTH, hosts: ["phone"] })).totals;
    assert.equal([phone.active, phone.days.count], [count(paint(PHONE)), DAYS]);
  }));

test("the demo counts only if it is selected", () =>
  withBuckets(
    [...DEVICES.slice(0, 1), ["aw-watcher-window_demo", "currentwindow", "demo", LAPTOP, { demo: true }]],
    async (server) => {
      assert.is((await server.report(MONTH)).totals.active, count(paint(DESK)));
      assert.is((await server.report({ ...MONTH, hosts: ["demo"] })).totals.active, count(paint(LAPTOP)));
    },
  ));

test("hand-entered time fills the time without windows, and rules apply to its labels", () =>
  withBuckets([...DEVICES, ["aw-stopwatch", "general.stopwatch", "unknown", ENTERED]], async (server) => {
    await server.settings.put("classes", [{ name: ["Client"], rule: { type: "regex", regex: "client" } }]);
    await server.settings.put("goals", [{ category: ["Client"], goal: 60, per: "day" }]);
    const seconds = paint(DESK, LAPTOP, PHONE, ENTERED);
    const ofClient = count(seconds, ({ data }) => data["label"] === "client call");
    const wishes = { ...MONTH, groups: ["category", "title"], compare: "previous" } as const;
    const { totals, groups, goals, coverage } = await server.report(wishes);
    assert.is(totals.active, count(seconds));
    assert.is(groups["category"]?.rows.find(({ key }) => key === "Client")?.seconds, ofClient);
    const title = groups["title"]?.rows.find(({ key }) => key === "client call");
    assert.equal([title?.seconds, title?.change], [ofClient, ofClient]);
    assert.is(goals[0]?.seconds, ofClient);
    assert.is(coverage.find(({ kind }) => kind === "stopwatch")?.bucket, "aw-stopwatch");
    const found = await server.report({ ...MONTH, filter: ["label=lunch"] });
    assert.is(
      found.totals.active,
      count(seconds, ({ data }) => data["label"] === "lunch"),
    );
    const desk = await server.report({ ...MONTH, hosts: ["desk"], groups: ["general.stopwatch:label"] });
    assert.is(desk.totals.active, count(paint(DESK)));
    assert.is(desk.groups["general.stopwatch:label"]?.seconds, count(paint(ENTERED)));
    await server.settings.put("stopwatch_active", false);
    assert.is((await server.report(MONTH)).totals.active, count(paint(DESK, LAPTOP, PHONE)));
  }));

test("names of one app on different systems are one row", () =>
  withBuckets(DEVICES, async (server) => {
    const seconds = paint(DESK, LAPTOP, PHONE);
    const time = (...names: readonly string[]): number =>
      count(seconds, ({ data }) => names.includes(data["app"] as string));
    const apps = async () => await server.report({ ...MONTH, by: "day", groups: [{ by: "app", inBins: true }] });
    const { groups, bins } = await apps();
    const chrome = time("google-chrome", "Google Chrome", "Chrome");
    const rows = groups["app"]?.rows ?? [];
    assert.equal(
      new Map(rows.map(({ key, seconds }) => [key, seconds])),
      new Map(
        [
          ["Google Chrome", chrome],
          ["Firefox", time("firefox", "Firefox")],
          ["Code", time("Code")],
          ["editor", time("editor")],
        ].sort(([, a], [, b]) => (b as number) - (a as number)) as [string, number][],
      ),
    );
    const names = rows.find(({ key }) => key === "Google Chrome")?.names;
    assert.equal([...(names ?? [])].sort(), ["Chrome", "Google Chrome", "google-chrome"]);
    assert.is(rows.find(({ key }) => key === "editor")?.names, undefined);
    const inBins = bins.flatMap(({ lists }) => lists?.["app"]?.rows ?? []).filter(({ key }) => key === "Google Chrome");
    assert.is(
      inBins.reduce((sum, { seconds }) => sum + seconds, 0),
      chrome,
    );
    await server.settings.put("app_names", { editor: "Code", firefox: "firefox" });
    const set = Object.fromEntries((await apps()).groups["app"]?.rows.map(({ key, seconds }) => [key, seconds]) ?? []);
    assert.equal(
      [set["Code"], set["Firefox"], set["firefox"]],
      [time("Code", "editor"), time("Firefox"), time("firefox")],
    );
  }));

const PAGES = DESK.map((span) => ({ ...span, data: { url: "https://one.example/a", title: "One" } }));
const SITES = { ...MONTH, groups: ["site"] };

test("a browser without a host belongs to the device without a bucket of this browser", () =>
  withBuckets(
    [
      ...DEVICES,
      ["aw-watcher-web-firefox_laptop", "web.tab.current", "laptop", []],
      ["aw-watcher-web-firefox", "web.tab.current", "unknown", PAGES],
    ],
    async (server) => {
      const onDesk = count(paint(DESK), ({ data }) => data["app"] === "firefox");
      const sites = async (host: string) => (await server.report({ ...SITES, hosts: [host] })).groups["site"]?.seconds;
      assert.equal([await sites("desk"), await sites("laptop")], [onDesk, 0]);
      assert.equal((await server.report(MONTH)).unassigned, []);
      await server.buckets.create("aw-watcher-web-firefox_desk", {
        ...{ type: "web.tab.current", client: "test", hostname: "desk" },
      });
      assert.equal((await server.report(MONTH)).unassigned, ["aw-watcher-web-firefox"], "none is left");
      assert.is(await sites("desk"), 0);
      await server.settings.put("browser_hosts", { "aw-watcher-web-firefox": "desk" });
      assert.is(await sites("desk"), onDesk);
      assert.equal((await server.report(MONTH)).unassigned, []);
    },
  ));

test("a phone's pages count while its browser is in front", () =>
  withBuckets(
    [
      ...DEVICES,
      ["aw-watcher-android-web-chrome", "web.tab.current", "phone", PAGES],
      ["aw-watcher-android-web-firefox", "web.tab.current", "phone", PAGES],
    ],
    async (server) => {
      const pages = paint(PAGES);
      const inFront = paint(PHONE).filter((span, at) => span !== undefined && pages[at] !== undefined);
      const { groups, coverage } = await server.report({ ...SITES, hosts: ["phone"] });
      assert.is(groups["site"]?.seconds, inFront.length * STEP);
      const unmatched = coverage.flatMap(({ kind, unmatched }) => (kind === "browser" ? [unmatched] : []));
      const whole = count(paint(PAGES));
      assert.equal(unmatched, [whole - inFront.length * STEP, whole]);
    },
  ));

test("a browser without a window watcher counts its pages", () =>
  withBuckets([["aw-watcher-web-firefox", "web.tab.current", "unknown", PAGES]], async (server) => {
    const { totals, groups, unassigned } = await server.report({ ...MONTH, groups: ["title", "site"] });
    const whole = count(paint(PAGES));
    assert.equal([totals.active, groups["site"]?.seconds, groups["title"]?.rows[0]?.key], [whole, whole, "One"]);
    assert.equal(unassigned, []);
    assert.is((await server.report({ ...MONTH, filter: ["site=two.example"] })).totals.active, 0);
  }));

test("a daily limit is kept on days, and a daily goal counts workdays", () =>
  withBuckets(DEVICES.slice(0, 1), async (server) => {
    await server.settings.put("classes", [{ name: ["Work"], rule: { type: "regex", regex: "editor" } }]);
    const seconds = 2400;
    const goals = [
      { category: ["Work"], goal: seconds, per: "day" },
      { category: ["Work"], limit: seconds, per: "day" },
    ];
    await server.settings.put("goals", goals);
    const work = paint(DESK);
    const spent = Array.from({ length: DAYS }, (_, day) => ({
      weekday: new Date((FIRST + day * DAY) * 1000).getUTCDay(),
      time: count(onDay(work, day), ({ data }) => data["app"] === "editor"),
    }));
    const workdays = spent.filter(({ weekday }) => weekday > 0 && weekday < 6);
    for (const by of ["hour", undefined] as const) {
      const [goal, limit] = (await server.report({ ...MONTH, by })).goals;
      const reached = workdays.filter(({ time }) => time >= seconds).length;
      assert.equal([goal?.days, goal?.target], [{ count: workdays.length, met: reached }, workdays.length * seconds]);
      assert.equal(limit?.days, { count: DAYS, met: spent.filter(({ time }) => time <= seconds).length });
    }
    await server.settings.put("workdays", ["Saturday"]);
    assert.is((await server.report(MONTH)).goals[0]?.days?.count, 5);
    assert.is((await server.report({ date: "2024-03-01" })).goals[0]?.days, undefined);
  }));

test("a week starts on any day", () =>
  withBuckets([], async (server) => {
    await server.settings.put("startOfWeek", "Saturday");
    const { firstDay, lastDay } = await server.report({ period: "week", date: "2024-03-01" });
    assert.equal([firstDay, lastDay], ["2024-02-24", "2024-03-01"]);
    assert.is(
      (await server.report({ period: "week", date: "2024-03-01", weekStart: "Thursday" })).firstDay,
      "2024-02-29",
    );
  }));

test.run();
