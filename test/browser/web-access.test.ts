// long: 300 s
// Access of buckets and keys, as the dashboard shows and changes them.
import type { Page } from "playwright-core";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { bucket, type TestServer } from "../../src/testing/index.js";
import { detailsOf } from "../faults/sizes.js";
import { withMcp } from "../mcp/client.js";
import { otherWords } from "../reworded.js";
import { dropFaults, takeFaults } from "./watch.js";
import { accessibleToo, NOW, settled, type Web, type WebOptions, withWeb } from "./web-page.js";

const test = suite("access and keys in Chromium");
const details = detailsOf(test);

const AFK = "aw-watcher-afk_desk";
const VIEW = "#/access";
/** A server with an admin key, which the page gets as a desktop shell would give it. */
const OWNED = { apiKey: "owner's key" };
const ENTERED: WebOptions = { server: OWNED, key: OWNED.apiKey, hash: VIEW };

function accessOf(page: Page, id: string) {
  return page.getByLabel(`Access to ${id}`, { exact: true });
}

/** Opens a view with a key. */
async function enter({ page, url, faults }: Web, key: string, hash = VIEW): Promise<void> {
  await page.evaluate(() => sessionStorage.clear()).catch(() => undefined);
  await page.goto("about:blank");
  await page.goto(`${url}${hash}${hash.includes("?") ? "&" : "?"}token=${encodeURIComponent(key)}`);
  await page.locator("main h1").waitFor();
  await settled(page);
  // What the page was refused before it had the key.
  dropFaults({ faults }, /401 \(Unauthorized\)/);
}

function entry(page: Page, name: string) {
  return page.getByRole("listitem").filter({ has: page.getByRole("heading", { name, exact: true }) });
}

const odd = "a/b c?d#e";

async function createOdd({ buckets }: TestServer): Promise<void> {
  await buckets.create(odd, bucket({ id: odd }));
  await buckets.setAccess(odd, "append-only");
}

test("the list of buckets shows the access of each, and changes it", () =>
  withWeb({ hash: "#/buckets", prepare: createOdd }, async ({ page, server, goto }) => {
    await accessOf(page, odd).scrollIntoViewIfNeeded();
    await accessOf(page, odd).and(page.locator(":enabled")).waitFor();
    assert.is(await accessOf(page, odd).inputValue(), "append-only");
    assert.is(await accessOf(page, AFK).inputValue(), "open");
    await accessOf(page, odd).selectOption("Read-only");
    await page
      .getByRole("status")
      .filter({ hasText: /^Saved$/ })
      .waitFor();
    assert.is(await server.buckets.getAccess(odd), "read-only");
    assert.is(await server.buckets.getAccess(AFK), "open");
    await goto(`#/buckets/${encodeURIComponent(odd)}`);
    await page.getByText("No changes are allowed.").waitFor();
    await accessOf(page, odd).selectOption("Open");
    await page.getByText("All changes are allowed.").waitFor();
    await page
      .getByRole("status")
      .filter({ hasText: /^Saved$/ })
      .waitFor();
    assert.is(await server.buckets.getAccess(odd), "open");
  }));

details("who may not change the access reads why, and sees what still holds", () =>
  withWeb({ hash: "#/buckets" }, async (web) => {
    const { page, server } = web;
    const { key } = await server.keys.add({ name: "reader", scopes: ["read:*"] });
    await accessOf(page, AFK).and(page.locator(":enabled")).waitFor();
    await accessOf(page, AFK).selectOption("read-only");
    const cell = page.getByRole("cell").filter({ has: accessOf(page, AFK) });
    await cell.getByRole("alert").waitFor();
    const refusal = await server.fetch(`/api/0/buckets/${AFK}/access`, {
      ...{ method: "PUT", headers: { "content-type": "application/json" }, body: '{"access":"open"}' },
    });
    const { message } = (await refusal.json()) as { message: string };
    assert.is(
      await cell.getByRole("alert").textContent(),
      `Not saved: Sign in to do this. (Server: ${otherWords(message)})`,
    );
    assert.is(await accessOf(page, AFK).inputValue(), "open");
    assert.ok(await page.getByRole("heading", { name: "Buckets" }).isVisible(), "all else goes on");
    takeFaults(web, /status of 401/);
    await enter(web, key, "#/buckets");
    await accessOf(page, AFK).and(page.locator(":enabled")).waitFor();
    await accessOf(page, AFK).selectOption("append-only");
    await cell
      .getByRole("alert")
      .filter({ hasText: otherWords("it needs the scope admin") })
      .waitFor();
    assert.is(await accessOf(page, AFK).inputValue(), "open");
    assert.is(await server.buckets.getAccess(AFK), "open");
    takeFaults(web, /status of 403/);
  }),
);

