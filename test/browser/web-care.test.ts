// long: 300 s
// Care of the data in the dashboard: privacy rules, retention, the state of the storage.

import { suite } from "uvu";
import * as assert from "uvu/assert";
import { micros } from "../../src/index.js";
import { bucket, event, type FilledBucket, type Filling, type TestServer } from "../../src/testing/index.js";
import { detailsOf, IS_LONG } from "../faults/sizes.js";
import { door } from "../http/storages.js";
import { otherWords } from "../reworded.js";
import { dropFaults } from "./watch.js";
import { accessibleToo, inOneVisit, NOW, settled, withWeb } from "./web-page.js";

const test = suite("care of the data in Chromium");
const details = detailsOf(test);

const DAY_MICROS = 86_400_000_000;
const NOW_MICROS = Date.parse(NOW) * 1000;

function daysAgo(days: number, data: { readonly [key: string]: string }) {
  return event({ timestamp: micros(NOW_MICROS - days * DAY_MICROS), duration: "60s", data });
}

const FILL = {
  bucket: bucket({ id: "window_desk", hostname: "desk" }),
  events: [daysAgo(400, { app: "Old", title: "x" }), daysAgo(1, { app: "Web", title: "My bank" })],
};

details("the trash tells deletions of one day apart, and says of one event that it was restored", () => {
  const prepare = async (server: TestServer): Promise<void> => {
    await server.events.deleteMatching("window_desk", { filter: ["app=B"] });
    await server.events.deleteMatching("window_laptop", { filter: ["app=C", "!title=x"] });
  };
  return withWeb({ fill: TWO_HOSTS, hash: "#/trash", server: { clock: NOW }, prepare }, async ({ page }) => {
    await page.getByText(/^2 entries/).waitFor();
    const labels = await page.getByRole("heading", { level: 3 }).allTextContents();
    const [first = "", second = ""] = labels.sort();
    assert.match(first, /^app=B · 1 event in window_desk · .*2024, \d+:\d\d:\d\d.* – \d+:\d\d:\d\d/);
    assert.match(second, /^app=C !title=x · 1 event in window_laptop · /);
    await page.getByRole("button", { name: "Restore app=B · 1 event in window_desk" }).click();
    await page.getByText("1 event restored to window_desk").waitFor();
    await settled(page);
  });
});

const TWO_HOSTS: readonly FilledBucket[] = [
  {
    bucket: bucket({ id: "window_desk", hostname: "desk" }),
    events: [daysAgo(2, { app: "A" }), daysAgo(1, { app: "B" })],
  },
  { bucket: bucket({ id: "window_laptop", hostname: "laptop" }), events: [daysAgo(1, { app: "C" })] },
];

const MORE: Filling = [...TWO_HOSTS, { bucket: bucket({ id: "editor_desk", hostname: "desk" }), events: [] }];

details("the list follows a merging and its undo, and the preview tells nothing of another choice", () =>
  withWeb({ fill: TWO_HOSTS, hash: "#/buckets", server: { clock: NOW } }, async ({ page }) => {
    const dialog = page.getByRole("dialog");
    const row = page.getByRole("row").filter({ has: page.getByRole("link", { name: "window_desk", exact: true }) });
    const shows = (events: string) => row.locator("td.number").first().filter({ hasText: events }).waitFor();
    await shows("2");
    await page.getByRole("button", { name: "Actions for window_laptop" }).click();
    await page.getByRole("button", { name: "Merge window_laptop" }).click();
    await dialog.getByLabel("Target bucket").selectOption("window_desk");
    const promised = dialog.getByText("window_desk will contain");
    await promised.filter({ hasText: "3 events" }).waitFor();
    const gate = door();
    await page.route("**/merge", (route) => gate.opened.then(() => route.continue()));
    await dialog.getByLabel("Keep the first event").check();
    await promised.waitFor({ state: "detached" });
    gate.open();
    await promised.filter({ hasText: "2 events" }).waitFor();
    await dialog.getByLabel("Keep both").check();
    await promised.filter({ hasText: "3 events" }).waitFor();
    await dialog.getByRole("button", { name: "Merge", exact: true }).click();
    await page.getByText("Bucket merged").waitFor();
    await shows("3");
    const changes = page.getByRole("region").filter({ hasText: "window_laptop" });
    await changes.getByRole("button", { name: /^Undo/ }).click();
    await shows("2");
    await page.unrouteAll({ behavior: "wait" });
  }),
);

