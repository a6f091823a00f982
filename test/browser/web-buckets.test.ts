// long: 900 s
// The list of buckets: what it says, export, import and deletion.

import fs from "node:fs/promises";
import type { Page } from "playwright-core";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type ActivityClient, connect } from "../../src/client/index.js";
import { micros, secondsToMicros } from "../../src/index.js";
import { bucket, type Filling, realisticDay } from "../../src/testing/index.js";
import { detailsOf } from "../faults/sizes.js";
import { otherWords } from "../reworded.js";
import { dropFaults } from "./watch.js";
import { accessibleToo, DAY, HOST, inOneVisit, settled, withWeb, ZONE } from "./web-page.js";

const test = suite("the list of buckets in Chromium");
const details = detailsOf(test);

const LIST = "#/buckets";
const ODD_IDS: readonly string[] = ["__proto__", "a/b c?d#e%2F", "ü 🙂", "x".repeat(200), "<b>bold</b>", "events"];

const DAY_OF_DESK: Filling = realisticDay({ date: DAY, timezone: ZONE, hostname: HOST });

function oddBuckets(): Filling {
  return ODD_IDS.map((id) => ({
    bucket: bucket({ id, hostname: "__proto__", type: "mystery" }),
    events: [{ timestamp: micros("2024-03-01"), duration: secondsToMicros(1), data: { id } }],
  }));
}

function rowOf(page: Page, id: string) {
  return page.getByRole("row").filter({ has: page.getByRole("link", { name: id, exact: true }) });
}

/** What the page shows of its buckets, by id. */
async function shownIds(page: Page): Promise<string[]> {
  return page.locator(".bucket-id").allTextContents();
}

/** Opens the menu of a row, of a bucket or `device NAME`. */
function menuOf(page: Page, name: string): Promise<void> {
  return page.getByRole("button", { name: `Actions for ${name}`, exact: true }).click();
}

/** All that a server holds, but for the ids of events. */
async function contents(client: ActivityClient): Promise<unknown> {
  return (await client.export()).buckets;
}

function choose(page: Page, name: string, text: string): Promise<void> {
  const file = { name, mimeType: "application/json", buffer: Buffer.from(text) };
  return page.getByLabel("Files to import").setInputFiles(file);
}

/** What a report says, as "label: number". */
async function reportOf(page: Page): Promise<string[]> {
  await page.locator(".import-done").last().waitFor();
  const lines = await page.locator(".import-done").last().locator("dl > div").all();
  return Promise.all(lines.map(async (line) => (await line.locator("dt, dd").allTextContents()).join(": ")));
}

details("buckets of any name can be opened, and lead back", () =>
  withWeb({ fill: oddBuckets(), hash: LIST }, async ({ page }) => {
    for (const id of ODD_IDS) {
      await page.getByRole("link", { name: id, exact: true }).click();
      await page.getByRole("heading", { level: 1, name: id, exact: true }).waitFor();
      await page.locator(".event-table tbody tr").waitFor();
      const shown = await page.locator('.event-table [data-label="id"]').textContent();
      assert.is(shown?.slice(0, 99), id.slice(0, 99));
      await page.goBack();
      await page.getByRole("heading", { level: 1, name: "Buckets" }).waitFor();
    }
  }),
);

const MANY = 500;

details(`of ${MANY} buckets only those in sight are counted`, () => {
  const many = Array.from({ length: MANY }, (_, index) => ({
    bucket: bucket({ id: `watcher-${index}`, hostname: `host-${index % 5}` }),
    events: [],
  }));
  return withWeb({ fill: many, hash: LIST }, async ({ page, received }) => {
    await settled(page);
    assert.is((await shownIds(page)).length, MANY);
    const counted = (await received()).filter(({ url }) => url.includes("/events/count")).length;
    assert.ok(counted > 0 && counted < 100, `${counted} were counted`);
  });
});

details("a file that is dropped is imported, and what is invalid is counted", () =>
  withWeb({ fill: [], hash: LIST }, async ({ page, server }) => {
    const events = [{ timestamp: "2024-03-01T10:00:00Z", data: { n: 1 } }, { timestamp: "never" }];
    const text = JSON.stringify({ buckets: { b: { type: "t", client: "c", hostname: "h", events } } });
    const files = await page.evaluateHandle((content) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], "dropped.json"));
      return transfer;
    }, text);
    await page.locator(".import").dispatchEvent("drop", { dataTransfer: files });
    assert.equal(await reportOf(page), [
      "Created buckets: 1",
      "Existing buckets: 0",
      "Imported events: 1",
      "Existing events: 0",
      "Skipped invalid events: 1",
    ]);
    assert.is(await connect(server).events.count("b"), 1);
    await page.getByRole("link", { name: "b", exact: true }).waitFor();
  }),
);

