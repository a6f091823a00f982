// long: 300 s
// Deletion past the trash in the dashboard, and out of it.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Authorize, allow, deny, micros } from "../../src/index.js";
import { bucket, event, type Filling, type TestServer } from "../../src/testing/index.js";
import { detailsOf } from "../faults/sizes.js";
import { door } from "../http/storages.js";
import { dropFaults } from "./watch.js";
import { accessibleToo, inOneVisit, NOW, settled, type Web, withWeb } from "./web-page.js";

const test = suite("deletion for good in Chromium");
const details = detailsOf(test);

const FILL: Filling = ["window_desk", "window_laptop"].map((id) => ({
  bucket: bucket({ id, type: "currentwindow", hostname: id.replace("window_", "") }),
  events: Array.from({ length: 4 }, (_, at) =>
    event({
      timestamp: micros(Date.parse(NOW) * 1000 - (at + 1) * 60_000_000),
      duration: "60s",
      data: { app: "Editor", title: at % 2 === 0 ? "thesis" : "letter" },
    }),
  ),
}));
const FOR_GOOD = "Delete permanently";

/** What is deleted for good does not come back otherwise. */
async function refill(server: TestServer): Promise<void> {
  for (const { id } of await server.buckets.list()) await server.buckets.delete(id);
  await server.trash.empty();
  await server.load(FILL);
}

const TIMELINE = `#/timeline?${new URLSearchParams({
  start: new Date(Date.parse(NOW) - 210_000).toISOString(),
  end: NOW,
})}`;

inOneVisit(test, { fill: FILL, server: { clock: NOW }, smokes: 1 }, [
  [
    "an event and a bucket are deleted past the trash",
    "#/buckets/window_desk",
    async ({ page, server, goto }) => {
      const dialog = page.getByRole("dialog");
      await page
        .getByRole("button", { name: /^Delete .*2024/ })
        .first()
        .click();
      await dialog.getByText("Deleted data stays in the trash").waitFor();
      await page.keyboard.press("Space");
      await dialog.waitFor({ state: "detached" });
      await page
        .getByRole("button", { name: /^Delete .*2024/ })
        .first()
        .click();
      await dialog.getByLabel(FOR_GOOD).check();
      await dialog.getByText("You cannot restore it.").waitFor();
      await settled(page);
      await accessibleToo(page);
      await dialog.getByRole("button", { name: "Delete permanently" }).click();
      await page.getByText("Event permanently deleted").waitFor();
      assert.is(await page.getByRole("button", { name: "Undo" }).count(), 0, "nothing brings it back");
      assert.is(await server.events.count("window_desk"), 3);
      await settled(page);
      await goto("#/buckets/window_laptop");
      await page.getByRole("button", { name: "Delete bucket" }).click();
      await page.keyboard.press("Space");
      assert.not(await dialog.getByLabel(FOR_GOOD).isChecked());
      await dialog.getByLabel(FOR_GOOD).check();
      await dialog.getByRole("textbox").fill("window_laptop");
      await dialog.getByRole("button", { name: "Delete permanently" }).click();
      await dialog.waitFor({ state: "detached" });
      await settled(page);
      assert.equal(
        (await server.buckets.list()).map(({ id }) => id),
        ["window_desk"],
      );
      assert.equal(await server.trash.list(), []);
      await refill(server);
    },
  ],
  [
    "what a search finds is deleted past the trash, of other times and hosts too once these are counted",
    "#/search/year/2023?f=thesis&host=desk",
    async ({ page, server }) => {
      const dialog = page.getByRole("dialog");
      const doIt = dialog.getByRole("button", { name: /^Delete/ });
      await page.getByRole("button", { name: "Delete…" }).click();
      await dialog.getByText("No stored events match the filter.").waitFor();
      assert.ok(await doIt.isDisabled());
      await dialog.getByLabel("All time, not only 2023").check();
      await dialog.getByRole("button", { name: "Delete 2 events" }).waitFor();
      const gate = door();
      await page.route("**/api/0/events/delete", (call) => gate.opened.then(() => call.continue()));
      await dialog.getByLabel("All devices, not only desk").check();
      await dialog.getByText("Counting…").waitFor();
      assert.ok(await doIt.isDisabled(), "not before it is counted");
      gate.open();
      await dialog.getByRole("button", { name: "Delete 4 events" }).waitFor();
      await dialog.getByLabel(FOR_GOOD).check();
      await settled(page);
      await accessibleToo(page);
      await dialog.getByRole("button", { name: "Delete 4 events permanently" }).click();
      await page.getByText("Permanently deleted 4 events").waitFor();
      await settled(page);
      assert.is(await page.getByRole("button", { name: "Undo" }).count(), 0);
      assert.equal(await server.trash.list(), []);
      assert.is(await server.events.count("window_desk"), 2);
      await page.unrouteAll({ behavior: "wait" });
      await refill(server);
    },
  ],
  [
    "an entry of the trash is deleted for good, and the trash is emptied",
    "#/settings",
    async ({ page, server, goto }) => {
      await server.buckets.delete("window_laptop");
      await server.events.deleteMatching("window_desk", { filter: ["title=thesis"] });
      await server.events.deleteMatching("window_desk", { filter: ["title=letter"] });
      await goto("#/trash");
      const left = async (): Promise<number> => (await server.trash.list()).length;
      const dialog = page.getByRole("dialog");
      await page.getByText(/^3 entries/).waitFor();
      await page.getByRole("button", { name: /^Delete permanently: 4 events in window_laptop/ }).click();
      await dialog.getByText("You cannot restore it.").waitFor();
      await dialog.getByRole("button", { name: "Cancel" }).click();
      assert.is(await left(), 3);
      await page.getByRole("button", { name: /^Delete permanently: 4 events in window_laptop/ }).click();
      await dialog.getByRole("button", { name: "Delete permanently" }).click();
      await page.getByText(/^2 entries/).waitFor();
      assert.equal(
        (await server.trash.list()).map(({ buckets }) => buckets.map(({ bucketId }) => bucketId)),
        [["window_desk"], ["window_desk"]],
      );
      await page.getByRole("button", { name: "Empty trash…" }).click();
      await settled(page);
      await accessibleToo(page);
      await dialog.getByRole("button", { name: "Delete permanently" }).click();
      await page.getByText("The trash is empty.").waitFor();
      assert.is(await left(), 0);
      assert.ok(await page.getByRole("button", { name: "Empty trash…" }).isDisabled());
      await refill(server);
    },
  ],
  [
    "an undo ends when what it would restore was deleted for good",
    TIMELINE,
    async ({ page, server, goto, faults }) => {
      const dialog = page.getByRole("dialog");
      const undo = page.getByRole("button", { name: "Undo" });
      const count = async (): Promise<number> =>
        (await server.events.count("window_desk")) + (await server.events.count("window_laptop"));
      await page.getByRole("application").focus();
      await page.keyboard.press("Enter");
      await page.locator(".tl-pinned").getByRole("button", { name: "Delete…" }).click();
      await dialog.getByText(/^Editor · (thesis|letter)$/).waitFor();
      await dialog.getByText(/ · window_(desk|laptop)$/).waitFor();
      assert.is(await page.getByRole("tooltip").count(), 0);
      await dialog.getByRole("button", { name: "Delete", exact: true }).click();
      await undo.waitFor();
      await goto("#/trash");
      await page.getByText(/^1 entry/).waitFor();
      assert.is(await undo.count(), 1, "it can still be undone");
      await page.getByRole("button", { name: "Empty trash…" }).click();
      await dialog.getByRole("button", { name: "Delete permanently" }).click();
      await page.getByText("The trash is empty.").waitFor();
      await undo.waitFor({ state: "detached" });
      assert.is(await count(), 7);
      // Somebody else empties it.
      await goto("#/buckets/window_laptop");
      await page
        .getByRole("button", { name: /^Delete .*2024/ })
        .first()
        .click();
      await dialog.getByRole("button", { name: "Delete", exact: true }).click();
      await undo.waitFor();
      await server.trash.empty();
      await undo.click();
      await page.getByText("It is no longer in the trash").waitFor();
      assert.is(await undo.count(), 0);
      assert.is(await count(), 6);
      dropFaults({ faults }, /status of 404/);
    },
  ],
]);

