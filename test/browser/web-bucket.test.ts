// long: 900 s
// One bucket: its events page by page, filters, and changes of events and of the bucket itself.

import fs from "node:fs";
import type { Locator, Page } from "playwright-core";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type ClientEvent, connect } from "../../src/client/index.js";
import { micros, secondsToMicros } from "../../src/index.js";
import { bucket, type Filling, realisticDay } from "../../src/testing/index.js";
import { detailsOf, IS_LONG } from "../faults/sizes.js";
import { otherWords } from "../reworded.js";
import { accessibleToo, DAY, HOST, inOneVisit, isInSight, settled, withWeb, ZONE } from "./web-page.js";

const test = suite("a bucket in Chromium");
const details = detailsOf(test);

const WINDOW = "#/buckets/aw-watcher-window_desk";
const BEGIN = Date.UTC(2024, 2, 1);

const DESK: Filling = realisticDay({ date: DAY, timezone: ZONE, hostname: HOST });

/** A bucket `many`: 5,000 events of ten seconds each, of which 300 begin at once; `n` tells them apart. */
const MANY: Filling = {
  bucket: bucket({ id: "many", hostname: HOST, type: "mystery" }),
  events: Array.from({ length: 5000 }, (_, n) => ({
    timestamp: micros((BEGIN + (n >= 2000 && n < 2300 ? 2000 : n) * 10_000) * 1000),
    duration: secondsToMicros(10),
    data: { n, kind: n % 1000 === 0 ? "thousandth" : "usual" },
  })),
};

const NASTY = "<img src=x onerror=\"document.title='broken'\"><b>bold</b>";

/** A bucket `odd` of a type that nobody knows. */
const ODD: Filling = {
  bucket: bucket({ id: "odd", hostname: HOST, type: "no.such.type", data: { made: { by: "hand" } } }),
  events: [
    {
      timestamp: micros(BEGIN * 1000),
      duration: secondsToMicros(-5),
      data: { title: NASTY, deep: { list: [1, { a: NASTY }] } },
    },
    { timestamp: micros(BEGIN * 1000), duration: secondsToMicros(1e6), data: { title: "long ".repeat(2000) } },
    { timestamp: micros(Date.UTC(2100, 0, 1) * 1000), duration: secondsToMicros(0), data: {} },
  ],
};

const EMPTY: Filling = { bucket: bucket({ id: "empty", hostname: HOST }), events: [] };

function rows(page: Page): Locator {
  return page.locator(".event-table tbody tr:not(.event-details)");
}

async function column(page: Page, name: string): Promise<string[]> {
  return page.locator(`.event-table td[data-label="${name}"]`).allTextContents();
}

/** What the page says about where it is: "101–200 of 5,000 events". */
function place(page: Page, text: string): Promise<void> {
  return page.locator(".pager-place", { hasText: text }).first().waitFor();
}

const titleOf = ({ data }: ClientEvent): unknown => data["title"];

details("an address with a time leads to the event of that time", () =>
  withWeb({ fill: MANY, hash: "#/buckets/many?at=2024-03-01T10:00:05Z" }, async ({ page }) => {
    const marked = page.locator('tr[aria-current="true"]');
    await marked.waitFor();
    assert.is(await marked.locator('[data-label="n"]').textContent(), "3600");
    assert.is(await marked.locator('[data-label="Duration"]').textContent(), "10s");
    assert.ok(await marked.evaluate((row) => row.getBoundingClientRect().top < innerHeight), "it is in sight");
    await page.getByRole("link", { name: "Older" }).first().click();
    await place(page, "1,401–1,500 of 5,000");
    await page.getByLabel("Go to").fill("2024-03-01T01:00:00");
    await page.locator('tr[aria-current="true"] [data-label="n"]', { hasText: /^0$/ }).waitFor();
    assert.is(await page.evaluate(() => location.hash), "#/buckets/many?at=2024-03-01T00%3A00%3A00Z");
  }),
);

