// long: 300 s
// Pages of chosen parts: tiles with their periods and filters, how they are arranged, and what other tabs change.
import type { Page } from "playwright-core";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { detailsOf } from "../faults/sizes.js";
import { totalOf } from "./activity-page.js";
import { accessibleToo, settled, withWeb } from "./web-page.js";

const test = suite("pages of chosen parts in Chromium");
const details = detailsOf(test);

const titlesOf = (page: Page): Promise<string[]> => page.locator(".overview-tile h2").allTextContents();

test("tiles share reports, are added, moved, removed and restored, and follow other tabs", () =>
  withWeb({}, async ({ page, server, goto, picture }) => {
    let reports = 0;
    page.on("request", (request) => {
      if (request.url().endsWith("/api/0/report")) reports++;
    });
    await goto("#/overview");
    const first = await titlesOf(page);
    assert.equal(first.slice(0, 3), ["Active time", "Goals and limits", "Longest focus"]);
    // Today, this week and this month.
    assert.is(reports, 3);
    await accessibleToo(page);
    await picture("overview");

    await page.getByRole("button", { name: "Add tile" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Show").selectOption({ label: "Active time" });
    await dialog.getByLabel("Filter").fill("app=");
    await dialog.getByRole("button", { name: "Save" }).click();
    assert.is(await dialog.getByRole("alert").count(), 1);
    await dialog.getByLabel("Filter").fill("app=Code");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    const added = page.locator(".overview-tile").last();
    const shown = await added.locator("strong time").getAttribute("datetime");

    await page.getByRole("button", { name: "Edit page" }).click();
    const later = page.getByRole("button", { name: "Move later: Active time" }).first();
    await later.click();
    await page.getByText("Active time: 2 of 9").waitFor({ state: "attached" });
    assert.ok(await later.evaluate((element) => element === document.activeElement));
    await page.keyboard.press("Alt+ArrowDown");
    await page.getByText("Active time: 3 of 9").waitFor({ state: "attached" });
    assert.equal((await titlesOf(page)).slice(0, 3), ["Goals and limits", "Longest focus", "Active time"]);
    await page.getByRole("button", { name: "Remove: Apps" }).click();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("heading", { name: "Apps" }).waitFor();
    await settled(page);
    assert.is((await titlesOf(page)).indexOf("Apps"), first.indexOf("Apps"));

    await added.getByRole("link", { name: "Today" }).click();
    await page.locator('.activity-numbers[aria-busy="false"] .activity-total time').waitFor();
    assert.is(`PT${(await totalOf(page)).toFixed(6)}S`, shown);

    await goto("#/overview");
    await server.settings.put("overview_pages", [
      { name: "Mine", tiles: [{ id: 1, part: "extent", period: "today" }] },
    ]);
    await page.getByRole("heading", { level: 1, name: "Mine" }).waitFor();
    assert.equal(await titlesOf(page), ["First and last activity"]);

    await page.getByRole("button", { name: "Add tile" }).click();
    await server.settings.put("overview_pages", [{ name: "Ours", tiles: [] }]);
    await page.getByRole("heading", { level: 1, name: "Ours", includeHidden: true }).waitFor();
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("The page “Mine” does not exist anymore.").waitFor();
  }));

details("pages are added, renamed and deleted, and saved views and queries are tiles", () => {
  const tiles = [
    { id: 1, part: "app", period: "today", view: "Code" },
    { id: 2, part: "query", period: "today", query: "Sum" },
    { id: 3, part: "timesheet", period: "week" },
    { id: 4, part: "trend", period: "week", wide: true },
    { id: 5, part: "areas", period: "week" },
    { id: 6, part: "title", period: "today", view: "gone" },
  ];
  return withWeb(
    {
      hash: "#/overview",
      width: 390,
      prepare: async ({ settings }) => {
        await settings.put("overview_pages", [{ name: "", tiles }]);
        await settings.put("saved_views", [{ name: "Code", address: "#/week/2024-03-01?f=app%3DCode" }]);
        await settings.put("saved_queries", [{ id: 0, name: "Sum", query_code: "RETURN = 41 + 1;" }]);
      },
    },
    async ({ page, picture, server }) => {
      const tile = (at: number) => page.locator(".overview-tile").nth(at);
      assert.equal(await tile(0).locator("tbody .handle").allTextContents(), ["Code"]);
      await tile(1).getByText("42").first().waitFor();
      assert.match(await tile(2).locator("strong").innerText(), /^\d+:\d\d$/);
      await tile(3).locator(".trend-line").first().waitFor();
      await tile(4).locator(".map a").first().waitFor();
      await tile(5).getByText("The view “gone” is not saved anymore.").waitFor();
      await page.getByRole("button", { name: "Edit page" }).click();
      const before = await titlesOf(page);
      await tile(3).getByRole("combobox").press("Alt+ArrowDown");
      await page.keyboard.press("Escape");
      await settled(page);
      assert.equal(await titlesOf(page), before, "the keys open the list, and move no tile");
      await page.getByRole("button", { name: "Edit tile: Sum" }).click();
      await page.getByRole("dialog").getByLabel("Period").selectOption({ label: "Code" });
      await page.getByText("Only its period: saved queries choose their own buckets.").waitFor();
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
      await accessibleToo(page);
      await picture("overview-narrow");
      await page.getByRole("button", { name: "Add page" }).click();
      await page.getByText("This page has no tiles.").waitFor();
      await page.getByLabel("Page name").fill("Review");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("heading", { level: 1, name: "Review" }).waitFor();
      await page.getByRole("button", { name: "Delete page…" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
      await settled(page);
      assert.equal(await server.settings.get("overview_pages"), [{ name: "", tiles }]);
    },
  );
});

details("a long name of another direction is cut at its end", () => {
  const name = "Comms and a rather long name of a category";
  const tiles = ["areas", "timesheet"].map((part, id) => ({ id, part, period: "today" }));
  return withWeb(
    {
      hash: "#/overview",
      width: 390,
      prepare: async ({ settings }) => {
        await settings.put("language", "he");
        await settings.put("classes", [
          { name: [name], rule: { type: "regex", regex: "Slack" } },
          { name: ["Rest"], rule: { type: "regex", regex: "Firefox|Code" } },
        ]);
        await settings.put("overview_pages", [{ name: "", tiles }]);
      },
    },
    async ({ page, picture }) => {
      for (const selector of [".map-label > span", ".bar-label"]) {
        const label = page.locator(selector).filter({ hasText: name });
        await label.waitFor();
        const isCut = await label.evaluate((element) => element.scrollWidth > element.clientWidth);
        const isStartSeen = await label.evaluate((element) => {
          const start = document.createRange();
          start.selectNodeContents(element);
          const [box, text] = [element.getBoundingClientRect(), start.getBoundingClientRect()];
          return text.left >= box.left - 1;
        });
        assert.ok(isStartSeen, selector);
        assert.ok(isCut || selector === ".bar-label", selector);
      }
      await picture("overview-he");
    },
  );
});

test.run();
