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

test("a commit is not over before the name of a log that LevelDB has begun is forced", () =>
  withFolder(async (folder) => {
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
    const logs = async () => (await fs.readdir(db)).filter((name) => name.endsWith(".log")).sort();
    const seen = new Set<string>();
    for (let number = 1; number <= 8; number++) {
      // A compaction makes LevelDB begin a new log.
      if (number % 3 === 0) await store.reclaim(1);
      const before = forced.length;
      await store.commit({
        ...{ number, root: `root ${number}`, records: new Map(), deleteEntries: [], dropSegments: [] },
        putSegments: [{ bucketNo: 1, segmentNo: number, text: "entry", bytes: new Uint8Array(100) }],
        entriesOf: () => [],
      });
      const [last] = (await logs()).slice(-1) as [string];
      assert.ok(
        forced.some((names) => names.includes(last)),
        `${last} of commit ${number} is not forced`,
      );
      // Nothing is forced twice.
      if (seen.has(last)) assert.is(forced.length, before, `commit ${number}`);
      seen.add(last);
    }
    assert.ok(seen.size >= 3, [...seen].join());
    await store.close();
  }));

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

test.run();
