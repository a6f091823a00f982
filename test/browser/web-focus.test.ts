// long: 300 s
// Where the focus is once what had it is gone: never nowhere. Everything is done by the keyboard.

import type { Locator, Page } from "playwright-core";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { micros } from "../../src/index.js";
import { bucket, event, type FilledBucket } from "../../src/testing/index.js";
import { detailsOf } from "../faults/sizes.js";
import { dropFaults } from "./watch.js";
import { accessibleToo, inOneVisit, NOW, settled, type WebOptions, withWeb } from "./web-page.js";

const test = suite("focus in Chromium");
const details = detailsOf(test);

const NOW_MICROS = Date.parse(NOW) * 1000;
const FILL: readonly FilledBucket[] = ["desk", "laptop", "tablet"].map((hostname) => ({
  bucket: bucket({ id: `window_${hostname}`, type: "currentwindow", hostname }),
  events: [1, 2, 3].map((minutes) =>
    event({
      timestamp: micros(NOW_MICROS - minutes * 60_000_000),
      duration: "60s",
      data: { app: "Web", title: `${minutes}` },
    }),
  ),
}));
const VISIT: WebOptions = {
  fill: [...FILL, { bucket: bucket({ id: "window_gone", type: "currentwindow", hostname: "gone" }), events: [] }],
  server: { clock: NOW },
  async prepare({ buckets, settings }) {
    await buckets.delete("window_gone");
    await settings.put("privacy_rules", [{ when: { key: "title", matches: "bank" }, then: "drop" }]);
  },
};

/** Presses what is there, as somebody who came to it by the keyboard. */
async function press(one: Locator): Promise<void> {
  await one.focus();
  await one.press("Enter");
}

/** What has the focus, when all that comes of a press has come; `BODY` for nothing. */
async function focused(page: Page): Promise<string> {
  await settled(page);
  return page.evaluate(() => {
    const { activeElement: at, body } = document;
    if (at === null || at === body) return "BODY";
    const text = at instanceof HTMLElement ? at.innerText : "";
    return `${at.tagName} ${at.getAttribute("aria-label") ?? text.replace(/\s+/g, " ").trim()}`.slice(0, 60);
  });
}

