// long: 200 s
// The dashboard over the live feed: what is written appears by itself, without polling, in all tabs of a browser.
import type { Page, Response } from "playwright-core";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createClient } from "../../src/client/index.js";
import { createTestServer, realisticDay, type TestServer } from "../../src/testing/index.js";
import { detailsOf, IS_LONG } from "../faults/sizes.js";
import { dropFaults } from "./watch.js";
import { DAY, HOST, NOW, settled, type Web, withWeb, ZONE } from "./web-page.js";

const test = suite("the dashboard over the live feed");
const details = detailsOf(test);

/** Reports what somebody does, for 25 minutes. @param ended so many minutes ago @returns when, in milliseconds */
async function report(server: TestServer, title: string, app = "Live", ended = 0): Promise<number> {
  const timestamp = new Date(Date.parse(NOW) - (ended + 25) * 60_000);
  const event = (data: { readonly [name: string]: string }) => ({ timestamp, duration: "25m" as const, data });
  await server.heartbeat(`aw-watcher-afk_${HOST}`, event({ status: "not-afk" }), "1h");
  const start = performance.now();
  await server.heartbeat(`aw-watcher-window_${HOST}`, event({ app, title }), "1s");
  return start;
}

/** Prints how long something took. */
function printFigure(what: string, start: number): void {
  if (IS_LONG) console.log(`${what}: ${Math.round(performance.now() - start)} ms`);
}

/** Waits until the strip of a page shows what was reported. */
async function shows(page: Page, title: string, app = "Live"): Promise<void> {
  await page.locator(".live-now").getByText(`${app} – ${title}`).waitFor();
}

function isFeed(response: Response): boolean {
  return response.url().includes("/api/0/feed");
}

/** The feeds that pages open from now on. */
function feedsOf(...pages: readonly Page[]): Page[] {
  const feeds: Page[] = [];
  for (const page of pages) {
    page.on("response", (response) => {
      if (isFeed(response) && response.status() === 200) feeds.push(page);
    });
  }
  return feeds;
}

/** Opens another tab with the dashboard, which follows the feed. */
async function openTab({ page, url, server }: Web): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.clock.setFixedTime(NOW);
  await tab.goto(`${url}#/`);
  await tab.locator(".activity-lines tbody tr").first().waitFor();
  await report(server, "for the new tab");
  await shows(tab, "for the new tab");
  return tab;
}

test("a heartbeat and the numbers of today appear by themselves, pairing requests too, and nothing is polled", () =>
  withWeb({}, async ({ page, server, url }) => {
    const line = (app: string) => page.locator(".activity-lines tbody tr").filter({ hasText: app }).first();
    await report(server, "one", "First", 25);
    await line("First").waitFor();
    await settled(page);
    const start = await report(server, "two", "Second");
    await shows(page, "two", "Second");
    printFigure("a heartbeat is on the screen after", start);
    await line("Second").waitFor();
    printFigure("the numbers of today are there after", start);
    await settled(page);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    // Two pauses of polling.
    await page.clock.runFor(21_000);
    await settled(page);
    // On a busy machine, the second heartbeat may have come while the page read what the first one had changed.
    const again = asked[0] === "/api/0/report" ? 1 : 0;
    assert.equal(asked.slice(again), []);
    const device = createClient({ url });
    const { code, secret } = await device.pairing.request({ name: "phone", scopes: ["read:*"] });
    const notice = page.locator(".pairing").getByText(code);
    await notice.waitFor();
    await server.pairing.refuse(code);
    await notice.waitFor({ state: "detached" });
    assert.is((await device.pairing.collect(secret)).status, "refused");
  }));

