// long: 900 s
// One filter everywhere: the tasks that people come with, with their clicks counted, and totals held against the API.
import fs from "node:fs";
import type { Locator, Page, Request } from "playwright-core";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { bucket, event, type Filling } from "../../src/testing/index.js";
import { detailsOf, IS_LONG } from "../faults/sizes.js";
import { door } from "../http/storages.js";
import { otherWords } from "../reworded.js";
import { ask, linesOf, partsOf, reaches, totalOf } from "./activity-page.js";
import { dropFaults, takeFaults } from "./watch.js";
import { accessibleToo, HOST, inOneVisit, isInSight, menuLink, settled, type Web, withWeb } from "./web-page.js";

const test = suite("filter of the dashboard");
const details = detailsOf(test);

const WINDOW = `aw-watcher-window_${HOST}`;
const AFK = `aw-watcher-afk_${HOST}`;
const MARCH = "2024-03-01T04:00:00+01:00/2024-04-01T04:00:00+02:00";
const YEAR = "2024-01-01T04:00:00+01:00/2025-01-01T04:00:00+01:00";

/** Whether clocks go forward between two days makes no difference to what is on them. */
const DAYS = ["2024-02-20", "2024-03-05", "2024-03-06", "2024-03-30", "2024-03-31", "2024-04-02"];

/** When all of that is over. */
const LATER = "2024-04-03T17:00:00Z";

/** On each day an hour of a thesis, two tickets and something else. */
const WORK: Filling = [
  {
    bucket: bucket({ id: WINDOW, hostname: HOST }),
    events: DAYS.flatMap((date, day) =>
      [
        { app: "Code", title: "thesis.tex" },
        { app: "Firefox", title: `PROJ-${100 + day} Fix the door` },
        { app: "Firefox", title: `PROJ-${200 + day} Fix the door` },
        { app: "Player", title: "Songs" },
      ].map((data, hour) => event({ timestamp: `${date}T${10 + hour}:00:00Z`, duration: "3600s", data })),
    ),
  },
  {
    bucket: bucket({ id: AFK, type: "afkstatus", hostname: HOST }),
    events: DAYS.map((date) => event({ timestamp: `${date}T10:00:00Z`, duration: "4h", data: { status: "not-afk" } })),
  },
];

/** Clicks that somebody made. */
class Clicks {
  count = 0;
  async click(target: Locator): Promise<void> {
    this.count++;
    await target.click();
  }
}

async function durationOf({ server }: Web, period: string, filter: string): Promise<number> {
  const query = `
    events = flood(query_bucket("${WINDOW}"));
    not_afk = filter_keyvals(flood(query_bucket("${AFK}")), "status", ["not-afk"]);
    events = filter_period_intersect(events, not_afk);
    RETURN = sum_durations(${filter});`;
  const [seconds = Number.NaN] = await ask<number>(server, query, period);
  return seconds;
}

const answerOf = (page: Page): Promise<string | null> => page.locator(".filter-answer").textContent();
const chipsOf = (page: Page): Promise<string[]> => page.locator(".chip-text").allTextContents();
const hashOf = (page: Page): URLSearchParams => new URLSearchParams(new URL(page.url()).hash.split("?")[1]);

