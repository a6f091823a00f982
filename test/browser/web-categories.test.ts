// long: 900 s
// The view of categories: the tree, rules and what they would match, saving.

import fs from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { JsonValue } from "../../src/domain/json.js";
import { realisticDay, type TestServer } from "../../src/testing/index.js";
import { formatRough } from "../../src/web/format.js";
import { detailsOf } from "../faults/sizes.js";
import { otherWords } from "../reworded.js";
import { takeFaults } from "./watch.js";
import {
  accessibleToo,
  DAY,
  HOST,
  inOneVisit,
  menuLink,
  settled,
  type Web,
  type WebOptions,
  withWeb,
  ZONE,
} from "./web-page.js";

const test = suite("categories in Chromium");
const details = detailsOf(test);

const VIEW = "#/categories";
const DAY_OF_DESK = realisticDay({ date: DAY, timezone: ZONE, hostname: HOST });

/** As the official UI stores them, with members that are not ours. */
const STORED: JsonValue = [
  { id: 0, name: ["Work"], rule: { type: "none" }, data: { color: "#0F0", score: 10, x: [1] }, name_pretty: "Work" },
  { id: 1, name: ["Work", "Code"], rule: { type: "regex", regex: "^Code$", later: { a: 1 } }, kept: "yes" },
  { id: 2, name: ["Talk"], rule: { type: "regex", regex: "slack", ignore_case: true } },
];

const tree = (page: Page): Locator => page.getByRole("tree", { name: "Categories" });
const item = (page: Page, name: string): Locator =>
  page.getByRole("treeitem").filter({ has: page.locator(".tree-name").getByText(name, { exact: true }) });
const regexField = (page: Page): Locator => page.getByRole("textbox", { name: "Regular expression" });
const condition = (page: Page, number: number): Locator => page.getByLabel(`Text of condition ${number}`);
const save = (page: Page): Locator => page.getByRole("button", { name: "Save", exact: true });

/** Opens the pattern of the selected category. */
async function openPattern(page: Page): Promise<void> {
  await page.getByText("Edit as a pattern").click();
}

function withClasses(classes: JsonValue): WebOptions {
  return { prepare: (server) => server.settings.put("classes", classes) };
}

/** Opens the view on a server that has stored categories. */
function withCategories(
  body: (web: Web) => Promise<void>,
  options: WebOptions & { readonly classes?: JsonValue } = {},
): Promise<void> {
  const { classes = STORED, ...more } = options;
  return withWeb({ hash: VIEW, ...withClasses(classes), ...more }, async (web) => {
    await tree(web.page).waitFor();
    await body(web);
  });
}

/** Seconds that windows of an app were in front, added up by hand. */
function secondsOf(matches: (app: string, title: string) => boolean): number {
  const events = DAY_OF_DESK.window.events.filter(({ data }) => matches(String(data["app"]), String(data["title"])));
  return events.reduce((sum, { duration }) => sum + duration / 1_000_000, 0);
}

async function names(page: Page): Promise<string[]> {
  return page.locator(".tree-name").allTextContents();
}

async function storedNames(server: TestServer): Promise<string[]> {
  const list = (await server.settings.get("classes")) as unknown as { name: string[] }[];
  return list.map(({ name }) => name.join("/"));
}

/** Waits until an element says something. */
async function says(element: Locator, text: string | RegExp): Promise<void> {
  await element.filter({ hasText: text }).first().waitFor();
}

details("a wrong expression is told of at once, in the server's words, and never saved", () =>
  withCategories(async (web) => {
    const { page, server } = web;
    await item(page, "Code").click();
    await openPattern(page);
    await says(page.locator(".preview-sum"), /Matches [1-9]/);
    const before = await page.locator(".preview-sum").textContent();
    const asked: string[] = [];
    page.on("request", (request) => {
      const body = request.postData() ?? "";
      if (body.includes("Code|(") && body.includes('"site"')) asked.push(body);
    });
    await regexField(page).fill("Code|(");
    await says(page.locator(".field-error"), otherWords("this ( has no closing )"));
    // What is shown meanwhile is said to be of another expression.
    await says(page.locator(".preview h3"), "by the last valid expression");
    await settled(page);
    assert.equal(asked, [], "sites of uncategorized time");
    assert.is(await page.locator(".preview-sum").textContent(), before);
    assert.is(await regexField(page).getAttribute("aria-invalid"), "true");
    await accessibleToo(page);
    await save(page).click();
    await says(
      page.getByRole("alert"),
      `Not saved. Rule of “Work > Code”: ${otherWords("this ( has no closing ), at character 6 of the pattern")}`,
    );
    assert.equal(await server.settings.get("classes"), STORED);
    await web.picture("categories-wrong-light-1400");
    // What browsers do not know, but the server does.
    await regexField(page).fill("(?i)c(?>od)e++");
    await says(page.locator(".preview-sum"), /Matches [1-9]/);
    assert.is(await page.locator(".field-error").count(), 0);
    await save(page).click();
    await says(page.getByRole("status"), /^Saved$/);
    takeFaults(web, /status of 400/);
  }),
);

