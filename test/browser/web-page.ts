// The dashboard in a real browser, over a server of its own. Uses the build in dist (`node scripts/web.mjs`), which the
// runner makes.
import fs from "node:fs";
import { createRequire } from "node:module";
import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import type { uvu } from "uvu";
import * as assert from "uvu/assert";
import { type Filling, realisticDay, type TestServer, type TestServerOptions } from "../../src/testing/index.js";
import { IS_LONG } from "../faults/sizes.js";
import { withTestServer } from "../harness.js";
import { REWORD_ANSWERS } from "../reworded.js";
import { screenshot, startChromium } from "./chromium.js";
import type { Visit } from "./watch.js";

/** The day that pages show unless a test says otherwise, in the zone of its browser. */
export const DAY = "2024-03-01";
export const ZONE = "Europe/Berlin";
/** Now, for the page: the evening of that day. */
export const NOW: string = `${DAY}T17:30:00Z`;
/** Later in the same night, when the day that is shown has all its events behind it. */
export const NIGHT = "2024-03-02T02:00:00Z";
export const HOST = "desk";

/** How a page is visited. */
export interface WebOptions {
  /** What the server holds; `[]` for nothing. @default one realistic day of the host `desk` */
  readonly fill?: Filling;
  readonly server?: TestServerOptions;
  /** Does more to the server before the page is opened. */
  readonly prepare?: (server: TestServer) => Promise<unknown>;
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
  /** Whether the page loads the code of other views ahead, as it does for users; in a new profile. @default false */
  readonly loadsAhead?: boolean;
  /** More for the browser; in a new profile. */
  readonly context?: BrowserContextOptions;
  /** A block that every document of the server runs before its own scripts; in a new profile. */
  readonly script?: string;
  /** The key that the page is given by its first address, as a desktop shell does. */
  readonly key?: string;
}

/** A dashboard that is open. */
export interface Web extends Visit {
  readonly server: TestServer;
  readonly port: number;
  /** Where the dashboard is, with a slash at its end. */
  readonly url: string;
  /** Goes to a view by its address, as a bookmark would, and waits until the page shows it. */
  goto(hash: string): Promise<void>;
  /** The same in a new document. */
  load(hash: string): Promise<void>;
  /** Takes a picture of the whole page, under a name without extension, and demands that nothing sticks out. */
  picture(name: string): Promise<void>;
}

const PROFILE: BrowserContextOptions = { timezoneId: ZONE, locale: "en-US" };

let lastPort = 0;

/** Listens where the server before did: to the browser it is the same one, of which it has loaded all files. */
async function listenAgain(server: TestServer): Promise<number> {
  const { port } = await server.listen({ port: lastPort }).catch(() => server.listen());
  lastPort = port;
  return port;
}

/**
 * Runs a body with a dashboard in the browser. At the end there must have been no request to the outside, no error or
 * warning in the console, no breach of the policy, and nothing may stick out at the right. Where there is no browser
 * the body is left out.
 */
export async function withWeb(options: WebOptions, body: (web: Web) => Promise<void>): Promise<void> {
  const chromium = await startChromium();
  if (chromium === undefined) return;
  const { width = 1400, height = 900, dark = false, hash = "#/", path = "/", now = NOW } = options;
  await withTestServer({ hostname: HOST, testing: false, clock: now, ...options.server }, async (server) => {
    await server.load(options.fill ?? realisticDay({ date: DAY, timezone: ZONE, hostname: HOST }));
    await options.prepare?.(server);
    const port = await listenAgain(server);
    const url = `http://127.0.0.1:${port}${path}`;
    const look = { viewport: { width, height }, colorScheme: dark ? "dark" : "light" } as const;
    const inProfile = (visit: (visit: Visit) => Promise<void>): Promise<void> =>
      !(options.loadsAhead || options.context || options.script)
        ? chromium.visitKept({ ...look, profile: PROFILE }, visit)
        : chromium.visit({ ...PROFILE, ...look, ...options.context }, visit);
    await inProfile(async (visit) => {
      const { page } = visit;
      await page.clock.setFixedTime(now);
      // Behind the clock, which has timers of its own.
      if (!visits.has(page)) {
        await page.addInitScript({ content: options.loadsAhead ? NOTE_WORK : NOTE_WORK + LOAD_NOTHING_AHEAD });
      }
      visits.set(page, visit);
      if (options.script) {
        await page.addInitScript({ content: `if (location.protocol === "http:") ${options.script}` });
      }
      const web: Web = {
        ...{ ...visit, server, port, url },
        async goto(to) {
          await page.goto(`${url}${to}`);
          await page.locator("main > *").first().waitFor();
          await settled(page);
        },
        async load(to) {
          await page.goto("about:blank");
          await web.goto(to);
        },
        async picture(name) {
          await screenshot(page, name);
          await staysWithin(page, `${name}: `);
        },
      };
      const token = options.key === undefined ? "" : `token=${encodeURIComponent(options.key)}`;
      await web.goto(token === "" ? hash : `${hash}${hash.includes("?") ? "&" : "?"}${token}`);
      await body(web);
      await settled(page);
      await staysWithin(page);
      assert.equal(visit.outside, [], "requests to the outside");
      assert.equal(visit.faults, [], "faults in the page");
    });
  });
}

/** A test that leaves page and server as those behind it need them. */
export type Part = readonly [name: string, hash: string, body: (web: Web) => Promise<void>];

/** How parts are visited. */
export interface PartsOptions extends WebOptions {
  /** How many of them the short tests do, from the first one. @default all */
  readonly smokes?: number;
}

