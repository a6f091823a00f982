// LevelDB forces what it writes, but not the names of all files that it makes.
import fs from "node:fs/promises";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { loadEngine } from "../../adapters/leveldb/engine.js";
import { diskFiles } from "../../adapters/leveldb/file-system.js";
import { FolderStore } from "../../adapters/leveldb/folder-store.js";
import { leveldb } from "../../adapters/leveldb/index.js";
import { silentLogger } from "../../src/logger.js";
import { withFolder } from "./folder.js";
import { countIn, fill, refuses } from "./opening.js";

const test = suite("leveldb: names of its files");

/** Commits with so many entries of so many bytes, until LevelDB has begun three logs. */
async function checkNames(entries: number, bytes: number, beforeCommit?: BeforeCommit): Promise<void> {
  await withFolder(async (folder) => {
    const db = path.join(folder, "db");
    const forced: string[][] = [];
    const store = new FolderStore({
      ...{ folder, durability: "power-loss", flushMillis: 0, minFreeBytes: 0, logger: silentLogger },
      engine: await loadEngine(),
      files: {
        ...diskFiles,
        async syncFolder(each) {
          const names = await fs.readdir(each);
          await diskFiles.syncFolder(each);
          if (each === db) forced.push(names);
        },
      },
    });
    await store.open();
    const newestLog = async () =>
      (await fs.readdir(db))
        .filter((name) => name.endsWith(".log"))
        .sort()
        .at(-1) ?? "";
    const seen = new Set<string>();
    for (let number = 1; seen.size < 3; number++) {
      const isSure = (await beforeCommit?.(store, number)) ?? true;
      const before = forced.length;
      await store.commit({
        ...{ number, root: `root ${number}`, records: new Map(), deleteEntries: [], dropSegments: [] },
        putSegments: Array.from({ length: entries }, (_, index) => {
          return { bucketNo: 1, segmentNo: number * entries + index, text: "entry", bytes: new Uint8Array(bytes) };
        }),
        entriesOf: () => [],
      });
      if (!isSure) continue;
      const log = await newestLog();
      assert.ok(
        forced.some((names) => names.includes(log)),
        `${log} of commit ${number} is not forced`,
      );
      // Nothing is forced twice.
      if (seen.has(log)) assert.is(forced.length, before, `commit ${number}`);
      seen.add(log);
    }
    await store.close();
  });
}

/** @returns whether the newest log is the one that the commit is in */
type BeforeCommit = (store: FolderStore, number: number) => Promise<boolean>;

for (const [what, entries, bytes] of [
  ["tiny", 1000, 1],
  ["small", 200, 700],
  ["middle-sized", 100, 1100],
  ["large", 1, 90_000],
  ["huge", 1, 3_000_000],
] as const) {
  test(`a commit of ${what} entries is not over before the name of a log that LevelDB has begun is forced`, () =>
    checkNames(entries, bytes));
}

test("a commit after a compaction is not over before the name of the log that it has begun is forced", () =>
  checkNames(1, 100, async (store, number) => {
    if (number % 3 === 0) await store.reclaim(1);
    return true;
  }));

test("a commit after a compaction that ran beside another one is not over before that either", async () => {
  let compaction: Promise<void> | undefined;
  await checkNames(1, 100, async (store, number) => {
    if (number % 3 === 1) await compaction;
    if (number % 3 !== 0) return true;
    compaction = store.reclaim(1);
    // Its log may begin at any time.
    return false;
  });
});

test("a list of tables that LevelDB has removed, though the name of the next one was lost, is passed over", () =>
  withFolder(async (folder) => {
    const count = await fill(folder);
    const db = path.join(folder, "db");
    const named = (await fs.readFile(path.join(db, "CURRENT"), "utf8")).trim();
    await fs.writeFile(path.join(db, "CURRENT"), "MANIFEST-000001\n");
    assert.is(await countIn(folder), count);
    // An older one says nothing of what came later.
    const next = (await fs.readFile(path.join(db, "CURRENT"), "utf8")).trim();
    assert.not.equal(next, named);
    await fs.writeFile(path.join(db, "CURRENT"), "MANIFEST-999999\n");
    await refuses(leveldb({ path: folder }), { code: "STORAGE_CORRUPT" });
  }));

test("a list of tables whose log LevelDB has removed, though the name of the next one was lost, is passed over", () =>
  withFolder(async (folder) => {
    const count = await fill(folder);
    const db = path.join(folder, "db");
    const current = await fs.readFile(path.join(db, "CURRENT"), "utf8");
    const list = await fs.readFile(path.join(db, current.trim()));
    assert.is(await countIn(folder), count);
    assert.is.not(await fs.readFile(path.join(db, "CURRENT"), "utf8"), current);
    // Of what followed the new list only the removal of the log is on the disk.
    await fs.writeFile(path.join(db, current.trim()), list);
    await fs.writeFile(path.join(db, "CURRENT"), current);
    assert.is(await countIn(folder), count);
  }));

test("a newer list of tables that is not complete is not named", () =>
  withFolder(async (folder) => {
    const count = await fill(folder);
    const db = path.join(folder, "db");
    const named = (await fs.readFile(path.join(db, "CURRENT"), "utf8")).trim();
    const list = await fs.readFile(path.join(db, named));
    // Its first record alone.
    const length = 7 + list.readUInt16LE(4);
    await fs.writeFile(path.join(db, "MANIFEST-000900"), list.subarray(0, length));
    assert.is(await countIn(folder), count);
  }));

test.run();
