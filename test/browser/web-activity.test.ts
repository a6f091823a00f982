// long: 900 s
// The activity view, held against the recorded programs of the clients and against what is known of the days shown.
import type { Page } from "playwright-core";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { bucket, event, type Filling, realisticDay, type TestServer } from "../../src/testing/index.js";
import { detailsOf, IS_LONG, sampleOf } from "../faults/sizes.js";
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
import {
  accessibleToo,
  DAY,
  HOST,
  inOneVisit,
  NIGHT,
  settled,
  type Web,
  type WebOptions,
  withWeb,
  ZONE,
} from "./web-page.js";

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
 * (docs/compatibility.md#what-clients-ask, step 4).
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

details("apps that are always active count, as in the official UI", () =>
  withWeb({ now: NIGHT }, async (web) => {
    const { page, server } = web;
    const program = recorded(DESKTOP, "webui-full-one-browser", IDS).replace(
      "browser_events = [];",
      `more = filter_keyvals_regex(events, "app", "Slack|Thunderbird");
       not_afk = period_union(not_afk, more);
       browser_events = [];`,
    );
    await storeRules(server, program);
    await server.settings.put("always_active_pattern", "Slack|Thunderbird");
    await server.events.insert(`aw-watcher-window_${HOST}`, [
      event({ timestamp: "2024-03-01T19:00:00Z", duration: "30m", data: { app: "Slack", title: "call" } }),
      event({ timestamp: "2024-03-01T20:00:00Z", duration: "30m", data: { app: "Other", title: "left open" } }),
    ]);
    await again(web);
    await showsDesktop(page, server, WHOLE_DAY, program);
  }),
);

const TALL = "x".repeat(10_000);
const ODD: Filling = [
  {
    bucket: bucket({ id: "aw-watcher-window_odd", hostname: "odd" }),
    events: [
      { title: "no app" },
      { app: "No title" },
      { app: "<img src=x onerror=alert(1)>", title: '<b class="evil">bold</b>' },
      { app: "Long", title: TALL },
      { app: 5, title: { a: 1 } },
      { app: "", title: "" },
      { app: "__proto__", title: "constructor" },
      { other: true },
    ].map((data, index) => event({ timestamp: `2024-03-01T10:0${index}:00Z`, duration: "90s", data })),
  },
  {
    bucket: bucket({ id: "aw-watcher-window_future", hostname: "odd" }),
    events: [event({ timestamp: "2031-01-01T10:00:00Z", data: { app: "Future" } })],
  },
  { bucket: bucket({ id: "strange", type: "nobody.knows", hostname: "odd" }), events: [] },
  { bucket: bucket({ id: "aw-watcher-afk_empty", type: "afkstatus", hostname: "empty" }), events: [] },
];

details("odd data is shown as text, and adds up as the server says", () =>
  withWeb({ fill: ODD, hash: "#/day/2024-03-01?host=odd" }, async ({ page, server, picture }) => {
    const [wanted] = await ask<{ apps: Shown; duration: number }>(
      server,
      `events = flood(query_bucket("aw-watcher-window_odd"));
       RETURN = { "duration": sum_durations(events) };`,
      WHOLE_DAY,
    );
    near(await totalOf(page), wanted?.duration ?? 0, "active time");
    const apps = new Map(await linesOf(page, "Apps"));
    near(
      [...apps.values()].reduce((sum, seconds) => sum + seconds, 0),
      wanted?.duration ?? 0,
      "all apps",
    );
    assert.equal([...apps.keys()].sort(), [
      "(no app)",
      "5",
      "<img src=x onerror=alert(1)>",
      "Long",
      "No title",
      "__proto__",
    ]);
    assert.is(await page.locator("main .evil, main img").count(), 0);
    const long = page.getByTitle("xxx").first();
    assert.ok(((await long.textContent()) ?? "").length < 300);
    assert.ok(((await long.getAttribute("title")) ?? "").length <= 1000);
    await picture("activity-odd");
    await accessibleToo(page);
  }),
);

const LONGEST = "#/range/2023-11-01/2024-03-31";

test("weeks, months and ranges have their own addresses, which keep the host", () =>
  withWeb({ fill: DAYS, now: "2024-04-02T12:00:00Z", hash: LONGEST }, async ({ page, server, goto, picture }) => {
    const program = recorded(DESKTOP, "webui-full-one-browser", IDS).replace(
      /events = categorize[\s\S]*?\n/,
      "events = categorize(events, []);\n",
    );
    for (const [hash, title, period, parts] of sampleOf(
      [
        [LONGEST, "Nov 1, 2023 – Mar 31, 2024", "2023-11-01T03:00Z/2024-04-01T02:00Z", 22],
        [`#/day/${DAY}`, "Friday, March 1, 2024", WHOLE_DAY, 24],
        ["#/week/2024-03-01", "Feb 26 – Mar 3, 2024", "2024-02-26T04:00:00+01:00/2024-03-04T04:00:00+01:00", 7],
        ["#/month/2024-02", "February 2024", "2024-02-01T04:00:00+01:00/2024-03-01T04:00:00+01:00", 29],
        [
          "#/range/2024-02-27/2024-03-04",
          "Feb 27 – Mar 4, 2024",
          "2024-02-27T04:00:00+01:00/2024-03-05T04:00:00+01:00",
          7,
        ],
      ] as const,
      5,
    )) {
      await goto(`${hash}?host=${HOST}`);
      await reaches(page, title);
      const [wanted] = await ask<Desktop>(server, program, period);
      near(await totalOf(page), wanted?.window.duration ?? 0, hash);
      same(
        await linesOf(page, "Apps"),
        grouped(wanted?.window.app_events ?? [], ({ app }) => textOf(app)),
        hash,
      );
      const bars = await partsOf(page);
      assert.is(bars.length, parts, hash);
      near(
        bars.reduce((sum, { Active = 0 }) => sum + Active, 0),
        wanted?.window.duration ?? 0,
        `bars of ${hash}`,
      );
      for (const link of await page.locator(".activity-kinds a, .activity-steps a, .activity-table tbody a").all()) {
        assert.match((await link.getAttribute("href")) ?? "", `host=${HOST}`);
      }
      await picture(`activity-${hash.split("/")[1]}-1400`);
      await accessibleToo(page);
    }
  }));

/** Spaces of other kinds are those of the locale. */
function normal(text: string | null): string {
  return (text ?? "").replace(/\s/g, " ");
}

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
          if (name !== "Active" && name !== "Others") near(seconds, sums.get(name) ?? 0, `hour ${hour}, ${name}`);
        }
      }
      const [editor] = await ask<{ projects: Desktop["browser"]["domains"] }>(
        server,
        withEditsCut(
          recorded("17-client-editor.json", "editor-one", { "aw-watcher-vscode_desk": `aw-watcher-vscode_${HOST}` }),
          program,
        ),
        WHOLE_DAY,
      );
      same(
        await linesOf(page, "Editor projects"),
        grouped(editor?.projects ?? [], ({ project }) => textOf(project)),
        "projects",
      );
    },
  ],
  [
    "going on, back, to today and to a date, by links, keys and fields; the browser's back button undoes it",
    "#/",
    async ({ page }) => {
      const address = (): string => new URL(page.url()).hash;
      const heading = page.getByRole("heading", { level: 1 });
      assert.is(await heading.textContent(), "Friday, March 1, 2024");
      await page.getByRole("link", { name: "Previous day" }).click();
      await reaches(page, "Thursday, February 29, 2024");
      assert.is(address(), "#/day/2024-02-29");
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
      assert.is(address(), "#/day/2024-02-27", "a field keeps its keys");
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
      assert.is(address(), "#/range/2024-02-26/2024-02-27");
    },
  ],
]);

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

