// long: 200 s
// The charts and the score of the activity view: from the report that it has.
import type { Locator, Page } from "playwright-core";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Filling, realisticDay } from "../../src/testing/index.js";
import { formatRough } from "../../src/web/format.js";
import { detailsOf } from "../faults/sizes.js";
import { linesOf, partsOf, reaches, totalOf } from "./activity-page.js";
import { accessibleToo, HOST, settled, withWeb, ZONE } from "./web-page.js";

const test = suite("charts of the activity view");
const details = detailsOf(test);

const WEEK = "Feb 26 – Mar 3, 2024";
/** Three days of a week, and one of the week before. */
const DAYS: Filling = ["2024-02-20", "2024-02-26", "2024-02-28", "2024-02-29"].map((date, seed) =>
  realisticDay({ date, seed, timezone: ZONE, hostname: HOST }),
);

/** How many reports the page requests meanwhile. */
async function reportsIn(page: Page, act: () => Promise<void>): Promise<number> {
  let count = 0;
  const note = (request: { url(): string }): void => void (request.url().endsWith("/api/0/report") && count++);
  page.on("request", note);
  await act();
  await settled(page);
  page.off("request", note);
  return count;
}

function chartLink(page: Page, name: string): Locator {
  return page.getByRole("navigation", { name: "Kind of chart" }).getByRole("link", { name, exact: true });
}

details("a trend has lines of choice, by keyboard too, and their table, without another report", () =>
  withWeb({ fill: DAYS, hash: "#/week/2024-02-26" }, async ({ page, picture }) => {
    await reaches(page, WEEK);
    const bars = (await partsOf(page)).map(({ Active }) => Active);
    const count = await reportsIn(page, async () => {
      await chartLink(page, "Trend").click();
      await page.locator(".trend-line").waitFor();
      assert.is(await page.locator(".trend-before").count(), 1);
      await page.getByRole("checkbox", { name: "Work" }).press("Space");
      await page.getByRole("combobox", { name: "Another category…" }).selectOption("Work > Programming");
      await page.getByRole("checkbox", { name: "Work > Programming" }).waitFor();
    });
    assert.is(count, 0);
    assert.is(await page.locator(".trend-line").count(), 3);
    const parts = await partsOf(page);
    assert.equal(
      parts.map(({ Active }) => Active),
      bars,
    );
    for (const part of parts) assert.ok((part["Work"] ?? 0) >= (part["Work > Programming"] ?? 0));
    assert.ok(parts.some((part) => (part["Work > Programming"] ?? 0) > 0));
    await page.getByRole("checkbox", { name: "Before" }).press("Space");
    assert.is(await page.locator(".trend-before").count(), 0);
    await accessibleToo(page);
    await picture("activity-trend");
    // The kind of chart stays in other periods, and hours of a day have no trend.
    await page.getByRole("link", { name: "Previous week" }).click();
    await reaches(page, "Feb 19 – 25, 2024");
    await page.locator(".trend-line").first().waitFor();
    await page.getByRole("link", { name: "Day", exact: true }).click();
    await reaches(page, "Monday, February 19, 2024");
    assert.is(await chartLink(page, "Trend").count(), 0);
  }),
);

details("areas show the tree of categories, and filter by one", () =>
  withWeb({ fill: DAYS, hash: "#/week/2024-02-26?chart=areas" }, async ({ page, picture }) => {
    await reaches(page, WEEK);
    const areas = page.getByRole("list", { name: "Categories by time" }).getByRole("link");
    await areas.first().waitFor();
    const categories = await linesOf(page, "Categories");
    assert.is(await areas.count(), categories.length);
    await accessibleToo(page);
    await picture("activity-areas");
    const work = categories.find(([name]) => name === "Work")?.[1];
    await areas.filter({ hasText: /^Work \d/ }).press("Enter");
    await page.locator(".chip", { hasText: "Work" }).waitFor();
    await settled(page);
    assert.ok(Math.abs((await totalOf(page)) - (work ?? 0)) < 2e-6);
    assert.match(page.url(), "chart=areas");
    assert.is(await areas.filter({ hasText: "Communication" }).count(), 0);
  }),
);

test("a category that is marked as distracting shows what distracted, in the same report", () =>
  withWeb({ fill: DAYS, hash: "#/categories" }, async ({ page, server, goto, picture }) => {
    await page.locator(".tree-name").getByText("Reading", { exact: true }).click();
    await page.getByLabel("Mark").selectOption("Distracting");
    assert.is(await page.getByLabel("Points per hour").inputValue(), "-1");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    const stored = (await server.settings.get("classes")) as { name: string[]; data?: { score?: number } }[];
    assert.equal(
      stored.filter(({ data }) => data?.score !== undefined).map(({ name, data }) => [name, data?.score]),
      [[["Reading"], -1]],
    );
    const count = await reportsIn(page, () => goto("#/week/2024-02-26"));
    await reaches(page, WEEK);
    assert.is(count, 1);
    const { score } = await server.report({ period: "week", date: "2024-02-26", groups: ["category"], timeZone: ZONE });
    const tile = page.locator(".activity-tile", { hasText: "distracting (" });
    assert.match(await tile.innerText(), `${formatRough(score?.distracting ?? 0)} distracting`);
    const lines = await linesOf(page, "What distracted you");
    const [[app, time]] = lines as [readonly [string, number]];
    assert.is(app, "Firefox");
    assert.ok(Math.abs(time - (score?.distracting ?? 0)) < 2e-6);
    assert.ok(lines.length > 1);
    await accessibleToo(page);
    await picture("activity-distractions");
  }));

test.run();