details("conditions are changed, turned round and removed by keys", () =>
  withWeb({ fill: WORK, hash: "#/day/2024-03-05?f=app%3DCode", now: LATER }, async ({ page, goto }) => {
    const focused = (): Promise<string | null | undefined> =>
      page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.id);
    await goto("#/day/2024-03-05?f=app%3DCode&f=!x&f=!y");
    await page.getByRole("button", { name: "Remove y" }).press("Enter");
    assert.is(await focused(), "Edit x");
    await page.getByRole("button", { name: "Edit app=Code" }).press("Delete");
    await settled(page);
    assert.is(await focused(), "Edit x");
    await page.getByRole("button", { name: "Remove x" }).press("Enter");
    assert.is(await focused(), "main");
    await goto("#/day/2024-03-05?f=app%3DCode");
    await page.getByRole("button", { name: "Exclude app=Code" }).press("Enter");
    await settled(page);
    assert.is(await totalOf(page), 3 * 3600);
    assert.equal(hashOf(page).getAll("f"), ["!app=Code"]);
    await page.getByRole("button", { name: "Edit app=Code" }).press("!");
    await settled(page);
    await page.getByRole("button", { name: "Edit app=Code" }).press("Enter");
    await settled(page);
    await page.keyboard.press("Control+A");
    await page.keyboard.type("title~/^PROJ-1/");
    await page.keyboard.press("Enter");
    await settled(page);
    assert.equal(await chipsOf(page), ["title~/^PROJ-1/"]);
    assert.is(await totalOf(page), 3600);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("category:Nothing");
    await page.keyboard.press("Enter");
    await settled(page);
    await page.getByRole("heading", { name: "No matches here" }).waitFor();
    await accessibleToo(page);
    await page.keyboard.press("Control+k");
    await page.keyboard.press("Backspace");
    await settled(page);
    assert.equal(await chipsOf(page), ["title~/^PROJ-1/"]);
    await page.getByRole("button", { name: "Edit title~/^PROJ-1/" }).press("Delete");
    await settled(page);
    assert.is(await totalOf(page), 4 * 3600);
    await page.keyboard.press("/");
    await page.keyboard.type("title~/x");
    await page.keyboard.press("Enter");
    assert.match((await page.getByRole("alert").textContent()) ?? "", "End the pattern with /");
    await page.keyboard.press("Escape");
    await goto("#/day/2024-03-05?f=title~%2Fx");
    assert.is(await page.locator(".chip-bad").count(), 1);
  }),
);

details("the box refuses what is wrong, and adds nothing to a filter that is not shown", () =>
  withWeb({ fill: WORK, hash: "#/day/2024-03-05", now: LATER }, async ({ page, goto, faults }) => {
    const refusals = [
      ["app=", "Enter a value after = or ~"],
      ["app~", "Enter a value after = or ~"],
      ["category:", "Enter a name after category:"],
      ["/(foo/", `Invalid pattern. (Server: ${otherWords("this ( has no closing ), at character 1 of the pattern")}.)`],
    ] as const;
    for (const [typed, said] of refusals) {
      await page.keyboard.press("Control+k");
      await page.keyboard.type(typed);
      await page.keyboard.press("Enter");
      await page.getByRole("search").getByRole("alert").filter({ hasText: said }).waitFor();
      assert.equal(await chipsOf(page), [], typed);
    }
    await accessibleToo(page);
    await page.keyboard.press("Control+k");
    await page.keyboard.type('app=""');
    await page.keyboard.press("Enter");
    await settled(page);
    assert.equal(await chipsOf(page), ['app=""'], "an empty value is in quotes");
    await goto("#/trash?f=wedding");
    assert.equal(await chipsOf(page), []);
    await page.keyboard.press("Control+k");
    await page.keyboard.press("Backspace");
    assert.equal(hashOf(page).getAll("f"), ["wedding"], "what is not shown is not removed");
    await page.keyboard.type("thesis");
    await page.keyboard.press("Enter");
    await settled(page);
    assert.equal(await chipsOf(page), ["thesis"]);
    assert.equal(hashOf(page).getAll("f"), ["thesis"]);
    dropFaults({ faults }, /status of 400/);
  }),
);

