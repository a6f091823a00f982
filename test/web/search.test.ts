// The rows of a search: each moment has one.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { connect } from "../../src/client/index.js";
import { createTestServer } from "../../src/testing/index.js";
import { dayAt, rangeOf } from "../../src/web/period.js";
import { createSearch, detailType, searchedBuckets, type Way } from "../../src/web/views/search/address.js";
import { countedOnce, reportOfGroups } from "../../src/web/views/search/counted-once.js";
import { mergeMoments } from "../../src/web/views/search/moments.js";
import { intOf, randomOf } from "../contract/case.js";

const test = suite("search view");

const CALENDAR = { zone: "UTC", startOfDay: "00:00", startOfWeek: "Monday" } as const;
const PERIOD = rangeOf("2024-03-01", "2024-03-02", CALENDAR);

test("rows of titles, apps and days add up to the active time, and pages and files to theirs", async () => {
  const random = randomOf(7);
  const server = createTestServer({ clock: "2024-04-01T00:00:00Z" });
  const sums = { windows: 0, pages: 0, files: 0 };
  const events = { windows: [] as object[], pages: [] as object[], files: [] as object[] };
  let at = Date.UTC(2024, 2, 1, 8);
  for (let index = 0; index < 60; index++) {
    const seconds = intOf(random, 1, 300);
    const add = (kind: keyof typeof sums, data: object): void => {
      sums[kind] += seconds;
      events[kind].push({ timestamp: new Date(at), duration: { seconds }, data });
    };
    add("windows", { app: index % 2 ? "Firefox" : "Code", title: `Ticket ${index % 7} of work` });
    if (index % 2) add("pages", { url: `https://one.example/${index % 3}`, title: `Ticket ${index % 7} of work` });
    else add("files", { file: `${index % 4}.ts`, project: "work", language: "ts" });
    at += (seconds + intOf(random, 10, 90)) * 1000;
  }
  try {
    for (const [id, type, hostname, kind] of [
      ["aw-watcher-window_desk", "currentwindow", "desk", "windows"],
      ["aw-watcher-web-firefox", "web.tab.current", "unknown", "pages"],
      ["aw-watcher-vim_desk", "app.editor.activity", "desk", "files"],
    ] as const) {
      await server.buckets.create(id, { type, client: "test", hostname }, events[kind] as never);
    }
    const client = connect(server);
    const buckets = Object.values(await client.buckets.list());
    const total = async (way: Way, filter: readonly string[]) => {
      const search = createSearch(filter, { period: PERIOD, way, host: undefined }, CALENDAR, buckets);
      let seconds = 0;
      for await (const row of client.search({ ...search, group: way as "title" })) seconds += row.seconds;
      return Math.round(seconds);
    };
    for (const way of ["title", "app", "day"] as const) assert.is(await total(way, ["work"]), sums.windows, way);
    assert.is(await total("url", ["work"]), sums.pages);
    assert.is(await total("file", ["work"]), sums.files);
    assert.is(await total("title", ["site=one.example"]), sums.pages);
    assert.is(await total("day", ["project=work"]), sums.files);
  } finally {
    await server.close();
  }
});

/** A day of two devices, painted second by second. Every list has its own words, so that conditions meet some of them. */
interface Moment {
  readonly host: string;
  readonly data: Readonly<Record<string, string>>;
  readonly page?: string | undefined;
  readonly file?: string | undefined;
}

const START = Date.UTC(2024, 2, 1, 8);
const SECONDS = 4 * 3600;

/** Ranges with gaps that no watcher closes. */
function rangesOf(random: () => number, longest: number): readonly (readonly [from: number, to: number])[] {
  const ranges: [number, number][] = [];
  for (let at = intOf(random, 0, 200); at < SECONDS - longest; ) {
    const to = at + intOf(random, 20, longest);
    ranges.push([at, to]);
    at = to + intOf(random, 10, 120);
  }
  return ranges;
}

