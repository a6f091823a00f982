// Fills a folder with a set, in a process of its own: node --import tsx bench/scale/fill.ts SET FOLDER
// Writes FOLDER.json at the end. Works on the sources: filling is not measured.
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { leveldb } from "../../adapters/leveldb/index.js";
import type { Storage } from "../../src/storage/storage.js";
import { eventsOf, SETS, type SetName, watchersOf } from "./watchers.js";

/** As many as a watcher's queue sends at once. */
const BATCH = 1000;
/** A folder that kept its size for so long is no longer being compacted. */
const SETTLED_MILLIS = 3000;
const LOOK_EVERY_MILLIS = 250;

const [name, folder] = process.argv.slice(2) as [SetName, string];
const started = performance.now();
const storage = leveldb({ path: folder });
await storage.ready();
const events = await fill(storage);
const seconds = (performance.now() - started) / 1000;
await settle();
await storage.close();
writeFileSync(`${folder}.json`, JSON.stringify({ events, seconds }));

/** Goes through the years with all watchers together, as they would have been written. */
async function fill(into: Storage): Promise<number> {
  const streams = [];
  for (const watcher of watchersOf(name)) {
    const { bucketId, type, hostname } = watcher;
    const created = Date.now() * 1000;
    await into.createBucket({ id: bucketId, type, client: "bench", hostname, name: null, created, data: {} });
    streams.push({ bucketId, stretches: eventsOf(watcher, SETS[name].days) });
  }
  let count = 0;
  for (let left = streams.length; left > 0; ) {
    left = 0;
    for (const { bucketId, stretches } of streams) {
      const stretch = stretches.next();
      if (stretch.done === true) continue;
      left++;
      for (let at = 0; at < stretch.value.length; at += BATCH) {
        await into.putEvents(bucketId, stretch.value.slice(at, at + BATCH));
      }
      count += stretch.value.length;
    }
  }
  return count;
}

async function settle(): Promise<void> {
  let [size, since] = [sizeNow(), performance.now()];
  while (performance.now() - since < SETTLED_MILLIS) {
    await pause(LOOK_EVERY_MILLIS);
    const now = sizeNow();
    if (now !== size) [size, since] = [now, performance.now()];
  }
}

function sizeNow(): string {
  const sizes = readdirSync(folder).map(
    (file) => `${file} ${statSync(join(folder, file), { throwIfNoEntry: false })?.size}`,
  );
  return sizes.join();
}
