import fs from "node:fs/promises";
import path from "node:path";
import { ClassicLevel } from "classic-level";
import { MemoryLevel } from "memory-level";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { ActivityError } from "../../src/errors.js";
import type { Storage } from "../../src/storage/storage.js";
import { bucketOf, draftOf } from "../contract/case.js";
import { holdElsewhere, listing, MOVING_FILES, withFolder } from "./folder.js";
import { countIn, dump, opened, refuses } from "./opening.js";

const test = suite("leveldb: opening");

test("a folder that is missing is made, for its owner only", () =>
  withFolder(async (root) => {
    const folder = path.join(root, "a", "b");
    await opened({ path: folder }).then((storage) => storage.close());
    assert.is((await fs.stat(folder)).mode & 0o777, 0o700);
    assert.is((await fs.stat(path.dirname(folder))).mode & 0o777, 0o700);
  }));

test("in a folder that others may enter, they enter neither database nor log, and read none of our files", () =>
  withFolder(async (root) => {
    if (process.platform === "win32") return;
    const folder = path.join(root, "data");
    const mask = process.umask(0o022);
    try {
      await fs.mkdir(folder, { mode: 0o755 });
      for (const name of ["db", "wal", "lock", "damaged"]) await fs.mkdir(path.join(folder, name), { mode: 0o755 });
      // The second time there are data.
      for (const mode of [0o755, 0o2775]) {
        for (const name of ["db", "wal", "lock", "damaged"]) await fs.chmod(path.join(folder, name), mode);
        const storage = await opened({ path: folder });
        if (mode === 0o755) await storage.createBucket(bucketOf("window"));
        await storage.putEvents("window", [draftOf(1)]);
        const modes = await modesOf(folder);
        await storage.close();
        Object.assign(modes, await modesOf(folder));
        for (const name of ["db", "wal", "lock", "damaged"]) {
          assert.is(modes[name], (mode & 0o2000) | 0o700, name);
          delete modes[name];
        }
        for (const [name, found] of Object.entries(modes)) assert.is(found, 0o600, name);
      }
      assert.is((await fs.stat(folder)).mode & 0o777, 0o755);
    } finally {
      process.umask(mask);
    }
  }));

/** What is in a folder, and the files in its log folder, with their modes; LevelDB makes files of its own. */
async function modesOf(folder: string): Promise<Record<string, number>> {
  const names = [...(await fs.readdir(folder)), ...(await fs.readdir(path.join(folder, "wal"))).map((n) => `wal/${n}`)];
  const modes = names.map(async (name) => [name, (await fs.stat(path.join(folder, name))).mode & 0o7777] as const);
  return Object.fromEntries(await Promise.all(modes));
}

test("folders whose modes cannot be changed, or that belong to somebody else, are opened as they are", () =>
  withFolder(async (root) => {
    await opened({ path: root }).then((storage) => storage.close());
    const db = path.join(root, "db");
    await fs.chmod(db, 0o755);
    const { chmod } = fs;
    fs.chmod = () => Promise.reject(Object.assign(new Error("not permitted"), { code: "EPERM" }));
    try {
      await opened({ path: root }).then((storage) => storage.close());
    } finally {
      fs.chmod = chmod;
    }
    assert.is((await fs.stat(db)).mode & 0o777, 0o755);
    // Only root can give a folder away.
    if (process.getuid?.() !== 0) return;
    await fs.chown(db, 65_534, 65_534);
    await opened({ path: root }).then((storage) => storage.close());
    assert.is((await fs.stat(db)).mode & 0o777, 0o755);
  }));

test("a folder is open once in a process, by any name; the last close lets it go", () =>
  withFolder(async (root) => {
    const folder = path.join(root, "data");
    const storage = await opened({ path: folder });
    await storage.createBucket(bucketOf("window"));
    await fs.symlink(folder, path.join(root, "link"));
    const names = [folder, `${folder}/`, path.join(root, "link"), path.relative(process.cwd(), folder)];
    const others = await Promise.all(names.map((name) => opened({ path: name })));
    for (const other of others) await other.putEvents("window", [draftOf(1)]);
    assert.is(await storage.countEvents("window"), names.length);
    await storage.close();
    assert.is(await others[0]?.countEvents("window"), names.length);
    const meanwhile = await holdElsewhere(folder);
    await meanwhile.leave();
    assert.is(meanwhile.opened, "STORAGE_LOCKED");
    for (const other of others) await other.close();
    assert.is(await countIn(folder), names.length);
    const next = await holdElsewhere(folder);
    await next.leave();
    assert.is(next.opened, "open");
  }));

test("a call that does not say where, or says it twice, is refused with what to pass", () => {
  const db = new MemoryLevel<string, string>();
  const wrong: readonly (readonly [options: unknown, says: RegExp])[] = [
    [undefined, /needs options; pass either path .* or db/],
    [{}, /needs path or db; pass either path .* or db/],
    [{ path: undefined }, /needs path or db/],
    [{ path: "data", db }, /both path and db; pass either path .* or db/],
    [{ db: {} }, /db must be an abstract-level database/],
    [{ db: null }, /db must be an abstract-level database/],
    [{ db, flushMillis: 5 }, /flushMillis and minFreeBytes cannot be combined with db/],
    [{ folder: "data" }, /no option folder/],
  ];
  for (const [options, says] of wrong) {
    assert.throws(
      () => leveldb(options as { path: string }),
      (thrown: unknown) => thrown instanceof TypeError && says.test(thrown.message),
      String(says),
    );
  }
});

