// node --import tsx bench/report.ts [DAYS] [EVENTS_PER_DAY]: how long the report of a year takes: cold, after a restart,
// after a heartbeat, and again; what it costs in CPU; and how long heartbeats wait meanwhile. `3650 2744` is ten years.
// Measures the build in dist (npm run build), in this process.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { leveldb } from "../adapters/leveldb/index.js";
import type { ActivityServer } from "../src/index.js";
import { FIRST_DAY, MICROS_PER_DAY, type SampleEvent, sample } from "./data.js";

const { createActivityServer } = (await import("../dist/index.js" as string)) as typeof import("../src/index.js");
const built = (await import("../dist/leveldb.js" as string)) as typeof import("../adapters/leveldb/index.js");

// tsx turns them on: the first error would parse all of the build's maps, for as long as 0.2 s.
process.setSourceMapsEnabled(false);

const [days = 365, perDay = 936] = process.argv.slice(2).map(Number);
const WATCHERS = [
  { id: "aw-watcher-window_desk", type: "currentwindow", share: 0.88 },
  { id: "aw-watcher-afk_desk", type: "afkstatus", share: 0.12 },
] as const;
const REQUEST = {
  ...{ date: "2024-01-01", to: lastDay(), by: "month" as const },
  groups: ["category", "app", "title"],
};
const NOW = FIRST_DAY / 1000 + (days - 0.25) * 86_400_000;

function lastDay(): string {
  return new Date(FIRST_DAY / 1000 + (days - 1) * 86_400_000).toISOString().slice(0, 10);
}

async function fill(folder: string): Promise<number> {
  const storage = leveldb({ path: folder });
  let count = 0;
  for (const { id, type } of WATCHERS) {
    await storage.createBucket({
      id,
      type,
      client: "bench",
      hostname: "desk",
      created: FIRST_DAY,
      data: {},
      name: null,
    });
  }
  // A month at a time: ten years at once would not fit.
  for (let day = 0; day < days; day += 30) {
    const { window, idle } = sample({
      ...{
        days: Math.min(30, days - day),
        firstDay: FIRST_DAY + day * MICROS_PER_DAY,
        titles: days > 366 ? 4_000 : 20_000,
      },
      ...{ windowPerDay: Math.round(perDay * 0.88), idlePerDay: Math.round(perDay * 0.12), seed: 1 },
    });
    for (const [at, list] of ([window, idle] as readonly (readonly SampleEvent[])[]).entries()) {
      await storage.putEvents((WATCHERS[at] as (typeof WATCHERS)[number]).id, list);
      count += list.length;
    }
  }
  await storage.close();
  return count;
}

/** Makes a report beside heartbeats of another bucket. */
async function measure(what: string, server: ActivityServer): Promise<void> {
  const waits: number[] = [];
  let isOver = false;
  const beating = (async () => {
    while (!isOver) {
      const begun = performance.now();
      const beat = { timestamp: new Date(NOW + waits.length), data: { n: 1 } };
      await server.heartbeat("beats", beat, { seconds: 1 });
      waits.push(performance.now() - begun);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  })();
  const cpu = process.cpuUsage();
  const begun = performance.now();
  const response = await server.fetch("/api/0/report", {
    ...{ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(REQUEST) },
  });
  const { length } = await response.text();
  const millis = performance.now() - begun;
  const { user, system } = process.cpuUsage(cpu);
  isOver = true;
  await beating;
  const p99 = waits.sort((a, b) => a - b)[Math.floor(waits.length * 0.99)] ?? 0;
  console.log(
    `${what.padEnd(18)} ${millis.toFixed(0).padStart(7)} ms, CPU ${((user + system) / 1000).toFixed(0).padStart(7)} ms, ` +
      `${waits.length} heartbeats: p99 ${p99.toFixed(1)} ms; ${length} bytes`,
  );
}

function open(folder: string): ActivityServer {
  return createActivityServer({ storage: built.leveldb({ path: folder }), clock: () => NOW });
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "activity-bench-report-"));
try {
  console.log(`${await fill(folder)} events of ${days} days`);
  for (const opening of ["cold", "after a restart"]) {
    const server = open(folder);
    if (opening === "cold") await server.buckets.create("beats", { type: "beats", client: "bench", hostname: "desk" });
    // The first request of a server compiles its routes.
    await server.fetch("/api/0/info");
    await measure(opening, server);
    await measure("again", server);
    const late = { timestamp: new Date(NOW - 60_000), data: { app: "editor", title: "late" } };
    await server.events.insert(WATCHERS[0].id, late);
    await measure("after an event", server);
    await server.close();
  }
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
