// long: 900 s
// The query view: programs, periods, results, errors.
import fs from "node:fs";
import type { Locator, Page } from "playwright-core";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { micros, secondsToMicros } from "../../src/index.js";
import { bucket, type Filling, realisticDay } from "../../src/testing/index.js";
import { formatDuration } from "../../src/web/format.js";
import { detailsOf } from "../faults/sizes.js";
import { door } from "../http/storages.js";
import { otherWords } from "../reworded.js";
import { takeFaults } from "./watch.js";
import { accessibleToo, DAY, HOST, inOneVisit, settled, withWeb, ZONE } from "./web-page.js";

const test = suite("queries in Chromium");
const details = detailsOf(test);

const DAY_OF_DESK = realisticDay({ date: DAY, timezone: ZONE, hostname: HOST });
/** From 4 in the morning, as the page has it. */
const TIMEPERIOD = "2024-03-01T03:00:00Z/2024-03-02T03:00:00Z";
const COUNT_WINDOWS = `RETURN = {"count": query_bucket_eventcount("${DAY_OF_DESK.window.bucket.id}")};`;

const editorOf = (page: Page): Locator => page.getByRole("textbox", { name: "Query" });
const resultOf = (page: Page): Locator => page.getByRole("region", { name: "Result", exact: true });
const showAs = (page: Page, form: string): Promise<void> =>
  page.getByRole("group", { name: "Show the result as" }).getByText(form, { exact: true }).click();

function linkTo(program: string, more: Readonly<Record<string, string>> = {}): string {
  return `#/query?${new URLSearchParams({ q: program, ...more })}`;
}

/** Types a program in and waits for what comes of it. */
async function run(page: Page, program: string): Promise<void> {
  await editorOf(page).fill(program);
  await press(page);
}

/** Presses the button and waits for what comes of it. */
async function press(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: "Run" });
  await Promise.all([page.waitForResponse(/\/api\/0\/query/), button.click()]);
  await page.getByText("Running…").waitFor({ state: "detached" });
}

/** The text of the cells of a table's rows. */
async function rowsOf(table: Locator): Promise<string[][]> {
  const rows = await table.locator("tbody tr").all();
  return Promise.all(rows.map((row) => row.locator("td").allTextContents()));
}

/** Seconds by app, longest first, added up by hand. */
function secondsByApp(): [app: string, seconds: number][] {
  const sums = new Map<string, number>();
  for (const { data, duration } of DAY_OF_DESK.window.events) {
    const app = String(data["app"]);
    sums.set(app, (sums.get(app) ?? 0) + duration / 1_000_000);
  }
  return [...sums].sort(([, a], [, b]) => b - a);
}

details("each ready made program runs", () =>
  withWeb({ hash: "#/query" }, async (web) => {
    const { page } = web;
    const select = page.getByRole("combobox", { name: "Query" });
    const labels = await select.locator("optgroup option").allTextContents();
    assert.ok(labels.length >= 5, labels.join());
    for (const label of labels) {
      await select.selectOption({ label });
      await press(page);
      assert.is(await page.getByRole("alert").count(), 0, label);
      assert.ok((await resultOf(page).locator("td").count()) > 0, label);
    }
  }),
);

details("the editor can be used and left by keyboard", () =>
  withWeb({ hash: "#/query" }, async ({ page }) => {
    await editorOf(page).fill("RETURN = 1;");
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("Tab");
    assert.is(await editorOf(page).inputValue(), "  RETURN = 1;");
    await page.keyboard.press("Control+z");
    assert.is(await editorOf(page).inputValue(), "RETURN = 1;");
    await page.keyboard.press("Control+Enter");
    await settled(page);
    assert.is(await resultOf(page).locator("td").last().textContent(), "1");
    assert.is(await editorOf(page).evaluate((field) => field === document.activeElement), true);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    assert.is(
      await page.getByRole("button", { name: "Run" }).evaluate((button) => button === document.activeElement),
      true,
    );
  }),
);

details("another host gets the same program with its buckets", () => {
  const laptop = realisticDay({ date: DAY, timezone: ZONE, hostname: "laptop", seed: 2 });
  return withWeb({ fill: [DAY_OF_DESK, laptop], hash: "#/query" }, async ({ page }) => {
    const host = page.getByRole("combobox", { name: "Device" });
    for (const name of ["laptop", HOST]) {
      await host.selectOption(name);
      assert.match(await editorOf(page).inputValue(), `query_bucket("aw-watcher-window_${name}")`);
    }
    await editorOf(page).fill("RETURN = 1;");
    await host.selectOption("laptop");
    assert.is(await editorOf(page).inputValue(), "RETURN = 1;");
  });
});

