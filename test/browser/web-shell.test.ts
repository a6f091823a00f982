// long: 900 s
// The dashboard around its views, in a real browser: the first page of an empty server, the demo, addresses, looks, the
// key, and a server that goes and comes back.
import express from "express";
import type { Page } from "playwright-core";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { connect } from "../../src/client/index.js";
import { bucket, event, type Filling } from "../../src/testing/index.js";
import { checkedFetch } from "../api/answer-check.js";
import { detailsOf, IS_LONG, sampleOf } from "../faults/sizes.js";
import { onPort, withServer } from "../harness.js";
import { otherWords } from "../reworded.js";
import { showOnly } from "./api-page.js";
import { dropFaults, takeFaults } from "./watch.js";
import { accessibleToo, DAY, HOST, inOneVisit, menuLink, NOW, settled, type Web, withWeb } from "./web-page.js";

const test = suite("the dashboard in Chromium");
const details = detailsOf(test);

/** What people read on the page. */
async function textOf(page: Page, selector = "main"): Promise<string> {
  return (await page.locator(selector).innerText()).replace(/\s+/g, " ");
}

/** Lets the strip ask as it does when the page is shown again, rather than in ten seconds. */
async function askAnew(page: Page): Promise<void> {
  const asked = page.waitForResponse((answer) => answer.url().endsWith("/api/0/buckets"));
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await asked;
  await settled(page);
}

/** Tells how to start a first watcher. */
async function tellsHowToStart({ page, port, url, picture }: Web): Promise<void> {
  await page.getByRole("heading", { name: "No data yet" }).waitFor();
  const text = await textOf(page);
  for (const command of [
    "pipx install git+https://github.com/ActivityWatch/aw-watcher-window.git",
    `aw-watcher-window --host 127.0.0.1 --port ${port}`,
    `aw-watcher-afk --host 127.0.0.1 --port ${port}`,
    `curl "${url}api/0/buckets/my-watcher/heartbeat?pulsetime=60"`,
  ]) {
    assert.ok(text.includes(command), command);
  }
  assert.match(await textOf(page, ".live"), /No reports yet/);
  await accessibleToo(page);
  await picture("shell-welcome");
}

const EMPTY = { fill: [], width: 390, dark: true } as const;

details(
  "the commands for an empty server are copied, and those for a watcher of one's own work as they stand there",
  () =>
    withWeb({ ...EMPTY, context: { permissions: ["clipboard-read", "clipboard-write"] } }, async (web) => {
      const { page, server, url } = web;
      await tellsHowToStart(web);
      for (const label of ["create a bucket", "send a heartbeat"]) {
        await page.getByRole("button", { name: `Copy: ${label}` }).click();
        await page.getByRole("status").filter({ hasText: "Copied" }).first().waitFor();
        const copied = await page.evaluate(() => navigator.clipboard.readText());
        const [, target, body] = /^curl "?(\S+?)"? -H "Content-Type: application\/json" -d '(.*)'$/.exec(copied) ?? [];
        // The shell would put the time there.
        const sent = body?.replace("'$(date -u +%FT%TZ)'", NOW);
        assert.match(String(sent), /^\{.*\}$/);
        const headers = { "content-type": "application/json" };
        const answer = await checkedFetch(String(target), { method: "POST", headers, body: String(sent) });
        assert.is(answer.status, 200, copied);
      }
      const [newest] = await connect(server).events.list("my-watcher");
      assert.equal(newest?.data, { app: "Notes", title: "Ideas" });
      assert.is((await server.buckets.get("my-watcher"))?.hostname, HOST);
      // What was reported is to be seen, whatever its length and also before that has passed.
      await page.goto(`${url}#/day/${DAY}`);
      await askAnew(page);
      const first = page.getByRole("heading", { name: "First report received" });
      await first.waitFor();
      await page.clock.setFixedTime(Date.parse(NOW) + 60_000);
      server.clock.advance("60s");
      await page.reload();
      await page.locator(".activity-panel").getByText("Notes").first().waitFor();
      await connect(server).events.delete("my-watcher", newest?.id ?? 0);
      await connect(server).heartbeat("my-watcher", { timestamp: NOW, duration: 0, data: { app: "Notes" } }, 60);
      await page.reload();
      await first.waitFor();
    }),
);

const DEMO_LIKE: Filling = { bucket: bucket({ id: "demo-like", hostname: "demo" }), events: [event()] };

