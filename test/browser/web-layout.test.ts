// long: 900 s
// What must have its place however narrow it gets: a stopwatch that runs, columns of numbers, the ends of paths.

import type { Locator, Page } from "playwright-core";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { micros } from "../../src/index.js";
import { bucket, event, type Filling, realisticDay, type TestServer } from "../../src/testing/index.js";
import { detailsOf, IS_LONG, sampleOf } from "../faults/sizes.js";
import { door } from "../http/storages.js";
import { accessibleToo, DAY, HOST, inOneVisit, NOW, settled, withWeb, ZONE } from "./web-page.js";

const test = suite("layout of the dashboard in Chromium");
const details = detailsOf(test);

const DAY_FILLED = realisticDay({ date: DAY, timezone: ZONE, hostname: HOST });
const FOLDER = "/home/dev/customers/a-rather-long-name-of-a-customer";

const FILLED: Filling = [
  DAY_FILLED.window,
  DAY_FILLED.afk,
  DAY_FILLED.web,
  {
    bucket: bucket({ id: `aw-watcher-vscode_${HOST}`, type: "app.editor.activity", hostname: HOST }),
    events: ["accounting", "website"].map((project, at) =>
      event({
        timestamp: `${DAY}T${10 + at}:00:00Z`,
        duration: "50m",
        data: { file: `${FOLDER}/${project}/main.ts`, project: `${FOLDER}/${project}`, language: "typescript" },
      }),
    ),
  },
  {
    bucket: bucket({ id: "aw-stopwatch", hostname: HOST, type: "general.stopwatch" }),
    events: [
      event({
        timestamp: micros(Date.parse(NOW) * 1000 - 4_060_000_000),
        data: { label: "Preparing the quarterly report for accounting", running: true },
      }),
    ],
  },
];

const SIZES = sampleOf(
  [
    [390, "de-DE"],
    [1280, "en-US"],
    [1280, "de-DE"],
  ] as const,
  3,
);

for (const [width, locale] of SIZES) {
  const isSecond = width > 600 && !IS_LONG;
  const hash = isSecond ? `#/week/${DAY}` : "#/";
  test(`strip, numbers and paths have room in ${locale} at ${width} px`, () =>
    withWeb({ fill: FILLED, width, context: { locale }, hash }, async ({ page, goto }) => {
      const strip = page.locator(".live-now");
      const clock = strip.locator(".live-stopwatch > span");
      assert.is(await clock.textContent(), "1:07:40");
      assert.ok((await isWhole(clock)) && (await edge(clock, "right")) <= (await edge(strip, "right")));
      assert.is(await strip.locator("strong").evaluate(wantedBeside), 0);
      const [head, box] = [page.locator(".brand"), page.locator(".filter-box")];
      if (width > 900) assert.ok((await edge(box, "top")) < (await edge(head, "bottom")), "beside the name");
      for (const shown of isSecond ? [] : await page.locator(".activity-lines tbody tr").all()) {
        const ends = await shown.evaluate((row) =>
          [...row.querySelectorAll("td")].flatMap((cell) => {
            const words = document.createRange();
            words.selectNodeContents(cell);
            const { left, right } = words.getBoundingClientRect();
            return right > left ? [[left, right] as const] : [];
          }),
        );
        for (const [at, [left]] of ends.entries()) assert.ok(left - (ends[at - 1]?.[1] ?? 0) >= 4, `column ${at}`);
      }
      const categories = page.locator("table", {
        has: page.locator("caption", { hasText: /^(Kategorien|Categories)/ }),
      });
      for (const name of await categories.locator(".activity-name").all()) assert.ok(await isWhole(name));
      assert.is(await categories.locator("th.activity-share").isVisible(), width > 600);
      if (!isSecond) {
        const projects = page.locator(".activity-name", { hasText: /^(accounting|website)$/ });
        assert.is(await projects.count(), 2);
        for (const one of await projects.all()) assert.match((await one.getAttribute("title")) ?? "", FOLDER);
        await goto(`#/search/day/${DAY}?by=events&f=typescript`);
        const ends = page.locator(".path > :last-child", { hasText: /^\/(accounting|website)$/ });
        assert.ok((await ends.count()) > 0);
        for (const end of await ends.all()) assert.ok(await isWhole(end));
        assert.match((await ends.first().locator("xpath=ancestor::*[@title]").getAttribute("title")) ?? "", FOLDER);
      }
      if (width > 600) {
        await goto(`#/week/${DAY}`);
        await settled(page);
        const [bar, name] = await page.locator(".activity-adjacent a:last-child > span").all();
        if (bar === undefined || name === undefined) throw new Error("no neighbours");
        const off = (await edge(bar, "left")) + (await edge(bar, "right"));
        assert.ok(Math.abs(off - (await edge(name, "left")) - (await edge(name, "right"))) < 2, "below its bar");
      } else {
        await goto(`#/search/day/${DAY}?f=app%3DCode`);
        await settled(page);
        const card = page.locator(".search-groups");
        const times = card.locator("td:nth-child(2)");
        assert.ok((await times.count()) > 0);
        assert.ok((await edge(times.first(), "right")) <= (await edge(card, "right")));
        await goto("#/categories");
        const line = page.locator(".header > .nav");
        const current = line.locator("[aria-current]");
        assert.ok((await line.evaluate(({ clientHeight }) => clientHeight)) < 60);
        assert.ok((await edge(current, "left")) >= (await edge(line, "left")));
        assert.ok((await edge(current, "right")) <= (await edge(line, "right")));
        await accessibleToo(page);
      }
    }));
}