inOneVisit(test, { ...VISIT, smokes: 1 }, [
  [
    "an event is deleted: the next row has the focus, and where an undo stood, what it did",
    "#/buckets/window_desk",
    async ({ page }) => {
      const remove = page.getByRole("button", { name: /^Delete .*2024/ });
      await press(remove.nth(1));
      await press(page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }));
      await page.getByText("Event deleted").waitFor();
      assert.match(await focused(page), /^TR .*Web 3/, "what came behind it");
      await page.keyboard.press("Tab");
      assert.match(await focused(page), /^BUTTON|^A/, "the keyboard goes on from there");
      await accessibleToo(page);
      await press(page.getByRole("button", { name: "Undo" }));
      await page
        .getByText("Undone")
        .or(page.locator("dd", { hasText: "3" }))
        .first()
        .waitFor();
      assert.not.match(await focused(page), /BODY/);
    },
  ],
  [
    "what a search finds is deleted and taken back",
    "#/search/year/2024?f=Web",
    async ({ page }) => {
      await press(page.getByRole("button", { name: "Delete…" }));
      await press(page.getByRole("dialog").getByRole("button", { name: "Delete 9 events" }));
      await page.getByText("Moved 9 events to trash").waitFor();
      assert.is(await focused(page), "BUTTON Delete…");
      await press(page.getByRole("button", { name: "Undo" }));
      await page.getByText("Undone").waitFor();
      assert.is(await focused(page), "DIV Undone Close");
      await press(page.getByRole("button", { name: "Close" }));
      await page.getByText("Undone").waitFor({ state: "detached" });
      assert.not.match(await focused(page), /BODY/);
    },
  ],
  [
    "a stopwatch is stopped",
    "#/stopwatch",
    async ({ page }) => {
      for (const label of ["one", "two"]) {
        await page.getByLabel("What are you doing?").fill(label);
        await press(page.getByRole("button", { name: "Start", exact: true }));
        await page.getByRole("button", { name: `Stop: ${label}` }).waitFor();
      }
      const running = page.getByRole("region", { name: "Running" });
      await press(page.getByRole("button", { name: "Stop: two" }));
      await running.getByText("two").waitFor({ state: "detached" });
      assert.match(await focused(page), /^LI .*one/, "the next one, and not its button");
      await press(page.getByRole("button", { name: "Stop: one" }));
      await running.waitFor({ state: "detached" });
      assert.is(await focused(page), "H1 Stopwatch");
    },
  ],
  [
    "the trash is emptied",
    "#/trash",
    async ({ page }) => {
      await press(page.getByRole("button", { name: "Empty trash…" }));
      await press(page.getByRole("dialog").getByRole("button", { name: "Delete permanently" }));
      await page.getByText("The trash is empty.").waitFor();
      assert.not.match(await focused(page), /BODY/);
    },
  ],
  [
    "privacy rules are saved",
    "#/privacy",
    async ({ page }) => {
      await page.getByRole("textbox", { name: "Pattern" }).fill("my bank");
      await settled(page);
      await press(page.getByRole("button", { name: "Save", exact: true }));
      await page
        .getByRole("status")
        .filter({ hasText: /^Saved$/ })
        .waitFor();
      assert.match(await focused(page), /Save/, "what stands around it");
      await accessibleToo(page);
    },
  ],
  [
    "a bucket becomes part of another one",
    "#/buckets",
    async ({ page }) => {
      await press(page.getByRole("button", { name: "Actions for window_laptop" }));
      await press(page.getByRole("button", { name: "Merge window_laptop" }));
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Target bucket").selectOption("window_desk");
      await settled(page);
      await press(dialog.getByRole("button", { name: "Merge", exact: true }));
      await page.getByText("Bucket merged").waitFor();
      assert.is(await focused(page), "H2 desk", "its host is gone as well");
      await press(page.getByRole("status").getByRole("button", { name: "Undo" }));
      await page.getByText("Undone").waitFor();
      assert.is(await focused(page), "DIV Undone Close");
    },
  ],
]);

details("keys are made and revoked; a press that was refused keeps its button", () =>
  withWeb({ server: { apiKey: "owner's key" }, key: "owner's key", hash: "#/access" }, async ({ page, faults }) => {
    await page.getByText("No active keys.").waitFor();
    const add = page.getByRole("button", { name: "Create" });
    await page.getByLabel("Name", { exact: true }).fill("wall");
    await page.getByLabel("Origin").fill("no origin");
    await press(add);
    await page.getByText("Not saved.").waitFor();
    assert.is(await focused(page), "BUTTON Create");
    dropFaults({ faults }, /status of 400/);
    await page.getByLabel("Origin").fill("");
    await press(add);
    assert.is(await focused(page), "SECTION New key");
    await press(page.getByRole("button", { name: "Done" }));
    assert.is(await focused(page), "H2 Keys");
    await press(page.getByRole("button", { name: "Revoke wall" }));
    await press(page.getByRole("dialog").getByRole("button", { name: "Revoke", exact: true }));
    await page.getByText("No active keys.").waitFor();
    assert.is(await focused(page), "H2 Keys");
  }),
);

details("a field that was left does not regain the focus when the page changes", () =>
  withWeb({ hash: "#/settings" }, async ({ page }) => {
    const field = page.getByRole("combobox", { name: "Filter" });
    const change = () => page.evaluate(() => document.querySelector("main")?.append(document.createElement("p")));
    await field.fill("Code");
    await settled(page);
    await field.blur();
    await settled(page);
    await change();
    assert.is(await focused(page), "BODY");
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    assert.is(await field.inputValue(), "Code");
    await page.keyboard.press("Escape");
    await field.focus();
    await field.evaluate((element) => element.parentElement?.append(element));
    assert.match(await focused(page), /^INPUT/, "it was only moved");
  }),
);

test.run();