details("tabs share one feed, and another tab continues when the first one is closed", () =>
  withWeb({ hash: "#/settings" }, async (web) => {
    const { page, server, url, goto } = web;
    const [first, second] = [await openTab(web), await openTab(web)];
    const feeds = feedsOf(page, first, second);
    // This tab has opened the feed of all.
    await page.goto("about:blank");
    await report(server, "after the first");
    await Promise.all([first, second].map((tab) => shows(tab, "after the first")));
    assert.ok(feeds.length === 1, "another tab has opened it");
    await feeds[0]?.close();
    const last = feeds[0] === first ? second : first;
    await report(server, "in the last");
    await shows(last, "in the last");
    assert.equal(feeds.slice(1), [last]);
    await goto("#/settings");
    await page.getByLabel("Theme").selectOption("dark");
    await last.locator("html[data-theme=dark]").waitFor();
    assert.is(url, last.url().replace(/#.*/, ""));
  }),
);

details("a page without its server says so once, and follows the feed again when it is back", () =>
  withWeb({}, async (web) => {
    const { page, server, port } = web;
    await report(server, "before");
    await shows(page, "before");
    await server.close();
    // The feed asks for the server after the time that its farewell names.
    await page.getByText("The server does not respond.").waitFor();
    assert.is(await page.getByText("The server does not respond.").count(), 1);
    const back = createTestServer({ hostname: HOST, testing: false, clock: NOW });
    try {
      await back.load(realisticDay({ date: DAY, timezone: ZONE, hostname: HOST }));
      const connected = page.waitForResponse((response) => isFeed(response) && response.status() === 200);
      await back.listen({ port });
      await page.getByText("The server does not respond.").waitFor({ state: "detached" });
      await connected;
      await report(back, "by the feed");
      await shows(page, "by the feed");
    } finally {
      await page.goto("about:blank");
      await back.close();
    }
    dropFaults(web, /Failed to load resource: net::ERR_|net::ERR_/);
  }),
);

details("what was polled before the feed starts is in the numbers afterwards", () =>
  withWeb({}, async (web) => {
    const { page, server, load } = web;
    const feed = /\/api\/0\/feed/;
    await page.route(feed, (route) => route.fulfill({ status: 503, json: { message: "later" } }));
    await load("#/");
    await report(server, "early", "Early");
    await page.clock.runFor(11_000);
    await shows(page, "early", "Early");
    await page.unroute(feed);
    await page.clock.runFor(30_000);
    await page.locator(".activity-lines tbody tr").filter({ hasText: "Early" }).first().waitFor();
    dropFaults(web, /503 \(Service Unavailable\)/);
  }),
);

details("a changed setting does not hide that the others could not be read", () =>
  withWeb({}, async (web) => {
    const { page, server, load } = web;
    await page.route(/\/api\/0\/settings$/, (route) => route.fulfill({ status: 500, json: { message: "broken" } }));
    await load("#/categories");
    await report(server, "following");
    await shows(page, "following");
    const failure = page.locator("main .failure");
    await failure.waitFor();
    const read = page.waitForResponse((response) => /\/api\/0\/settings(\/theme)?$/.test(response.url()));
    await server.settings.put("theme", "dark");
    await read;
    await settled(page);
    assert.is(await failure.count(), 1);
    dropFaults(web, /500 \(Internal Server Error\)/);
  }),
);

const ADMIN_KEY = "owner-of-all-0123456789";

details("a key hears of what it may read, over a feed of its own, and one that may not read hears nothing", () =>
  withWeb({ server: { apiKey: ADMIN_KEY }, key: ADMIN_KEY }, async (web) => {
    const { page, server, url } = web;
    await report(server, "to the owner");
    await shows(page, "to the owner");
    const open = async (name: string, scope: "read:*" | "append:*"): Promise<Page> => {
      const { key } = await server.keys.add({ name, scopes: [scope] });
      const tab = await page.context().newPage();
      await tab.clock.setFixedTime(NOW);
      await tab.goto(`${url}#/settings?token=${key}`);
      return tab;
    };
    const reader = await open("reader", "read:*");
    await shows(reader, "to the owner");
    await report(server, "to the reader");
    await shows(reader, "to the reader");
    const writer = await open("writer", "append:*");
    await writer.getByText("No reports yet.").waitFor();
  }),
);

details("a page whose feed is refused polls", () =>
  withWeb({}, async (web) => {
    const { page, server, load } = web;
    await page.route(/\/api\/0\/feed/, (route) => route.fulfill({ status: 403, json: { message: "no" } }));
    await load("#/");
    await report(server, "polled");
    await page.clock.runFor(11_000);
    await shows(page, "polled");
    dropFaults(web, /403 \(Forbidden\)/);
  }),
);

test.run();