async function paintedServer() {
  const random = randomOf(41);
  const word = (): string => ["alpha", "beta", "gamma"][intOf(random, 0, 2)] as string;
  const server = createTestServer({ clock: "2024-04-01T00:00:00Z" });
  const moments: Moment[][] = Array.from({ length: SECONDS }, () => []);
  const labels = new Array<string | undefined>(SECONDS);
  const events = (
    ranges: readonly (readonly [number, number])[],
    dataOf: (from: number, to: number) => Readonly<Record<string, string>>,
  ) =>
    ranges.map(([from, to]) => ({
      ...{ timestamp: new Date(START + from * 1000), duration: { seconds: to - from }, data: dataOf(from, to) },
    }));
  for (const host of ["desk", "laptop"]) {
    const active = rangesOf(random, 1500);
    const isActive = (at: number): boolean => active.some(([from, to]) => from <= at && at < to);
    const shown = new Array<Moment | undefined>(SECONDS);
    const add = async (id: string, type: string, list: ReturnType<typeof events>): Promise<void> => {
      await server.buckets.create(`${id}_${host}`, { type, client: "test", hostname: host }, list);
    };
    const windows = events(rangesOf(random, 400), (from, to) => {
      const data = { app: ["Firefox", "Code"][intOf(random, 0, 1)] as string, title: `${word()} ${from}` };
      for (let at = from; at < to; at++) shown[at] = { host, data };
      return data;
    });
    const pages = events(rangesOf(random, 300), (from, to) => {
      const url = `https://${word()}.example/${from % 5}`;
      for (let at = from; at < to; at++) {
        const moment = shown[at];
        if (moment?.data["app"] === "Firefox") shown[at] = { ...moment, page: url };
      }
      return { url, title: `page of ${host}` };
    });
    const files = events(rangesOf(random, 300), (from, to) => {
      const file = `${word()}${from % 5}.ts`;
      for (let at = from; at < to; at++) if (shown[at]) shown[at] = { ...(shown[at] as Moment), file };
      return { file, project: "p", language: "ts" };
    });
    await add(
      "aw-watcher-afk",
      "afkstatus",
      events(active, () => ({ status: "not-afk" })),
    );
    await add("aw-watcher-window", "currentwindow", windows);
    await add("aw-watcher-web-firefox", "web.tab.current", pages);
    await add("aw-watcher-vim", "app.editor.activity", files);
    for (const [at, moment] of shown.entries()) if (moment && isActive(at)) moments[at]?.push(moment);
  }
  const timed = events(rangesOf(random, 900), (from, to) => {
    const label = `${word()} call`;
    for (let at = from; at < to; at++) if (moments[at]?.length === 0) labels[at] = label;
    return { label };
  });
  const stopwatch = { type: "general.stopwatch", client: "test", hostname: "unknown" };
  await server.buckets.create("aw-stopwatch", stopwatch, timed);
  return { server, moments, labels };
}

