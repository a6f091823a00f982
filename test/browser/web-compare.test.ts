// long: 300 s
// The activity view beside the period before, held against the API; goals, limits and their notifications.
import type { Page } from "playwright-core";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { bucket, event, type Filling, realisticDay } from "../../src/testing/index.js";
import { formatRough } from "../../src/web/format.js";
import { detailsOf } from "../faults/sizes.js";
import { door } from "../http/storages.js";
import { ask, type Desktop, linesOf, partsOf, reaches, recorded, totalOf } from "./activity-page.js";
import { accessibleToo, HOST, settled, withWeb, ZONE } from "./web-page.js";

const test = suite("comparison in the dashboard");
const details = detailsOf(test);

const PROGRAM = recorded("14-client-desktop-1.json", "webui-full-one-browser", {
  "aw-watcher-web-firefox": `aw-watcher-web-firefox_${HOST}`,
}).replace(/events = categorize[\s\S]*?\n/, "events = categorize(events, []);\n");

function near(shown: number, wanted: number, what: string): void {
  assert.ok(Math.abs(shown - wanted) < 2e-6, `${what}: ${shown} instead of ${wanted}`);
}

/** What stands in the column of changes, by the labels of the lines. */
function changesOf(page: Page, title: string): Promise<(readonly [label: string, change: string])[]> {
  const table = page.locator("table").filter({ has: page.locator("caption", { hasText: title }) });
  return table.evaluate((element) =>
    [...element.querySelectorAll("tbody tr")].map(
      (row) => [row.querySelector("th > span")?.textContent ?? "", row.lastElementChild?.textContent ?? ""] as const,
    ),
  );
}

details("a running day is compared up to the same time of the clock, also across a change of clocks", () => {
  const fill: Filling = ["2024-03-24", "2024-03-30", "2024-03-31"].map((date, seed) =>
    realisticDay({ date, seed, timezone: ZONE, hostname: HOST }),
  );
  return withWeb({ fill, now: "2024-03-31T12:34:56Z", hash: "#/" }, async ({ page, server, picture }) => {
    await reaches(page, "Sunday, March 31, 2024");
    await settled(page);
    const [now, before] = await ask<Desktop>(
      server,
      PROGRAM,
      "2024-03-31T02:00:00Z/2024-03-31T12:34:56Z",
      "2024-03-24T03:00:00Z/2024-03-24T13:34:56Z",
    );
    if (now === undefined || before === undefined) throw new Error("no result");
    near(await totalOf(page), now.window.duration, "active time");
    const change = now.window.duration - before.window.duration;
    const words = `${formatRough(Math.abs(change))} ${change > 0 ? "more" : "less"}`;
    assert.match(await page.locator(".activity-change").innerText(), words);
    const past = new Map(before.window.app_events.map(({ data, duration }) => [data["app"], duration]));
    for (const [app, shown] of await changesOf(page, "Apps")) {
      const found = now.window.app_events.find(({ data }) => data["app"] === app)?.duration ?? 0;
      const difference = found - (past.get(app) ?? 0);
      assert.is(shown, `${difference > 0 ? "+" : "−"}${formatRough(Math.abs(difference))}`, app);
    }
    // Outlines are those of the hours before, by the clock, up to the same time.
    const until = Date.parse("2024-03-24T13:34:56Z");
    const hours = Array.from({ length: 24 }, (_, hour) => {
      const at = (add: number): number => Math.min(until, Date.parse("2024-03-24T03:00Z") + add * 3_600_000);
      return `${new Date(at(hour)).toISOString()}/${new Date(at(hour + 1)).toISOString()}`;
    });
    const wanted = await ask<Desktop>(server, PROGRAM, ...hours);
    const parts = await partsOf(page);
    assert.is(parts.length, 24);
    for (const [hour, { window }] of wanted.entries()) near(parts[hour]?.["Before"] ?? 0, window.duration, `${hour}`);
    assert.ok(((await page.locator(".chart-ghost").getAttribute("d")) ?? "").length > 20);
    await page.getByRole("button", { name: "Change from the previous period" }).first().click();
    await accessibleToo(page);
    await picture("compare-day");
    await page.getByRole("navigation", { name: "Periods nearby" }).getByRole("link", { name: "Sun 24" }).click();
    await reaches(page, "Sunday, March 24, 2024");
  });
});

const MANY = 450;

details(
  "a running day has no more time than has passed; all lines of a list can be seen; a renamed host is followed",
  () => {
    const host = (hostname: string): Filling => [
      {
        bucket: bucket({ id: `aw-watcher-window_${hostname}`, hostname }),
        events: [
          event({ timestamp: "2023-06-01T10:00:00Z", duration: "9600h", data: { app: "Endless", title: "x" } }),
          ...Array.from({ length: MANY }, (_, index) =>
            event({
              timestamp: new Date(Date.parse("2024-02-01T10:00:00Z") + index * 10_000).toISOString(),
              duration: "10s",
              data: { app: `App ${index}`, title: "t" },
            }),
          ),
        ],
      },
    ];
    return withWeb({ fill: host("desk"), now: "2024-03-01T10:05:00Z", hash: "#/" }, async ({ page, server, goto }) => {
      await reaches(page, "Friday, March 1, 2024");
      assert.is(await totalOf(page), 7 * 3600 + 300);
      await goto("#/day/2024-03-02");
      await page.locator(".activity-empty").waitFor();
      await goto("#/day/2024-02-01");
      await reaches(page, "Thursday, February 1, 2024");
      const apps = await linesOf(page, "Apps");
      assert.is(apps.filter(([label]) => label.startsWith("App ")).length, MANY);
      // Another name: the page has begun with the old one, which its address does not say.
      await goto("#/");
      await server.load(host("laptop"));
      await server.buckets.delete("aw-watcher-window_desk");
      const asked = page.waitForResponse((answer) => answer.url().endsWith("/api/0/buckets"));
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
      await asked;
      await settled(page);
      assert.is(await totalOf(page), 7 * 3600 + 300);
      assert.is(await page.getByText("Unknown device").count(), 0);
    });
  },
);