details("what was changed elsewhere is not overwritten unawares", () =>
  withCategories(async ({ page, server }) => {
    const theirs = [{ id: 9, name: ["Theirs"], rule: { type: "none" } }];
    const begin = async (): Promise<void> => {
      await item(page, "Talk").click();
      await page.getByLabel("Ignore case").uncheck();
    };
    await begin();
    await server.settings.put("classes", theirs);
    await save(page).click();
    await says(page.getByRole("alert"), "changed elsewhere");
    assert.equal(await server.settings.get("classes"), theirs);
    await accessibleToo(page);
    await page.getByRole("button", { name: "Discard mine" }).click();
    await item(page, "Theirs").waitFor();
    assert.equal(await names(page), ["Theirs"]);
    assert.is(await page.getByText("Unsaved changes").count(), 0);

    await item(page, "Theirs").click();
    await page.getByLabel("Points per hour").fill("3");
    await server.settings.put("classes", STORED);
    await save(page).click();
    await page.getByRole("button", { name: "Overwrite with mine" }).click();
    await says(page.getByRole("status"), /^Saved$/);
    assert.equal(await server.settings.get("classes"), [{ ...theirs[0], data: { score: 3 } }]);

    // Without unsaved changes, the list follows by itself.
    await server.settings.put("classes", STORED);
    await item(page, "Talk").waitFor();
  }),
);

details("a score is what was typed, key by key", () =>
  withCategories(async ({ page }) => {
    await item(page, "Talk").click();
    const score = page.getByLabel("Points per hour");
    for (const typed of ["-1.5", "0.05"]) {
      await score.fill("");
      await score.pressSequentially(typed);
      assert.is(await score.inputValue(), typed);
    }
  }),
);

details("a server that does not answer is told of, and saving can be tried again", () =>
  withCategories(async ({ page, server, faults }) => {
    await item(page, "Talk").click();
    await page.getByLabel("Points per hour").fill("-1.5");
    await page.route("**/api/0/settings**", (route) => route.abort());
    await save(page).click();
    await says(page.getByRole("alert"), "Not saved. The server does not respond.");
    await page.getByText("Unsaved changes").waitFor();
    await page.unrouteAll();
    await save(page).click();
    await says(page.getByRole("status"), /^Saved$/);
    assert.is(await page.getByRole("alert").count(), 0);
    assert.equal(((await server.settings.get("classes")) as { data?: object }[])[2]?.data, { score: -1.5 });
    assert.ok(faults.length > 0 && faults.every((fault) => fault.includes("ERR_FAILED")), faults.join());
    faults.length = 0;
  }),
);

