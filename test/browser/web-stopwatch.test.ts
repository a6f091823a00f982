// long: 900 s
// The stopwatch, and views that are saved.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { connect } from "../../src/client/index.js";
import { accessibleToo, HOST, inOneVisit, NOW, settled } from "./web-page.js";

const test = suite("stopwatch and saved views in Chromium");

const LATER = "2024-03-01T18:30:05Z";
const OF_LAST_WEEK = `#/week/2024-02-19?host=${HOST}`;

inOneVisit(test, { smokes: 2 }, [
  [
    "an entry is added by hand, and what is wrong with a time stands at its field",
    "#/stopwatch",
    async ({ page, server }) => {
      await page.getByLabel("What are you doing?").fill("Call");
      await page.getByRole("button", { name: "Add entry…" }).click();
      const dialog = page.getByRole("dialog");
      const field = (name: string) => dialog.locator(".field").filter({ has: page.getByLabel(name, { exact: true }) });
      assert.is(await dialog.getByLabel("Label").inputValue(), "Call");
      await field("End").getByText("1h 00m").waitFor();
      assert.is(await dialog.getByLabel("Start").getAttribute("type"), "datetime-local");
      await dialog.getByLabel("Start").fill("");
      assert.is(await field("Start").getByRole("alert").count(), 0, "nobody is told of a mistake while typing");
      await dialog.getByLabel("End").fill("");
      await dialog.getByRole("button", { name: "Save" }).click();
      await field("Start").getByText("Enter a start").waitFor();
      await field("End").getByText("Enter an end").waitFor();
      await dialog.getByLabel("Start").fill("2024-03-01T09:30");
      await dialog.getByLabel("End").fill("2024-03-01T00:15");
      await dialog.getByRole("button", { name: "Save" }).click();
      await field("End").getByText("The end must be after the start").waitFor();
      await accessibleToo(page);
      assert.is(
        (await server.buckets.list()).some(({ id }) => id === "aw-stopwatch"),
        false,
      );
      await dialog.getByLabel("End").fill("2024-03-01T11:00");
      await field("End").getByText("1h 30m").waitFor();
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.waitFor({ state: "detached" });
      assert.is(await page.getByLabel("What are you doing?").inputValue(), "");
      const [{ timestamp, duration, data } = { timestamp: "", duration: 0, data: {} }] =
        await connect(server).events.list("aw-stopwatch");
      assert.equal([timestamp.slice(0, 16), duration], ["2024-03-01T08:30", 5400]);
      assert.equal(data, { label: "Call", running: false });
      await page.getByRole("region", { name: "Stopwatch" }).getByText("Call").waitFor();
      // A page that still reads the entries would be told that there are none.
      await settled(page);
      await server.buckets.delete("aw-stopwatch");
    },
  ],
  [
    "something is timed over a reload, corrected, started again and deleted",
    "#/stopwatch",
    async ({ page, server }) => {
      await page.getByText("No entries yet").waitFor();
      await page.getByLabel("What are you doing?").fill("Write the report");
      await page.getByRole("button", { name: "Start", exact: true }).click();
      const running = page.getByRole("region", { name: "Running" });
      await running.waitFor();
      const client = connect(server);
      const [started] = await client.events.list("aw-stopwatch");
      assert.equal(started?.data, { label: "Write the report", running: true });
      assert.is((await client.buckets.get("aw-stopwatch")).type, "general.stopwatch");

      await page.clock.setFixedTime(LATER);
      await page.reload();
      await running.getByText("1:00:05").waitFor();
      await page.locator(".live").getByText("Write the report").waitFor();
      await accessibleToo(page);
      const stop = await running.getByRole("button", { name: "Stop" }).boundingBox();
      await running.getByRole("button", { name: "Stop" }).click();
      await running.waitFor({ state: "detached" });
      await settled(page);
      const again = await page.getByRole("button", { name: "Start again: Write the report" }).boundingBox();
      assert.ok(stop && again && again.x > stop.x + stop.width, "a second click starts nothing");
      const [ended] = await client.events.list("aw-stopwatch");
      assert.equal(ended, { ...started, duration: 3605, data: { label: "Write the report", running: false } });

      const list = page.getByRole("region", { name: "Stopwatch" });
      await list.getByRole("button", { name: "Edit: Write the report" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Label").fill("Report");
      await dialog.getByLabel("End").fill("2024-03-01T18:00");
      await accessibleToo(page);
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.getByText("The end must be after the start.").first().waitFor();
      await dialog.getByLabel("End").fill("2024-03-01T19:00");
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.waitFor({ state: "detached" });
      assert.equal(await client.events.list("aw-stopwatch"), [
        { ...started, duration: 1800, data: { label: "Report", running: false } },
      ]);
      await list.getByRole("button", { name: "Start again: Report" }).click();
      await running.getByText("0:00:00").waitFor();
      await list.getByRole("button", { name: "Delete: Report" }).click();
      await dialog.getByRole("button", { name: "Delete" }).click();
      await list.waitFor({ state: "detached" });
      assert.is((await client.events.list("aw-stopwatch")).length, 1);
      await page.getByText("“Report” deleted").waitFor();
      await page.getByRole("button", { name: "Undo" }).click();
      await list.getByRole("button", { name: "Delete: Report" }).waitFor();
      await page.getByText("Undone").waitFor();
      assert.is((await client.events.list("aw-stopwatch")).length, 2);
    },
  ],
  [
    "a long history is shown a week of its days at a time",
    "#/overview",
    async ({ page, server, goto }) => {
      const { buckets, events } = connect(server);
      await buckets.create("aw-stopwatch", { type: "general.stopwatch", client: "aw-webui", hostname: "unknown" });
      const dayBefore = (days: number) => new Date(Date.parse(NOW) - days * 86_400_000);
      const data = { label: "Call", running: false };
      const entries = Array.from({ length: 110 }, (_, days) => ({ timestamp: dayBefore(days), duration: 60, data }));
      await events.insert("aw-stopwatch", entries);
      await goto("#/stopwatch");
      const days = page.locator(".stopwatch-day");
      const more = page.getByRole("button", { name: "Show more" });
      await days.first().waitFor();
      for (let shown = 7; shown < 110; shown += 7) {
        await days.nth(shown - 1).waitFor();
        assert.is(await days.count(), shown);
        await more.click();
      }
      await days.nth(109).waitFor();
      await more.waitFor({ state: "detached" });
    },
  ],
  [
    "a view is saved by its name, moves along, and is renamed and deleted",
    OF_LAST_WEEK,
    async ({ page, server, load }) => {
      const menu = page.locator(".saved-views");
      const open = (): Promise<void> => menu.locator("summary").click();
      // Those of the official UI are something else, and stay.
      const official = [{ id: "summary", name: "Summary", elements: [{ type: "top_apps", size: 3 }] }];
      await server.settings.put("views", official);
      await open();
      await menu.getByLabel("View name").fill("Last week");
      await menu.getByRole("button", { name: "Save" }).click();
      await menu.getByRole("link", { name: "Last week" }).waitFor();
      await accessibleToo(page);
      assert.equal(await server.settings.get("saved_views"), [
        { name: "Last week", address: OF_LAST_WEEK, moves: { kind: "week", offset: -1 } },
      ]);
      // Two weeks on it is another week.
      await page.clock.setFixedTime("2024-03-15T12:00:00Z");
      await load("#/timesheet/month/2024-02");
      await open();
      await menu.getByLabel("View name").fill("February");
      await menu.getByRole("checkbox").click();
      await menu.getByRole("button", { name: "Save" }).click();
      await menu.getByRole("link", { name: "February" }).waitFor();
      await menu.getByRole("link", { name: "Last week" }).click();
      await page.waitForURL(/#\/week\/2024-03-04\?host=desk$/);
      await page.clock.setFixedTime(NOW);
      await open();
      assert.match((await menu.getByRole("link", { name: "February" }).getAttribute("href")) ?? "", /month\/2024-02\?/);
      await menu.getByRole("button", { name: "Rename Last week" }).click();
      await menu.getByLabel("New name for Last week").fill("The week before");
      await menu.getByRole("button", { name: "Save" }).first().click();
      await menu.getByRole("link", { name: "The week before" }).waitFor();
      await menu.getByRole("button", { name: "Delete The week before" }).click();
      await menu.getByRole("link", { name: "The week before" }).waitFor({ state: "detached" });
      assert.equal(await menu.getByRole("link").allTextContents(), ["February"]);
      await page.keyboard.press("Escape");
      assert.is(await menu.getAttribute("open"), null);
      assert.equal(await server.settings.get("views"), official);
    },
  ],
]);

test.run();