/** Takes down what is asked and told; a text, since tsx lets functions call one of its own. */
const STUB = `{
  const told = [];
  class Stub {
    static permission = sessionStorage.getItem("permission") ?? "default";
    static async requestPermission() {
      told.push("asked");
      sessionStorage.setItem("permission", "granted");
      return (Stub.permission = "granted");
    }
    constructor(title, { body }) {
      told.push(title + ": " + body);
    }
  }
  Object.assign(window, { Notification: Stub, told });
}`;

test("goals and limits are set beside categories, shown as ticks, and told of once when they are passed", () =>
  withWeb({ hash: "#/categories", script: STUB }, async ({ page, server, load, picture }) => {
    const told = (): Promise<string[]> => page.evaluate(() => (window as unknown as { told: string[] }).told);
    await page.getByRole("treeitem", { name: /^Work/ }).click();
    const form = page.locator(".category-form");
    await form.getByLabel("Limit in hours").fill("0.5");
    await form.getByLabel("Limit in hours").press("Tab");
    await form.getByText("Saved", { exact: true }).waitFor();
    await form.getByLabel("Goal per").selectOption("Week");
    await form.getByLabel("Goal in hours").fill("30");
    const all = page.locator("section").filter({ hasText: "Goals and limits" });
    await all.getByLabel("Goal in hours").fill("6.25");
    await all.getByLabel("Goal in hours").press("Tab");
    await all.getByText("Saved", { exact: true }).waitFor();
    await settled(page);
    assert.equal(await server.settings.get("goals"), [
      { category: ["Work"], limit: 1800, per: "day" },
      { category: ["Work"], goal: 108_000, per: "week" },
      { category: [], goal: 22_500, per: "day" },
    ]);
    assert.equal(await told(), []);
    await accessibleToo(page);
    await picture("compare-goals");
    // What is refused is not stored, and stands until it fits; what the fields show is what is stored.
    const [hours, per] = [all.getByLabel("Limit in hours"), all.getByLabel("Limit per")];
    await hours.fill("30");
    await hours.press("Tab");
    await all.getByText("Enter hours from 0 to 24.").waitFor();
    await all.getByLabel("Goal per").selectOption("Week");
    await settled(page);
    assert.is(await all.getByText("Enter hours from 0 to 24.").count(), 1, "of the limit, not of the goal");
    await per.selectOption("Week");
    await settled(page);
    assert.is(await all.getByRole("alert").count(), 0);
    const ofAll = async (): Promise<string[]> => {
      const stored = (await server.settings.get("goals")) as { category: string[]; per: string }[];
      return stored.flatMap(({ category, ...rest }) => (category.length > 0 ? [] : [Object.values(rest).join(" ")]));
    };
    assert.equal(await ofAll(), ["22500 week", "108000 week"]);
    await hours.fill("200");
    await hours.press("Tab");
    await all.getByText("Enter hours from 0 to 168.").waitFor();
    await hours.fill("");
    await hours.press("Tab");
    await settled(page);
    assert.is(await per.inputValue(), "week");
    assert.equal(await ofAll(), ["22500 week"]);
    // The second is changed while the first is being stored.
    const gate = door();
    await page.route("**/settings/goals", (asked) => gate.opened.then(() => asked.continue()), { times: 1 });
    await all.getByLabel("Goal in hours").fill("");
    await all.getByLabel("Goal in hours").press("Tab");
    await hours.fill("40");
    await hours.press("Tab");
    gate.open();
    await settled(page);
    assert.equal(await ofAll(), ["144000 week"]);
    await hours.fill("");
    await all.getByLabel("Goal in hours").fill("6.25");
    await all.getByLabel("Goal per").selectOption("Day");
    await settled(page);
    await page.getByRole("button", { name: "Notify me when I exceed a limit" }).click();
    await page.waitForFunction(() => (window as unknown as { told: string[] }).told.length > 1);
    const [asked, first = ""] = await told();
    assert.is(asked, "asked");
    assert.match(first, /^Work: limit exceeded: .* of 30m$/);
    await load("#/");
    assert.equal(await told(), [], "once");
    assert.match(await page.locator(".activity-tile", { hasText: "Goal" }).innerText(), "of 6h 15m");
    const bars = await page.locator(".activity-goal-bar > *").evaluateAll((all) => all.map((one) => one.className));
    assert.equal(bars, ["bar-fill is-met", "bar-fill is-over"]);
    assert.match(await page.locator(".activity-goal").innerText(), /^Work \S+ \S+ .* over the limit of 30m$/);
    assert.is(await page.locator(".activity-track .activity-tick.is-limit").getAttribute("title"), "limit 30m");
    const work = page.locator("tr").filter({ has: page.locator(".activity-track .activity-tick") });
    assert.match(await work.locator(".activity-target .bad").innerText(), /^.* over the limit of 30m$/);
    assert.match(await page.locator(".activity-whole-note", { hasText: "Limit" }).innerText(), /Bars: .* Limit$/s);
  }));

test.run();