details("without the current category, which can be loaded again, the rules of the filter are there", () => {
  const pages = {
    bucket: bucket({ id: "aw-watcher-web-firefox", type: "web.tab.current", hostname: HOST }),
    events: [
      event({ timestamp: "2024-03-05T11:00:00Z", duration: "1h", data: { url: "https://a.example/", title: "A" } }),
    ],
  };
  const hash = "#/day/2024-03-05?f=site%3Da.example&f=app%3DFirefox";
  return withWeb({ fill: [...WORK, pages], hash, now: LATER }, async (web) => {
    const { page } = web;
    const dialog = page.getByRole("dialog");
    await page.route("**/api/0/report*", (route) =>
      route.request().postData()?.includes('"rule"')
        ? route.continue()
        : route.fulfill({ status: 500, json: { message: "broken" } }),
    );
    await page.getByRole("button", { name: "Assign category" }).click();
    await dialog.getByRole("alert").waitFor();
    assert.is(await dialog.getByLabel("Text of condition 1").inputValue(), "Firefox");
    await dialog.locator(".belongs button:enabled").first().waitFor();
    await page.unroute("**/api/0/report*");
    await dialog.getByRole("button", { name: "Try again" }).click();
    await dialog.getByText("No rule applies").waitFor();
    assert.is(await dialog.getByRole("alert").count(), 0);
    assert.is(await dialog.getByLabel("Text of condition 1").inputValue(), "PROJ-101 Fix the door");
    takeFaults(web, /status of 500/);
  });
});

for (const [width, locale] of [
  [1280, "he"],
  [1280, "en-US"],
  [1700, "he"],
  [390, "en-US"],
] as const) {
  details(`what is offered, and what comes of a click far below, are in sight: ${width}, ${locale}`, () =>
    withWeb(
      { fill: WORK, hash: "#/month/2024-03", now: LATER, width, height: 700, context: { locale } },
      async (web) => {
        const { page } = web;
        await page.keyboard.press("/");
        await page.keyboard.type("a rather long report of the quarter");
        assert.ok(await isInSight(page.getByRole("listbox")));
        await page.keyboard.press("Escape");
        await page.getByRole("link", { name: "thesis.tex" }).click();
        await settled(page);
        const [belongs, second] = await page.locator(".filter-actions button").all();
        assert.ok(belongs && second && (await isInSight(belongs)));
        await belongs.click();
        await settled(page);
        await page.locator(".belongs button:enabled").first().click();
        const undo = page.locator(".filter-notice button").first();
        await undo.waitFor();
        await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
        assert.ok(await isInSight(undo));
      },
    ),
  );
}

for (const locale of ["de-DE", "en-US"]) {
  details(`dates and lengths of a search have their width at 1280 px, in ${locale}`, () => {
    const timestamp = "2024-02-28T10:00:00Z";
    const fill: Filling = [
      {
        bucket: bucket({ id: WINDOW, hostname: HOST }),
        events: [
          event({ timestamp, duration: "173h", data: { app: "Code", title: "thesis" } }),
          event({ timestamp: "2024-03-27T10:00:00Z", duration: "44m", data: { app: "Code", title: "thesis" } }),
        ],
      },
    ];
    const options = { fill, width: 1280, context: { locale }, now: LATER };
    return withWeb({ ...options, hash: "#/search/year/2024?f=thesis" }, async ({ page, goto }) => {
      for (const by of ["title", "events"]) {
        await goto(`#/search/year/2024?f=thesis&by=${by}`);
        const cut = await page
          .locator("main tbody td:not(:last-child, :first-child), .search-at")
          .evaluateAll((cells) =>
            cells.flatMap((cell) => {
              const room = (cell.closest("td") ?? cell).getBoundingClientRect();
              const range = document.createRange();
              range.selectNodeContents(cell);
              const { left, right } = range.getBoundingClientRect();
              return left < room.left || right > room.right ? [cell.textContent] : [];
            }),
          );
        assert.equal(cut, [], by);
      }
    });
  });
}