details("addresses can be reloaded, and back and forward lead through them; one that nobody made says so", () =>
  withWeb({ hash: "#/settings" }, async ({ page, goto, url }) => {
    await page.getByRole("heading", { name: "Settings" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Settings" }).waitFor();
    await (await menuLink(page, "Query")).click();
    await page.waitForURL(/#\/query/);
    await page.goBack();
    await page.getByRole("heading", { name: "Settings" }).waitFor();
    await page.goForward();
    await page.waitForFunction(() => document.title.startsWith("Query"));
    for (const hash of ["#/no/such/view", "#/__proto__", "#/toString", "#/bucket"]) {
      await goto(hash);
      await page.getByRole("heading", { name: "Page not found" }).waitFor();
    }
    await page.getByRole("link", { name: "Go to today" }).click();
    assert.is(page.url(), `${url}#/`);
  }),
);

details("it works where a host mounts the server, and asks for nothing above that, nor does the API browser", () =>
  withWeb({}, async ({ page, received }) => {
    await withServer({ door: "process", hostname: "mounted" }, ({ server }) => {
      const host = express().use("/deep/er", (request, response) => server.nodeHandler(request, response));
      return onPort(host, async ({ port }) => {
        const place = `127.0.0.1:${port}`;
        await page.goto(`http://${place}/deep/er#/settings`);
        await page.getByRole("heading", { name: "Settings" }).waitFor();
        await page.locator(".facts").getByText("mounted").waitFor();
        assert.match(page.url(), /\/deep\/er\/#\/settings$/);
        await (await menuLink(page, "API")).click();
        await page.locator(".opblock").first().waitFor();
        await page.goto("about:blank");
        const asked = (await received()).map(({ url }) => new URL(url)).filter(({ host }) => host === place);
        assert.ok(asked.length > 5);
        for (const { pathname } of asked) assert.match(pathname, /^\/deep\/er/);
      });
    });
  }),
);

/** From 0 to 255. */
async function brightnessOf(page: Page, property: "color" | "backgroundColor"): Promise<number> {
  const color = await page.evaluate((name) => getComputedStyle(document.documentElement)[name], property);
  const parts = (color.match(/\d+/g) ?? []).map(Number);
  return parts.slice(0, 3).reduce((sum, part) => sum + part, 0) / 3;
}

details("it is light or dark as the system, and as its settings say, which the server keeps", () =>
  withWeb({ hash: "#/settings" }, async ({ page, server, picture }) => {
    const assertDark = async (dark: boolean): Promise<void> => {
      const [ground, text] = [await brightnessOf(page, "backgroundColor"), await brightnessOf(page, "color")];
      assert.ok(dark ? ground < 50 && text > 200 : ground > 220 && text < 60, `${text} on ${ground}, dark: ${dark}`);
    };
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      await assertDark(colorScheme === "dark");
    }
    await page.getByLabel("Theme").selectOption("dark");
    await page.getByRole("status").filter({ hasText: "Saved" }).waitFor();
    await assertDark(true);
    assert.is(await server.settings.get("theme"), "dark");
    await page.reload();
    await assertDark(true);
    await page.getByLabel("Theme").waitFor();
    await accessibleToo(page);
    await picture("shell-settings-dark");
  }),
);

details("settings that hold something else than they should change nothing", () =>
  withWeb({}, async ({ server, goto, page }) => {
    const odd = {
      startOfDay: 7,
      startOfWeek: null,
      classes: { a: [1] },
      theme: ["x"],
      timeZone: "Nowhere",
      always_active_pattern: {},
    };
    for (const [key, value] of Object.entries(odd)) await server.settings.put(key, value);
    await goto("#/settings");
    await page.reload();
    await page.getByRole("heading", { name: "Settings" }).waitFor();
    assert.is(await page.getByLabel("Start of day").inputValue(), "04:00");
    assert.is(await page.getByLabel("Start of week").inputValue(), "Monday");
    assert.is(await page.getByLabel("Time zone").inputValue(), "");
    assert.is(await page.getByLabel("Theme").inputValue(), "auto");
  }),
);

details("a server with a key is asked with the key that the page is given, which only this tab keeps", () =>
  withWeb({ server: { apiKey: "s3cret key" }, hash: "#/settings" }, async (web) => {
    const { page, picture } = web;
    const prompt = page.getByLabel("API key");
    await prompt.waitFor();
    await accessibleToo(page);
    await picture("shell-key");
    await prompt.fill("wrong");
    await Promise.all([page.waitForResponse((answer) => answer.status() === 401), prompt.press("Enter")]);
    await page.getByRole("alert").filter({ hasText: "Wrong key" }).waitFor();
    await prompt.fill("s3cret key");
    await page.getByRole("button", { name: "Use key" }).click();
    await page.getByRole("heading", { name: "Settings" }).waitFor();
    await page.locator(".facts").getByText("memory").waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Settings" }).waitFor();
    assert.is(await prompt.count(), 0);
    const stored = () => JSON.stringify([{ ...localStorage }, document.cookie, Object.values(sessionStorage)]);
    assert.is(await page.evaluate(stored), '[{},"",["auto","s3cret key"]]');
    takeFaults(web, /401 \(Unauthorized\)/);
  }),
);

details("a key that a desktop shell puts into the address is kept as a typed one, and the address forgets it", () =>
  withWeb({ server: { apiKey: "s3cret key" } }, async (web) => {
    const { page, url } = web;
    await page.getByLabel("API key").waitFor();
    dropFaults(web, /401 \(Unauthorized\)/);
    // What servers and proxies log is not read.
    await page.goto(`${url}?token=s3cret+key#/welcome`);
    await page.getByLabel("API key").waitFor();
    dropFaults(web, /401 \(Unauthorized\)/);
    await page.goto("about:blank");
    await page.goto(`${url}#/welcome?token=s3cret+key&x=1`);
    await page.locator(".facts").getByText("memory").waitFor();
    assert.is(page.url(), `${url}#/welcome?x=1`);
    assert.is(await page.getByLabel("API key").count(), 0);
    assert.match(await textOf(page), '-H "Authorization: Bearer $KEY"');
    await page.reload();
    await page.locator(".facts").getByText("memory").waitFor();
    assert.is(await page.evaluate(() => sessionStorage.getItem("activity-server.key")), "s3cret key");
    // A link of somebody else replaces neither a key nor a session.
    await page.goto("about:blank");
    await page.goto(`${url}#/welcome?token=other`);
    await page.locator(".facts").getByText("memory").waitFor();
    assert.is(await page.evaluate(() => sessionStorage.getItem("activity-server.key")), "s3cret key");
    await page.evaluate(() => {
      sessionStorage.clear();
      localStorage.setItem("activity-server.session /", "x");
    });
    await page.goto("about:blank");
    await page.goto(`${url}#/welcome?token=other`);
    await page.getByLabel("API key").waitFor();
    assert.is(await page.evaluate(() => sessionStorage.getItem("activity-server.key")), null);
    assert.is(page.url(), `${url}#/welcome`);
    dropFaults(web, /401 \(Unauthorized\)/);
  }),
);

test("the strip tells what goes on now, who still reports, and follows by itself", () =>
  withWeb({ fill: [], hash: "#/settings" }, async ({ page, server, picture }) => {
    const now = Date.parse(NOW);
    const add = async (type: string, secondsAgo: number, data: object): Promise<void> => {
      const made = bucket({ type, hostname: HOST });
      await server.buckets.create(made.id, made);
      await server.events.insert(made.id, [
        { timestamp: new Date(now - (secondsAgo + 60) * 1000), duration: "60s", data },
      ]);
    };
    const html = '<img src=x onerror="document.title=1"><b>bold</b>';
    await add("currentwindow", 2, { app: "Code", title: `${html} ${"long ".repeat(2000)}` });
    await add("afkstatus", 100, { status: "not-afk" });
    await add("web.tab.current", 3600, { url: "http://x" });
    await askAnew(page);
    await page.locator(".live strong").waitFor();
    const strip = await textOf(page, ".live");
    assert.ok(strip.startsWith(`desk: Code – ${html} long`), strip.slice(0, 80));
    assert.match(strip, /for 1m window reporting AFK reporting web last seen 1 hour ago$/);
    await accessibleToo(page);
    await picture("shell-live");
    await server.events.insert("aw-watcher-afk_desk", [
      { timestamp: new Date(now - 30_000), duration: "29s", data: { status: "afk" } },
    ]);
    await askAnew(page);
    await page.locator(".live-now").getByText("AFK").waitFor();
    assert.match(await textOf(page, ".live"), /^desk: AFK for 30s/);
    // How several watchers and odd events are read is tested in test/web/live.test.ts.
    if (!IS_LONG) return;
    // Five watchers, one of them with an event in 2090, on a phone: none is cut off, and the odd one takes over nothing.
    const second = bucket({ id: "aw-watcher-web-other_desk", type: "web.tab.current", hostname: HOST });
    await server.buckets.create(second.id, second);
    const recent = { timestamp: new Date(now - 60_000), duration: "50s", data: { url: "http://y" } } as const;
    await server.events.insert(second.id, [recent]);
    await add("app.editor.activity", 5, { project: "p" });
    const far = [{ timestamp: "2090-01-01T00:00:00Z", duration: "60s", data: { app: "Odd" } } as const];
    await server.events.insert("aw-watcher-window_desk", far);
    await server.buckets.create("odd", bucket({ id: "odd", type: "currentwindow", hostname: "odd" }));
    await server.events.insert("odd", far);
    await page.setViewportSize({ width: 390, height: 800 });
    await askAnew(page);
    await page.getByRole("link", { name: "editor", exact: true }).waitFor();
    assert.match(await textOf(page, ".live"), /^desk: AFK .*window reporting AFK reporting web 1\/2 reporting editor/);
    const cut = await page
      .locator(".live-watchers li")
      .evaluateAll((items) =>
        items
          .filter((item) => item.getBoundingClientRect().right > innerWidth - 12)
          .map(({ textContent }) => textContent),
      );
    assert.equal(cut, [], "watchers that are cut off");
    await picture("shell-live-390");
  }));

for (const [width, hash] of [
  [390, "#/"],
  [1400, "#/"],
  [768, "#/"],
  [390, "#/timeline"],
  [768, "#/timeline"],
  [390, "#/buckets"],
  [1400, "#/settings"],
  [390, "#/search/year/2024?f=app%3DCode"],
  [1400, "#/search/year/2024?f=app%3DCode"],
  [1400, "#/search/year/2024?f=app%3DCode&by=events"],
] as const) {
  details(`nothing moves while ${hash} fills up, and when it is asked for anew, at ${width} px`, () =>
    withWeb({ width, hash }, async ({ page }) => {
      // One answer after the other, so that the page is drawn between them.
      let turn: Promise<unknown> = Promise.resolve();
      await page.route(/\/api\/0\/|server\.json/, (route) => {
        turn = turn.then(() => page.evaluate(() => new Promise(requestAnimationFrame))).then(() => route.continue());
        return turn;
      });
      await page.reload({ waitUntil: "commit" });
      const top = () => page.locator("main").evaluate((main) => main.getBoundingClientRect().top);
      const before = await top();
      await page.locator(".live strong").waitFor();
      // A narrow page hides it.
      await page.locator(".facts").getByText("memory").waitFor({ state: "attached" });
      await settled(page);
      await askAnew(page);
      await page.unrouteAll({ behavior: "wait" });
      assert.is(await top(), before);
      const shifts = await page.evaluate(
        () =>
          new Promise<string[]>((resolve) => {
            const observer = new PerformanceObserver((list) => {
              const entries = list.getEntries() as (PerformanceEntry & {
                value: number;
                sources: { node: Element | null }[];
              })[];
              resolve(
                entries.map(({ value, sources }) => {
                  const nodes = sources.map(({ node }) => node?.outerHTML?.slice(0, 100) ?? node?.nodeName);
                  return `${value.toFixed(4)} ${nodes.join(" | ")}`;
                }),
              );
            });
            observer.observe({ type: "layout-shift", buffered: true });
            setTimeout(() => resolve([]), 500);
          }),
      );
      // Below that nobody sees it: a text that becomes a little wider.
      assert.equal(
        shifts.filter((shift) => Number.parseFloat(shift) > 0.005),
        [],
      );
    }),
  );
}

inOneVisit(test, { fill: DEMO_LIKE, smokes: 2 }, [
  [
    "a demo host is filled with a fortnight that ends now, and removed without touching anything else",
    "#/welcome",
    async (web) => {
      const { page, server, goto } = web;
      await page.getByRole("button", { name: "Add demo data" }).click();
      await page.waitForURL(/#\/week\/2024-02-(19|26)\?host=demo$/);
      await settled(page);
      const made = (await server.buckets.list()).filter(({ id }) => id !== "demo-like");
      for (const { hostname, data } of made) assert.equal([hostname, data], ["demo", { demo: true }]);
      assert.equal(made.map(({ id }) => id).sort(), [
        ...["aw-watcher-afk_demo", "aw-watcher-vscode_demo", "aw-watcher-web-firefox_demo", "aw-watcher-window_demo"],
      ]);
      await goto("#/settings");
      await page.getByRole("button", { name: "Remove demo data" }).click();
      await page.getByRole("status").filter({ hasText: "Demo data removed" }).waitFor();
      await page.getByRole("button", { name: "Add demo data" }).waitFor();
      assert.equal(
        (await server.buckets.list()).map(({ id }) => id),
        ["demo-like"],
      );
    },
  ],
  [
    "settings are kept under the keys of other clients, and what cannot be is refused",
    "#/settings",
    async (web) => {
      const { page, server } = web;
      const saved = page.getByRole("status").filter({ hasText: "Saved" });
      await page.getByLabel("Start of day").fill("06:30");
      await page.getByLabel("Start of week").selectOption("Sunday");
      await page.getByLabel("Time zone").fill("Asia/Tokyo");
      await page.getByLabel("Always active").fill("Zoom|VLC");
      await page.getByLabel("Always active").blur();
      await saved.nth(3).waitFor();
      assert.equal(await connect(server).settings.list(), {
        ...{ always_active_pattern: "Zoom|VLC", startOfDay: "06:30", startOfWeek: "Sunday", timeZone: "Asia/Tokyo" },
      });
      const pattern = page.getByLabel("Always active");
      await pattern.fill("Zoom|(");
      await pattern.blur();
      await page
        .getByRole("alert")
        .filter({ hasText: `Not saved: ${otherWords("this ( has no closing ), at character 6 of the pattern")}` })
        .waitFor();
      takeFaults(web, /400 \(Bad Request\)/);
      assert.is(await pattern.inputValue(), "Zoom|(");
      assert.is(await server.settings.get("always_active_pattern"), "Zoom|VLC");
      await pattern.fill("Zoom|Meet");
      await pattern.blur();
      // The word of the time before may still stand there.
      await page.getByRole("alert").waitFor({ state: "detached" });
      await settled(page);
      assert.is(await server.settings.get("always_active_pattern"), "Zoom|Meet");
      await saved.nth(3).waitFor();
      await page.getByLabel("Time zone").fill("Mars/Olympus");
      await page.getByLabel("Time zone").blur();
      await page.getByRole("alert").filter({ hasText: "time zone “Mars/Olympus”" }).waitFor();
      assert.is(await server.settings.get("timeZone"), "Asia/Tokyo");
      await page.reload();
      await page.getByRole("heading", { name: "Settings" }).waitFor();
      assert.is(await page.getByLabel("Start of day").inputValue(), "06:30");
      await accessibleToo(page);
    },
  ],
  [
    "a question mark and the gear list the keyboard shortcuts, but not while somebody types",
    "#/settings",
    async ({ page }) => {
      const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
      const field = page.getByRole("combobox", { name: "Filter" });
      await field.press("?");
      assert.is(await field.inputValue(), "?");
      assert.is(await dialog.count(), 0);
      await field.fill("");
      await field.blur();
      const isFree = () => document.activeElement === document.body && document.querySelector("dialog[open]") === null;
      await page.waitForFunction(isFree);
      await page.keyboard.press("?");
      await dialog.getByText("filter and search").waitFor();
      await accessibleToo(page);
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await page.locator(".gear summary").click();
      await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
      await dialog.getByRole("button", { name: "Close" }).click();
      await dialog.waitFor({ state: "detached" });
      const isBack = await page.locator(".gear:not([open]) summary").evaluate((one) => one === document.activeElement);
      assert.ok(isBack);
    },
  ],
  [
    "the header tells host, version and storage, and leads to every view and to the API",
    "#/welcome",
    async (web) => {
      const { page, port, url } = web;
      await page.locator(".facts").getByText("memory").waitFor();
      assert.match(await textOf(page, ".facts"), /^desk v\d+\.\d+\.\d+ memory$/);
      const views = [
        ["Data", "#/buckets", "Buckets"],
        ["Timeline", "#/timeline"],
        ["Reports", "#/timesheet", "Timesheet"],
        ["Categories", "#/categories"],
        ["Stopwatch", "#/stopwatch"],
        ["Query", "#/query"],
        ["Settings", "#/settings"],
        ["Access", "#/access"],
        ["Activity", "#/"],
      ] as const;
      for (const [name, hash] of views) {
        assert.is((await (await menuLink(page, name)).getAttribute("href"))?.split("?")[0], hash);
      }
      for (const [name, hash, title = name] of sampleOf(views, 3)) {
        await (await menuLink(page, name)).click();
        await page.waitForFunction((text) => document.title === `${text} · activity-server`, title);
        assert.ok(page.url().startsWith(`${url}${hash}`), page.url());
        assert.is(await (await menuLink(page, name)).getAttribute("aria-current"), "page");
      }
      await showOnly(page, "/api/0/buckets");
      await (await menuLink(page, "API")).click();
      await page.locator(".opblock").first().waitFor();
      assert.is(page.url(), `http://127.0.0.1:${port}/api/`);
      // There are no keys.
      dropFaults(web, /404 \(Not Found\)/);
    },
  ],
]);

test.run();
