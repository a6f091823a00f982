// long: 900 s
// The activity view, held against the recorded programs of the clients and against what is known of the days shown.
import type { Page, Request } from "playwright-core";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Filling, realisticDay, type TestServer } from "../../src/testing/index.js";
import { detailsOf, IS_LONG } from "../faults/sizes.js";
import {
  ask,
  categorySums,
  type Desktop,
  grouped,
  linesOf,
  partNamesOf,
  partsOf,
  reaches,
  recorded,
  type Shown,
  storeRules,
  totalOf,
} from "./activity-page.js";
import { DAY, HOST, inOneVisit, NIGHT, NOW, settled, type Web, type WebOptions, withWeb, ZONE } from "./web-page.js";

const test = suite("activity view");
const details = detailsOf(test);

const DESKTOP = "14-client-desktop-1.json";
const IDS = { "aw-watcher-web-firefox": `aw-watcher-web-firefox_${HOST}` };
const WHOLE_DAY = "2024-03-01T04:00:00+01:00/2024-03-02T04:00:00+01:00";

/** Five days of a computer. */
const DAYS: Filling = ["2024-02-26", "2024-02-27", "2024-02-29", DAY, "2024-03-04"].map((date, seed) =>
  realisticDay({ date, seed, timezone: ZONE, hostname: HOST }),
);

async function again({ page }: Web): Promise<void> {
  await page.reload();
  await settled(page);
}

/** Compares to the microsecond, labels exactly. */
function same(shown: Shown, wanted: Shown, what: string): void {
  assert.equal(
    shown.map(([label]) => label),
    wanted.map(([label]) => label),
    what,
  );
  for (const [index, [label, seconds]] of wanted.entries()) {
    near(shown[index]?.[1], seconds, `${what}: ${label}`);
  }
}

function near(shown: number | undefined, wanted: number, what: string): void {
  assert.ok(Math.abs((shown ?? Number.NaN) - wanted) < 2e-6, `${what}: ${shown} instead of ${wanted}`);
}

function textOf(value: unknown): string {
  return String(value ?? "");
}

const AUDIBLE = "not_afk = period_union(not_afk, audible_events);";

/**
 * The official UI's program with the one line more that cuts pages to active time
 * (docs/reference/compatibility.md#what-clients-ask, step 4).
 */
function withPagesCut(program: string): string {
  assert.ok(program.includes(AUDIBLE));
  return program.replace(AUDIBLE, `${AUDIBLE}\nbrowser_events = filter_period_intersect(browser_events, not_afk);`);
}

/** The official UI's program for an editor, cut to the active time of its program for a computer. */
function withEditsCut(editor: string, program: string): string {
  const [before] = program.split("events = filter_period_intersect(events, not_afk);");
  const cut = "events = filter_period_intersect(sort_by_timestamp(events), not_afk);";
  assert.ok(editor.includes("files = sort"));
  return `${before}${editor.replace("files = sort", `${cut}\nfiles = sort`)}`;
}

/** Demands that a page shows what the program of the official UI gives. */
async function showsDesktop(page: Page, server: TestServer, period: string, program: string): Promise<void> {
  const [wanted] = await ask<Desktop>(server, withPagesCut(program), period);
  if (wanted === undefined) throw new Error("no result");
  near(await totalOf(page), wanted.window.duration, "active time");
  same(
    await linesOf(page, "Apps"),
    grouped(wanted.window.app_events, ({ app }) => textOf(app)),
    "apps",
  );
  const titles = grouped(wanted.window.title_events, ({ app, title }) => `${textOf(title)} · ${textOf(app)}`);
  // The official UI stops at a hundred.
  same((await linesOf(page, "Titles")).slice(0, titles.length), titles, "titles");
  const sites = grouped(wanted.browser.domains, ({ $domain }) => textOf($domain));
  same(await linesOf(page, "Sites"), sites, "sites");
  const categories = new Map(await linesOf(page, "Categories"));
  const sums = categorySums(wanted.window.cat_events);
  assert.equal([...categories.keys()].sort(), [...sums.keys()].sort());
  for (const [name, seconds] of sums) near(categories.get(name), seconds, name);
}

const RULED: WebOptions = {
  now: NIGHT,
  prepare: (server) => storeRules(server, recorded(DESKTOP, "webui-full-one-browser", IDS)),
};