/** Views that are printed, and used at 200 % zoom. */
const SHOWN = sampleOf(
  [
    ...["#/", `#/search/day/${DAY}?f=app%3DCode`, `#/timesheet/week/${DAY}`, "#/buckets"],
    ...[`#/timeline?start=${DAY}T08:00:00Z&end=${DAY}T12:00:00Z&f=app%3DCode`, "#/settings"],
  ],
  2,
);

details("with goals, hardly anything moves between periods of any length", async () => {
  const days = Array.from({ length: 29 }, (_, at) =>
    realisticDay({ date: `2024-02-${String(at + 1).padStart(2, "0")}`, timezone: ZONE, hostname: HOST }),
  );
  const fill = (["window", "afk"] as const).map((name) => ({
    bucket: DAY_FILLED[name].bucket,
    events: [...days, DAY_FILLED].flatMap((day) => day[name].events),
  }));
  const goals = [[], ["Work"], ["Media"], ["Comms"]].map((category, at) => ({
    ...{ category, [at < 2 ? "goal" : "limit"]: 18_000, per: "day" },
  }));
  const prepare = (server: TestServer): Promise<unknown> => server.settings.put("goals", goals);
  for (const width of [1400, 390]) {
    await withWeb({ fill, width, prepare, context: { locale: "de-DE" } }, async ({ page }) => {
      await watchShifts(page);
      for (const kind of ["Woche", "Tag", "Monat", "Woche", "Jahr", "Monat", "Tag", "Jahr", "Tag"]) {
        await page.locator(".activity-kinds").getByRole("link", { name: kind }).click();
        await settled(page);
        const shift = await shiftOf(page);
        assert.ok(shift <= 0.05, `${shift} to ${kind} at ${width} px`);
      }
    });
  }
});

