import fs from "node:fs/promises";
import path from "node:path";
import { MemoryLevel } from "memory-level";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import type { ActivityError } from "../../src/errors.js";
import { bucketOf, draftOf } from "../contract/case.js";
import { ENGINE_JOURNAL, holdElsewhere, listing, withFolder } from "./folder.js";
import { countIn, dump, refuses } from "./opening.js";

const test = suite("leveldb: opening");

test("a folder that is missing is made, for its owner only", () =>
  withFolder(async (root) => {
    const folder = path.join(root, "a", "b");
    await (await leveldb({ path: folder })).close();
    assert.is((await fs.stat(folder)).mode & 0o777, 0o700);
    assert.is((await fs.stat(path.dirname(folder))).mode & 0o777, 0o700);
  }));

test("a folder that is open in this process is refused, by any name, and the holder keeps it", () =>
  withFolder(async (root) => {
    const folder = path.join(root, "data");
    const storage = await leveldb({ path: folder });
    await storage.createBucket(bucketOf("window"));
    await fs.symlink(folder, path.join(root, "link"));
    // Reading the lock file in this process would give the lock away, too.
    const before = await listing(folder, new Set(["LOCK"]));
    const names = [folder, `${folder}/`, path.join(root, "link"), path.relative(process.cwd(), folder)];
    for (const name of names) {
      const expected = { code: "STORAGE_LOCKED", names: path.resolve(name), way: /stop|choose|another/ } as const;
      await refuses(leveldb({ path: name }), expected);
    }
    const [first, second] = await Promise.allSettled([leveldb({ path: folder }), leveldb({ path: folder })]);
    assert.equal([first?.status, second?.status], ["rejected", "rejected"]);
    assert.equal(await listing(folder, new Set(["LOCK"])), before);
    // By trying, LevelDB would have given the lock away: then the other process gets in.
    const other = await holdElsewhere(folder);
    await other.leave();
    assert.is(other.opened, "STORAGE_LOCKED");
    await storage.putEvents("window", [draftOf(1)]);
    await storage.close();
    assert.is(await countIn(folder), 1);
  }));

test("of two openings at once one succeeds", () =>
  withFolder(async (folder) => {
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => leveldb({ path: folder })));
    const opened = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    for (const storage of opened) await storage.close();
    assert.is(opened.length, 1);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") assert.is((outcome.reason as ActivityError).code, "STORAGE_LOCKED");
    }
  }));

test("a folder that is open in another process is refused, and the holder goes on", () =>
  withFolder(async (folder) => {
    const holder = await holdElsewhere(folder);
    try {
      assert.is(holder.opened, "open");
      assert.is(await holder.ask("1"), "put 1");
      const before = await listing(folder, ENGINE_JOURNAL);
      for (let attempt = 0; attempt < 2; attempt++) {
        const expected = { code: "STORAGE_LOCKED", names: folder, way: /stop|choose|another/ } as const;
        await refuses(leveldb({ path: folder }), expected);
      }
      assert.equal(await listing(folder, ENGINE_JOURNAL), before);
      assert.is(await holder.ask("2"), "put 2");
    } finally {
      await holder.leave();
    }
    const storage = await leveldb({ path: folder });
    assert.is(await storage.countEvents("child"), 2);
    await storage.close();
  }));

test("a folder may be opened again after it was closed, and by the next process", () =>
  withFolder(async (folder) => {
    for (let round = 0; round < 3; round++) await (await leveldb({ path: folder })).close();
    const holder = await holdElsewhere(folder);
    await holder.leave();
    assert.is(holder.opened, "open");
  }));

test("a file in the place of the folder, or above it, is refused and kept", () =>
  withFolder(async (root) => {
    const file = path.join(root, "file");
    await fs.writeFile(file, "content");
    for (const place of [file, path.join(file, "data"), path.join(file, "a", "b")]) {
      await refuses(leveldb({ path: place }), { code: "STORAGE_UNUSABLE", names: place, way: /choose/ });
    }
    assert.is(await fs.readFile(file, "utf8"), "content");
  }));

test("a folder that cannot be made is refused", async () => {
  for (const place of ["/proc/activity-server/data", "/proc/self/fd/data", "/dev/null/data"]) {
    if (process.platform !== "linux") return;
    await refuses(leveldb({ path: place }), { code: "STORAGE_UNUSABLE", names: place, way: /choose/ });
  }
});

test("a folder that may not be written is refused", () =>
  withFolder(async (folder) => {
    // Nothing is forbidden to root.
    if (process.getuid === undefined || process.getuid() === 0) return;
    await fs.chmod(folder, 0o500);
    await refuses(leveldb({ path: folder }), { code: "STORAGE_UNUSABLE", names: folder, way: /permission|choose/ });
    await fs.chmod(folder, 0o700);
  }));

test("a folder with other files is refused and left alone", () =>
  withFolder(async (folder) => {
    await fs.writeFile(path.join(folder, "thesis.txt"), "years of work");
    const before = await listing(folder);
    await refuses(leveldb({ path: folder }), { code: "STORAGE_UNUSABLE", names: folder, way: /choose/ });
    assert.equal(await listing(folder), before);
  }));

test("a given database stays open behind close, a folder does not stay locked", () =>
  withFolder(async (folder) => {
    const db = new MemoryLevel<string, string>();
    const storage = await leveldb({ db: db as never });
    await storage.close();
    assert.is(db.status, "open");
    await db.close();
    await (await leveldb({ path: folder })).close();
    await dump(folder);
  }));

test.run();
