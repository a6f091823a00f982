import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import type { StorageHealth } from "../../src/storage/health.js";
import type { Storage } from "../../src/storage/storage.js";
import { withFolder } from "../adapters/folder.js";
import { withTimeouts } from "../timeouts.js";
import { bucket } from "./backups.js";
import { damageTable, reopened } from "./damaged-folders.js";

const test = suite("health of a storage");

async function fill(folder: string): Promise<void> {
  const storage = leveldb({ path: folder });
  const events = Array.from({ length: 5000 }, (_, n) => ({ timestamp: n * 1_000_000, duration: 1, data: { n } }));
  await storage.createBucket(bucket("window"), events);
  await storage.close();
  await reopened(folder);
}

/** Runs a body while all timers run out a thousand times as fast. */
function hurried<T>(body: () => Promise<T>): Promise<T> {
  return withTimeouts((millis) => millis / 1000, body);
}

async function healthOf(storage: Storage): Promise<StorageHealth> {
  const health = await storage.health?.();
  if (health === undefined) throw new Error("it tells nothing");
  return health;
}

/** Opens a folder and waits until it was scrubbed once. */
async function scrubbed(folder: string): Promise<{ readonly health: StorageHealth; readonly errors: string[] }> {
  const errors: string[] = [];
  const logger = { info() {}, warn() {}, error: (error: unknown) => void errors.push(String(error)) };
  const storage = leveldb({ path: folder, logger });
  try {
    await hurried(async () => {
      await storage.ready();
      const giveUp = performance.now() + 30_000;
      while ((await healthOf(storage)).lastScrub === undefined && performance.now() < giveUp) {
        await new Promise((resolve) => setTimeout(resolve, 20_000));
      }
    });
    return { health: await healthOf(storage), errors };
  } finally {
    await storage.close();
  }
}

test("a sound storage tells its space, and of no scrub before there was one", () =>
  withFolder(async (folder) => {
    const storage = leveldb({ path: folder, minFreeBytes: 1000 });
    await storage.ready();
    const { state, problems, lastScrub, disk } = await healthOf(storage);
    await storage.close();
    assert.equal([state, problems, lastScrub], ["ok", [], undefined]);
    assert.ok(disk !== undefined && disk.minFreeBytes === 1000);
    assert.ok(disk.freeBytes > 0 && disk.freeBytes <= disk.totalBytes);
  }));

test("damage that nobody has asked for is found while the storage is idle, logged and told", () =>
  withFolder(async (folder) => {
    await fill(folder);
    const before = Date.now();
    const sound = await scrubbed(folder);
    assert.is(sound.health.state, "ok");
    assert.ok((sound.health.lastScrub ?? 0) >= before);
    assert.equal(sound.errors, []);
    await damageTable(folder);
    const { health, errors } = await scrubbed(folder);
    assert.is(health.state, "degraded");
    assert.ok(health.problems.length > 0);
    for (const { kind, bucketId } of health.problems) assert.equal([kind, bucketId], ["damaged", "window"]);
    assert.match(errors[0] as string, /window/);
  }));

test.run();
