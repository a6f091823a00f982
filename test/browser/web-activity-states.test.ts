// long: 900 s
// The activity view over several hosts, and where there is nothing, something new, or a failure to show.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { bucket, event, type FilledBucket, type Filling, realisticDay } from "../../src/testing/index.js";
import { detailsOf, IS_LONG, sampleOf } from "../faults/sizes.js";
import { otherWords } from "../reworded.js";
import { ask, linesOf, partsOf, reaches, recorded, totalOf } from "./activity-page.js";
import { accessibleToo, DAY, HOST, inOneVisit, NIGHT, withWeb, ZONE } from "./web-page.js";

const test = suite("activity view, states");
const details = detailsOf(test);

const TITLE = "Friday, March 1, 2024";
const WHOLE_DAY = "2024-03-01T04:00:00+01:00/2024-03-02T04:00:00+01:00";
const HOSTS = ["desk", "lap-top.local", "mini"];

function windows(hostname: string, app: string, id = `aw-watcher-window_${hostname}`): FilledBucket {
  const events = [event({ timestamp: "2024-03-01T10:00:00Z", duration: "10m", data: { app, title: "t" } })];
  return { bucket: bucket({ id, hostname }), events };
}

async function near(shown: Promise<number>, wanted: number | undefined): Promise<void> {
  assert.ok(Math.abs((await shown) - (wanted ?? Number.NaN)) < 2e-6, `${await shown} instead of ${wanted}`);
}

details("all hosts together count each moment once, and each of them by itself beside that", () =>
  withWeb(
    {
      fill: HOSTS.map((hostname, seed) => realisticDay({ date: DAY, timezone: ZONE, hostname, seed })),
      hash: `#/day/${DAY}?hosts=all`,
      now: NIGHT,
    },
    async ({ page, server, goto, picture }) => {
      await reaches(page, TITLE);
      // The official UI's program counts moments at several hosts several times.
      const program = recorded("16-client-multidevice.json", "multi-all");
      const [events = ""] = program.split("title_events =");
      const [wanted] = await ask<number>(
        server,
        `${events}RETURN = sum_durations(period_union(events, []));`,
        WHOLE_DAY,
      );
      await near(totalOf(page), wanted);
      const apps = await linesOf(page, "Apps");
      await near(Promise.resolve(apps.reduce((sum, [, seconds]) => sum + seconds, 0)), wanted);
      assert.ok((await linesOf(page, "Sites")).length > 0);
      const devices = new Map(await linesOf(page, "Devices"));
      assert.equal([...devices.keys()].sort(), HOSTS);
      await picture("activity-hosts");
      for (const host of sampleOf(HOSTS, 1)) {
        await page.getByRole("combobox", { name: "Device" }).selectOption(host);
        await reaches(page, TITLE);
        await page.locator('.activity-numbers[data-old="false"]').waitFor();
        assert.is(new URL(page.url()).hash, `#/day/${DAY}?host=${host}`);
        await near(totalOf(page), devices.get(host));
      }
      if (!IS_LONG) return;
      await goto(`#/week/${DAY}?hosts=all`);
      await reaches(page, "Feb 26 – Mar 3, 2024");
      await near(totalOf(page), wanted);
      const bars = (await partsOf(page)).map(({ Active = 0 }) => Active);
      await near(Promise.resolve(bars[4] ?? 0), wanted);
      const focus = page.locator(".activity-tile", { hasText: "Longest focus" });
      assert.is(await focus.getByRole("link").getAttribute("href"), `#/day/${DAY}?hosts=all`);
      await accessibleToo(page);
    },
  ),
);

details("all of the chart is on paper, which may be narrower than the window that it was drawn for", () =>
  withWeb({}, async ({ page }) => {
    await reaches(page, TITLE);
    await page.emulateMedia({ media: "print" });
    const [edge, last] = await page.locator(".chart").evaluate((chart) => {
      // Read at once: who prints does not wait until the page has drawn anew.
      Object.assign(chart.style, { width: "400px" });
      const marks = [...chart.querySelectorAll(".chart-mark")].map((mark) => mark.getBoundingClientRect().right);
      return [chart.getBoundingClientRect().right, Math.max(...marks)] as const;
    });
    assert.ok(last <= edge, `${last} > ${edge}`);
    await page.emulateMedia({ media: "screen" });
  }),
);