details("a hundred thousand events are shown a thousand at a time", () => {
  const start = DAY_OF_DESK.start;
  const events = Array.from({ length: 100_000 }, (_, at) => ({
    ...{
      timestamp: micros(start + 5 * 3_600_000_000 + at * 100_000),
      duration: secondsToMicros(0.1),
      data: { number: at },
    },
  }));
  const fill: Filling = { bucket: bucket({ id: "many", hostname: HOST }), events };
  return withWeb({ fill, hash: linkTo('RETURN = sort_by_timestamp(query_bucket("many"));') }, async ({ page }) => {
    await resultOf(page).waitFor();
    assert.is(await resultOf(page).locator("tbody tr").count(), 1000);
    assert.match((await resultOf(page).textContent()) ?? "", "1,000 of 100,000 rows");
    await page.getByRole("button", { name: "Show 1,000 more" }).click();
    assert.is(await resultOf(page).locator("tbody tr").count(), 2000);
    assert.is(await resultOf(page).locator("tbody tr").last().locator("td").last().textContent(), "1999");
    await showAs(page, "JSON");
    assert.ok(((await resultOf(page).locator("pre").textContent()) ?? "").length < 200_000);
    await showAs(page, "Chart");
    assert.is(await resultOf(page).locator(".bar").count(), 30);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download" }).click(),
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
    assert.is((JSON.parse(Buffer.concat(chunks).toString()) as unknown[]).length, 100_000);
  });
});