details("a file that is too large is refused, and one on its way can be stopped and sent again", () =>
  withWeb({ fill: [], hash: LIST, server: { importLimitBytes: 100_000 } }, async ({ page, faults }) => {
    await choose(page, "large.json", JSON.stringify({ buckets: {}, more: "x".repeat(3_000_000) }));
    await page.getByRole("alert").getByText(otherWords("the body is larger than 100000 bytes")).waitFor();
    assert.match(faults.splice(0).join(), /status of 413/);
    await page.getByRole("button", { name: "Clear results" }).click();
    await page.route("**/api/0/import", () => undefined);
    await choose(page, "first.json", '{"buckets": {}}');
    await choose(page, "second.json", '{"buckets": {}}');
    const jobs = page.locator(".import-jobs > li");
    await jobs.nth(1).getByText("is waiting").waitFor();
    await jobs.nth(0).getByRole("button", { name: "Stop" }).click();
    await jobs.nth(0).getByText("Stopped").waitFor();
    await jobs.nth(1).getByRole("progressbar", { name: "Sending second.json" }).waitFor();
    await jobs.nth(1).getByRole("button", { name: "Stop" }).click();
    await jobs.nth(1).getByText("Stopped").waitFor();
    await page.unroute("**/api/0/import");
    await jobs.nth(1).getByRole("button", { name: "Try again" }).click();
    await jobs.nth(1).getByText("Imported second.json").waitFor();
    await jobs.nth(0).getByText("Stopped").waitFor();
  }),
);

details("a server that wants a key gives and takes documents as well", () =>
  withWeb({ server: { apiKey: "s3cret" }, hash: "#/" }, async ({ page, goto, server, faults }) => {
    await page.evaluate(() => sessionStorage.setItem("activity-server.key", "s3cret"));
    await page.reload();
    await goto(LIST);
    faults.length = 0;
    const began = page.waitForEvent("download");
    await menuOf(page, "aw-watcher-afk_desk");
    await page.getByRole("link", { name: "Export aw-watcher-afk_desk" }).click();
    const download = await began;
    assert.is(download.suggestedFilename(), "aw-bucket-export_aw-watcher-afk_desk.json");
    const text = await fs.readFile(await download.path(), "utf8");
    assert.equal(JSON.parse(text), await connect(server).buckets.export("aw-watcher-afk_desk"));
    await choose(page, "afk.json", text);
    assert.equal((await reportOf(page)).slice(1, 4), [
      "Existing buckets: 1",
      "Imported events: 0",
      "Existing events: 17",
    ]);
  }),
);

