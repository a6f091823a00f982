// A folder with something of everything, damage to it, and what a salvage must keep to whatever the damage was.
import fs from "node:fs/promises";
import path from "node:path";
import { ClassicLevel } from "classic-level";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { salvage } from "../../adapters/leveldb/maintenance/salvage.js";
import type { SalvageReport } from "../../adapters/leveldb/maintenance/salvage-write.js";
import type { StoredEvent } from "../../src/domain/event.js";
import type { Storage } from "../../src/storage/storage.js";
import { bucket } from "./backups.js";

/** What a storage holds. */
export interface Content {
  readonly settings: ReadonlyMap<string, unknown>;
  readonly deviceId: string;
  /** Events by bucket and id. */
  readonly buckets: ReadonlyMap<string, ReadonlyMap<number, StoredEvent>>;
}

/** A closed folder and what is in it. */
export interface Sample {
  readonly folder: string;
  readonly content: Content;
  /** Ids of events that are in segments. */
  readonly inSegments: ReadonlySet<number>;
}

/** A change of a folder with data. */
export interface Damage {
  readonly name: string;
  apply(folder: string): Promise<void>;
}

const ROUNDS = 4;
const ROUND_LENGTH = 3000;

/** Fills a folder: segments in several tables, a log, a deleted bucket, settings, heartbeats. */
export async function makeSample(folder: string): Promise<Sample> {
  const rows = (from: number, count: number, name: string) =>
    Array.from({ length: count }, (_, index) => {
      const at = from + index;
      return { timestamp: at * 1_000_000, duration: 1, data: { [name]: (at * 2654435761) % 1_000_003 } };
    });
  const open = () => leveldb({ path: folder, minFreeBytes: 0 });
  let storage = open();
  await storage.settings.put("theme", { dark: true });
  await storage.createBucket(bucket("small"), rows(0, 50, "s"));
  await storage.createBucket(bucket("gone"), rows(0, 2000, "g"));
  await storage.createBucket(bucket("many"));
  for (let round = 0; round < ROUNDS; round++) {
    // Each opening makes a table of what the one before wrote; the last commits stay in LevelDB's own log.
    await storage.close();
    storage = open();
    await storage.putEvents("many", rows(round * ROUND_LENGTH, ROUND_LENGTH, "m"));
  }
  await storage.deleteBucket("gone");
  await storage.settings.put("late", 1);
  await storage.createBucket(bucket("fresh"), rows(7, 20, "f"));
  const beat = { timestamp: 1_000_000_000_000, duration: 0, data: { beat: 1 } };
  for (let step = 0; step < 5; step++) {
    await storage.heartbeat("small", { ...beat, timestamp: beat.timestamp + step * 1_000_000 }, 5_000_000);
  }
  const content = await contentOf(storage);
  await storage.close();
  await fs.rm(path.join(folder, "reserve"), { force: true });
  return { folder, content, inSegments: await segmentIds(folder, content) };
}

/** Opens a folder once more, which makes a table of what the opening before wrote. */
export async function reopened(folder: string): Promise<void> {
  const storage = leveldb({ path: folder });
  await storage.ready();
  await storage.close();
}

/** Flips a bit in a table of LevelDB. */
export async function damageTable(folder: string): Promise<void> {
  const name = (await fs.readdir(path.join(folder, "db"))).find((file) => file.endsWith(".ldb"));
  const file = path.join(folder, "db", String(name));
  const bytes = await fs.readFile(file);
  bytes[3000] = (bytes[3000] as number) ^ 1;
  await fs.writeFile(file, bytes);
}

/** Everything that a storage holds. */
export async function contentOf(storage: Storage): Promise<Content> {
  const buckets = new Map<string, Map<number, StoredEvent>>();
  for (const { id } of await storage.listBuckets()) {
    const events = new Map<number, StoredEvent>();
    const { batches } = await storage.read(id, { order: "oldest" });
    for await (const batch of batches) for (const event of batch.events()) events.set(event.id, event);
    buckets.set(id, events);
  }
  return { settings: await storage.settings.list(), deviceId: await storage.deviceId(), buckets };
}

/** Ids of events that the index of the folder's segments covers. */
async function segmentIds(folder: string, { buckets }: Content): Promise<Set<number>> {
  const copy = `${folder}.index`;
  await fs.cp(path.join(folder, "db"), copy, { recursive: true });
  const level = new ClassicLevel(copy);
  const ids = new Set<number>();
  try {
    for await (const text of level.values({ gte: "g!", lt: 'g"' })) {
      const [, , , , ranges] = JSON.parse(text.slice(9)) as [unknown, unknown, unknown, unknown, [number, number][]];
      for (const [low, high] of ranges) for (let id = low; id <= high; id++) ids.add(id);
    }
  } finally {
    await level.close();
    await fs.rm(copy, { recursive: true });
  }
  return new Set([...(buckets.get("many")?.keys() ?? [])].filter((id) => ids.has(id)));
}

/** What came of a salvage. */
export interface Salvaged {
  readonly report: SalvageReport;
  readonly content: Content;
  /** Events that were saved, of those that there were. */
  readonly saved: ReadonlySet<number>;
}

/**
 * Damages a copy of a sample, salvages it, and looks at the result: nothing in it is wrong, nothing is missing that the
 * report passes over, and it is sound.
 */
export async function salvageDamaged({ folder, content }: Sample, damage: Damage): Promise<Salvaged> {
  const [damaged, target] = [`${folder}.damaged`, `${folder}.salvaged`];
  try {
    await fs.cp(folder, damaged, { recursive: true });
    await damage.apply(damaged);
    const report = await salvage({ path: damaged, to: target });
    const storage = leveldb({ path: target, minFreeBytes: 0 });
    try {
      const { problems } = await storage.verify();
      assert.equal(problems, [], `${damage.name}: what was salvaged is sound`);
      const found = await contentOf(storage);
      return { report, content: found, saved: compare(content, found, report, damage.name) };
    } finally {
      await storage.close();
    }
  } finally {
    for (const each of [damaged, target]) await fs.rm(each, { recursive: true, force: true });
  }
}

function compare(before: Content, after: Content, { problems }: SalvageReport, name: string): Set<number> {
  const all = new Map([...before.buckets.values()].flatMap((events) => [...events]));
  const saved = new Set<number>();
  for (const [bucketId, events] of after.buckets) {
    const isRecovered = bucketId.startsWith("recovered-");
    // The deletion may be what was lost.
    const isBack = bucketId === "gone" && problems.length > 0;
    assert.ok(isRecovered || isBack || before.buckets.has(bucketId), `${name}: there was no bucket ${bucketId}`);
    for (const [id, event] of events) {
      const known = isRecovered ? all.get(id) : before.buckets.get(bucketId)?.get(id);
      if (known === undefined) {
        const isFromDeleted = "g" in event.data && (isBack || isRecovered);
        assert.ok(isFromDeleted && problems.length > 0, `${name}: event ${id} of ${bucketId}`);
        continue;
      }
      // Of an event that grew, an earlier form may be all that is left.
      assert.ok(event.duration <= known.duration, `${name}: event ${id} of ${bucketId} has grown`);
      assert.equal({ ...event, duration: known.duration }, known, `${name}: event ${id} of ${bucketId}`);
      saved.add(id);
    }
  }
  if (problems.length === 0) {
    assert.equal(after.buckets, before.buckets, `${name}: nothing is said to be lost`);
    assert.equal(after.settings, before.settings, name);
    assert.is(after.deviceId, before.deviceId, name);
  }
  return saved;
}