inOneVisit(test, { smokes: 2 }, [
  [
    "the first program shows the apps of today with their time, as table, chart and JSON",
    "#/query",
    async ({ page, server }) => {
      await page.getByRole("button", { name: "Run" }).click();
      const expected = secondsByApp();
      await resultOf(page).waitFor();
      // A group has no time and no title of its own.
      assert.equal(await resultOf(page).locator("th").allTextContents(), ["app", "Duration"]);
      assert.equal(
        await rowsOf(resultOf(page)),
        expected.map(([name, seconds]) => [name, formatDuration(seconds)]),
      );
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "CSV of query-result" }).click(),
      ]);
      const lines = fs.readFileSync(await file.path(), "utf8").split("\r\n");
      assert.is(lines[0], "\ufeffapp,Duration");
      assert.is(lines.length, expected.length + 2);

      await showAs(page, "Chart");
      assert.equal(
        await resultOf(page).locator(".bar-label").allTextContents(),
        expected.map(([name]) => name),
      );
      assert.equal(
        await resultOf(page).locator(".bar-value").allTextContents(),
        expected.map(([, seconds]) => formatDuration(seconds)),
      );

      await showAs(page, "JSON");
      const shown: unknown = JSON.parse((await resultOf(page).locator("pre").textContent()) ?? "");
      const query = await editorOf(page).inputValue();
      assert.equal(shown, JSON.parse(JSON.stringify((await server.query({ timeperiods: [TIMEPERIOD], query }))[0])));
    },
  ],
  [
    "an error is shown with its place, in words and in the text",
    "#/query",
    async (web) => {
      const { page } = web;
      await run(page, "a = [];\n\nRETURN = flod(a);");
      takeFaults(web, /status of 400/);
      assert.is(
        await page.getByRole("alert").textContent(),
        `Line 3, column 10: ${otherWords("no function 'flod', did you mean 'flood'?")}`,
      );
      assert.is((await page.locator(".editor-wrong").textContent())?.trim(), "3");
      assert.is(await page.locator(".editor mark").textContent(), "f");
      // The mark lies under the letter that it is about.
      const cursor = await editorOf(page).evaluate((field) => (field as HTMLTextAreaElement).selectionStart);
      assert.is(cursor, "a = [];\n\nRETURN = ".length);
      assert.is(await editorOf(page).getAttribute("aria-invalid"), "true");
      await accessibleToo(page);
      await web.picture("query-error-light-1400");

      await run(page, "RETURN = flood([]);");
      assert.is(await page.getByRole("alert").count(), 0);
      assert.is(await page.locator(".editor mark").count(), 0);
    },
  ],
  [
    "programs are saved under the official key, beside what others have there",
    "#/query",
    async ({ page, server }) => {
      const others = [{ id: 3, name: "Theirs", query_code: "RETURN = 3;", extra: true }, "odd"];
      await server.settings.put("saved_queries", others);
      await editorOf(page).fill(COUNT_WINDOWS);
      await page.getByRole("button", { name: "Save as…" }).click();
      await page.getByLabel("Name").fill("Mine");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Delete “Mine”" }).waitFor();
      assert.equal(await server.settings.get("saved_queries"), [
        ...others,
        {
          ...{ id: 4, name: "Mine", query_code: COUNT_WINDOWS, startdate: DAY, enddate: DAY },
          ...{ start_day_offset: 0, end_day_offset: -1, event_type: "currentwindow" },
        },
      ]);
      await page.reload();
      await settled(page);
      await page.getByRole("combobox", { name: "Query" }).selectOption("Mine");
      assert.is(await editorOf(page).inputValue(), COUNT_WINDOWS);
      await page.getByRole("button", { name: "Delete “Mine”" }).click();
      await page.getByRole("button", { name: "Delete “Mine”" }).waitFor({ state: "detached" });
      assert.equal(await server.settings.get("saved_queries"), others);
    },
  ],
  [
    "a query can be stopped, and a newer one ends the older",
    "#/query",
    async (web) => {
      const { page } = web;
      const failed: string[] = [];
      page.on("requestfailed", (request) => {
        // Chromium may call an answered request aborted, too, whose answer was read before it noticed.
        if (request.postData()?.includes("slow")) failed.push(`${request.postData()} ${request.failure()?.errorText}`);
      });
      const gate = door();
      await page.route("**/api/0/query**", async (route) => {
        if (route.request().postData()?.includes("slow")) await gate.opened;
        await route.continue().catch(() => undefined);
      });
      await editorOf(page).fill('RETURN = "slow 1";');
      await page.getByRole("button", { name: "Run" }).click();
      await page.getByRole("button", { name: "Stop" }).click();
      await page.getByText("Stopped").waitFor();

      await editorOf(page).fill('RETURN = "slow 2";');
      await page.getByRole("button", { name: "Run" }).click();
      await page.getByRole("button", { name: "Stop" }).waitFor();
      await run(page, 'RETURN = "quick";');
      assert.is(await resultOf(page).locator("td").last().textContent(), "quick");
      gate.open();
      assert.is(failed.length, 2, failed.join());
      for (const [at, line] of failed.entries()) assert.match(line, new RegExp(`slow ${at + 1}.*ERR_ABORTED`));
      await page.unrouteAll({ behavior: "wait" });
    },
  ],
  [
    "an address holds program, period and form; back and reload bring them again",
    linkTo(COUNT_WINDOWS, { from: DAY, to: DAY, as: "json" }),
    async ({ page }) => {
      const all = `{\n  "count": ${DAY_OF_DESK.window.events.length}\n}`;
      const json = resultOf(page).locator("pre");
      assert.is(await json.textContent(), all);
      assert.is(await editorOf(page).inputValue(), COUNT_WINDOWS);
      assert.is(await page.getByLabel("First day").inputValue(), DAY);

      await page.getByRole("combobox", { name: "Period" }).selectOption("Yesterday");
      await run(page, "RETURN = STARTTIME;");
      assert.match((await json.textContent()) ?? "", /^"2024-02-29T03:00:00/);
      await page.reload();
      await settled(page);
      assert.match((await json.textContent()) ?? "", /^"2024-02-29T03:00:00/);

      await page.goBack();
      await page.waitForFunction((text) => document.querySelector(".result-json pre")?.textContent === text, all);
      assert.is(await editorOf(page).inputValue(), COUNT_WINDOWS);
      assert.is(await page.getByLabel("Last day").inputValue(), DAY);
    },
  ],
]);

details("a failure of the server is shown, and the query can be tried again", () =>
  withWeb({ hash: "#/query" }, async (web) => {
    const { page } = web;
    await page.route("**/api/0/query**", (route) =>
      route.fulfill({ status: 503, contentType: "application/json", body: '{"message": "too much <b>work</b>"}' }),
    );
    await run(page, "RETURN = 5;");
    assert.match((await page.getByRole("alert").textContent()) ?? "", otherWords("too much <b>work</b>"));
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try again" }).click();
    await resultOf(page).waitFor();
    assert.is(await resultOf(page).locator("td").last().textContent(), "5");
    assert.is(await page.getByRole("alert").count(), 0);
    takeFaults(web, /503/);
  }),
);

details("rules of the categories stand where a program of the official UI has a word for them", () =>
  withWeb({ hash: "#/query" }, async ({ page, server }) => {
    await server.settings.put("classes", [{ name: ["All"], rule: { type: "regex", regex: "\\w" } }]);
    await page.reload();
    await run(
      page,
      `RETURN = limit_events(categorize(query_bucket("${DAY_OF_DESK.window.bucket.id}"), __CATEGORIES__), 1);`,
    );
    assert.ok((await rowsOf(resultOf(page))).flat().includes("All"));
  }),
);

test.run();