/** Deletes the newest event of a bucket that is shown. */
async function deleteNewest({ page }: Web, told = "Event deleted"): Promise<void> {
  const dialog = page.getByRole("dialog");
  await page
    .getByRole("button", { name: /^Delete .*2024/ })
    .first()
    .click();
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText(told).waitFor();
  await settled(page);
}

details("an undo restores what was deleted, also for who is shown no trash", () => {
  const authorize: Authorize = ({ route }) => (route === "/api/0/trash" ? deny() : allow());
  const options = { fill: FILL, hash: "#/buckets/window_desk", server: { clock: NOW, authorize } };
  return withWeb(options, async (web) => {
    const { page, server } = web;
    const before = await server.events.read("window_desk").toArray();
    await deleteNewest(web);
    assert.is(await server.events.count("window_desk"), 3);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone").waitFor();
    assert.equal(await server.events.read("window_desk").toArray(), before, "with the id that it had");
    await page.getByRole("button", { name: "Delete bucket" }).click();
    await page.getByRole("dialog").getByRole("textbox").fill("window_desk");
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("Moved to trash: window_desk").waitFor();
    // Its watcher goes on.
    await server.buckets.create("window_desk", { type: "currentwindow", client: "watcher", hostname: "desk" });
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone").waitFor();
    await settled(page);
    assert.is((await server.events.read("window_desk").toArray()).length, before.length);
    assert.equal(await server.trash.list(), []);
  });
});

details("where nothing goes to the trash no undo is offered", () => {
  const options = { fill: FILL, hash: "#/buckets/window_desk", server: { clock: NOW, trashDays: 0 } };
  return withWeb(options, async (web) => {
    await deleteNewest(web, "Event permanently deleted");
    assert.is(await web.page.getByRole("button", { name: "Undo" }).count(), 0);
    assert.is(await web.server.events.count("window_desk"), 3);
  });
});

test.run();
