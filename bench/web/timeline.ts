// node --import tsx bench/web/timeline.ts [EVENTS]: how fast the timeline moves over many events, and how long the
// server takes to put them into bins. Measures the dashboard in dist (npm run build) in a real Chromium.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { leveldb } from "../../adapters/leveldb/index.js";
import { createActivityServer, type Storage } from "../../src/index.js";
import { startChromium } from "../../test/browser/chromium.js";
import { FIRST_DAY, MICROS_PER_DAY, sample } from "../data.js";

const EVENTS = Number(process.argv[2] ?? 1_000_000);
const DAYS = 365;
const MOVE_MILLIS = 5_000;
const BUCKETS = [
  { id: "aw-watcher-window_desk", type: "currentwindow", client: "aw-watcher-window" },
  { id: "aw-watcher-afk_desk", type: "afkstatus", client: "aw-watcher-afk" },
];

async function fill(storage: Storage): Promise<number> {
  const perDay = Math.ceil(EVENTS / DAYS);
  const { window, idle } = sample({ days: DAYS, windowPerDay: perDay, idlePerDay: Math.ceil(perDay / 10) });
  for (const [at, events] of [window, idle].entries()) {
    const bucket = { ...(BUCKETS[at] as (typeof BUCKETS)[number]), hostname: "desk", created: FIRST_DAY, data: {} };
    await storage.createBucket({ ...bucket, name: null });
    for (let from = 0; from < events.length; from += 10_000) {
      await storage.putEvents(bucket.id, events.slice(from, from + 10_000));
    }
  }
  return window.length + idle.length;
}

interface Motion {
  readonly frames: number;
  readonly millis: number;
  readonly slowest: number;
}

/** Moves sideways with every frame, as a wheel would, there and back. */
function move(page: Page): Promise<Motion> {
  return page.evaluate(async (length): Promise<Motion> => {
    const stage = document.querySelector(".tl-scroll");
    if (stage === null) throw new Error("there is no timeline");
    const begun = performance.now();
    let frames = 0;
    let slowest = 0;
    for (let before = begun; before - begun < length; frames++) {
      const now = await new Promise<number>((resolve) => requestAnimationFrame(() => resolve(performance.now())));
      slowest = Math.max(slowest, now - before);
      before = now;
      const deltaX = now - begun < length / 2 ? 24 : -24;
      stage.dispatchEvent(new WheelEvent("wheel", { deltaX, shiftKey: true, cancelable: true, bubbles: true }));
    }
    return { frames, millis: performance.now() - begun, slowest };
  }, MOVE_MILLIS);
}

async function settle(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
  await page.locator('.timeline[aria-busy="false"]').waitFor();
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "activity-bench-timeline-"));
const chromium = await startChromium();
try {
  const storage = leveldb({ path: folder });
  const server = createActivityServer({ storage });
  const events = await fill(storage);
  const { url } = await server.listen({ port: 0, host: "127.0.0.1" });
  for (const round of ["first", "second", "third"]) {
    const begun = performance.now();
    const answer = await fetch(`${url}/api/0/buckets/${BUCKETS[0]?.id}/timeline?bins=1400&round=${round}`);
    const bytes = (await answer.arrayBuffer()).byteLength;
    console.log(`${round} answer: ${(performance.now() - begun).toFixed(0)} ms, ${bytes} bytes, over ${EVENTS} events`);
  }
  const year = { start: FIRST_DAY / 1000, end: (FIRST_DAY + DAYS * MICROS_PER_DAY) / 1000 };
  const views = [
    ["a year", year.start, year.end],
    ["a month", year.start + 5e9, year.start + 7.6e9],
    ["a day", year.start + 864e5 * 100, year.start + 864e5 * 101],
  ] as const;
  await chromium?.visit({ viewport: { width: 1400, height: 900 } }, async ({ page }) => {
    for (const [name, start, end] of views) {
      const query = new URLSearchParams({ start: new Date(start).toISOString(), end: new Date(end).toISOString() });
      const begun = performance.now();
      await page.goto(`${url}/#/timeline?${query}`);
      await page.reload();
      await settle(page);
      const shown = performance.now() - begun;
      const { frames, millis, slowest } = await move(page);
      const rate = ((frames / millis) * 1000).toFixed(1);
      console.log(
        `${name}: complete after ${shown.toFixed(0)} ms; ${rate} frames/s while moving for ${(millis / 1000).toFixed(1)} s, ` +
          `slowest frame ${slowest.toFixed(0)} ms, ${events} events`,
      );
    }
  });
  await server.close();
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
