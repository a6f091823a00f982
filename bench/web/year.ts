// node --import tsx bench/web/year.ts [EVENTS] [RUNS] [VIEW...]: how soon the dashboard shows a day, a week, a month, a
// year, a timesheet of the year and a search over a year of data, in a real Chromium, and the server's CPU for it. Measures
// the build in dist (npm run build): the command in its own process. The first visit of a folder finds no summaries of days.
// After that, the server starts again for each visit.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Page, Request } from "playwright-core";
import { leveldb } from "../../adapters/leveldb/index.js";
import type { Storage } from "../../src/index.js";
import { type Chromium, startChromium } from "../../test/browser/chromium.js";
import { FIRST_DAY, type SampleEvent, sample } from "../data.js";
import { median } from "../measure.js";
import { command, Server } from "../process.js";

const [events = 341_690, runs = 5] = process.argv.slice(2, 4).map(Number);
const wanted = process.argv.slice(4);
const DAYS = 365;
/** Watchers of the computer, and their share of the events. */
const WATCHERS = [
  { id: "aw-watcher-window_desk", type: "currentwindow", share: 0.8 },
  { id: "aw-watcher-afk_desk", type: "afkstatus", share: 0.1 },
  { id: "aw-watcher-web-firefox_desk", type: "web.tab.current", share: 0.06 },
  { id: "aw-watcher-vscode_desk", type: "app.editor.activity", share: 0.04 },
] as const;

/** Pages, and what is there when their totals are drawn. */
const VIEWS: readonly (readonly [name: string, hash: string, drawn: string])[] = [
  ["day", "#/day/2024-06-12", ".activity-total strong time"],
  ["week", "#/week/2024-06-10", ".activity-total strong time"],
  ["month", "#/month/2024-06", ".activity-total strong time"],
  ["year", "#/year/2024", ".activity-total strong time"],
  ["timesheet", "#/timesheet/year/2024", ".sheet-table tfoot td"],
  ["search", "#/search/year/2024?f=invoice", ".search table tbody tr"],
];

/** What a visit came to. */
interface Cost {
  /** Milliseconds from the beginning of the visit until the totals are drawn, and until nothing is under way. */
  readonly drawn: number;
  readonly whole: number;
  /** Milliseconds of CPU of the server until then. */
  readonly drawnCpu: number;
  readonly wholeCpu: number;
  /** Data requests. */
  readonly requests: number;
}

async function fill(storage: Storage): Promise<number> {
  let count = 0;
  const perDay = (share: number): number => Math.round((events * share) / DAYS);
  const { window, idle } = sample({
    ...{ days: DAYS, windowPerDay: perDay(WATCHERS[0].share), idlePerDay: perDay(WATCHERS[1].share) },
    titles: 20_000,
  });
  const pages = sample({ days: DAYS, windowPerDay: perDay(WATCHERS[2].share), idlePerDay: 0, seed: 2 }).window;
  const files = sample({ days: DAYS, windowPerDay: perDay(WATCHERS[3].share), idlePerDay: 0, seed: 3 }).window;
  const lists: readonly (readonly SampleEvent<object>[])[] = [window, idle, pages.map(pageOf), files.map(fileOf)];
  for (const [at, { id, type }] of WATCHERS.entries()) {
    const client = id.replace(/_desk$/, "");
    await storage.createBucket({ id, type, client, hostname: "desk", created: FIRST_DAY, data: {}, name: null });
    const list = (lists[at] ?? []) as readonly SampleEvent[];
    for (let from = 0; from < list.length; from += 10_000) await storage.putEvents(id, list.slice(from, from + 10_000));
    count += list.length;
  }
  return count;
}

function pageOf({ data, ...span }: SampleEvent, index: number): SampleEvent<object> {
  const { title = "" } = data;
  const url = `https://site-${title.length}.example/${encodeURIComponent(title)}`;
  return { ...span, data: { url, title, audible: index % 50 === 0, incognito: false, tabCount: index % 7 } };
}

function fileOf({ data, ...span }: SampleEvent, index: number): SampleEvent<object> {
  const { title = "" } = data;
  return { ...span, data: { file: `/src/${title}.ts`, project: `project ${index % 9}`, language: "typescript" } };
}