details("what was timed by hand is found by its label, of no host", () => {
  const timed = (label: string, hour: number) =>
    event({ timestamp: `2024-03-05T${hour}:00:00Z`, duration: "3600s", data: { label, running: false } });
  const stopwatch = bucket({ id: "aw-stopwatch", type: "general.stopwatch", hostname: "unknown" });
  const fill: Filling = [...WORK, { bucket: stopwatch, events: [timed("Call", 10), timed("Call", 12)] }];
  return withWeb({ fill, hash: "#/search/year/2024?f=call", now: LATER }, async ({ page, goto }) => {
    const rows = page.locator("main tbody tr");
    assert.equal((await rows.locator("td").allTextContents()).slice(0, 3), ["Call", "2h 00m", "2"]);
    assert.is(await rows.count(), 1);
    assert.is(await answerOf(page), "call · 2024 · 2 events · 2h 00m · 1 day");
    await rows.getByRole("link", { name: "Call" }).click();
    await settled(page);
    assert.equal(await chipsOf(page), ["call", "label=Call"]);
    await goto("#/search/year/2024?f=call&by=events");
    assert.is(await rows.first().locator("td").nth(2).textContent(), "Call");
    await goto("#/buckets");
    await page.getByText("3 buckets on 1 device").waitFor();
    await page.getByRole("heading", { name: "(no device)" }).waitFor();
  });
});

details("titles that are found stand there while they are still being counted, and say so", () =>
  withWeb({ fill: WORK, hash: "#/search/year/2024", now: LATER }, async ({ page }) => {
    const gate = door();
    await page.route(/group=title/, (route) => gate.opened.then(() => route.continue()));
    await page.keyboard.press("/");
    await page.keyboard.type("fix the");
    await page.keyboard.press("Enter");
    const first = page.locator("main tbody tr").first();
    await first.waitFor();
    assert.equal(await first.locator("td").allTextContents(), ["PROJ-# Fix the door", "…", "…", "…", "…"]);
    assert.is(await answerOf(page), "fix the · 2024 · Counting…");
    await page.locator('.card[aria-busy="true"]').waitFor();
    gate.open();
    await settled(page);
    assert.is(await answerOf(page), "fix the · 2024 · 12 events · 12h 00m · 6 days");
    assert.equal((await first.locator("td").allTextContents()).slice(0, 3), ["PROJ-# Fix the door", "12h 00m", "12"]);
  }),
);