inOneVisit(test, { fill: [DESK, MANY, EMPTY, ODD].flat() as Filling, smokes: 2 }, [
  [
    "it shows the newest events, as the server lists them",
    WINDOW,
    async ({ page, server }) => {
      await place(page, "1–100 of 890 events");
      const events = await connect(server).events.list("aw-watcher-window_desk", { limit: 100 });
      assert.equal(await column(page, "title"), events.map(titleOf));
      assert.equal(
        await column(page, "app"),
        events.map(({ data }) => data["app"]),
      );
      const times = await page.locator(".event-table tbody time").allTextContents();
      // 17:31:30 UTC+1, as people in Berlin with American habits read it.
      const [first] = events;
      const format = new Intl.DateTimeFormat("en-US", {
        ...{ dateStyle: "medium", timeStyle: "medium", timeZone: "Europe/Berlin" },
      });
      assert.is(times[0], format.format(new Date(first?.timestamp ?? "")));
      await accessibleToo(page);
    },
  ],
  [
    "an event is changed, what cannot be is told, and undo brings it back",
    WINDOW,
    async ({ page, server, faults }) => {
      const { events } = connect(server);
      const [before, second] = await events.list("aw-watcher-window_desk", { limit: 2 });
      assert.ok(before && second);
      await rows(page)
        .first()
        .getByRole("button", { name: /^Edit / })
        .click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Edit as JSON" }).click();
      await dialog.getByLabel("Data").fill("{app: 1}");
      await dialog.getByLabel("Duration").fill("soon");
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.getByText("Invalid JSON").waitFor();
      await dialog.getByText("Enter seconds").waitFor();
      await accessibleToo(page);
      await dialog.getByLabel("Data").fill('{"app": "Code", "title": "by hand"}');
      await dialog.getByRole("button", { name: "Edit as fields" }).click();
      await dialog.getByLabel("app").fill("Renamed");
      await dialog.getByLabel("Duration").fill("99999999999");
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.getByText("Not saved.").waitFor();
      assert.match((await dialog.getByRole("alert").textContent()) ?? "", otherWords("duration"));
      assert.match(faults.splice(0).join(), /status of 400/);
      assert.equal(await events.get("aw-watcher-window_desk", before.id), before);
      await dialog.getByLabel("Duration").fill("1:30");
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.waitFor({ state: "detached" });
      await rows(page).first().getByText("Renamed").waitFor();
      assert.equal(await events.get("aw-watcher-window_desk", before.id), {
        ...before,
        duration: 90,
        data: { app: "Renamed", title: "by hand" },
      });
      await place(page, "1–100 of 890 events");
      await page.getByRole("button", { name: "Undo" }).click();
      await rows(page).first().getByText("Renamed").waitFor({ state: "detached" });
      assert.equal(await events.list("aw-watcher-window_desk", { limit: 2 }), [before, second]);
    },
  ],
  [
    "an event is deleted once that is confirmed, and undo brings it back under its id",
    WINDOW,
    async ({ page, server }) => {
      const { events } = connect(server);
      const all = await events.list("aw-watcher-window_desk");
      const [first] = all;
      const remove = rows(page)
        .first()
        .getByRole("button", { name: /^Delete / });
      await remove.click();
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
      assert.is(await events.count("aw-watcher-window_desk"), 890);
      await remove.click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await place(page, "1–100 of 889 events");
      await page.locator("dd", { hasText: "889" }).first().waitFor();
      assert.equal(await column(page, "title"), all.slice(1, 101).map(titleOf));
      assert.equal(await events.list("aw-watcher-window_desk"), all.slice(1));
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      assert.ok(await isInSight(page.getByRole("button", { name: "Undo" })));
      await page.getByRole("button", { name: "Undo" }).click();
      await place(page, "1–100 of 890 events");
      assert.equal(await events.get("aw-watcher-window_desk", first?.id ?? 0), first);
      assert.equal(await events.list("aw-watcher-window_desk"), all);
      assert.equal(await server.trash.list(), [], "it is not in the trash as well");
    },
  ],
  [
    "the events of an hour are deleted once they are counted, and undo brings them back",
    `${WINDOW}?${new URLSearchParams({ start: `${DAY}T10:00:00Z`, end: `${DAY}T11:00:00Z` })}`,
    async ({ page, server }) => {
      const { events } = connect(server);
      const id = "aw-watcher-window_desk";
      const all = await events.list(id);
      const inHour = await events.list(id, { start: `${DAY}T10:00:00Z`, end: `${DAY}T11:00:00Z` });
      assert.ok(inHour.length > 1 && inHour.length < all.length);
      const ids = new Set(inHour.map((one) => one.id));
      await page.getByRole("button", { name: "Delete…" }).click();
      await page
        .getByRole("dialog")
        .getByRole("button", { name: `Delete ${inHour.length} events` })
        .click();
      await page.getByText(`Moved ${inHour.length} events to trash`).waitFor();
      assert.equal(
        await events.list(id),
        all.filter((one) => !ids.has(one.id)),
      );
      await page.getByText("No matching events").or(page.getByText("No events")).first().waitFor();
      await page.getByRole("button", { name: "Undo" }).click();
      await rows(page).first().waitFor();
      assert.equal(await events.list(id), all);
      assert.equal(await server.trash.list(), []);
    },
  ],
  [
    "an event is split, and moved to another bucket; undo takes that back",
    WINDOW,
    async ({ page, server, picture }) => {
      const { events } = connect(server);
      const [bucketId, other] = ["aw-watcher-window_desk", "aw-watcher-web-firefox_desk"];
      const all = await events.list(bucketId);
      const [first] = all;
      assert.ok(first);
      const dialog = page.getByRole("dialog");
      const menu = rows(page)
        .first()
        .getByRole("button", { name: /^Actions for / });
      await menu.click();
      await page.getByRole("button", { name: "Split…" }).click();
      await dialog.getByLabel("Time").fill("soon");
      await dialog.getByRole("button", { name: "Split event" }).click();
      await dialog.getByRole("alert").filter({ hasText: "Enter a date and time" }).waitFor();
      const at = new Date(Date.parse(first.timestamp) + 1000).toISOString();
      await dialog.getByLabel("Time").fill(at);
      await settled(page);
      await accessibleToo(page);
      await picture("bucket-split");
      await dialog.getByRole("button", { name: "Split event" }).click();
      await place(page, "1–100 of 891 events");
      const [later, earlier] = await events.list(bucketId, { limit: 2 });
      assert.equal(earlier, { ...first, duration: 1 });
      assert.is(Date.parse(later?.timestamp ?? ""), Date.parse(at));
      await page.getByRole("button", { name: "Undo" }).click();
      await place(page, "1–100 of 890 events");
      assert.equal(await events.list(bucketId), all);

      await menu.click();
      await settled(page);
      await picture("bucket-menu");
      await page.getByRole("button", { name: "Move…" }).click();
      await dialog.getByLabel("Target bucket").selectOption(other);
      await dialog.getByRole("button", { name: "Move event" }).click();
      await place(page, "1–100 of 889 events");
      const [moved] = await events.list(other, { limit: 1 });
      assert.equal({ ...moved, id: first.id }, first);
      await page.getByRole("button", { name: "Undo" }).click();
      await place(page, "1–100 of 890 events");
      const [back, ...rest] = await events.list(bucketId);
      assert.equal([{ ...back, id: first.id }, ...rest], all);
    },
  ],
  [
    "a range and a text leave what they name, and say what was searched",
    "#/buckets/many",
    async ({ page, goto }) => {
      // Berlin is an hour ahead: these are the events from 1:00 to 1:01 UTC, and the two that touch the range.
      await page.getByLabel("From").fill("2024-03-01T02:00:00");
      await page.getByLabel("To", { exact: true }).fill("2024-03-01T02:01:00");
      await place(page, "1–8 of 8 events");
      assert.equal((await column(page, "n")).map(Number), [366, 365, 364, 363, 362, 361, 360, 359]);
      assert.is(new Set(await column(page, "Duration")).size, 1, "none is cut");
      await page.getByRole("button", { name: "Show all" }).click();
      await place(page, "1–100 of 5,000");
      await page.getByLabel("Text").fill("ThousandTH");
      await place(page, "1–5 of 5 matches");
      assert.equal((await column(page, "n")).map(Number), [4000, 3000, 2000, 1000, 0]);
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: "CSV of many" }).click(),
      ]);
      const lines = fs
        .readFileSync(await file.path(), "utf8")
        .trim()
        .split("\r\n");
      assert.match(lines[0] ?? "", /^id,timestamp,duration,.*\bn\b/);
      assert.is(lines.length, 6);
      if (!IS_LONG) return;
      await page.reload();
      await place(page, "1–5 of 5 matches");
      await goto("#/buckets/many?q=nowhere");
      await page.getByText("No matching events.").waitFor();
      await goto("#/buckets/many?start=yesterday");
      await page.getByText("The address contains an invalid time.").waitFor();
    },
  ],
  [
    "an event is added by hand to an empty bucket",
    "#/buckets/empty",
    async ({ page, server }) => {
      await page.getByText("This bucket has no events.").waitFor();
      await accessibleToo(page);
      await page.getByRole("button", { name: "Add event" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Start").fill("2024-03-01 11:00:00.25");
      await dialog.getByLabel("Duration").fill("60");
      await dialog.getByLabel("app").fill("pen");
      await dialog.getByRole("button", { name: "Add" }).click();
      await rows(page).getByText("pen").waitFor();
      const [event, ...others] = await connect(server).events.list("empty");
      assert.is(others.length, 0);
      assert.equal([event?.timestamp, event?.duration], ["2024-03-01T10:00:00.250000+00:00", 60]);
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByText("This bucket has no events.").waitFor();
      assert.is(await connect(server).events.count("empty"), 0);
    },
  ],
  [
    "odd data are text, of any length and depth; what is known of a bucket is changed",
    "#/buckets/odd",
    async ({ page, server }) => {
      assert.is((await column(page, "title"))[2], NASTY);
      await page.getByRole("button", { name: "show all 10,000 characters" }).click();
      assert.ok((await column(page, "title"))[1]?.startsWith("long ".repeat(2000)));
      const unfold = rows(page)
        .nth(2)
        .getByRole("button", { name: /^Details / });
      await unfold.click();
      const shown = JSON.parse((await page.locator(".event-data").textContent()) ?? "") as unknown;
      assert.equal(shown, { title: NASTY, deep: { list: [1, { a: NASTY }] } });
      assert.is(await page.locator(".event-table img, .event-table b").count(), 0);
      const before = await connect(server).buckets.get("odd");
      await page.getByRole("button", { name: "Edit bucket" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name", { exact: true }).fill("An odd one");
      await dialog.getByLabel("Data").fill("[1]");
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.getByText("Enter a JSON object").waitFor();
      await dialog.getByLabel("Data").fill('{"a": 1}');
      await accessibleToo(page);
      await dialog.getByRole("button", { name: "Save" }).click();
      await page.locator("dd", { hasText: "An odd one" }).waitFor();
      assert.equal(await connect(server).buckets.get("odd"), { ...before, name: "An odd one", data: { a: 1 } });
    },
  ],
]);

details("a bucket that is not there is told of, and deletion leads back to the list", () =>
  withWeb({ fill: EMPTY, hash: "#/buckets/nowhere" }, async ({ page, goto, faults }) => {
    await page.getByText(otherWords("no bucket named 'nowhere'")).waitFor();
    assert.ok(faults.splice(0).every((fault) => fault.includes("status of 404")));
    await goto("#/buckets/empty");
    await page.getByRole("button", { name: "Delete bucket" }).click();
    await page.getByRole("dialog").getByRole("textbox").fill("empty");
    await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("No buckets yet.").waitFor();
    assert.is(await page.evaluate(() => location.hash), "#/buckets");
  }),
);

test.run();
