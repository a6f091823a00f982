// long: 300 s
// The dashboard within an app: with the app's policy, its name, its frame.
import type { IncomingMessage, ServerResponse } from "node:http";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { DashboardOptions } from "../../src/index.js";
import { detailsOf, IS_LONG, sampleOf } from "../faults/sizes.js";
import { onPort, withServer } from "../harness.js";
import { startChromium } from "./chromium.js";
import type { Visit } from "./watch.js";
import { menuLink } from "./web-page.js";

const test = suite("the dashboard within an app");
const details = detailsOf(test);

/** What `helmet` and others send at most with pages; they add it to the policy of the page. */
const STRICT = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join("; ");

const browser = await startChromium();

interface App {
  readonly page: Visit["page"];
  readonly faults: Visit["faults"];
  /** The address of the app. */
  readonly url: string;
}

/** A response that gets the policy of the app beside its own. */
function withPolicy(response: ServerResponse): ServerResponse {
  const { writeHead } = response;
  const name = "content-security-policy";
  const write = (status: number, text: string, headers: Readonly<Record<string, string>>): ServerResponse =>
    Reflect.apply(writeHead, response, [status, text, { ...headers, [name]: `${headers[name]}, ${STRICT}` }]);
  return Object.assign(response, { writeHead: write });
}

/** Opens a page of an app that has a server below `/tracker` and adds its policy to each response. */
async function inApp(dashboard: DashboardOptions, body: (app: App) => Promise<void>): Promise<void> {
  await withServer({ door: "process", basePath: "/tracker", dashboard }, async ({ server }) => {
    const app = (request: IncomingMessage, response: ServerResponse): unknown => {
      if (request.url?.startsWith("/tracker")) return server.nodeHandler(request, withPolicy(response));
      response.setHeader("content-type", "text/html");
      return response.end(
        '<!doctype html><link rel="icon" href="data:,"><iframe src="/tracker/" width="1200"></iframe>',
      );
    };
    await onPort(app, async ({ port }) => {
      const url = `http://127.0.0.1:${port}`;
      await browser?.visit({ viewport: { width: 1400, height: 900 } }, ({ page, faults }) =>
        body({ page, faults, url }),
      );
    });
  });
}

if (browser !== undefined) {
  for (const address of sampleOf(["/tracker", "/tracker/", "/tracker#/timeline"], 3)) {
    test(`a strict policy of the app leaves ${address} whole`, () =>
      inApp({}, async ({ page, faults, url }) => {
        await page.goto(`${url}${address}`);
        await page.getByRole("link", { name: "Timeline", exact: true }).waitFor();
        await (await menuLink(page, "Settings")).click();
        await page.getByRole("heading", { name: "Settings" }).waitFor();
        assert.is(new URL(page.url()).pathname, "/tracker/");
        if (IS_LONG && address === "/tracker") {
          await page.goto(`${url}/tracker/api`);
          await page.getByText("/api/0/buckets", { exact: true }).first().waitFor();
        }
        assert.equal(faults, []);
      }));
  }

  details("where the app shortens the path, the page finds its files with a slash and without", async () => {
    await withServer({ door: "process" }, async ({ server }) => {
      const app = (request: IncomingMessage, response: ServerResponse): unknown => {
        if (!request.url?.startsWith("/tracker")) return response.writeHead(404).end();
        request.url = request.url.slice("/tracker".length) || "/";
        return server.nodeHandler(request, response);
      };
      await onPort(app, async ({ port }) => {
        for (const address of ["/tracker", "/tracker/"]) {
          await browser?.visit({}, async ({ page }) => {
            await page.goto(`http://127.0.0.1:${port}${address}`);
            await (await menuLink(page, "Settings")).click();
            await page.getByRole("heading", { name: "Settings" }).waitFor();
            assert.is(new URL(page.url()).pathname, "/tracker/");
          });
        }
      });
    });
  });

  test("it has the app's name, language and link, and only the views that the app shows", () =>
    inApp(
      {
        title: 'Zeit & "mehr" <b>',
        back: { href: "/", label: "Zur App" },
        hiddenViews: ["query", "access", "buckets", "api"],
        language: "de",
      },
      async ({ page, faults, url }) => {
        await page.goto(`${url}/tracker`);
        await page.getByRole("link", { name: "Zur App" }).waitFor();
        await page.locator(".gear summary").click();
        const links = await page.locator("header a").allTextContents();
        assert.equal(links.slice(0, 2), ["Zur App", 'Zeit & "mehr" <b>']);
        for (const hidden of ["Abfrage", "Zugang", "API"]) assert.not.ok(links.includes(hidden), hidden);
        assert.match(await page.title(), /Zeit & "mehr" <b>$/);
        assert.is(await page.locator("html").getAttribute("lang"), "de");
        await page.getByRole("navigation").getByRole("link", { name: "Daten", exact: true }).click();
        assert.is(await page.locator(".tabs a").first().getAttribute("href"), "#/privacy");
        await page.getByRole("link", { name: "Zur App" }).click();
        await page.waitForURL(`${url}/`);
        assert.equal(
          faults.filter((fault) => !/frame/i.test(fault)),
          [],
        );
      },
    ));

  details("a page of the app shows it in a frame, if the app says so", async () => {
    await inApp({ frameAncestors: ["self"] }, async ({ page, faults, url }) => {
      await page.goto(url);
      await page.frameLocator("iframe").getByRole("link", { name: "Timeline", exact: true }).waitFor();
      assert.equal(faults, []);
    });
    await inApp({}, async ({ page, faults, url }) => {
      await page.goto(url, { waitUntil: "load" });
      assert.match(faults.join(), /frame-ancestors/);
      assert.is(await page.frameLocator("iframe").getByRole("link", { name: "Timeline" }).count(), 0);
      faults.length = 0;
    });
  });
}

test.run();
