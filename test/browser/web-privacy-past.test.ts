// long: 300 s
// Privacy rules over what is stored, in the dashboard: a bucket at a time, so it can be stopped and fail in between.

import type { Locator, Page } from "playwright-core";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { micros } from "../../src/index.js";
import { bucket, event, type Filling, type TestServer } from "../../src/testing/index.js";
import { detailsOf } from "../faults/sizes.js";
import { door } from "../http/storages.js";
import { otherWords } from "../reworded.js";
import { dropFaults } from "./watch.js";
import { NOW, settled, type Web, withWeb } from "./web-page.js";

const test = suite("privacy rules over the past in Chromium");
const details = detailsOf(test);

/** The first one would stand for all of them, were it taken for a pattern. */
const BUCKETS: readonly string[] = ["window_*", "window_b", "window_c"];
const FILL: Filling = BUCKETS.map((id) => ({
  bucket: bucket({ id, hostname: "desk" }),
  events: [
    event({
      timestamp: micros(Date.parse(NOW) * 1000 - 120_000_000),
      duration: "60s",
      data: { app: "Web", title: "My bank" },
    }),
    event({
      timestamp: micros(Date.parse(NOW) * 1000 - 60_000_000),
      duration: "60s",
      data: { app: "Web", title: "News" },
    }),
  ],
}));
const RULES = [{ when: { key: "title", matches: "bank" }, then: "drop" }];
const APPLY = "**/api/0/privacy/apply";

/** How many events each bucket has. */
async function counts(server: TestServer): Promise<number[]> {
  return Promise.all(BUCKETS.map((id) => server.events.count(id)));
}

function dialogOf(page: Page): Locator {
  return page.getByRole("dialog");
}

/** Opens the dialog and waits until all is counted. */
async function ask(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Apply to stored events…" }).click();
  await dialogOf(page).getByRole("button", { name: "Apply", exact: true }).waitFor();
}

/** Does something to the requests that apply the rules to a bucket. */
async function onApplying(page: Page, bucketId: string, play: (answer: Answer) => Promise<void>): Promise<void> {
  await page.route(APPLY, async (route) => {
    const isMeant = route.request().postDataJSON()?.bucket === bucketId;
    await (isMeant ? play(route) : route.continue());
  });
}

type Answer = Parameters<Parameters<Page["route"]>[1]>[0];

function visit(body: (web: Web) => Promise<void>): Promise<void> {
  const prepare = (server: TestServer) => server.settings.put("privacy_rules", RULES);
  return withWeb({ fill: FILL, hash: "#/privacy", server: { clock: NOW }, prepare }, body);
}

test("progress is told, and what was done before it is stopped can be taken back", () =>
  visit(async ({ page, server }) => {
    const gate = door();
    await onApplying(page, "window_b", async (answer) => {
      await gate.opened;
      await answer.continue();
    });
    await ask(page);
    await dialogOf(page).getByRole("button", { name: "Apply", exact: true }).click();
    await dialogOf(page).getByText("1 / 3").waitFor();
    const progress = dialogOf(page).getByRole("progressbar", { name: "Stored events" });
    assert.equal([await progress.getAttribute("value"), await progress.getAttribute("max")], ["1", "3"]);
    await dialogOf(page).getByRole("button", { name: "Cancel" }).click();
    gate.open();
    await page.getByText("2 dropped, 0 changed").waitFor();
    assert.equal(await counts(server), [1, 1, 2], "the bucket that was under way is done, those behind it are not");
    await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone").waitFor();
    assert.equal(await counts(server), [2, 2, 2]);
    await page.unrouteAll({ behavior: "wait" });
  }));

details("a failure in the middle is shown; asked again it goes on there, and all of it can be taken back", () =>
  visit(async ({ page, server, faults }) => {
    let isBroken = true;
    await onApplying(page, "window_b", (answer) =>
      isBroken
        ? answer.fulfill({ status: 500, contentType: "application/json", body: '{"message": "the disk is gone"}' })
        : answer.continue(),
    );
    const asked: string[] = [];
    page.on("request", (request) => {
      if (/privacy\/apply/.test(request.url())) asked.push(request.postDataJSON().bucket);
    });
    await ask(page);
    await dialogOf(page).getByRole("button", { name: "Apply", exact: true }).click();
    await dialogOf(page)
      .getByRole("alert")
      .filter({ hasText: otherWords("the disk is gone") })
      .waitFor();
    await dialogOf(page).getByText("1 / 3").waitFor();
    assert.equal(await counts(server), [1, 2, 2]);
    isBroken = false;
    asked.length = 0;
    await dialogOf(page).getByRole("button", { name: "Apply", exact: true }).click();
    await page.getByText("3 dropped, 0 changed").waitFor();
    assert.equal(asked, ["window_b", "window_c"]);
    assert.equal(await counts(server), [1, 1, 1]);
    await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone").waitFor();
    assert.equal(await counts(server), [2, 2, 2]);
    await page.unrouteAll({ behavior: "wait" });
    dropFaults({ faults }, /status of 500/);
  }),
);

details("closed behind a failure, the page tells what was done; an undo that fails goes on where it broke off", () =>
  visit(async ({ page, server, faults }) => {
    await onApplying(page, "window_c", (answer) => answer.abort());
    await ask(page);
    await dialogOf(page).getByRole("button", { name: "Apply", exact: true }).click();
    await dialogOf(page).getByRole("alert").waitFor();
    await dialogOf(page).getByRole("button", { name: "Cancel" }).click();
    await page.getByText("2 dropped, 0 changed").waitFor();
    assert.equal(await counts(server), [1, 1, 2]);
    let undone = 0;
    await page.route("**/api/0/undo/*", (answer) => (++undone === 2 ? answer.abort() : answer.continue()));
    await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
    await page.getByRole("status").getByRole("alert").waitFor();
    assert.equal(await counts(server), [2, 1, 2]);
    await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone").waitFor();
    assert.equal(await counts(server), [2, 2, 2]);
    await settled(page);
    await page.unrouteAll({ behavior: "wait" });
    dropFaults({ faults }, /ERR_FAILED/);
  }),
);

test.run();
