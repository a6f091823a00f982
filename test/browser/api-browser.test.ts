// long: 300 s
// The API browser in a real Chromium.
import type { Page } from "playwright-core";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Storage } from "../../src/index.js";
import { until } from "../adapters/until.js";
import { detailsOf, IS_LONG } from "../faults/sizes.js";
import { withServer } from "../harness.js";
import { authorize, describedOperations, openApiPage, operation, shownOperations, showOnly } from "./api-page.js";
import { type Chromium, overflowOf, startChromium } from "./chromium.js";
import type { Visit } from "./watch.js";

const test = suite("the API browser in Chromium");
const details = detailsOf(test);

/** Most that the page may cost before the document comes, in bytes. */
const MAX_PAGE_BYTES = 500_000;

/** Creates a bucket by clicking, in the long tests a heartbeat as well, and looks whether they have arrived. */
async function reportByHand({ page }: Visit, storage: Storage): Promise<void> {
  const create = operation(page, "buckets", "createBucket");
  await create.tryItOut();
  await create.fill("bucketId", "by hand/ü");
  await create.fillBody({ client: "hand", type: "app", hostname: "box" });
  assert.is(await create.execute(), 200);
  assert.is((await storage.getBucket("by hand/ü"))?.client, "hand");
  if (!IS_LONG) return;
  const beat = operation(page, "heartbeats", "heartbeat");
  await beat.tryItOut();
  await beat.fill("bucketId", "by hand/ü");
  await beat.fill("pulsetime", "60");
  await beat.fillBody({ timestamp: "2024-03-01T10:00:00Z", duration: 5, data: { app: "made by hand" } });
  assert.is(await beat.execute(), 200);
  const events: unknown[] = [];
  for await (const batch of (await storage.read("by hand/ü")).batches) {
    for (const { duration, data } of batch.events()) events.push({ duration, data });
  }
  assert.equal(events, [{ duration: 5_000_000, data: { app: "made by hand" } }]);
}

/** From 0 to 255, of the first element that a selector finds. */
async function brightnessOf(page: Page, selector: string, property: "color" | "backgroundColor"): Promise<number> {
  const element = page.locator(selector).first();
  const color = await element.evaluate((found, name) => getComputedStyle(found)[name], property);
  const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map(Number);
  return (red + green + blue) / 3;
}

/** Waits until the page has the colours that its reader likes. */
async function follows(page: Page, colorScheme: "dark" | "light"): Promise<void> {
  await page.emulateMedia({ colorScheme });
  const isThere = async (): Promise<boolean> => {
    const ground = await brightnessOf(page, "body", "backgroundColor");
    const text = await brightnessOf(page, ".title", "color");
    return colorScheme === "dark" ? ground < 50 && text > 200 : ground > 240 && text < 80;
  };
  // The page does not change all of its colours in the same moment.
  await until(isThere, () => colorScheme);
}

function assertQuiet({ outside, faults }: Visit): void {
  assert.equal(outside, [], "requests to the outside");
  assert.equal(faults, [], "faults in the page");
}

/** A test in which nothing of this is seen says something: what a page asks outside, does against its policy or fails in. */
async function wouldBeSeen({ page, outside, faults }: Visit, port: number): Promise<void> {
  const load = (url: string) => fetch(url).then(String, String);
  assert.match(await page.evaluate(load, "https://example.com/a"), /TypeError/);
  await page.evaluate(() => document.body.insertAdjacentHTML("beforeend", "<p style='color: red'>"));
  await page.evaluate(() => void setTimeout(() => JSON.parse("["), 0));
  for (const expected of [/policy: connect-src https:\/\/example\.com\/a/, /policy: style-src-attr/, /SyntaxError/]) {
    await until(
      () => faults.some((fault) => expected.test(fault)),
      () => String(expected),
    );
  }
  assert.equal(outside, [], "the policy keeps it from being asked for at all");
  // A page without a policy.
  await page.goto(`http://127.0.0.1:${port}/api/0/info`);
  assert.match(await page.evaluate(load, "https://example.com/b"), /TypeError/);
  assert.equal(outside, ["https://example.com/b"]);
}