test("categories are added, renamed, moved and deleted with what is below, and each step can be undone", () =>
  withCategories(async ({ page, server }) => {
    await page.getByRole("button", { name: "Add category" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Media");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Add subcategory" }).click();
    assert.equal(await names(page), ["Work", "Code", "Talk", "Media", "New category"]);

    // A taken name is refused.
    await page.getByRole("textbox", { name: "Name" }).fill("Work");
    await page.getByRole("combobox", { name: "Parent" }).selectOption("(top level)");
    await item(page, "Media").click();
    await page.getByRole("textbox", { name: "Name" }).fill("Work");
    await page.keyboard.press("Enter");
    await says(page.locator(".field-error"), "This name is taken.");

    await item(page, "Work").click();
    await page.getByRole("combobox", { name: "Parent" }).selectOption("Media");
    assert.equal(await names(page), ["Media", "Work", "Code", ...(await names(page)).slice(3)]);
    await page.getByRole("button", { name: "Delete…" }).click();
    await says(page.getByRole("alertdialog"), "Delete “Media > Work” and its subcategory?");
    await page.getByRole("button", { name: "Keep" }).click();
    assert.ok((await names(page)).includes("Code"));
    await page.getByRole("button", { name: "Delete…" }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    assert.ok(!(await names(page)).includes("Code"));
    // Not whatever has its place in the list now.
    assert.is(await page.getByRole("textbox", { name: "Name" }).inputValue(), "Media");

    await page.getByRole("button", { name: "Undo" }).click();
    assert.ok((await names(page)).includes("Code"));
    await page.getByRole("button", { name: "Undo" }).click();
    assert.equal((await names(page)).slice(0, 3), ["Work", "Code", "Talk"]);
    await save(page).click();
    await says(page.getByRole("status"), /^Saved$/);
    assert.equal((await storedNames(server)).slice(0, 4), ["Work", "Work/Code", "Talk", "Media"]);

    // Also what was saved already.
    const undo = page.getByRole("button", { name: "Undo" });
    while (await undo.isEnabled()) await undo.click();
    assert.equal(await names(page), ["Work", "Code", "Talk"]);
    await page.getByText("Unsaved changes").waitFor();
    await page.getByRole("button", { name: "Discard changes" }).click();
    await item(page, "Media").waitFor();
  }));

details("typing a rule is one step to undo", () =>
  withCategories(async ({ page }) => {
    await item(page, "Code").click();
    await openPattern(page);
    await regexField(page).press("End");
    await regexField(page).pressSequentially("abc");
    assert.is(await regexField(page).inputValue(), "^Code$abc");
    await page.getByRole("button", { name: "Undo" }).click();
    assert.is(await regexField(page).inputValue(), "^Code$");
    // The same in words, where the pattern follows.
    assert.is(await condition(page, 1).inputValue(), "Code");
    await condition(page, 1).press("End");
    await condition(page, 1).pressSequentially(" (2)");
    assert.is(await regexField(page).inputValue(), "^Code \\(2\\)$");
    await page.getByLabel("Condition 1", { exact: true }).selectOption("contains");
    assert.is(await regexField(page).inputValue(), "Code \\(2\\)");
    await page.getByRole("button", { name: "Add condition" }).click();
    assert.is(await regexField(page).inputValue(), "Code \\(2\\)", "not everything");
    await condition(page, 2).fill("a|b");
    assert.is(await regexField(page).inputValue(), "Code \\(2\\)|a\\|b");
    await page.getByRole("button", { name: "Remove condition 1" }).click();
    assert.is(await regexField(page).inputValue(), "a\\|b");
    await page.getByLabel("Condition 1", { exact: true }).selectOption("matches the pattern");
    assert.is(await condition(page, 1).inputValue(), "a\\|b");
    const undo = page.getByRole("button", { name: "Undo" });
    while (await undo.isEnabled()) await undo.click();
    assert.is(await regexField(page).inputValue(), "^Code$");
    assert.is(await page.getByText("Unsaved changes").count(), 0);
  }),
);

details("one press makes a rule for what has none, by word, site or app", () =>
  withCategories(async ({ page, server, picture }) => {
    const part = page.getByRole("region", { name: "Uncategorized time" });
    const rule = (text: string): Locator =>
      part.getByRole("button", { name: `Create a rule for ${text}`, exact: true });
    await part.getByLabel("Add rules to").selectOption("Talk");
    await rule("Thunderbird").click();
    assert.is(await condition(page, 2).inputValue(), "Thunderbird");
    await says(page.locator(".preview-sum"), formatRough(secondsOf((app) => app === "Thunderbird" || app === "Slack")));
    await rule("Thunderbird").waitFor({ state: "detached" });
    await picture("categories-uncategorized");

    // A new category has the name that is typed, never a title.
    await part.getByLabel("Add rules to").selectOption("New category");
    await part.getByRole("textbox", { name: "New category" }).fill("Shell");
    await rule("Terminal").click();
    await item(page, "Shell").waitFor();
    await says(item(page, "Shell"), formatRough(secondsOf((app) => app === "Terminal")));
    await save(page).click();
    await says(page.getByRole("status"), /^Saved$/);
    assert.equal(await storedNames(server), ["Shell", "Work", "Work/Code", "Talk"]);
    const stored = (await server.settings.get("classes")) as unknown as { rule: object }[];
    assert.equal(stored[3]?.rule, { type: "regex", regex: "slack|^Thunderbird$", ignore_case: true });
  }),
);

details("the tree is used by keyboard", () =>
  withCategories(async ({ page }) => {
    const current = () => page.evaluate(() => document.activeElement?.querySelector(".tree-name")?.textContent);
    await page.getByLabel("Categories for").focus();
    await page.keyboard.press("Tab");
    assert.is(await current(), "Work");
    const steps: readonly (readonly [string, string])[] = [
      ["ArrowDown", "Code"],
      ["ArrowDown", "Talk"],
      ["ArrowDown", "Talk"],
      ["Home", "Work"],
      ["ArrowRight", "Code"],
      ["ArrowLeft", "Work"],
      ["End", "Talk"],
      ["ArrowUp", "Code"],
    ];
    for (const [key, name] of steps) {
      await page.keyboard.press(key);
      assert.is(await current(), name, key);
      assert.is(await item(page, name).getAttribute("aria-selected"), "true");
    }
    assert.is(await page.getByRole("textbox", { name: "Name" }).inputValue(), "Code");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    assert.is(await item(page, "Work").getAttribute("aria-expanded"), "false");
    assert.equal(await names(page), ["Work", "Talk"]);
    await page.keyboard.press("ArrowRight");
    assert.equal(await names(page), ["Work", "Code", "Talk"]);
    await page.keyboard.press("Delete");
    await page.getByRole("alertdialog").waitFor();
    await page.keyboard.press("Enter");
    assert.equal(await names(page), ["Talk"]);
    assert.is(await page.getByRole("textbox", { name: "Name" }).count(), 0);
    await item(page, "Talk").click();
    await page.getByRole("button", { name: "Undo" }).click();
    assert.is(await page.getByRole("textbox", { name: "Name" }).inputValue(), "Talk");
  }),
);

inOneVisit(test, { ...withClasses(STORED), smokes: 1 }, [
  [
    "the tree shows the time that each category had",
    VIEW,
    async ({ page }) => {
      const code = formatRough(secondsOf((app) => app === "Code"));
      const slack = formatRough(secondsOf((app) => app === "Slack"));
      await says(item(page, "Code"), code);
      assert.equal(await names(page), ["Work", "Code", "Talk"]);
      // A parent has the time of those below it.
      assert.equal(await page.locator(".tree-time").allTextContents(), [code, code, slack]);
    },
  ],
  [
    "a file of categories makes the round trip",
    VIEW,
    async ({ page, server }) => {
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Export" }).click(),
      ]);
      const text = await fs.readFile(await file.path(), "utf8");
      assert.equal(JSON.parse(text), { categories: STORED });
      const choose = (content: string) =>
        page
          .getByLabel("Category file")
          .setInputFiles({ name: "rules.json", mimeType: "application/json", buffer: Buffer.from(content) });
      await choose('[{"name": ["Other"], "rule": {"type": "regex", "regex": "x"}}]');
      await page.getByText("Imported 1 category. Save to keep it.").waitFor();
      assert.equal(await names(page), ["Other"]);
      await choose("<html>");
      await says(page.getByRole("alert"), "The file is not valid JSON.");
      assert.equal(await names(page), ["Other"]);
      await choose(text);
      await item(page, "Code").waitFor();
      assert.is(await page.getByText("Unsaved changes").count(), 0);
      assert.equal(await server.settings.get("classes"), STORED);
    },
  ],
  [
    "a rule shows what it would match while it is typed, and counts elsewhere once it is saved",
    VIEW,
    async ({ page, server, goto }) => {
      await item(page, "Code").click();
      await openPattern(page);
      const firefox = secondsOf((app) => app === "Firefox");
      const titles = new Set(
        DAY_OF_DESK.window.events.flatMap(({ data }) => (data["app"] === "Firefox" ? [data["title"]] : [])),
      );
      await regexField(page).fill("firefox");
      await says(page.locator(".preview-sum"), "Matches 0 titles, 0s");
      await page.getByLabel("Ignore case").check();
      await says(page.locator(".preview-sum"), `Matches ${titles.size} titles, ${formatRough(firefox)}`);
      await says(item(page, "Code"), formatRough(firefox));
      const [first] = await page.locator(".preview .groups li").first().locator(".group-text").allTextContents();
      assert.match(first ?? "", /^Firefox /);

      // Nothing is stored before it is asked for, and then nothing is lost.
      await page.getByText("Unsaved changes").waitFor();
      assert.equal(await server.settings.get("classes"), STORED);
      await save(page).click();
      await says(page.getByRole("status"), /^Saved$/);
      const expected = structuredClone(STORED) as { rule: object }[];
      Object.assign(expected[1]?.rule ?? {}, { regex: "firefox", ignore_case: true });
      assert.equal(await server.settings.get("classes"), expected);

      await goto("#/query");
      await page.getByRole("combobox", { name: "Query" }).selectOption("Categories");
      await page.getByRole("button", { name: "Run" }).click();
      const row = page.getByRole("row").filter({ hasText: "Work > Code" });
      await says(row, formatRough(firefox));
    },
  ],
]);

details("what is not saved stays while other views are open", () =>
  withCategories(async ({ page }) => {
    await item(page, "Code").click();
    await openPattern(page);
    await regexField(page).fill("Slack");
    await (await menuLink(page, "Query")).click();
    await page.getByRole("heading", { name: "Query" }).waitFor();
    await page.getByRole("link", { name: "Categories" }).click();
    await page.getByText("Unsaved changes").waitFor();
    await item(page, "Code").click();
    assert.is(await condition(page, 1).inputValue(), "Slack");
  }),
);

test.run();