const STRANGE = ["__proto__", "constructor", "*", "all", 'a"b & <i>c</i>', "größe/ü?x=1#y"];

details("hosts of any name can be chosen, and have their own numbers", () =>
  withWeb({ fill: STRANGE.map((name, index) => windows(name, `App ${index}`, `window ${index}`)) }, async (web) => {
    const { page, goto } = web;
    const kept = [...STRANGE].reverse();
    for (const [index, name] of STRANGE.entries()) {
      await page.getByRole("combobox", { name: "Device" }).selectOption({ label: name });
      await reaches(page, TITLE);
      await page.getByRole("rowheader", { name: `App ${index}`, exact: true }).waitFor();
      assert.equal(await linesOf(page, "Apps"), [[`App ${index}`, 600]]);
      if (!kept.includes(name)) continue;
      await goto(`#/day/${DAY}?${new URLSearchParams({ host: name })}`);
      await page.reload();
      await reaches(page, TITLE);
      assert.equal(await linesOf(page, "Apps"), [[`App ${index}`, 600]]);
    }
    await page.getByRole("combobox", { name: "Device" }).selectOption({ label: "All devices" });
    // The first one of them, as they were all there at the same time.
    await page.getByRole("rowheader", { name: "App 2", exact: true }).waitFor();
    await near(totalOf(page), 600);
  }),
);

details("an unknown host is said to be none, and the others are offered", () =>
  withWeb({ hash: `#/day/${DAY}?host=__proto__` }, async ({ page, picture }) => {
    await page.getByRole("heading", { name: "Unknown device “__proto__”" }).waitFor();
    await accessibleToo(page);
    await picture("activity-unknown-host");
    await page.getByRole("main").getByRole("link", { name: HOST, exact: true }).click();
    await page.locator(".activity-total time").waitFor();
  }),
);

details("a host without windows says so, and one with an editor alone shows its projects", () => {
  const [afk, editor] = ["afkstatus", "app.editor.activity"].map((type) =>
    bucket({ type, hostname: type.slice(0, 3) }),
  );
  const events = [event({ timestamp: "2024-03-01T10:00:00Z", data: { project: "p", file: "f", language: "l" } })];
  const fill: Filling = [afk, editor].flatMap((one) => (one === undefined ? [] : [{ bucket: one, events }]));
  return withWeb({ fill, hash: `#/day/${DAY}?host=afk` }, async ({ page, goto }) => {
    await page.getByRole("heading", { name: "No data to show" }).waitFor();
    await goto(`#/day/${DAY}?host=app`);
    await page.getByRole("heading", { name: "Editor projects" }).waitFor();
    assert.equal(await linesOf(page, "Editor projects"), [["p", 60]]);
  });
});

details("a browser none of whose windows were in front is noted", () => {
  const pages = bucket({ id: "aw-watcher-web-helium_desk", type: "web.tab.current", hostname: HOST });
  const page = { timestamp: "2024-03-01T10:00:00Z", duration: "5m", data: { url: "https://a.example/" } } as const;
  const fill = [windows(HOST, "Other"), { bucket: pages, events: [event(page)] }];
  return withWeb({ fill, hash: `#/day/${DAY}` }, async ({ page, server }) => {
    await page
      .getByRole("status")
      .filter({ hasText: "Sites from aw-watcher-web-helium_desk are missing (5m)" })
      .waitFor();
    await server.settings.put("browser_apps", { helium: "^Other$" });
    await page.reload();
    await reaches(page, TITLE);
    assert.equal(await linesOf(page, "Sites"), [["a.example", 300]]);
    assert.is(await page.getByText("are missing").count(), 0);
  });
});

details("an address that names no day says so", () =>
  withWeb({ hash: "#/day/2024-02-30" }, async ({ page }) => {
    await page.getByRole("heading", { name: "Invalid date" }).waitFor();
    await page.getByRole("link", { name: "Go to today" }).click();
    await reaches(page, TITLE);
  }),
);

const LONG_AGO: Filling = [
  realisticDay({ date: DAY, hostname: HOST }),
  realisticDay({ hostname: HOST, date: "2024-01-10" }),
];

