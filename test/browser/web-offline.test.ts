// long: 300 s
// The dashboard without its server: all of it is there once it was loaded, and what was not comes when the server is
// back.
import type { Locator, Page, Request } from "playwright-core";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createTestServer, realisticDay, type TestServer } from "../../src/testing/index.js";
import { detailsOf, sampleOf } from "../faults/sizes.js";
import { dropFaults } from "./watch.js";
import { DAY, HOST, loadedAhead, menuLink, settled, type Web, withWeb, ZONE } from "./web-page.js";

const test = suite("the dashboard without its server");
const details = detailsOf(test);

const FILL = realisticDay({ date: DAY, timezone: ZONE, hostname: HOST });

/** Lets the page ask as it does when it is shown again, rather than in ten seconds. */
async function lookAgain(page: Page): Promise<void> {
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await settled(page);
}

/** The one message that the server is away. */
function away(page: Page): Locator {
  return page.getByText("The server does not respond.");
}

/** Runs a body with the same server again, at the same port. */
async function whenBack({ page, port }: Web, body: (server: TestServer) => Promise<void>): Promise<void> {
  const back = createTestServer({ hostname: HOST, testing: false });
  try {
    await back.load(FILL);
    await back.listen({ port });
    await lookAgain(page);
    await body(back);
  } finally {
    await page.goto("about:blank");
    await back.close();
  }
}

/** Takes out what Chromium tells of requests that nobody answered. */
function takeLost(web: Web): void {
  dropFaults(web, /Failed to load resource: net::ERR_/);
}

const VIEWS: readonly (readonly [name: string, shows: string])[] = [
  ["Timeline", "Loading failed."],
  ["Reports", "Loading failed."],
  // What is known from before is there, too.
  ["Categories", "Programming"],
  ["Stopwatch", "What are you doing?"],
  ["Query", "Ctrl+Enter runs the query."],
  ["Settings", "Europe/Berlin"],
  ["Access", "Loading failed."],
];
const DATA: readonly (readonly [name: string, shows: string])[] = [
  ["Privacy", "Loading failed."],
  ["Retention", "Loading failed."],
  ["Trash", "Loading failed."],
  ["Storage", "Loading failed."],
];

test("every view is there when the server is gone, says so, and goes on when it is back", () =>
  withWeb({ loadsAhead: true, hash: "#/settings" }, async (web) => {
    const { page, server, picture, load } = web;
    await loadedAhead(page, () => load("#/"));
    await server.close();
    await lookAgain(page);
    await away(page).waitFor();
    assert.is(await away(page).count(), 1);
    assert.ok((await page.locator(".activity-lines tbody tr").count()) > 0, "the last numbers stay in sight");
    const link = async (menu: string, name: string) =>
      menu === "Data" ? page.getByRole("navigation", { name: menu }).getByRole("link", { name }) : menuLink(page, name);
    const visit = async (menu: string, name: string, shows: string): Promise<void> => {
      await (await link(menu, name)).press("Enter");
      await settled(page);
      assert.match(await page.locator("main").innerText(), shows);
      assert.is(await away(page).count(), 1, `${name} says so once`);
      await picture(`offline-${name.toLowerCase()}`);
    };
    for (const [name, shows] of sampleOf(VIEWS, 2)) await visit("Views", name, shows);
    await visit("Views", "Data", "Loading failed.");
    for (const [name, shows] of sampleOf(DATA, 2)) await visit("Data", name, shows);
    await visit("Data", "Buckets", "aw-watcher-window_desk");
    await page.getByRole("link", { name: "aw-watcher-window_desk" }).press("Enter");
    await page.getByText("Loading failed.").waitFor();
    await visit("Views", "Activity", "Loading failed.");
    // A filter, whose parts most visits do not need.
    await page.getByRole("combobox", { name: "Filter" }).fill("firefox");
    await page.getByRole("combobox", { name: "Filter" }).press("Enter");
    await page.getByRole("button", { name: "Remove firefox" }).waitFor();
    await whenBack(web, async () => {
      await away(page).waitFor({ state: "detached" });
      await page.locator(".activity-lines tbody tr").first().waitFor();
      await settled(page);
      assert.is(await page.getByRole("alert").count(), 0);
    });
    takeLost(web);
  }));

details("no view takes more than 40 requests, of code as well, until somebody uses it", () =>
  withWeb({ loadsAhead: true, hash: "#/settings" }, async ({ page, load }) => {
    for (const hash of ["#/", "#/timeline", "#/timesheet", "#/overview", "#/categories"]) {
      const asked: string[] = [];
      const note = (request: Request): void => void asked.push(new URL(request.url()).pathname);
      page.on("request", note);
      await load(hash);
      page.off("request", note);
      assert.ok(asked.length <= 40, `${hash}: ${asked.length} of ${asked.join(" ")}`);
    }
  }),
);

/** Opens the page for the first time. */
async function openBare({ page, port }: Web): Promise<void> {
  // Another origin than before, of which the browser keeps nothing.
  await page.goto(`http://localhost:${port}/#/`);
  await page.locator(".activity-lines tbody tr").first().waitFor();
  await settled(page);
}

details("what was not loaded before the server went comes when it is back", () =>
  withWeb({}, async (web) => {
    const { page, server } = web;
    await openBare(web);
    await server.close();
    await page.evaluate(() => (location.hash = "#/timeline?f=firefox"));
    await page.getByText("Loading failed.").waitFor();
    await lookAgain(page);
    await page.getByRole("button", { name: "Try again" }).click();
    await settled(page);
    await page.getByText("Loading failed.").waitFor();
    const chip = page.getByRole("button", { name: "Remove firefox" });
    assert.is(await chip.count(), 0, "its code is not there");
    await whenBack(web, async () => {
      await away(page).waitFor({ state: "detached" });
      await chip.waitFor();
      await page.locator(".tl-toolbar").waitFor();
      await page.waitForFunction(
        () => getComputedStyle(document.querySelector(".tl-toolbar") as Element).display === "grid",
      );
    });
    takeLost(web);
  }),
);

details(
  "code that a browser never asks for again comes with the page itself, which begins anew once for each trial",
  () =>
    withWeb({}, async (web) => {
      const { page } = web;
      const code = "**/assets/timeline.*.js";
      await page.route(code, (route) => route.abort());
      let begun = 0;
      page.on("load", () => begun++);
      await page.evaluate(() => (location.hash = "#/timeline"));
      const failure = page.getByText("Loading failed.");
      await failure.waitFor();
      assert.is(begun, 0);
      const again = page.getByRole("button", { name: "Try again" });
      await Promise.all([page.waitForEvent("load"), again.click()]);
      await failure.waitFor();
      await settled(page);
      assert.is(begun, 1);
      await page.unroute(code);
      await again.click();
      await page.locator(".tl-toolbar").waitFor();
      await settled(page);
      assert.is(begun, 1, "a browser that asks again needs no new page");
      takeLost(web);
    }),
);

test.run();