test("an option that is undefined counts as not given", () =>
  withFolder(async (path) => {
    const storage = leveldb({ path, db: undefined } as unknown as { path: string });
    await storage.ready();
    await storage.close();
  }));

test("a folder that is open with other options is refused", () =>
  withFolder(async (folder) => {
    const storage = await opened({ path: folder });
    const expected = { code: "STORAGE_LOCKED", names: folder, way: /other options/ } as const;
    await refuses(leveldb({ path: folder, durability: "power-loss" }), expected);
    await storage.createBucket(bucketOf("window"));
    await storage.close();
    await (await opened({ path: folder, durability: "power-loss" })).close();
  }));

test("an opening that failed keeps nobody out who has other options, until it is tried again", () =>
  withFolder(async (root) => {
    const folder = path.join(root, "file", "data");
    await fs.writeFile(path.join(root, "file"), "in the way");
    const one = leveldb({ path: folder });
    const two = leveldb({ path: folder, durability: "power-loss" });
    const codeOf = (storage: Storage) =>
      storage.ready().then(
        () => "open",
        (error: Error & { code?: string }) => `${error.code} ${error.message}`,
      );
    const failure = await codeOf(one);
    assert.not.match(failure, "other options");
    assert.is(await codeOf(two), failure);
    assert.is(await codeOf(one), failure);
    await fs.rm(path.join(root, "file"));
    assert.is(await codeOf(two), "open");
    assert.match(await codeOf(one), /^STORAGE_LOCKED .* other options/);
    await two.close();
    assert.is(await codeOf(one), "open");
    await one.close();
    // Both have let it go.
    await (await opened({ path: folder, durability: "power-loss" })).close();
  }));

test("a folder that something else in this process holds is refused, and the message does not blame another", () =>
  withFolder(async (folder) => {
    await (await opened({ path: folder })).close();
    const holder = new ClassicLevel(path.join(folder, "db"));
    await holder.open();
    const expected = {
      code: "STORAGE_LOCKED",
      names: folder,
      way: /already open in this process, in another thread/,
    } as const;
    await refuses(leveldb({ path: folder }), expected);
    await holder.close();
    await (await opened({ path: folder })).close();
  }));

test("a storage opens at the first call, and an opening that failed is tried again", () =>
  withFolder(async (root) => {
    const folder = path.join(root, "file", "data");
    await fs.writeFile(path.join(root, "file"), "in the way");
    const storage = leveldb({ path: folder });
    assert.not.ok("then" in storage, "it can be awaited, and is given back");
    for (let attempt = 0; attempt < 2; attempt++) {
      const failure: unknown = await storage.listBuckets().catch((thrown: unknown) => thrown);
      assert.ok(ActivityError.is(failure) && failure.code === "STORAGE_UNUSABLE", String(failure));
    }
    await fs.rm(path.join(root, "file"));
    assert.equal(await storage.listBuckets(), []);
    await storage.close();
  }));

test("options that cannot work are refused at once", () => {
  const cases = [
    {},
    { path: "" },
    { path: "a", db: new MemoryLevel() },
    { path: "a", durability: "nothing" },
    { path: "a", flushMillis: -1 },
    { path: "a", minFreeBytes: Number.NaN },
    { path: "a", patth: "b" },
  ];
  for (const options of cases)
    assert.throws(
      () => leveldb(options as never),
      (thrown: unknown) => thrown instanceof TypeError,
    );
});

test("a folder that is open in another process is refused, and the holder goes on", () =>
  withFolder(async (folder) => {
    const holder = await holdElsewhere(folder);
    try {
      assert.is(holder.opened, "open");
      assert.is(await holder.ask("1"), "put 1");
      const before = await listing(folder, MOVING_FILES);
      for (let attempt = 0; attempt < 2; attempt++) {
        const expected = { code: "STORAGE_LOCKED", names: folder, way: /stop|choose|another/ } as const;
        await refuses(leveldb({ path: folder }), expected);
      }
      assert.equal(await listing(folder, MOVING_FILES), before);
      assert.is(await holder.ask("2"), "put 2");
    } finally {
      await holder.leave();
    }
    const storage = await opened({ path: folder });
    assert.is(await storage.countEvents("child"), 2);
    await storage.close();
  }));

test("a folder may be opened again after it was closed, and by the next process", () =>
  withFolder(async (folder) => {
    for (let round = 0; round < 3; round++) await opened({ path: folder }).then((storage) => storage.close());
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
    const storage = await opened({ db: db as never });
    await storage.close();
    assert.is(db.status, "open");
    await db.close();
    await opened({ path: folder }).then((storage) => storage.close());
    await dump(folder);
  }));

test.run();
