// The dashboard in a real browser, over a server of its own. Uses the build in dist (`node scripts/web.mjs`), which the
// runner makes.
import fs from "node:fs";
import { createRequire } from "node:module";
import type { BrowserContextOptions, Page } from "playwright-core";
import type { uvu } from "uvu";
import * as assert from "uvu/assert";
import {
  createTestServer,
  type Filling,
  realisticDay,
  type TestServer,
  type TestServerOptions,
} from "../../src/testing/index.js";
import { sampleOf } from "../faults/sizes.js";
import { type Chromium, screenshot, startChromium, type Visit } from "./chromium.js";

/** The day that pages show unless a test says otherwise, in the zone of its browser. */
export const DAY = "2024-03-01";
export const ZONE = "Europe/Berlin";
/** Now, for the page: the evening of that day. */
export const NOW: string = `${DAY}T17:30:00Z`;
export const HOST = "desk";

/** How a page is visited. */
export interface WebOptions {
  /** What the server holds; `[]` for nothing. @default one realistic day of the host `desk` */
  readonly fill?: Filling;
  readonly server?: TestServerOptions;
  /** In CSS pixels. @default 1400 */
  readonly width?: number;
  /** In CSS pixels. @default 900 */
  readonly height?: number;
  /** @default false */
  readonly dark?: boolean;
  /** Where the visit begins. @default "#/" */
  readonly hash?: string;
  /** Below which the server is mounted, such as `/tracker/`. @default "/" */
  readonly path?: string;
  /** What the page takes for now; timers run all the same. @default NOW */
  readonly now?: string;
  /** More for the browser. */
  readonly context?: BrowserContextOptions;
}

/** A dashboard that is open. */
export interface Web extends Visit {
  readonly server: TestServer;
  readonly port: number;
  /** Where the dashboard is, with a slash at its end. */
  readonly url: string;
  /** Goes to a view by its address, as a bookmark would, and waits until the page shows it. */
  goto(hash: string): Promise<void>;
  /** Takes a picture of the whole page, under a name without extension, and demands that nothing sticks out. */
  picture(name: string): Promise<void>;
}

/** Widths in which pages are looked at, in CSS pixels, and whether in dark colours. */
export const VIEWPORTS: readonly (readonly [width: number, dark: boolean])[] = sampleOf(
  [
    [390, true],
    [768, false],
    [1400, true],
    [2560, false],
  ] as const,
  4,
);

let browser: Promise<Chromium | undefined> | undefined;

/**
 * Runs a body with a dashboard in the browser. At the end there must have been no request to the outside, no error or
 * warning in the console, no breach of the policy, and nothing may stick out at the right. Where there is no browser
 * the body is left out.
 */
export async function withWeb(options: WebOptions, body: (web: Web) => Promise<void>): Promise<void> {
  browser ??= startChromium();
  const chromium = await browser;
  if (chromium === undefined) return;
  const { width = 1400, height = 900, dark = false, hash = "#/", path = "/", now = NOW } = options;
  const server = createTestServer({ hostname: HOST, testing: false, ...options.server });
  await server.load(options.fill ?? realisticDay({ date: DAY, timezone: ZONE, hostname: HOST }));
  const { port } = await server.listen();
  const url = `http://127.0.0.1:${port}${path}`;
  const context: BrowserContextOptions = {
    ...{ viewport: { width, height }, colorScheme: dark ? "dark" : "light", timezoneId: ZONE, locale: "en-US" },
    ...options.context,
  };
  try {
    await chromium.visit(context, async (visit) => {
      const { page } = visit;
      await page.clock.setFixedTime(now);
      const web: Web = {
        ...{ ...visit, server, port, url },
        async goto(to) {
          await page.goto(`${url}${to}`);
          await page.locator("main > *").first().waitFor();
          await settled(page);
        },
        async picture(name) {
          await screenshot(page, name);
          await staysWithin(page, `${name}: `);
        },
      };
      await web.goto(hash);
      await body(web);
      await settled(page);
      await staysWithin(page);
      assert.equal(visit.outside, [], "requests to the outside");
      assert.equal(visit.faults, [], "faults in the page");
    });
  } finally {
    await server.close();
  }
}

/** Demands that the page is no wider than the window without its scroll bar. */
async function staysWithin(page: Page, what = ""): Promise<void> {
  const sticksOut = await page.evaluate(() => {
    const { clientWidth } = document.documentElement;
    // The innermost of those that do; what scrolls by itself may be as wide as it likes.
    const wide = [...document.body.querySelectorAll("*")].filter(
      (one) => one.getBoundingClientRect().right > clientWidth + 0.5 && one.closest(".scroll, pre, .unseen") === null,
    );
    const isWide = document.documentElement.scrollWidth > clientWidth;
    return isWide ? wide.slice(-3).map(({ outerHTML }) => outerHTML.slice(0, 200)) : undefined;
  });
  assert.is(sticksOut, undefined, `${what}the page can be moved sideways: ${sticksOut?.join("\n")}`);
}

/** Waits until nothing of the page is still being loaded. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
  await page.locator(".busy").first().waitFor({ state: "detached" });
}

const AXE: string = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

/** Rows of a table are made alike, so those behind the first ones are left out: a hundred take seconds. */
const ALIKE = "tbody tr:nth-child(n + 9)";

/** Demands that axe-core finds nothing in what the page shows now. */
export async function accessible(page: Page): Promise<void> {
  // By the debugger, so the policy of the page has no say.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const found = await page.evaluate(async (alike): Promise<string[]> => {
    const { axe } = window as unknown as { axe: { run(where: object, options: object): Promise<AxeResult> } };
    const { violations } = await axe.run({ exclude: [[alike]] }, { resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 300)}`));
  }, ALIKE);
  assert.equal(found, [], "what axe-core finds");
}

/** Runs a suite of tests that use `withWeb`, and ends the browser behind them. Takes the place of `test.run()`. */
export function runWeb(test: uvu.Test<unknown>): void {
  test("the browser ends", async () => {
    await (await browser)?.close();
    browser = undefined;
  });
  test.run();
}