inOneVisit(test, { fill: LONG_AGO, smokes: 1 }, [
  [
    "a period without activity says so, and offers the nearest one with some",
    "#/day/2024-03-09",
    async ({ page, goto }) => {
      for (const [hash, offered] of sampleOf(
        [
          ["#/day/2024-03-09", TITLE],
          ["#/week/2023-12-25", "Jan 8 – 14, 2024"],
          ["#/month/2024-02", "January 2024"],
          ["#/day/2024-02-10", "Wednesday, January 10, 2024"],
        ] as const,
        4,
      )) {
        await goto(hash);
        await page.getByRole("heading", { name: "No activity recorded" }).waitFor();
        const link = page.getByRole("link", { name: `Go to ${offered}` });
        await link.waitFor();
        await accessibleToo(page);
        await link.click();
        await reaches(page, offered);
        assert.ok((await totalOf(page)) > 0);
      }
    },
  ],
  [
    "a failed report is told with the words of the server, once, and can be tried again",
    "#/",
    async ({ page, goto, faults, picture }) => {
      await reaches(page, TITLE);
      const body = JSON.stringify({ type: "QueryFunctionException", message: "the query holds more than 64 MiB" });
      await page.route("**/api/0/report*", (route) => {
        return route.fulfill({ status: 400, contentType: "application/json", body });
      });
      await goto("#/day/2024-02-28");
      await page.getByRole("alert").waitFor();
      assert.is(await page.getByRole("alert").count(), 1);
      assert.match((await page.getByRole("alert").textContent()) ?? "", otherWords("the query holds more than 64 MiB"));
      assert.is(await page.locator("main time").count(), 0, "numbers of another day");
      await picture("activity-failure");
      await accessibleToo(page);
      await page.unroute("**/api/0/report*");
      await page.getByRole("button", { name: "Try again" }).click();
      await page.getByRole("heading", { name: "No activity recorded" }).waitFor();
      assert.ok(faults.splice(0).every((fault) => fault.includes("400")));
    },
  ],
  [
    "a period of several years that takes long shows its progress, and ends when you leave it",
    "#/",
    async ({ page, goto }) => {
      await reaches(page, TITLE);
      await page.route("**/api/0/report*", (route) => {
        const { to } = route.request().postDataJSON() as { readonly to: string };
        return to === "2022-01-01" ? route.continue() : undefined;
      });
      await page.evaluate(() => {
        location.hash = "#/range/2021-03-01/2024-03-01";
      });
      await page.locator(".activity-progress", { hasText: "33%" }).waitFor();
      const left = page.waitForEvent("requestfailed", (request) => request.url().includes("/report"));
      await goto("#/buckets");
      await left;
      await page.unroute("**/api/0/report*");
      await goto("#/range/2021-03-01/2024-03-01");
      await page.locator(".activity-panels section").first().waitFor();
      assert.ok((await totalOf(page)) > 0);
      assert.is(await page.locator(".activity-progress").count(), 0);
    },
  ],
]);

details("wrong rules and a wrong pattern are named and left out, and time is still shown", () =>
  withWeb({}, async ({ page, server, faults, picture }) => {
    await reaches(page, TITLE);
    const rule = (regex: string) => ({ type: "regex", regex });
    await server.settings.put("classes", [
      { name: ["Work", "Wrong"], rule: rule("(") },
      { name: ["Everything"], rule: rule(".") },
    ]);
    await server.settings.put("always_active_pattern", "*");
    await page.reload();
    const notice = page.getByRole("status").filter({ hasText: "ignored here" });
    await notice.getByRole("link", { name: "Work > Wrong" }).waitFor();
    await notice.getByRole("link", { name: "always active windows" }).waitFor();
    await reaches(page, TITLE);
    assert.ok((await totalOf(page)) > 3600);
    assert.equal(
      (await linesOf(page, "Categories")).map(([label]) => label),
      ["Everything"],
    );
    assert.is(await page.getByRole("alert").count(), 0);
    await accessibleToo(page);
    await picture("activity-refused");
    await server.settings.put("classes", [{ name: ["Everything"], rule: rule(".") }]);
    await server.settings.put("always_active_pattern", "");
    await page.reload();
    await reaches(page, TITLE);
    assert.is(await notice.count(), 0);
    assert.ok(faults.splice(0).every((fault) => fault.includes("400")));
  }),
);

test.run();