function pageTests({ visit }: Chromium): void {
  test("it shows every operation of the document, and loads nothing but its own files", () =>
    withServer({}, ({ port, storage }) =>
      visit({}, async (visited) => {
        const { page, received } = visited;
        const origin = `http://127.0.0.1:${port}`;
        await openApiPage(page, `${origin}/api`);
        assert.is(page.url(), `${origin}/api/`);
        const responses = await received();
        const loaded = responses.map(({ url }) => url.replace(origin, "").replace(/\.[0-9a-f]{16}\./, "."));
        assert.equal(loaded.sort(), [
          "/api",
          ...["page.css", "start.js", "swagger-ui-bundle.js", "swagger-ui.css"].map((name) => `/api/assets/${name}`),
          "/api/openapi.json",
        ]);
        const pageBytes = responses
          .filter(({ url }) => !url.endsWith("openapi.json"))
          .reduce((sum, { bodyBytes }) => sum + bodyBytes, 0);
        assert.ok(pageBytes < MAX_PAGE_BYTES, `${pageBytes} bytes`);
        const described = await describedOperations(page);
        assert.ok(described.length > 15);
        assert.equal((await shownOperations(page)).sort(), described.sort());
        if (IS_LONG) await reportByHand(visited, storage);
        assertQuiet(visited);
        await wouldBeSeen(visited, port);
      }),
    ));

  details(
    "with a key it shows itself without, and really sends, with the key that it is given, which it keeps nowhere",
    () =>
      withServer({ apiKey: "s3cret key" }, ({ port, storage }) =>
        visit({ viewport: { width: 390, height: 900 } }, async (visited) => {
          const { page, faults } = visited;
          if (!IS_LONG) await showOnly(page, "/api/0/buckets", "/api/0/buckets/{bucketId}");
          await openApiPage(page, `http://127.0.0.1:${port}/api/`);
          const list = operation(page, "buckets", "listBuckets");
          await list.tryItOut();
          assert.is(await list.execute(), 401);
          // Chromium itself tells the console about answers of 400 and more.
          assert.match(faults.splice(0).join("\n"), /^error: Failed to load resource: .* 401 \(Unauthorized\)$/);
          await authorize(page, "s3cret key");
          assert.is(await list.execute(), 200);
          assert.is(await overflowOf(page), 0);
          await reportByHand(visited, storage);
          const stored = () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]);
          assert.is(await page.evaluate(stored), '[{},{},""]');
          assertQuiet(visited);
        }),
      ),
  );

  details("who is signed in at the dashboard needs no key in it", () =>
    withServer({ auth: "required" }, ({ port, server }) =>
      visit({}, async (visited) => {
        const { page } = visited;
        const { token } = await server.sessions.createLink();
        await page.goto(`http://127.0.0.1:${port}/#/sign-in/${token}`);
        await page.getByRole("button", { name: "Sign out", exact: true }).waitFor();
        await openApiPage(page, `http://127.0.0.1:${port}/api/`);
        const list = operation(page, "buckets", "listBuckets");
        await list.tryItOut();
        assert.is(await list.execute(), 200);
        assertQuiet(visited);
      }),
    ),
  );

  details(
    "it is light or dark as the reader likes it, a link leads to an operation, the filter leaves what it names",
    () =>
      withServer({}, ({ port }) =>
        visit({ colorScheme: "dark" }, async (visited) => {
          const { page } = visited;
          await openApiPage(page, `http://127.0.0.1:${port}/api/#/heartbeats/heartbeat`);
          await page.locator("#operations-heartbeats-heartbeat.is-open").waitFor();
          for (const colorScheme of ["dark", "light", "dark"] as const) await follows(page, colorScheme);
          await operation(page, "buckets", "createBucket").box.locator(".opblock-summary-control").click();
          assert.is(new URL(page.url()).hash, "#/buckets/createBucket");
          await page.locator(".operation-filter-input").fill("settings");
          await page.locator("#operations-heartbeats-heartbeat").waitFor({ state: "detached" });
          const left = await shownOperations(page);
          assert.ok(left.length > 0);
          for (const name of left) assert.match(name, /settings/);
          assertQuiet(visited);
        }),
      ),
  );
}

const chromium = await startChromium();
if (chromium === undefined) test("left out, since there is no browser", () => assert.is(process.env["CI"], undefined));
else pageTests(chromium);

test.run();