details("the table of a search has the rows and columns of the page", () =>
  withWeb({ fill: WORK, hash: "#/search/year/2024?f=fix+the", now: LATER }, async ({ page, goto }) => {
    for (const by of ["title", "app", "day"]) {
      await goto(`#/search/year/2024?f=fix+the&by=${by}`);
      const shown = await page
        .locator(".search-groups tbody tr")
        .evaluateAll((rows) => rows.map((row) => Number(row.querySelector("time")?.dateTime.slice(2, -1))));
      const coming = page.waitForEvent("download");
      await page.getByRole("button", { name: "CSV of matching time" }).click();
      const text = fs.readFileSync(await (await coming).path(), "utf8");
      const [head, ...rows] = text.replace("\ufeff", "").trim().split("\r\n");
      assert.is(head, `${by},seconds,events,first,last`);
      assert.ok(shown.length > 0);
      assert.is(rows.length, shown.length);
      if (by === "title") assert.match(rows[0] ?? "", /^PROJ-# Fix the door,\d+,12,2024-02-20T/);
      assert.equal(
        rows.map((row) => Number(row.split(",")[1])),
        shown,
      );
    }
  }),
);

/** A report of an hour in minutes with breaks, an hour of which half is away, and one while nobody was there. */
const REPORT: Filling = [
  {
    bucket: bucket({ id: WINDOW, hostname: HOST }),
    events: (
      [
        ["10:00", "60s"],
        ["10:03", "60s"],
        ["10:06", "60s"],
        ["12:00", "3600s"],
        ["15:00", "60s"],
      ] as const
    ).map(([time, duration]) =>
      event({ timestamp: `2024-03-05T${time}:00Z`, duration, data: { app: "Code", title: "report" } }),
    ),
  },
  {
    bucket: bucket({ id: AFK, type: "afkstatus", hostname: HOST }),
    events: [
      event({ timestamp: "2024-03-05T10:00:00Z", duration: "30m", data: { status: "not-afk" } }),
      event({ timestamp: "2024-03-05T12:00:00Z", duration: "30m", data: { status: "not-afk" } }),
    ],
  },
];

details(
  "numbers that differ say why: breaks, a period before with nothing, and what is deleted beside what is shown",
  () =>
    withWeb({ fill: REPORT, hash: "#/day/2024-03-05?f=report", now: LATER }, async ({ page, goto }) => {
      assert.is(await totalOf(page), 33 * 60);
      const tiles = (await page.locator(".activity-tiles").textContent()) ?? "";
      assert.match(tiles, "Tue, Feb 27: nothing");
      assert.match(tiles, "includes shorter breaks");
      const dialog = page.getByRole("dialog");
      const askedText = async (): Promise<string> => {
        await page.getByRole("button", { name: "Delete…" }).click();
        await dialog.getByRole("button", { name: "Delete 5 events" }).waitFor();
        const text = (await dialog.textContent()) ?? "";
        await page.keyboard.press("Escape");
        return text;
      };
      const inActivity = await askedText();
      assert.match(inActivity, "5 events (1h 04m in total)");
      assert.match(inActivity, "The list shows 33m 00s of active time");
      await goto("#/search/year/2024?f=report");
      assert.match((await answerOf(page)) ?? "", "4 events · 33m 00s");
      assert.match(await askedText(), "1 of them is not in the list because you were AFK.");
      await goto("#/search/year/2024?f=report&by=url");
      assert.is(await answerOf(page), "report · 2024 · 0 events · 0s · 0 days");
      for (const by of ["app", "day", "events"]) {
        await goto(`#/search/year/2024?f=report&by=${by}`);
        assert.is(await answerOf(page), "report · 2024 · 4 events · 33m 00s · 1 day", by);
        assert.match(await askedText(), "1 of them is not in the list", by);
      }
      const lengths = page.locator("main tbody tr td:nth-child(2)");
      assert.equal(await lengths.allTextContents(), ["30m", "1m", "1m", "1m"]);
      await page.getByRole("button", { name: "Search more" }).waitFor({ state: "detached" });
    }),
);

details("an address is searched while the view is loaded, once", () =>
  withWeb({ fill: WORK, now: LATER }, async ({ page, url, goto }) => {
    for (const [by, first] of [
      ["title", /[?&]limit=240&/],
      ["events", /[?&]limit=200&/],
    ] as const) {
      await page.goto("about:blank");
      const asked: string[] = [];
      const note = (request: Request): void => void asked.push(request.url());
      page.on("request", note);
      const gate = door();
      await page.route(/assets\/search\.\w+\.js/, (route) => gate.opened.then(() => route.continue()));
      const begun = page.waitForRequest(/api\/0\/search\?/);
      await page.goto(`${url}#/search/year/2024?f=fix+the&by=${by}`);
      assert.match((await begun).url(), first);
      gate.open();
      await settled(page);
      assert.is(await answerOf(page), "fix the · 2024 · 12 events · 12h 00m · 6 days");
      assert.is(asked.filter((one) => first.test(one)).length, 1, by);
      page.off("request", note);
      await page.unrouteAll();
    }
    await goto("#/search/year/2023?f=fix+the");
    await page.getByText("No results.").waitFor();
  }),
);

inOneVisit(test, { fill: WORK, now: LATER, smokes: 3 }, [
  [
    "how long a project took in March, in three clicks; other views keep the filter",
    "#/day/2024-03-05",
    async (web) => {
      const { page, picture } = web;
      const clicks = new Clicks();
      await clicks.click(page.getByRole("link", { name: "Month", exact: true }));
      await reaches(page, "March 2024");
      await page.keyboard.press("/");
      await page.keyboard.type("thesis");
      await picture("filter-box");
      await accessibleToo(page);
      await page.keyboard.press("Enter");
      await settled(page);
      assert.ok(clicks.count <= 3);
      assert.is(await answerOf(page), "thesis · March 2024 · 4h 00m · 4 days");
      const wanted = await durationOf(web, MARCH, 'filter_keyvals_regex(events, "title", "thesis")');
      assert.is(await totalOf(page), wanted);
      assert.is(
        (await partsOf(page)).reduce((sum, { Active = 0 }) => sum + Active, 0),
        wanted,
      );
      assert.equal(await linesOf(page, "Apps"), [["Code", wanted]]);
      await picture("filter-month");
      await accessibleToo(page);
      if (IS_LONG) {
        await page.getByRole("link", { name: "Year", exact: true }).click();
        await reaches(page, "2024");
        await settled(page);
        assert.is(await answerOf(page), "thesis · 2024 · 6h 00m · 6 days");
        assert.is(await totalOf(page), await durationOf(web, YEAR, 'filter_keyvals(events, "app", ["Code"])'));
      }
      await page.getByRole("link", { name: "Timeline" }).click();
      await settled(page);
      assert.equal(await chipsOf(page), ["thesis"]);
      await picture("filter-timeline");
      await (await menuLink(page, "Settings")).click();
      await settled(page);
      assert.equal(hashOf(page).getAll("f"), ["thesis"]);
    },
  ],
  [
    "rows are handles of the filter, and what it finds is a CSV in three clicks",
    "#/month/2024-03",
    async (web) => {
      const { page, goto } = web;
      assert.equal(await chipsOf(page), []);
      await page.getByRole("link", { name: "Firefox", exact: true }).click();
      await settled(page);
      assert.equal(await chipsOf(page), ["app=Firefox"]);
      const [[title = ""] = []] = await linesOf(page, "Titles");
      assert.is(title, "PROJ-# Fix the door · Firefox", "numbers are folded");
      assert.ok(await page.getByText("# matches any number.").first().isVisible(), "and it is said what # is");
      const week = new Clicks();
      if (IS_LONG) {
        await page.getByRole("link", { name: "PROJ-# Fix the door" }).click();
        await settled(page);
        assert.is(await totalOf(page), await durationOf(web, MARCH, 'filter_keyvals(events, "app", ["Firefox"])'));
        assert.is(await page.getByRole("link", { name: "PROJ-# Fix the door" }).count(), 1);
        await goto("#/month/2024-04?f=app%3DFirefox");
        await week.click(page.getByRole("link", { name: "Week", exact: true }));
        await settled(page);
      }
      const coming = page.waitForEvent("download");
      await week.click(page.getByRole("button", { name: "CSV of matching time" }));
      const [head, ...rows] = fs
        .readFileSync(await (await coming).path(), "utf8")
        .trim()
        .split("\r\n");
      assert.ok(week.count <= 3);
      assert.match(head ?? "", "date,category,app,title,seconds");
      assert.is(
        rows.reduce((sum, row) => sum + Number(row.split(",").at(-1)), 0),
        await totalOf(page),
      );
    },
  ],
  [
    "a text is searched in all events of the year, by title, app and day",
    "#/month/2024-03",
    async ({ page, url, picture }) => {
      await page.keyboard.press("/");
      await page.keyboard.type("fix the");
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("Enter");
      await settled(page);
      assert.match(page.url(), "#/search/year/2024?f=fix+the");
      const answer = await fetch(`${url}api/0/search?filter=fix%20the&start=2024-01-01&end=2025-01-01`);
      const { summary } = (await answer.json()) as { summary: { events: number; seconds: number } };
      assert.equal([summary.events, summary.seconds], [12, 12 * 3600]);
      assert.is(await answerOf(page), "fix the · 2024 · 12 events · 12h 00m · 6 days");
      const cells = page.locator("main tbody tr").first().locator("td");
      assert.is(await cells.first().textContent(), "PROJ-# Fix the door");
      await picture("filter-search");
      await accessibleToo(page);
      await page.getByRole("link", { name: "Events", exact: true }).click();
      await settled(page);
      assert.is(await page.locator("main tbody tr").count(), 12);
      await page.getByRole("link", { name: "Days", exact: true }).click();
      await settled(page);
      assert.is(await page.locator("main tbody tr").count(), 6);
      await page.locator("main tbody td a").first().click();
      await settled(page);
      assert.match(page.url(), /#\/day\/2024-\d\d-\d\d\?f=fix\+the/);
      assert.is(await totalOf(page), 2 * 3600);
    },
  ],
  [
    "a wrong category is mended where it is seen, in three clicks, also for the next ticket; undo takes it back",
    "#/month/2024-03",
    async ({ page, server, picture }) => {
      const clicks = new Clicks();
      const categories = async (): Promise<ReadonlyMap<string, number>> => new Map(await linesOf(page, "Categories"));
      await clicks.click(page.getByRole("link", { name: "PROJ-101 Fix the door" }));
      await settled(page);
      await clicks.click(page.getByRole("button", { name: "Assign category" }));
      await settled(page);
      assert.is(await page.getByLabel("Condition 1", { exact: true }).inputValue(), "tickets");
      assert.is(await page.getByLabel("Text of condition 1").inputValue(), "PROJ");
      await page.getByText("Numbers match any number").waitFor();
      await picture("filter-belongs");
      await accessibleToo(page);
      await clicks.click(page.getByRole("button", { name: "Work +8h 00m", exact: true }));
      await page.getByText("8h 00m moved to Work").waitFor();
      assert.ok(clicks.count <= 3);
      await settled(page);
      assert.is((await categories()).get("Work"), 3600);
      const stored = JSON.stringify(await server.settings.get("classes"));
      assert.match(stored, "\\\\bPROJ-\\\\d+\\\\b");
      if (IS_LONG) {
        await page.getByRole("button", { name: "Remove title=PROJ-101 Fix the door" }).click();
        await settled(page);
        assert.is((await categories()).get("Work"), 12 * 3600);
      }
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByText("Undone").waitFor();
      await settled(page);
      assert.not.match(JSON.stringify(await server.settings.get("classes")), "PROJ");
      if (!IS_LONG) return;
      assert.is((await categories()).get("Work"), 4 * 3600);
      await (await menuLink(page, "Settings")).click();
      await settled(page);
      assert.is(await page.getByText("Undone").count(), 0, "it goes when another view is shown");
    },
  ],
  [
    "a topic is deleted in three clicks, after a count of what that is; undo brings it back",
    "#/search/year/2024?f=fix+the",
    async ({ page, url }) => {
      const clicks = new Clicks();
      const found = async (): Promise<number> => {
        const answer = await fetch(`${url}api/0/search?filter=fix%20the&start=2024-01-01&end=2025-01-01`);
        return ((await answer.json()) as { summary: { events: number } }).summary.events;
      };
      await settled(page);
      await clicks.click(page.getByRole("button", { name: "Delete…" }));
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Delete 12 events" }).waitFor();
      assert.match((await dialog.textContent()) ?? "", "12 events (12h 00m");
      await accessibleToo(page);
      assert.is(await found(), 12);
      await clicks.click(dialog.getByRole("button", { name: "Delete 12 events" }));
      await page.getByText("Moved 12 events to trash").waitFor();
      await settled(page);
      assert.ok(clicks.count <= 3);
      assert.is(await found(), 0);
      await page.getByText("No results.").waitFor();
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByText("Undone").waitFor();
      await settled(page);
      assert.is(await found(), 12);
      assert.is(await answerOf(page), "fix the · 2024 · 12 events · 12h 00m · 6 days");
    },
  ],
]);

test.run();
