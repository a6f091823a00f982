// long: 300 s
// Patterns that a browser reads differently, or not at all: every view shows the category that the server finds.
import type { Page } from "playwright-core";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { bucket, event } from "../../src/testing/index.js";
import { DAY, HOST, settled, withWeb } from "./web-page.js";

const test = suite("categories in the browser");

const RULES = [
  ["Reports", "\\bотчёт\\b", "отчёт за март"],
  ["Coffee", "caf\\w\\b", "Menu of a café"],
  ["Editors", "Notepad++", "Notepad++"],
  ["Money", "\\AAccount", "Account 7"],
  ["Tickets", "(?P<word>ticket) (?P<number>\\d+)", "A ticket 12"],
] as const;

/** Each title has its own time: 10 minutes, 20 minutes and so on. */
const WINDOWS = RULES.map(([, , title], index) =>
  event({
    ...{ timestamp: `${DAY}T1${index}:00:00Z`, duration: { seconds: (index + 1) * 600 } },
    data: { app: "a", title },
  }),
);

async function shownIn(page: Page, selector: string): Promise<string> {
  await settled(page);
  return (await page.locator(selector).first().innerText()).replace(/\s+/g, " ");
}

test("timeline, activity and categories show the server's category", () =>
  withWeb(
    {
      fill: [
        {
          bucket: bucket({ id: `aw-watcher-window_${HOST}`, hostname: HOST, type: "currentwindow" }),
          events: WINDOWS,
        },
      ],
      prepare: (server) =>
        server.settings.put(
          "classes",
          RULES.map(([name, regex], id) => ({ id, name: [name], rule: { type: "regex", regex } })),
        ),
      hash: `#/timeline?start=${DAY}T09:00:00.000Z&end=${DAY}T16:00:00.000Z`,
    },
    async ({ page, goto }) => {
      await page.locator('.timeline[aria-busy="false"]').waitFor();
      for (const [name] of RULES) await page.locator(".tl-legend bdi", { hasText: name }).waitFor();
      assert.is(await page.locator(".tl-legend bdi").count(), RULES.length);
      await goto(`#/timeline?start=${DAY}T09:00:00.000Z&end=${DAY}T16:00:00.000Z&f=title~%2Fcaf%5Cw%5Cb%2F`);
      await page.locator(".tl-legend bdi", { hasText: "Reports" }).waitFor({ state: "detached" });
      assert.equal(await page.locator(".tl-legend bdi").allTextContents(), ["Coffee"]);
      await goto(`#/day/${DAY}`);
      const activity = await shownIn(page, ".activity-panels");
      await goto("#/categories");
      await page.locator(".tree-time", { hasText: "50m" }).waitFor();
      for (const [index, [name]] of RULES.entries()) {
        const minutes = `${index + 1}0m`;
        assert.match(activity, new RegExp(`${name}\\b[^A-Z]* ${minutes}`), name);
        const row = page.getByRole("treeitem").filter({ hasText: name });
        assert.match(await row.innerText(), new RegExp(minutes), name);
      }
      assert.not.match(activity, /Uncategorized/);
    },
  ));

test.run();