inOneVisit(test, { fill: FILL, server: { clock: NOW } }, [
  [
    "a host is renamed and that is undone; a deleted bucket is restored from the trash",
    "#/buckets",
    async ({ page, server, picture }) => {
      const ids = async (): Promise<string[]> => (await server.buckets.list()).map(({ id }) => id);
      await page.getByRole("button", { name: "Actions for device desk" }).click();
      await page.getByRole("button", { name: "Rename or merge…" }).click();
      await page.getByLabel("New hostname").fill("laptop");
      await page.getByRole("region", { name: "Preview" }).getByText("window_desk → window_laptop").waitFor();
      assert.equal(await ids(), ["window_desk"], "a preview changes nothing");
      await page.getByRole("dialog").getByRole("button", { name: "Rename", exact: true }).click();
      await page.getByText("1 bucket updated").waitFor();
      assert.equal(await ids(), ["window_laptop"]);
      await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
      await page.getByText("Undone").waitFor();
      assert.equal(await ids(), ["window_desk"]);
      // The row asks for its count and its access.
      await settled(page);
      await server.buckets.delete("window_desk");
      await page.getByRole("navigation", { name: "Data" }).getByRole("link", { name: "Trash" }).click();
      await page.getByText(/^1 entry/).waitFor();
      await settled(page);
      await accessibleToo(page);
      await picture("care-trash");
      await page.getByRole("navigation", { name: "Data" }).getByRole("link", { name: "Storage" }).click();
      await page.getByRole("link", { name: /^1 entry, / }).waitFor();
      await settled(page);
      await accessibleToo(page);
      await picture("care-storage");
      await page.getByRole("link", { name: /^1 entry, / }).click();
      await page.getByRole("button", { name: "Restore 2 events in window_desk" }).click();
      await page.getByText("2 events restored to window_desk").waitFor();
      assert.equal(await ids(), ["window_desk"]);
    },
  ],
  [
    "privacy rules are typed, tried, ordered and saved; retention rules are previewed and carried out",
    "#/privacy",
    async (web) => {
      const { page, server, picture } = web;
      const rule = (number: number) => page.getByRole("listitem", { name: `Rule ${number}`, exact: true });
      await page.getByText("No rules.").waitFor();
      let asked = 0;
      page.on("request", (request) => {
        if (request.url().includes("/privacy/preview")) asked++;
      });
      await page.getByRole("button", { name: "Add rule" }).click();
      await settled(page);
      assert.equal([asked, await page.getByRole("alert").count()], [0, 0], "nothing was typed yet");
      await rule(1).getByRole("textbox", { name: "Pattern" }).fill("my (bank");
      await rule(1)
        .getByRole("alert")
        .filter({ hasText: otherWords("no closing )") })
        .waitFor();
      assert.is(await page.getByRole("alert").count(), 1, "the mistake stands at its field alone");
      await rule(1).getByRole("textbox", { name: "Pattern" }).fill("my bank");
      await rule(1).getByText("Drops 1").waitFor();
      await settled(page);
      await rule(1).getByLabel("Action").selectOption("Redact keys");
      await rule(1).getByText("Examples (1)").click();
      await rule(1).getByText("title [redacted]").waitFor();
      assert.is(await server.settings.get("privacy_rules"), null, "nothing is stored by trying");
      await page.getByRole("button", { name: "Add rule" }).click();
      await rule(2).getByLabel("Key", { exact: true }).fill("app");
      await rule(2).getByRole("textbox", { name: "Pattern" }).fill("Old");
      await page.getByRole("button", { name: "Move up: Rule 2" }).click();
      await settled(page);
      await accessibleToo(page);
      await picture("care-privacy");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page
        .getByRole("status")
        .filter({ hasText: /^Saved$/ })
        .waitFor();
      assert.equal(await server.settings.get("privacy_rules"), [
        { when: { key: "app", matches: "Old", ignoreCase: true }, then: "drop" },
        { when: { key: "title", matches: "my bank", ignoreCase: true }, then: { redact: { keys: ["title"] } } },
      ]);
      const stored = async () => (await server.events.read("window_desk").toArray()).map(({ data }) => data);
      const before = await stored();
      const dialog = page.getByRole("dialog");
      await page.getByRole("button", { name: "Apply to stored events…" }).click();
      await dialog.getByRole("button", { name: "Apply", exact: true }).waitFor();
      assert.match(await dialog.getByRole("row").nth(1).innerText(), /window_desk\s+2\s+1\s+1/);
      await settled(page);
      await accessibleToo(page);
      await picture("care-privacy-past");
      assert.equal(await stored(), before, "counting changes nothing");
      await dialog.getByRole("button", { name: "Apply", exact: true }).click();
      await page.getByText("1 dropped, 1 changed").waitFor();
      assert.equal(await stored(), [{ app: "Web", title: "[redacted]" }]);
      await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
      await page.getByText("Undone").waitFor();
      assert.equal(await stored(), before);
      // Somebody else changes them meanwhile.
      if (IS_LONG) {
        await rule(1).getByLabel("Enabled").uncheck();
        await server.settings.put("privacy_rules", []);
        await page.getByRole("button", { name: "Save", exact: true }).click();
        await page.getByRole("alert").filter({ hasText: "changed elsewhere" }).waitFor();
        await page.getByRole("button", { name: "Discard mine" }).click();
        await page.getByText("No rules.").waitFor();
      }
      dropFaults(web, /status of 4(00|09)/);

      await page.getByRole("navigation", { name: "Data" }).getByRole("link", { name: "Retention" }).click();
      await page.getByText("No changes yet.").waitFor();
      await page.getByRole("button", { name: "Add rule" }).click();
      await rule(1).getByLabel("Buckets").fill("window_*");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await rule(1)
        .getByRole("alert")
        .filter({ hasText: otherWords("needs one of") })
        .waitFor();
      dropFaults(web, /status of 4(00|09)/);
      await rule(1).getByLabel("Keep for (days)").fill("365");
      await page.getByRole("button", { name: "Preview" }).click();
      const counts = page.getByRole("region", { name: "Effect of these rules now" }).getByRole("row");
      assert.match(await counts.nth(1).innerText(), /window_desk\s+1\s+0\s+0\s+0/);
      assert.ok(await page.getByRole("button", { name: "Run now…" }).isDisabled(), "a run carries out what is saved");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page
        .getByRole("status")
        .filter({ hasText: /^Saved$/ })
        .waitFor();
      await page.getByRole("button", { name: "Run now…" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Run", exact: true }).click();
      await page.getByRole("region", { name: "Log" }).getByRole("link", { name: "window_desk" }).waitFor();
      assert.equal(await server.settings.get("retention_rules"), [{ buckets: "window_*", keepDays: 365 }]);
      await settled(page);
      await accessibleToo(page);
      await picture("care-retention");
    },
  ],
]);

inOneVisit(test, { fill: MORE, server: { clock: NOW }, smokes: 1 }, [
  [
    "two hosts become one in a single dialog, and that is undone",
    "#/buckets",
    async ({ page, server, faults }) => {
      const listed = async (): Promise<readonly string[]> =>
        (await server.buckets.list()).map(({ id, hostname }) => `${id} of ${hostname}`).sort();
      const before = await listed();
      const dialog = page.getByRole("dialog");
      await page.getByRole("button", { name: "Actions for device desk" }).click();
      await page.getByRole("button", { name: "Rename or merge…" }).click();
      assert.is(await dialog.getByLabel("New hostname").inputValue(), "", "nothing to type behind");
      await dialog.getByLabel("New hostname").fill("laptop");
      await dialog.getByText("window_laptop will contain 3 events.").waitFor();
      await dialog.getByText("editor_desk → editor_laptop").waitFor();
      await settled(page);
      await accessibleToo(page);
      assert.equal(await listed(), before, "a preview changes nothing");
      await dialog.getByRole("button", { name: "Merge and rename" }).click();
      await page.getByText("1 merged, 1 renamed").waitFor();
      assert.equal(await listed(), ["editor_laptop of laptop", "window_laptop of laptop"]);
      await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
      await page.getByText("Undone").waitFor();
      assert.equal(await listed(), before);
      assert.equal(faults, [], "nothing is refused on the way");
    },
  ],
  [
    "a bucket is merged into another one, and that is undone",
    "#/buckets",
    async (web) => {
      const { page, server, picture } = web;
      const counts = async (): Promise<readonly (readonly [string, number])[]> => {
        const ids = (await server.buckets.list()).map(({ id }) => id).sort();
        return Promise.all(ids.map(async (id) => [id, await server.events.count(id)] as const));
      };
      const before = await counts();
      const dialog = page.getByRole("dialog");
      await page.getByRole("button", { name: "Actions for window_desk" }).click();
      await page.getByRole("button", { name: "Merge window_desk" }).click();
      await dialog.getByLabel("Target bucket").selectOption("window_laptop");
      await dialog.getByLabel("Keep the first event").check();
      await dialog.getByText("window_laptop will contain 2 events.").waitFor();
      await dialog.getByRole("columnheader", { name: "Covered" }).waitFor();
      assert.is(await dialog.getByRole("columnheader", { name: "Shortened" }).count(), 0, "none is");
      await settled(page);
      await accessibleToo(page);
      await picture("care-merge");
      assert.equal(await counts(), before, "a preview changes nothing");
      await dialog.getByRole("button", { name: "Merge", exact: true }).click();
      await page.getByText("Bucket merged").waitFor();
      assert.equal(await counts(), [
        ["editor_desk", 0],
        ["window_laptop", 2],
      ]);
      await page
        .getByRole("region", { name: "Redirects" })
        .getByRole("row", { name: /window_desk/ })
        .waitFor();
      await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
      await page.getByText("Undone").waitFor();
      assert.equal(await counts(), before);
      dropFaults(web, /status of 4(00|09)/);
    },
  ],
]);

test.run();