/**
 * Adds tests that begin at a view each: in the long tests every one visits a page of its own, in the short ones they are
 * one test, since to load a page costs more than most of what is done in it.
 */
export function inOneVisit(test: uvu.Test<unknown>, options: PartsOptions, parts: readonly Part[]): void {
  const visits = IS_LONG ? parts.map((part) => [part]) : [parts.slice(0, options.smokes)];
  for (const visit of visits) {
    test(visit.map(([name]) => name).join("; "), () =>
      withWeb({ ...options, hash: visit[0]?.[1] ?? "#/" }, async (web) => {
        for (const [index, [, hash, body]] of visit.entries()) {
          if (index > 0) await web.goto(hash);
          await body(web);
        }
      }),
    );
  }
}

/** A link of the menu, after opening the gear's menu if it is there. */
export async function menuLink(page: Page, name: string): Promise<Locator> {
  const linkIn = (menu: string): Locator =>
    page.getByRole("navigation", { name: menu, exact: true }).getByRole("link", { name, exact: true });
  if ((await linkIn("Views").count()) > 0) return linkIn("Views");
  const gear = page.locator(".gear");
  if ((await gear.getAttribute("open")) === null) await gear.locator("summary").click();
  await linkIn("Settings and more").waitFor();
  return linkIn("Settings and more");
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

/** Whether all of something is in the window, sideways, and some of it up and down. */
export async function isInSight(one: Locator): Promise<boolean> {
  return one.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const { clientWidth, clientHeight } = document.documentElement;
    return left >= 0 && right <= clientWidth && bottom > 0 && top < clientHeight;
  });
}

const visits = new WeakMap<Page, Visit>();

/** What a page has yet to do by itself. */
interface Work {
  readonly timers: ReadonlySet<number>;
  readonly frames: ReadonlySet<number>;
  /** Requests that have no answer yet. */
  asked: number;
  /** How many frames in a row have found nothing, in the last look. */
  calm: number;
  look: number;
}

/** Runs in the page before its scripts, and notes what they begin and have not ended. */
function noteWork(): void {
  // The library of the API browser is never done.
  if (location.pathname.endsWith("/api/")) return;
  const { fetch, setTimeout, clearTimeout, requestAnimationFrame, cancelAnimationFrame } = window;
  // Others are not waited for: the next question after the state of the server, a note that goes away.
  const SOON_MILLIS = 1000;
  const timers = new Set<number>();
  const frames = new Set<number>();
  const work: Work = { timers, frames, asked: 0, calm: 0, look: 0 };
  Object.assign(window, {
    work,
    setTimeout: (run: (...args: unknown[]) => void, millis = 0, ...args: unknown[]): number => {
      const id: number = setTimeout(() => {
        timers.delete(id);
        run(...args);
      }, millis);
      if (millis < SOON_MILLIS) timers.add(id);
      return id;
    },
    clearTimeout: (id?: number): void => {
      timers.delete(id ?? 0);
      clearTimeout(id);
    },
    requestAnimationFrame: (run: FrameRequestCallback): number => {
      const id = requestAnimationFrame((time) => {
        frames.delete(id);
        run(time);
      });
      frames.add(id);
      return id;
    },
    cancelAnimationFrame: (id: number): void => {
      frames.delete(id);
      cancelAnimationFrame(id);
    },
    fetch: (...args: Parameters<typeof fetch>): Promise<Response> => {
      work.asked++;
      return fetch(...args).finally(() => work.asked--);
    },
  });
}

/** Most tests need no code but that of the view they look at. */
const LOAD_NOTHING_AHEAD = "window.requestIdleCallback = () => 0;";

/** As a text: tsx lets functions call one of its own, which the page lacks. */
const NOTE_WORK = `{ const __name = (one) => one; (${noteWork})(); }${REWORD_ANSWERS}`;

/**
 * Whether the page waits for nothing but its user, seen in three frames; called once in each frame.
 *
 * @param look of which these are the frames
 */
function isCalm(look: number): boolean {
  const { work } = window as unknown as { work?: Work };
  if (work !== undefined && work.look !== look) Object.assign(work, { look, calm: 0 });
  if (document.readyState !== "complete" || document.querySelector(".busy") !== null) return false;
  if (work === undefined) return true;
  const isWorking = work.timers.size > 0 || work.frames.size > 0 || work.asked > 0;
  work.calm = isWorking ? 0 : work.calm + 1;
  return work.calm > 2;
}

let looks = 0;

/**
 * Waits until the page has drawn all that it was sent and all that was done to it, and nothing is under way: no
 * request, no short timer. The load state of the browser would not do: it tells only of the first load of a document.
 */
export async function settled(page: Page): Promise<void> {
  const visit = visits.get(page);
  const before = visit?.traffic();
  await page.waitForFunction(isCalm, ++looks);
  await visit?.calm();
  if (visit?.traffic() === before) return;
  // An answer that was still being read, and what the page makes of it.
  await page.waitForFunction(isCalm, ++looks);
}

/** Opens a page and waits until all code was loaded ahead, but that of other languages. */
export async function loadedAhead(page: Page, open: () => Promise<unknown>): Promise<void> {
  // Asked for behind all views, and together with all else that most visits do not need.
  const last = page.waitForResponse((answer) => /\/assets\/empty\./.test(answer.url()));
  await open();
  // Somebody uses the page.
  await page.mouse.move(1, 1);
  await page.mouse.move(2, 2);
  await last;
  await settled(page);
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
  assert.equal(found, [], found.join("\n"));
}

/** The same where `web-all-views` looks at much the same page: only in the long tests. */
export async function accessibleToo(page: Page): Promise<void> {
  if (IS_LONG) await accessible(page);
}