inOneVisit(test, { fill: FILLED, width: 1280, smokes: 1 }, [
  [
    "hardly anything moves from day to week and back, while the report takes its time",
    "#/",
    async ({ page }) => {
      await watchShifts(page);
      for (const kind of ["Week", "Day"]) {
        const gate = door();
        await page.route("**/api/0/report*", (asked) => gate.opened.then(() => asked.continue()), { times: 1 });
        await page.locator(".activity-kinds").getByRole("link", { name: kind }).click();
        await page.locator(`.activity-adjacent.is-${kind.toLowerCase()}`).waitFor();
        gate.open();
        await settled(page);
      }
      assert.ok((await shiftOf(page)) <= 0.05);
    },
  ],
  [
    "at 200 % zoom nothing sticks out, and what is printed looks like no button",
    "#/",
    async ({ page, goto, picture }) => {
      await page.setViewportSize({ width: 640, height: 450 });
      for (const [index, hash] of SHOWN.entries()) {
        await goto(hash);
        await picture(`layout-zoom-${index}`);
        await page.emulateMedia({ media: "print" });
        const buttons = page.locator("button:visible:not(th *, .sheet-cell, .chip *), .button:visible");
        assert.equal(await buttons.allTextContents(), [], hash);
        if (hash.startsWith("#/timesheet")) {
          assert.ok((await page.locator(".sheet-cell:visible", { hasText: /^\d+:\d\d$/ }).count()) > 3);
        }
        if (hash.includes("f=app")) {
          const filters = page.locator(".filter-answer:visible, .chip button:visible", { hasText: "app=Code" });
          assert.is(await filters.count(), 1, hash);
        }
        if (hash === "#/") {
          assert.ok((await page.locator("th:visible", { hasText: "Time" }).count()) > 3);
          await page.emulateMedia({ colorScheme: "dark" });
          const scheme = await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
          assert.is(scheme, "light", "dark colors are not for paper");
          await page.emulateMedia({ colorScheme: "light" });
        }
        await page.emulateMedia({ media: null });
      }
      await page.setViewportSize({ width: 1280, height: 900 });
    },
  ],
  [
    "names in the table of buckets end lines between their parts",
    "#/buckets",
    async ({ page }) => {
      const cells = page.locator('.bucket-table tbody :is(td[data-label="Type"], td[data-label="Client"])');
      assert.ok((await cells.count()) > 6);
      for (const cell of await cells.all()) {
        const broken = await cell.evaluate((element) =>
          [...element.childNodes].flatMap((part) => {
            const words = document.createRange();
            words.selectNodeContents(part);
            return words.getClientRects().length > 1 && !part.textContent?.includes("-") ? [part.textContent] : [];
          }),
        );
        assert.equal(broken, []);
      }
      assert.is(await cells.filter({ hasText: "app.editor.activity" }).count(), 1);
    },
  ],
  [
    "controls of a line are as high as each other, and numbers end below each other",
    `#/timesheet/week/${DAY}`,
    async ({ page, goto }) => {
      const heightOf = async (one: Locator): Promise<number> => (await edge(one, "bottom")) - (await edge(one, "top"));
      const tools = page.locator(".activity-tools").locator("button, .button, input, select");
      const heights = await Promise.all((await tools.all()).map(heightOf));
      assert.ok(heights.length >= 4);
      assert.equal(new Set(heights), new Set([36]));
      const ends = await page.locator(".sheet-table tr > :nth-child(2)").evaluateAll((cells) =>
        cells.map((cell) => {
          const words = document.createRange();
          words.selectNodeContents(cell.querySelector("button")?.firstChild ?? cell);
          return Math.round(words.getBoundingClientRect().right);
        }),
      );
      assert.is(new Set(ends).size, 1, `${ends}`);
      await goto(`#/search/day/${DAY}?f=app%3DCode`);
      const chip = page.locator(".chip");
      const isTurnedFirst = async (): Promise<boolean> =>
        (await edge(chip.locator(".chip-not"), "left")) < (await edge(chip.locator(".chip-text"), "left"));
      assert.is(await isTurnedFirst(), false, "a sign in front of a condition would read as part of it");
      await chip.locator(".chip-not").click();
      assert.is(await isTurnedFirst(), true);
    },
  ],
]);

interface Shifts {
  readonly shifts: PerformanceEntry[];
  readonly observer: PerformanceObserver;
}

async function watchShifts(page: Page): Promise<void> {
  await page.evaluate(() => {
    const shifts: PerformanceEntry[] = [];
    const observer = new PerformanceObserver((list) => void shifts.push(...list.getEntries()));
    observer.observe({ type: "layout-shift" });
    Object.assign(window, { shifts, observer });
  });
}

/** The sum of what moved since the last call. The observer is told late: what it has yet to hear counts as well. */
function shiftOf(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { shifts, observer } = window as unknown as Shifts;
    const seen = [...shifts.splice(0), ...observer.takeRecords()];
    return seen.reduce((sum, entry) => sum + (entry as PerformanceEntry & { value: number }).value, 0);
  });
}

function edge(one: Locator, side: "left" | "right" | "top" | "bottom"): Promise<number> {
  return one.evaluate((element, name) => element.getBoundingClientRect()[name], side);
}

/** How much wider, in whole pixels, an element would be if nothing beside it took its room. */
function wantedBeside(element: Element): number {
  const { width } = element.getBoundingClientRect();
  const alone = element.cloneNode(true);
  if (!(alone instanceof HTMLElement)) throw new Error("no element");
  alone.style.cssText = "position: absolute; width: max-content";
  element.after(alone);
  const wanted = alone.getBoundingClientRect().width;
  alone.remove();
  return Math.round(wanted - width);
}

/** Whether nothing of a text is cut off. */
function isWhole(one: Locator): Promise<boolean> {
  return one.evaluate((element) => element.scrollWidth <= element.clientWidth + 1 || element.clientWidth === 0);
}

test.run();
