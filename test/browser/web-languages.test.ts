// long: 300 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createTestServer } from "../../src/testing/index.js";
import { detailsOf } from "../faults/sizes.js";
import { dropFaults } from "./watch.js";
import { accessibleToo, inOneVisit, settled, withWeb } from "./web-page.js";

const test = suite("languages of the dashboard in Chromium");
const details = detailsOf(test);

test("Hebrew is chosen without a reload, runs from right to left, and is kept", () =>
  withWeb({ hash: "#/settings", width: 390 }, async ({ page, server }) => {
    await page.getByLabel("Language").selectOption("he");
    await page.getByRole("heading", { name: "הגדרות" }).waitFor();
    await settled(page);
    assert.is(await server.settings.get("language"), "he");
    const root = page.locator("html");
    assert.equal([await root.getAttribute("lang"), await root.getAttribute("dir")], ["he", "rtl"]);
    const [title, place] = await Promise.all([
      page.getByRole("heading", { level: 1 }).evaluate((one) => getComputedStyle(one).textAlign),
      page.locator(".brand").boundingBox(),
    ]);
    assert.match(title, /start|right/);
    assert.ok((place?.x ?? 0) > 195, "the name stands at the right");
    await accessibleToo(page);
    await page.reload();
    await page.getByRole("heading", { name: "הגדרות" }).waitFor();
  }));

// test/web/kept-texts.test.ts finds texts that are kept.
details("what was said before another language was chosen is said in that one", () =>
  withWeb({ hash: "#/settings" }, async ({ page }) => {
    await page.getByLabel("Theme").selectOption("dark");
    await page.getByText("Saved", { exact: true }).waitFor();
    await page.getByLabel("Time zone").fill("Nowhere");
    await page.getByLabel("Time zone").press("Tab");
    await page.getByText("Nowhere").waitFor();
    await page.getByLabel("Language").selectOption("de");
    await page.getByRole("heading", { name: "Einstellungen" }).waitFor();
    await settled(page);
    assert.equal(await page.getByRole("status").filter({ hasText: /./ }).allTextContents(), [
      ...["Gespeichert", "Gespeichert"],
    ]);
    await page.getByText("Unbekannte Zeitzone „Nowhere“").waitFor();
  }),
);

inOneVisit(test, { context: { locale: "de-DE" }, smokes: 1 }, [
  [
    "the page speaks the language of the browser, from the first text on",
    "#/settings",
    async ({ page }) => {
      await page.getByRole("heading", { name: "Einstellungen" }).waitFor();
      assert.is(await page.locator("html").getAttribute("lang"), "de");
      assert.is(await page.getByRole("link", { name: "Zeitachse" }).count(), 1);
      assert.is(await page.title(), "Einstellungen · activity-server");
      await accessibleToo(page);
    },
  ],
  [
    "what the server refuses is said in the language of the page",
    "#/query?q=RETURN%20%3D%20%3B",
    async ({ page, goto, faults }) => {
      const alert = page.getByRole("alert");
      await alert.getByText("Zeile 1, Spalte 10: ';' ist hier nicht erlaubt.").waitFor();
      await goto("#/buckets/nowhere");
      await page.getByText("Den Bucket nowhere gibt es nicht.").waitFor();
      await goto("#/settings");
      await page.getByLabel("Immer aktiv").fill("(Zoom");
      await page.getByLabel("Immer aktiv").press("Tab");
      await page.getByText("Zu dieser ( fehlt die schließende ) (Zeichen 1 des Musters).").waitFor();
      await goto("#/privacy");
      await page.getByRole("button", { name: "Regel hinzufügen" }).click();
      await page.getByRole("textbox", { name: "Muster" }).fill("a{2,1}");
      await page.getByText(/Die Anzahlen dieser Wiederholung stehen in der falschen Reihenfolge/).waitFor();
      await goto("#/buckets");
      await page.locator("input[type=file]").setInputFiles({
        ...{ name: "number.json", mimeType: "application/json", buffer: Buffer.from('{"bucket": 1}') },
      });
      await alert.getByText("Das Dokument muss so aussehen").waitFor();
      await goto("#/sign-in/used");
      await page.getByText("Dieser Link wurde schon verwendet oder ist älter als eine Minute.").waitFor();
      // The server was started anew, with a key.
      const closed = createTestServer({ apiKey: "s3cret" });
      const refusal = await closed.fetch("/api/0/buckets/nowhere");
      const body = await refusal.text();
      await closed.close();
      await page.route("**/api/0/buckets/nowhere", (call) => call.fulfill({ status: refusal.status, body }));
      await goto("#/buckets/nowhere");
      await page.getByText("Der Server verlangt einen API-Schlüssel.").waitFor();
      dropFaults({ faults }, /status of 40[014]/);
    },
  ],
]);

test.run();