inOneVisit(test, RULED, [
  [
    "a day shows the numbers of the official UI's program, with the rules of its settings",
    "#/",
    async ({ page, server }) => {
      const program = recorded(DESKTOP, "webui-full-one-browser", IDS);
      await showsDesktop(page, server, WHOLE_DAY, program);
      const hours = Array.from({ length: 24 }, (_, hour) => {
        const at = (add: number): string => new Date(Date.parse("2024-03-01T03:00Z") + add * 3_600_000).toISOString();
        return `${at(hour)}/${at(hour + 1)}`;
      });
      const bars = program.replace(
        /title_events = sort[\s\S]*/,
        'RETURN = merge_events_by_keys(events, ["$category"]);',
      );
      const wanted = await ask<Desktop["window"]["cat_events"]>(server, bars, ...hours);
      const shown = await partsOf(page);
      assert.is(shown.length, 24);
      for (const [hour, groups] of wanted.entries()) {
        near(
          shown[hour]?.["Active"],
          groups.reduce((sum, { duration }) => sum + duration, 0),
          `hour ${hour}`,
        );
        const sums = categorySums(groups);
        for (const [name, seconds] of Object.entries(shown[hour] ?? {})) {
          if (name !== "Active" && name !== "Other") near(seconds, sums.get(name) ?? 0, `hour ${hour}, ${name}`);
        }
      }
      const [editor] = await ask<Record<"projects" | "languages", Desktop["browser"]["domains"]>>(
        server,
        withEditsCut(
          recorded("17-client-editor.json", "editor-one", { "aw-watcher-vscode_desk": `aw-watcher-vscode_${HOST}` }),
          program,
        ),
        WHOLE_DAY,
      );
      same(
        await linesOf(page, "Editor projects"),
        grouped(editor?.projects ?? [], ({ project }) => textOf(project).replace(/^.*\//, "")),
        "projects",
      );
      same(
        await linesOf(page, "Languages"),
        grouped(editor?.languages ?? [], ({ language }) => textOf(language)),
        "languages",
      );
    },
  ],
  [
    "going on, back, to today and to a date, by links, keys and fields, keeps the host; the back button undoes it",
    `#/?host=${HOST}`,
    async ({ page, goto }) => {
      const address = (): string => new URL(page.url()).hash;
      const heading = page.getByRole("heading", { level: 1 });
      assert.is(await heading.textContent(), "Friday, March 1, 2024");
      await page.getByRole("link", { name: "Previous day" }).click();
      await reaches(page, "Thursday, February 29, 2024");
      assert.is(address(), `#/day/2024-02-29?host=${HOST}`);
      if (IS_LONG) {
        await page.keyboard.press("ArrowLeft");
        await reaches(page, "Wednesday, February 28, 2024");
        await page.keyboard.press("ArrowRight");
      }
      await page.keyboard.press("ArrowRight");
      await reaches(page, "Friday, March 1, 2024");
      await page.getByLabel("Date").fill("2024-02-27");
      await reaches(page, "Tuesday, February 27, 2024");
      await page.keyboard.press("ArrowLeft");
      assert.is(address(), `#/day/2024-02-27?host=${HOST}`, "a field keeps its keys");
      await page.getByRole("link", { name: "Week", exact: true }).click();
      await reaches(page, "Feb 26 – Mar 3, 2024");
      await page.getByRole("link", { name: "Next week" }).click();
      await reaches(page, "Mar 4 – 10, 2024");
      await page.goBack();
      await reaches(page, "Feb 26 – Mar 3, 2024");
      await page.goForward();
      await reaches(page, "Mar 4 – 10, 2024");
      await page.getByRole("link", { name: "This week" }).click();
      await reaches(page, "Feb 26 – Mar 3, 2024");
      if (IS_LONG) await page.reload();
      await reaches(page, "Feb 26 – Mar 3, 2024");
      await page.getByRole("link", { name: "Range", exact: true }).click();
      await page.getByLabel("To", { exact: true }).fill("2024-02-27");
      await reaches(page, "Feb 26 – 27, 2024");
      assert.is(address(), `#/range/2024-02-26/2024-02-27?host=${HOST}`);
      await goto(`#/month/2024-03?host=${HOST}`);
      await reaches(page, "March 2024");
      const bars = (await partsOf(page)).map(({ Active = 0 }) => Active);
      assert.is(bars.length, 31);
      near(bars[0], await totalOf(page), "the first of the month");
    },
  ],
]);

/** The requests of a view for stored data: not for who is signed in, or wants to be. */
async function dataRequests(page: Page, act: () => Promise<unknown>): Promise<string[]> {
  const asked: string[] = [];
  const note = (request: Request): void => {
    const { pathname } = new URL(request.url());
    if (/\/api\/0\/(?!info$|session$|pairing$|feed$)/.test(pathname)) asked.push(`${request.method()} ${pathname}`);
  };
  page.on("request", note);
  await act();
  await settled(page);
  page.off("request", note);
  return asked.sort();
}

/** On a busy machine, the first view would not wait long enough for the feed, and read again what it has read. */
const PATIENT = `{
  const { setTimeout: after } = window;
  window.setTimeout = (f, millis) => after(f, millis === 500 ? 30_000 : millis);
}`;

test("the first view takes four requests for data, and another period one", () =>
  withWeb({ script: PATIENT }, async ({ page, server, load }) => {
    const report = "POST /api/0/report";
    const event = { timestamp: NOW, duration: "1s", data: { app: "Live", title: "now" } } as const;
    await server.events.insert(`aw-watcher-window_${HOST}`, event);
    await server.events.insert(`aw-watcher-afk_${HOST}`, { ...event, data: { status: "not-afk" } });
    const first = await dataRequests(page, () => load("#/"));
    assert.equal(first, ["GET /api/0/buckets", "GET /api/0/settings", "POST /api/0/query", report]);
    await page.locator(".live-now").getByText("Live – now").waitFor();
    const next = await dataRequests(page, async () => {
      await page.getByRole("link", { name: "Previous day" }).click();
      await reaches(page, "Thursday, February 29, 2024");
    });
    // A day without events also looks for the nearest ones.
    assert.equal(
      next.filter((one) => !/\/(buckets|events)$/.test(one)),
      [report],
    );
  }));

details("what goes on for more than a day counts from its start", () =>
  withWeb({ fill: DAYS.slice(0, 1) }, async ({ page, server, load }) => {
    const timestamp = new Date(Date.parse(NOW) - 30 * 3_600_000);
    await server.events.insert(`aw-watcher-window_${HOST}`, { timestamp: NOW, data: { app: "Live", title: "now" } });
    await server.events.insert(`aw-watcher-afk_${HOST}`, { timestamp, duration: "30h", data: { status: "afk" } });
    await load("#/");
    await page
      .locator(".live-now")
      .getByText(/^for 30\s?h/)
      .waitFor();
  }),
);

details("a bar of a week leads to its day, one of a day to the timeline of its hour", () =>
  withWeb({ fill: DAYS, hash: "#/week/2024-02-26" }, async ({ page, goto }) => {
    const over = page.locator(".chart-over");
    const box = await over.boundingBox();
    if (box === null) throw new Error("no chart");
    await over.click({ position: { x: (box.width * 3.5) / 7, y: box.height - 10 } });
    await reaches(page, "Thursday, February 29, 2024");
    await over.hover({ position: { x: (box.width * 6.5) / 24, y: box.height - 10 } });
    await page.locator(".activity-legend p", { hasText: "10:00 AM – 11:00 AM" }).waitFor();
    await goto("#/week/2024-02-26");
    await partsOf(page);
    await page.getByRole("link", { name: "Tuesday, February 27, 2024" }).click();
    await reaches(page, "Tuesday, February 27, 2024");
  }),
);

details("days are those of the time zone that is set", () =>
  withWeb({ now: "2024-03-02T12:00:00Z" }, async (web) => {
    const { page, server, goto } = web;
    await server.settings.put("timeZone", "Asia/Kathmandu");
    await server.settings.put("startOfDay", "16:30");
    await goto(`#/day/${DAY}`);
    await again(web);
    const program = recorded(DESKTOP, "webui-full-one-browser", IDS);
    const [wanted] = await ask<Desktop>(server, program, "2024-03-01T10:45Z/2024-03-02T10:45Z");
    near(await totalOf(page), wanted?.window.duration ?? 0, "active time");
    assert.match((await partNamesOf(page))[0] ?? "", /^4:30\sPM – 5:30\sPM$/);
  }),
);

test.run();
