// long: 900 s
// Timesheets: the week at a glance, columns, notes, and what can be taken along.
import fs from "node:fs";
import type { Page } from "playwright-core";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { detailsOf, IS_LONG } from "../faults/sizes.js";
import { totalOf } from "./activity-page.js";
import { accessibleToo, DAY, HOST, settled, withWeb } from "./web-page.js";

const test = suite("timesheets in Chromium");
const details = detailsOf(test);

const table = (page: Page) => page.locator(".sheet-table");

async function downloaded(page: Page, name: string): Promise<{ readonly file: string; readonly text: string }> {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name, exact: true }).click(),
  ]);
  return { file: file.suggestedFilename(), text: fs.readFileSync(await file.path(), "utf8") };
}

test("the week as CSV takes two clicks; columns, rounding and notes are in the address and in all files", () =>
  withWeb({}, async ({ page, server, goto, load }) => {
    const ofApps = await downloaded(page, "CSV of Apps");
    assert.is(ofApps.file, "Apps-2024-03-01.csv");
    const apps = ofApps.text.split("\r\n");
    assert.match(apps[0] ?? "", /^\ufeffApp,Seconds,"Change in seconds from Fri, Feb 23/);
    // Whole seconds, whatever they were added up from.
    for (const line of apps.slice(1, -1)) assert.match(line, /,\d+,(-?\d+)?$/);
    const ofCategories = await downloaded(page, "CSV of Categories");
    assert.is(ofCategories.file, "Categories-2024-03-01.csv");
    const [head = "", ...categories] = ofCategories.text.trim().split("\r\n");
    assert.match(head, /^Category,Parent,Seconds,"Change in seconds/);
    assert.ok(
      categories.some((row) => /^Programming,Work,\d+,-?\d+$/.test(row)),
      categories.join(" "),
    );
    const sums = categories.filter((row) => row.split(",")[1] === "").map((row) => Number(row.split(",")[2]));
    assert.ok(
      Math.abs(sums.reduce((all, one) => all + one, 0) - (await totalOf(page))) < 60,
      "rows that are part of none",
    );
    await page.locator(".activity-table summary").click();
    const ofHours = await downloaded(page, "CSV of Active time per hour");
    assert.is(ofHours.file, "Active-time-per-hour-2024-03-01.csv");
    assert.not.match(ofHours.text, /,\d+\.\d+[,\r]/);
    await page.getByRole("navigation", { name: "Views" }).getByText("Reports").click();
    await table(page).waitFor();
    const week = await downloaded(page, "CSV");
    assert.is(week.file, "Timesheet-2024-02-26-2024-03-03.csv");
    const lines = week.text.trim().split("\r\n");
    assert.is(lines.length, 9);
    assert.match(lines[0] ?? "", /^Day,Work,.*,Total,First,Last,Breaks$/);
    assert.match(lines[5] ?? "", /^2024-03-01,\d+:\d\d,/);
    await accessibleToo(page);

    // What was chosen is in the address and comes back in another place.
    await page.getByText("Columns, rounding, breaks").click();
    await page.getByRole("checkbox", { name: "Work", exact: true }).click();
    await page.getByRole("combobox", { name: "Round to" }).selectOption({ label: "15 minutes" });
    await page.getByLabel("Show durations as").selectOption({ label: "Decimal hours (3.25)" });
    await page.getByRole("checkbox", { name: /Include other time/ }).click();
    await settled(page);
    await accessibleToo(page);
    assert.equal((await table(page).locator("thead th").allTextContents()).slice(0, 3), ["Day", "Work", "Total"]);
    const hash = new URL(page.url()).hash;
    assert.match(hash, /columns=%5B%5B%22Work%22%5D%5D&others=0&break=15&round=900/);
    await load("#/timesheet/week/2024-03-01");
    assert.is(new URL(page.url()).hash.split("?")[1], hash.split("?")[1]);
    const friday = table(page).locator("tbody tr").nth(4);
    const [work] = await friday.locator("td").allTextContents();
    assert.match(work ?? "", /^\d+\.(00|25|50|75)$/);

    // A note on a cell, and one on the day.
    await friday.getByRole("button", { name: /Work/ }).click();
    await page.getByRole("dialog").getByLabel("Note").fill("Release <1.0>");
    await page.getByRole("button", { name: "Save" }).click();
    await friday.getByText("Release <1.0>").waitFor();
    await friday.getByRole("button", { name: /Total/ }).click();
    await page.getByRole("dialog").getByLabel("Note").fill("From home");
    await page.getByRole("button", { name: "Save" }).click();
    await friday.getByText("From home").waitFor();
    assert.is((await server.buckets.get("timesheet-notes")).type, "timesheet.note");
    const stored = await server.events.read("timesheet-notes").toArray();
    assert.equal(stored.map(({ data }) => data["note"]).sort(), ["From home", "Release <1.0>"]);
    assert.match((await downloaded(page, "CSV")).text, /,Work: Release <1\.0>; From home\r\n/);
    const { file, text } = await downloaded(page, "HTML file");
    assert.is(file, "Timesheet-2024-02-26-2024-03-03.html");
    assert.match(text, /Release &lt;1\.0&gt;/);
    assert.match(text, /Device: desk/);
    // Changed, and taken away again.
    await friday.getByRole("button", { name: /Work/ }).click();
    await page.getByRole("dialog").getByLabel("Note").fill("Release 1.1");
    await page.getByRole("button", { name: "Save" }).click();
    await friday.getByText("Release 1.1").waitFor();
    await friday.getByRole("button", { name: /Work/ }).click();
    await page.getByRole("dialog").getByLabel("Note").fill("");
    await page.getByRole("button", { name: "Save" }).click();
    await friday.getByText("Release 1.1").waitFor({ state: "detached" });
    assert.is(await server.events.count("timesheet-notes"), 1);

    if (!IS_LONG) return;
    await goto(`#/timesheet/month/2024-03?host=${HOST}&columns=[]&others=1&round=60&form=time`);
    assert.is(await table(page).locator("tbody tr").count(), 31);
    await goto("#/timesheet/range/2020-01-01/2024-01-01");
    await page.getByText("at most 366 days").waitFor();
  }));

/** Labels of the lists whose chosen text has less room than it takes. */
function cutLists(page: Page): Promise<readonly (string | undefined)[]> {
  return page.locator(".sheet-fields select").evaluateAll((lists) =>
    lists.flatMap((list) => {
      const { offsetWidth: room } = list as HTMLSelectElement;
      const alone = list.cloneNode(true) as HTMLSelectElement;
      alone.style.width = "max-content";
      list.after(alone);
      const needed = alone.offsetWidth;
      alone.remove();
      return needed > room ? [list.closest("label")?.innerText] : [];
    }),
  );
}

details("a client's month is a PDF after four clicks, rounded up, with its amount and without buttons", () =>
  withWeb({ hash: "#/" }, async ({ page, server, load }) => {
    await page.getByRole("navigation", { name: "Views" }).getByText("Reports").click();
    await table(page).waitFor();
    const before = await server.settings.get("timesheet");
    await page.getByRole("button", { name: "Add client" }).click();
    const dialog = page.getByRole("dialog", { name: "Add client" });
    await dialog.getByLabel("Category").selectOption("Work");
    await dialog.getByLabel("Name on the sheet").fill("Acme Ltd.");
    await dialog.getByLabel("Hourly rate").fill("85,5x");
    await dialog.getByLabel("Currency code").fill("eux");
    await accessibleToo(page);
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("Enter an amount such as 1250.50.").waitFor();
    await dialog.getByText("Enter a code such as EUR or USD.").waitFor();
    await dialog.getByLabel("Hourly rate").fill("85,50");
    await dialog.getByLabel("Currency code").fill("eur");
    await dialog.getByRole("combobox", { name: "Round to" }).selectOption("0.25 h");
    await dialog.getByRole("combobox", { name: "Rounding method" }).selectOption("Round totals up");
    await dialog.getByRole("button", { name: "Save" }).click();
    const client = { category: ["Work"], name: "Acme Ltd.", rate: "85.5", currency: "EUR", round: 900, sum: "row_up" };
    await page.getByRole("heading", { name: "Acme Ltd." }).waitFor();
    assert.equal(await server.settings.get("timesheet_clients"), [client]);

    await load("#/");
    let title: string | undefined;
    await page.exposeFunction("printed", (given: string) => {
      title = given;
    });
    await page.evaluate("window.print = () => printed(document.title)");
    await page.getByRole("navigation", { name: "Views" }).getByText("Reports").click();
    await page.getByRole("link", { name: "Acme Ltd." }).click();
    await settled(page);
    await page.getByRole("button", { name: "Print or PDF" }).click();
    assert.is(title, "Acme-Ltd.-2024-03-01-2024-03-31");
    assert.match(page.url(), /#\/timesheet\/month\/2024-03\?/);
    await accessibleToo(page);

    assert.equal(await table(page).locator("thead th").allTextContents(), ["Day", "Time", "Amount (EUR)"]);
    const [hours = "", amount = ""] = await table(page).locator("tfoot td").allTextContents();
    assert.match(hours, /^\d+\.(00|25|50|75)$/);
    assert.is(amount, `€${(Math.round(Number(hours) * 8550 + 1e-6) / 100).toFixed(2)}`);
    await page.getByText(`Total: ${hours} h · ${amount} · €85.50 per hour`).waitFor();
    await page.emulateMedia({ media: "print" });
    assert.is(await page.locator("nav:visible, header:visible, details:visible, .hint:visible").count(), 0);
    assert.is(await table(page).locator("tbody tr").count(), 1);
    // Notes are opened by cells, which look like the others on paper.
    const plain = await page
      .locator("button:visible")
      .evaluateAll((all) =>
        all.map((one) => one.matches(".sheet-cell") && getComputedStyle(one).borderTopWidth === "0px"),
      );
    assert.equal(plain, [true]);
    assert.is(await table(page).locator("tbody .sheet-cell:visible").textContent(), hours);
    await page.emulateMedia({ media: "screen" });

    // The default stays what it was until it is saved.
    await page.getByText("Columns, rounding, breaks").click();
    await page.getByRole("checkbox", { name: "Show empty days" }).click();
    assert.is(await table(page).locator("tbody tr").count(), 31);
    await page.getByRole("link", { name: "Use my default" }).click();
    await table(page).getByRole("columnheader", { name: "Breaks" }).waitFor();
    await page.getByRole("button", { name: "Work report" }).click();
    await page.getByRole("heading", { name: "Work report" }).waitFor();
    await settled(page);
    assert.equal(await server.settings.get("timesheet"), before);
    await page.getByRole("button", { name: "Save as default" }).click();
    await page.getByRole("button", { name: "Save as default" }).waitFor({ state: "detached" });
    await load("#/timesheet");
    await page.getByRole("heading", { name: "Work report" }).waitFor();

    await page.getByRole("link", { name: "Acme Ltd." }).click();
    await page.getByRole("button", { name: "Edit client" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("link", { name: "Acme Ltd." }).waitFor({ state: "detached" });
    assert.equal(await server.settings.get("timesheet_clients"), []);
    await page.getByRole("status").getByText("“Acme Ltd.” deleted").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("link", { name: "Acme Ltd." }).waitFor();
    assert.equal(await server.settings.get("timesheet_clients"), [client]);

    // The categories can change while the dialog is open.
    await server.settings.put("classes", [{ name: ["Work"], rule: { type: "none" } }]);
    await page.getByRole("button", { name: "Add client" }).click();
    await dialog.getByText("Select a category without a client.").waitFor();
    await server.settings.put("classes", [
      { name: ["Work"], rule: { type: "none" } },
      { name: ["Beta"], rule: { type: "none" } },
    ]);
    await dialog.getByLabel("Category").selectOption("Beta");
    await dialog.getByText("Select a category without a client.").waitFor({ state: "detached" });
  }),
);

for (const locale of ["de-DE", "en-US"]) {
  details(`lists of choices are not cut off (${locale})`, () =>
    withWeb({ width: 1280, hash: `#/timesheet/week/${DAY}`, context: { locale } }, async ({ page }) => {
      await page.locator(".sheet-choices summary").click();
      await settled(page);
      assert.equal(await cutLists(page), []);
    }),
  );
}

details("a narrow window says that the table moves sideways, and whose time it is", () =>
  withWeb({ width: 390, hash: `#/timesheet/week/${DAY}` }, async ({ page }) => {
    const hint = page.getByText("Scroll or swipe sideways");
    await hint.waitFor();
    await page.locator(".sheet-period").getByText(`Device: ${HOST}`).waitFor();
    const day = table(page).getByRole("rowheader").first();
    const before = await day.boundingBox();
    await page.locator("section.scroll").evaluate((box) => box.scrollBy(200, 0));
    assert.is((await day.boundingBox())?.x, before?.x);
    await page.emulateMedia({ media: "print" });
    assert.not.ok(await hint.isVisible());
    await page.emulateMedia({ media: "screen" });
    await page.setViewportSize({ width: 1400, height: 900 });
    await hint.waitFor({ state: "hidden" });
  }),
);

details("titles have room at 390 px, and rows stay low", () =>
  withWeb({ width: 390, hash: `#/timesheet/week/${DAY}?titles=1` }, async ({ page }) => {
    const titles = table(page).locator("tbody td:last-child").nth(4);
    const { width, height } = (await titles.boundingBox()) ?? { width: 0, height: 999 };
    assert.ok(width >= 240 && height < 300, `${width} x ${height}`);
  }),
);

test.run();