test("rows add up to the total, each second in one of them, whatever of window, page and file matches", async () => {
  const { server, moments, labels } = await paintedServer();
  try {
    const client = connect(server);
    const buckets = Object.values(await client.buckets.list());
    const texts = ({ data, page = "", file = "" }: Moment): string =>
      [data["app"], data["title"], page, file].join(" ");
    const queries: [string, (moment: Moment) => boolean, ((label: string) => boolean)?][] = [
      ["alpha", (moment) => texts(moment).includes("alpha"), (label) => label.includes("alpha")],
      ["!alpha", (moment) => !texts(moment).includes("alpha"), (label) => !label.includes("alpha")],
      ["title~/^beta/", ({ data }) => data["title"]?.startsWith("beta") ?? false],
      ["site=alpha.example", ({ page }) => page?.startsWith("https://alpha.") ?? false],
      ["file~gamma", ({ file }) => file?.includes("gamma") ?? false],
      ["label=alpha call", () => false, (label) => label === "alpha call"],
    ];
    for (const [condition, matches, matchesLabel = () => false] of queries) {
      const painted = { title: new Map(), app: new Map(), url: new Map(), file: new Map(), day: new Map() } as const;
      let [total, pages, files] = [0, 0, 0];
      for (const [at, here] of moments.entries()) {
        const count = (way: keyof typeof painted, key: string | null | undefined): void => {
          painted[way].set(key ?? null, ((painted[way].get(key ?? null) as number | undefined) ?? 0) + 1);
        };
        const label = labels[at];
        const found = here.filter(matches);
        const [first] = found;
        const isLabel = first === undefined && label !== undefined && matchesLabel(label);
        if (first === undefined && !isLabel) continue;
        total++;
        count("title", isLabel ? label : first?.data["title"]?.replace(/\d+/g, "#"));
        count("app", first?.data["app"]);
        count("day", "2024-03-01");
        const page = found.find((moment) => moment.page !== undefined)?.page;
        const file = found.find((moment) => moment.file !== undefined)?.file;
        if (page !== undefined) [pages] = [pages + 1, count("url", page)];
        if (file !== undefined) [files] = [files + 1, count("file", file)];
      }
      assert.ok(total > 300, condition);
      for (const way of ["title", "app", "day", "url", "file"] as const) {
        const where = `${condition} by ${way}`;
        const address = { period: PERIOD, way, host: undefined };
        const search = createSearch([condition], address, CALENDAR, buckets);
        const numbers = way === "title" ? ({ numbers: "fold" } as const) : {};
        const range = {
          period: "range",
          date: PERIOD.first,
          to: PERIOD.last,
          time_zone: "UTC",
          day_start: "00:00",
        } as const;
        const base = { ...range, hosts: "all", filter: [condition] } as const;
        const rows = countedOnce(client.search({ ...search, group: way as "title", ...numbers }), {
          ...{ way, isBesideWindows: detailType([condition]) !== undefined },
          report: client.report(reportOfGroups(base, way)),
          dayAt: (instant) => dayAt(instant, CALENDAR),
        });
        const expected = painted[way] as ReadonlyMap<string | null, number>;
        const shown = new Map<string | null, number>();
        for await (const { key, seconds = 0 } of rows) if (seconds > 0) shown.set(key, Math.round(seconds));
        const sorted = (map: ReadonlyMap<string | null, number>) => [...map].sort((a, b) => (`${a}` < `${b}` ? -1 : 1));
        const whole = { title: total, app: total, day: total, url: pages, file: files }[way];
        if (whole === 0) continue;
        assert.equal(sorted(shown), sorted(expected), where);
        assert.is(Math.round((await rows.summary()).seconds), whole, where);
      }
    }
  } finally {
    await server.close();
  }
});

test("an event list has one row for a window with its page and file", () => {
  const buckets = [
    { id: "window", type: "currentwindow", hostname: "desk" },
    { id: "web", type: "web.tab.current", hostname: "unknown" },
    { id: "vim", type: "app.editor.activity", hostname: "desk" },
    { id: "other", type: "app.editor.activity", hostname: "laptop" },
  ];
  const row = (bucket: string, from: number, to: number, data: Record<string, string>) => ({
    ...{ bucket, id: from, timestamp: new Date(START + from * 1000).toISOString(), duration: to - from, data },
  });
  const events = [
    row("web", 90, 200, { url: "u3" }),
    row("other", 50, 60, { file: "f" }),
    row("vim", 40, 60, { file: "x.ts" }),
    row("web", 40, 60, { url: "u2", title: "page" }),
    row("window", 30, 100, { app: "Firefox", title: "window" }),
    row("web", 0, 10, { url: "u1" }),
  ];
  assert.equal(
    mergeMoments(events, buckets).map(({ id, data }) => [id, data]),
    [
      [90, { url: "u3" }],
      [50, { file: "f" }],
      [30, { app: "Firefox", title: "window", url: "u2", file: "x.ts" }],
      [0, { url: "u1" }],
    ],
  );
});

test("pages and files are rows of their own where no window is, and the demo is left out", () => {
  const one = (id: string, type: string, hostname: string, data = {}) => ({ id, type, hostname, data });
  const page = one("page", "web.tab.current", "tablet");
  assert.is(searchedBuckets([page], "title", []), undefined);
  const lost = one("lost", "web.tab.current", "unknown");
  assert.is(searchedBuckets([lost], "title", []), undefined);
  const all = [page, lost, one("window", "currentwindow", "desk"), one("timer", "general.stopwatch", "unknown")];
  assert.equal(searchedBuckets(all, "title", ["x"]), ["page", "window", "timer"]);
  assert.equal(searchedBuckets(all, "file", []), []);
  assert.is(searchedBuckets(all, "events", []), undefined);
  const demo = one("demo", "currentwindow", "demo", { demo: true });
  assert.equal(searchedBuckets([all[2] as typeof page, demo], "day", []), ["window"]);
});

test.run();