inOneVisit(test, { fill: [DAY_OF_DESK, oddBuckets()].flat() as Filling, smokes: 2 }, [
  [
    "buckets stand under their hosts, with what the server says of them",
    LIST,
    async ({ page, server }) => {
      const client = connect(server);
      const hosts = await page.getByRole("heading", { level: 2 }).allTextContents();
      assert.equal(hosts, ["__proto__", HOST]);
      const listed = Object.values(await client.buckets.list());
      assert.equal((await shownIds(page)).sort(), listed.map(({ id }) => id).sort());
      for (const { id, type, client: watcher } of listed) {
        const row = rowOf(page, id);
        await row.scrollIntoViewIfNeeded();
        const count = await client.events.count(id);
        await row.locator('[data-label="Events"]', { hasText: count.toLocaleString("en-US") }).waitFor();
        assert.is(await row.locator('[data-label="Type"]').textContent(), type);
        assert.is(await row.locator('[data-label="Client"]').textContent(), watcher);
      }
      const span = await rowOf(page, "aw-watcher-window_desk").locator("time").allTextContents();
      const { metadata } = await client.buckets.get("aw-watcher-window_desk");
      const format = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "medium", timeZone: ZONE });
      assert.equal(
        span,
        [metadata.start, metadata.end].map((at) => format.format(new Date(at ?? ""))),
      );
    },
  ],
  [
    "a bucket is deleted only when its name has been typed",
    LIST,
    async ({ page, server }) => {
      const [id = ""] = ODD_IDS;
      const others = (await shownIds(page)).filter((one) => one !== id).sort();
      const remove = page.getByRole("button", { name: `Delete ${id}`, exact: true });
      await menuOf(page, id);
      await remove.click();
      const dialog = page.getByRole("dialog");
      const confirm = dialog.getByRole("button", { name: "Delete", exact: true });
      for (const typed of ["", "delete", "__PROTO__", "__proto"]) {
        await dialog.getByRole("textbox").fill(typed);
        assert.ok(await confirm.isDisabled(), typed);
        await dialog.getByRole("textbox").press("Enter");
      }
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      const focused = await page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
      assert.is(focused, `Actions for ${id}`, "the focus is where it was");
      assert.is((await server.buckets.list()).length, others.length + 1);
      await page.keyboard.press("Enter");
      await remove.click();
      await dialog.getByText(/^1 event, Fri, Mar 1, 2024/).waitFor();
      await dialog.getByRole("textbox").fill(id);
      await accessibleToo(page);
      await confirm.click();
      await dialog.waitFor({ state: "detached" });
      assert.equal((await shownIds(page)).sort(), others);
      assert.equal((await server.buckets.list()).map((one) => one.id).sort(), others);
      const [entry] = await server.trash.list();
      await server.trash.restore(entry?.id ?? "");
    },
  ],
  [
    "what the page exports is the same when it has imported it",
    LIST,
    async ({ page, server }) => {
      const began = page.waitForEvent("download");
      await page.getByRole("link", { name: "Export all buckets" }).click();
      const download = await began;
      assert.is(download.suggestedFilename(), "aw-buckets-export.json");
      const text = await fs.readFile(await download.path(), "utf8");
      const before = await contents(connect(server));
      for (const { id } of await server.buckets.list()) await server.buckets.delete(id);
      await choose(page, "all.json", text);
      const events = 890 + 17 + 324 + 255 + ODD_IDS.length;
      assert.equal((await reportOf(page)).slice(0, 3), [
        "Created buckets: 10",
        "Existing buckets: 0",
        `Imported events: ${events.toLocaleString("en-US")}`,
      ]);
      await page.getByText("10 buckets on 2 devices").waitFor();
      assert.equal(await contents(connect(server)), before);
      await choose(page, "again.json", text);
      await page.getByText("again.json").waitFor();
      await page.locator(".import-done").nth(1).waitFor();
      assert.equal((await reportOf(page)).slice(2), [
        "Imported events: 0",
        `Existing events: ${events.toLocaleString("en-US")}`,
        "Skipped invalid events: 0",
      ]);
      assert.equal(await contents(connect(server)), before);
      await server.trash.empty();
    },
  ],
  [
    "all of a host go when its name has been typed, also those that a filter hides",
    `${LIST}?q=bold`,
    async (web) => {
      const { page, server } = web;
      assert.equal(await shownIds(page), ["<b>bold</b>"]);
      await menuOf(page, "device __proto__");
      await page.getByRole("button", { name: "Delete all on __proto__" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText(`This deletes ${ODD_IDS.length} buckets with all events`).waitFor();
      await dialog.getByRole("textbox").fill(HOST);
      assert.ok(await dialog.getByRole("button", { name: "Delete", exact: true }).isDisabled());
      // The last one is refused at first.
      let asked = 0;
      await page.route("**/api/0/buckets/*?force=1*", (call) => {
        return ++asked === ODD_IDS.length ? call.fulfill({ status: 403, json: {} }) : call.continue();
      });
      await dialog.getByRole("textbox").fill("__proto__");
      await dialog.getByRole("textbox").press("Enter");
      await dialog.getByText("Some buckets were not deleted.").waitFor();
      dropFaults(web, /403/);
      const notice = page.locator(".filter-notice");
      assert.match(await notice.innerText(), /^5 of 6 deleted/);
      await dialog.getByRole("textbox").press("Enter");
      await dialog.waitFor({ state: "detached" });
      await notice.getByText("Moved to trash: __proto__").waitFor();
      await page.getByText("No matching buckets.").waitFor();
      assert.is(Object.keys(await connect(server).buckets.list()).length, 4);
      await page.evaluate(() => (location.hash = "#/trash"));
      await settled(page);
      assert.ok(await notice.getByRole("button", { name: "Undo" }).isVisible());
      const [, later] = await connect(server).trash.list();
      await connect(server).trash.delete(later?.id ?? "");
      await page.evaluate(() => (location.hash = "#/settings"));
      await notice.getByRole("button", { name: "Undo" }).click();
      await notice.getByText("That failed.").waitFor();
      assert.match(await notice.innerText(), /^Moved to trash: __proto__/, "what was done stays as it was said");
      dropFaults(web, /404/);
      await page.evaluate(() => (location.hash = "#/trash"));
      await settled(page);
      assert.is(await notice.innerText(), "", "one of them cannot be brought back");
    },
  ],
]);

test.run();