for (const [date, startOfDay, count, start, end] of [
  ["2024-10-27", "00:00", 25, "2024-10-26T22:00Z", "2024-10-27T23:00Z"],
  ["2024-03-30", "04:00", 23, "2024-03-30T03:00Z", "2024-03-31T02:00Z"],
] as const) {
  details(`the day ${date} from ${startOfDay} on has ${count} hours, and the numbers of all of them`, () =>
    withWeb(
      {
        now: "2024-11-05T12:00:00Z",
        fill: [
          {
            bucket: bucket({ id: `aw-watcher-window_${HOST}`, hostname: HOST }),
            events: [event({ timestamp: start, duration: "25h", data: { app: "All day", title: "" } })],
          },
          {
            bucket: bucket({ id: `aw-watcher-afk_${HOST}`, type: "afkstatus", hostname: HOST }),
            events: [event({ timestamp: start, duration: "25h", data: { status: "not-afk" } })],
          },
          {
            bucket: bucket({ id: `aw-watcher-web-firefox_${HOST}`, type: "web.tab.current", hostname: HOST }),
            events: [],
          },
        ],
      },
      async (web) => {
        const { page, server, goto } = web;
        await server.settings.put("startOfDay", startOfDay);
        await goto(`#/day/${date}`);
        await again(web);
        assert.is((await partNamesOf(page)).length, count);
        const program = recorded(DESKTOP, "webui-full-one-browser", IDS);
        const [wanted] = await ask<Desktop>(server, program, `${start}/${end}`);
        near(await totalOf(page), wanted?.window.duration ?? 0, "active time");
        assert.is(wanted?.window.duration, count * 3600);
      },
    ),
  );
}

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
    assert.is(normal((await partNamesOf(page))[0] ?? ""), "4:30 PM – 5:30 PM");
  }),
);

test.run();