/** Notes in the page when something is drawn first. As a text: tsx lets functions call one of its own. */
async function noteDrawn(page: Page, selector: string): Promise<void> {
  const content = `(function look() {
    if (document.querySelector(${JSON.stringify(selector)}) === null) requestAnimationFrame(look);
    else window.drawnAt = performance.now();
  })()`;
  await page.addInitScript({ content });
}

/** All is loaded if no response ended for this long and none is missing, in milliseconds. */
const IDLE_MILLIS = 500;

/** Opens a page, or loads it again. */
async function visit(page: Page, server: Server, open: () => Promise<unknown>): Promise<Cost> {
  const cpuBefore = server.cpu();
  const begun = performance.now();
  let [started, requests, last] = [0, 0, 0];
  // The feed has no end.
  const isData = (request: Request): boolean => /\/api\/0\/(?!feed)/.test(request.url());
  const onStart = (request: Request): void => {
    if (isData(request)) started++;
  };
  const onEnd = (request: Request): void => {
    if (!isData(request)) return;
    requests++;
    last = performance.now() - begun;
  };
  page.on("request", onStart).on("requestfinished", onEnd).on("requestfailed", onEnd);
  await open();
  await page.waitForFunction(() => "drawnAt" in window);
  const drawnCpu = server.cpu() - cpuBefore;
  const drawn = await page.evaluate(() => (window as unknown as { drawnAt: number }).drawnAt);
  while (requests < started || performance.now() - begun < last + IDLE_MILLIS) await page.waitForTimeout(50);
  const whole = Math.max(drawn, last);
  const wholeCpu = server.cpu() - cpuBefore;
  page.off("request", onStart).off("requestfinished", onEnd).off("requestfailed", onEnd);
  return { drawn, whole, drawnCpu: drawnCpu / 1000, wholeCpu: wholeCpu / 1000, requests };
}

type View = (typeof VIEWS)[number];

/** Starts the server, opens the view in a new browser profile, and loads it again. */
async function visits(chromium: Chromium, folder: string, [, hash, selector]: View): Promise<readonly Cost[]> {
  const server = await Server.start(command(folder));
  const context = { viewport: { width: 1400, height: 900 }, timezoneId: "Europe/Berlin", locale: "en-US" };
  const costs: Cost[] = [];
  try {
    await chromium.visit(context, async ({ page }) => {
      await noteDrawn(page, selector);
      costs.push(await visit(page, server, () => page.goto(`http://127.0.0.1:${server.port}/${hash}`)));
      costs.push(await visit(page, server, () => page.reload()));
    });
  } finally {
    await server.stop();
  }
  return costs;
}

async function measure(chromium: Chromium, filled: string, view: View): Promise<void> {
  const folder = `${filled}-${view[0]}`;
  fs.cpSync(filled, folder, { recursive: true });
  try {
    print(`${view[0]}, first of the folder`, (await visits(chromium, folder, view)).slice(0, 1));
    const costs: Cost[] = [];
    for (let run = 0; run < runs; run++) costs.push(...(await visits(chromium, folder, view)));
    for (const [at, when] of ["after start", "again"].entries()) {
      print(
        `${view[0]}, ${when}`,
        costs.filter((_, index) => index % 2 === at),
      );
    }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function least(label: string, values: readonly number[]): string {
  return `${label} ${Math.min(...values).toFixed(0)} (median ${median(values).toFixed(0)}) ms`;
}

function print(what: string, costs: readonly Cost[]): void {
  const of = (name: keyof Cost): number[] => costs.map((cost) => cost[name]);
  const drawn = `${least("drawn after", of("drawn"))}, ${least("server CPU", of("drawnCpu"))}`;
  const whole = `${least("all after", of("whole"))}, ${least("server CPU", of("wholeCpu"))}`;
  console.log(`${what}: ${drawn}; ${whole}; ${median(of("requests"))} data requests`);
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "activity-bench-year-"));
const chromium = await startChromium();
try {
  const storage = leveldb({ path: folder });
  console.log(`${await fill(storage)} events of a year, ${runs} visits each: least (median)`);
  await storage.close();
  for (const view of VIEWS) {
    if (chromium !== undefined && (wanted.length === 0 || wanted.includes(view[0]))) {
      await measure(chromium, folder, view);
    }
  }
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