details("a server without keys tells how the first one is made", () =>
  withWeb({ hash: VIEW }, async (web) => {
    await web.page.getByText("activity-server keys add owner --scope admin").waitFor();
    assert.is(await web.page.getByRole("button", { name: "Create", exact: true }).count(), 0);
    await accessibleToo(web.page);
    takeFaults(web, /status of 404/);
  }),
);

test("a key is made, shown once, copied, works as far as its scopes say, and is revoked", () =>
  withWeb({ ...ENTERED, context: { permissions: ["clipboard-read", "clipboard-write"] } }, async (web) => {
    const { page, server } = web;
    await page.getByText("No active keys.").waitFor();
    await page.getByLabel("Name", { exact: true }).fill("wall");
    await page.getByLabel("Scope 1", { exact: true }).selectOption("read");
    await page.getByLabel("Buckets for scope 1").fill("aw-watcher-afk_*");
    await page.getByRole("button", { name: "Add scope" }).click();
    await page.getByRole("button", { name: "Add scope" }).click();
    await page.getByRole("button", { name: "Remove scope 2" }).click();
    await page.getByLabel("Scope 2", { exact: true }).selectOption("append");
    await page.getByLabel("Buckets for scope 2").fill("wall_*");
    await page.getByLabel("Expires").selectOption("In 30 days");
    await page.getByRole("button", { name: "Create" }).click();
    const made = page.getByRole("region", { name: "New key" });
    await made.waitFor();
    assert.ok(await made.evaluate((box) => box === document.activeElement), "the focus is at the key");
    await accessibleToo(page);
    await made.getByRole("button", { name: "Copy: new key" }).click();
    await made.getByRole("status").filter({ hasText: "Copied" }).waitFor();
    const key = await page.evaluate(() => navigator.clipboard.readText());
    const status = async (path: string): Promise<number> =>
      (await server.fetch(path, { headers: { authorization: `Bearer ${key}` } })).status;
    assert.is(await status(`/api/0/buckets/${AFK}`), 200);
    assert.is(await status("/api/0/buckets/aw-watcher-window_desk"), 404);
    const [known] = await server.keys.list();
    assert.equal([known?.name, known?.scopes], ["wall", ["read:aw-watcher-afk_*", "append:wall_*"]]);
    assert.is(known?.expires, (Date.parse(NOW) + 30 * 86_400_000) * 1000);
    await made.getByRole("button", { name: "Done" }).click();
    await page.reload();
    await entry(page, "wall").waitFor();
    const text = (await entry(page, "wall").innerText()).replace(/\s+/g, " ");
    assert.match(text, /Scopes read:aw-watcher-afk_\* append:wall_\* Created Mar 1, 2024/);
    assert.match(text, /Expires Mar 31, 2024, .* Origin Any Last used Mar 1, 2024/);
    assert.not.match(await page.content(), key);
    await page.getByRole("button", { name: "Revoke wall" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    assert.is(await status(`/api/0/buckets/${AFK}`), 200);
    await page.getByRole("button", { name: "Revoke wall" }).click();
    await accessibleToo(page);
    await page.getByRole("dialog").getByRole("button", { name: "Revoke", exact: true }).click();
    await page.getByText("No active keys.").waitFor();
    assert.is(await status(`/api/0/buckets/${AFK}`), 401);
    await page.getByText("Revoked and expired (1)").click();
    await entry(page, "wall").getByText("Revoked").waitFor();
  }));

details("a key for an assistant is made, and what its assistant got is listed", () =>
  withWeb({ ...ENTERED, server: { ...OWNED, mcp: true } }, async ({ page, server, goto }) => {
    const log = page.getByRole("region", { name: "Assistants" });
    await log.getByText("No data yet.").waitFor();
    await page.getByLabel("Name", { exact: true }).fill("My assistant");
    const permission = page.getByLabel("Scope 1", { exact: true });
    await permission.selectOption("read");
    assert.is(await page.getByLabel("Buckets for scope 1").inputValue(), "*", "all data, not only that of watchers");
    await permission.selectOption("assistant");
    const level = page.getByLabel("Level of scope 1");
    assert.is(await level.inputValue(), "categories");
    assert.equal(
      (await level.getByRole("option").allTextContents()).map((text) => text.split(":")[0]),
      ["categories", "apps", "sites", "titles", "query"],
    );
    await level.selectOption("apps");
    await page.getByText("Without other scopes, assistants see all buckets").waitFor();
    await accessibleToo(page);
    await page.getByRole("button", { name: "Create" }).click();
    const made = page.getByRole("region", { name: "New key" });
    await made.waitFor();
    const key = (await made.locator("code").first().textContent()) ?? "";
    assert.equal((await server.keys.list())[0]?.scopes, ["assistant:apps"]);
    await withMcp(server, { key }, async (client) => {
      await client.callTool({ name: "summary", arguments: { period: "this week" } });
      await client.callTool({ name: "now" });
    });
    await made.getByRole("button", { name: "Done" }).click();
    await goto("#/buckets");
    await goto(VIEW);
    const rows = await log
      .getByRole("row")
      .filter({ has: page.getByRole("cell") })
      .allInnerTexts();
    const shown = rows.map((row) => row.replace(/\s+/g, " "));
    assert.is(shown.length, 2);
    assert.match(shown[0] ?? "", /^Mar 1, 2024, .* My assistant now apps: \d+ rows$/);
    assert.match(shown[1] ?? "", /^Mar 1, 2024, .* My assistant summary this week apps: \d+ rows$/);
    for (const [language, title] of [
      ["de", "Assistenten"],
      ["he", "עוזרי AI"],
    ] as const) {
      await server.settings.put("language", language);
      await page.reload();
      await page.getByRole("region", { name: title }).getByRole("row").nth(2).waitFor();
      await accessibleToo(page);
    }
  }),
);

details("a server without assistants lists none of their data", () =>
  withWeb(ENTERED, async ({ page }) => {
    await page.getByRole("region", { name: "Browser extensions" }).getByText("No decisions yet.").waitFor();
    await settled(page);
    assert.is(await page.getByRole("region", { name: "Assistants" }).count(), 0);
  }),
);

details("a key that is revoked is not shown any longer", () =>
  withWeb({ server: OWNED }, async (web) => {
    const { page } = web;
    await enter(web, OWNED.apiKey);
    await page.getByLabel("Name", { exact: true }).fill("wall");
    await page.getByRole("button", { name: "Create" }).click();
    const made = page.getByRole("region", { name: "New key" });
    await made.waitFor();
    await page.getByRole("button", { name: "Revoke wall" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke", exact: true }).click();
    await made.waitFor({ state: "detached" });
    await settled(page);
  }),
);

details("a key that cannot be is refused at its field, and what was typed stays", () =>
  withWeb({ server: OWNED }, async (web) => {
    const { page, server } = web;
    await server.keys.add({ name: "taken", scopes: ["read:*"] });
    await enter(web, OWNED.apiKey);
    await page.getByLabel("Name", { exact: true }).fill("taken");
    await page.getByLabel("Scope 1", { exact: true }).selectOption("admin");
    await page.getByLabel("Origin").fill("https://example.org/path");
    await page.getByRole("button", { name: "Create" }).click();
    await page
      .getByRole("alert")
      .filter({ hasText: otherWords("origin must be") })
      .waitFor();
    await page.getByText("Enter an origin without a path").waitFor();
    await page.getByLabel("Origin").fill("https://example.org");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByText("This name is taken").waitFor();
    await page
      .getByRole("alert")
      .filter({ hasText: otherWords("name 'taken' is the name of another key") })
      .waitFor();
    await page.getByLabel("Name", { exact: true }).fill("taken-2");
    await page.getByRole("button", { name: "Create" }).click();
    await entry(page, "taken-2").getByText("https://example.org", { exact: true }).waitFor();
    assert.equal((await server.keys.list()).at(-1)?.scopes, ["admin"]);
    takeFaults(web, /status of 400/);
  }),
);

test.run();
