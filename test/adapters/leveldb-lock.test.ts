// The lock of a folder: it is taken before anything in the folder changes, and nothing that another one holds goes.
import fs from "node:fs/promises";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { ClassicLevel } from "classic-level";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { isLocked, toStorageError } from "../../adapters/leveldb/engine-failure.js";
import { takeLock } from "../../adapters/leveldb/folder-lock.js";
import { leveldb } from "../../adapters/leveldb/index.js";
import { bucketOf, draftOf } from "../contract/case.js";
import { programOf } from "../program.js";
import { type Holder, holdElsewhere, listing, MOVING_FILES, withFolder } from "./folder.js";
import { countIn, filesLike, opened, refuses } from "./opening.js";

const test = suite("leveldb: lock");

/** A folder as a first start leaves it that was cut off: a database whose manifest is gone, a log without a name, keys. */
async function leaveFirstStart(folder: string): Promise<void> {
  await fs.mkdir(path.join(folder, "db"), { recursive: true });
  await fs.mkdir(path.join(folder, "wal"));
  await fs.writeFile(path.join(folder, "db", "CURRENT"), "MANIFEST-000002\n");
  await fs.writeFile(path.join(folder, "db", "000003.log"), "");
  await fs.writeFile(path.join(folder, "KEYS"), "half a ke");
  await fs.writeFile(path.join(folder, "FORMAT.new"), "activ");
}

test("what a first start left that was cut off makes room for the next one", () =>
  withFolder(async (folder) => {
    await leaveFirstStart(folder);
    await (await opened({ path: folder })).close();
    assert.equal(
      (await fs.readdir(folder)).filter((name) => /KEYS|aside/.test(name)),
      [],
    );
  }));

test("it stays while another process holds the lock", () =>
  withFolder(async (folder) => {
    await leaveFirstStart(folder);
    const before = await listing(folder, MOVING_FILES);
    const holder = new ClassicLevel(path.join(folder, "lock"));
    await holder.open();
    await refuses(leveldb({ path: folder }), { code: "STORAGE_LOCKED", names: folder });
    assert.equal(await listing(folder, MOVING_FILES), before);
    await holder.close();
    await (await opened({ path: folder })).close();
  }));

test("a database without data that another program holds, as the first start of version 0.2 does, is left alone", () =>
  withFolder(async (folder) => {
    const db = path.join(folder, "db");
    await fs.mkdir(path.join(folder, "wal"), { recursive: true });
    const holder = new ClassicLevel(db);
    await holder.open();
    const before = await listing(db, MOVING_FILES);
    await refuses(leveldb({ path: folder }), { code: "STORAGE_LOCKED", names: folder });
    assert.equal(await listing(db, MOVING_FILES), before);
    assert.ok((await fs.readdir(db)).includes("LOCK"));
    await holder.close();
  }));

test("a log of LevelDB with something in it counts as data, also where all other files of ours are gone", () =>
  withFolder(async (folder) => {
    const db = new ClassicLevel(path.join(folder, "db"));
    await db.open();
    await db.put("m!number", "1");
    await db.close();
    await fs.writeFile(path.join(folder, "db", "CURRENT"), "MANIFEST-000099\n");
    const before = await listing(folder, MOVING_FILES);
    assert.ok(before.some((line) => line.includes(".log")));
    await refuses(leveldb({ path: folder }), { code: "STORAGE_CORRUPT", names: folder });
    assert.equal(
      await listing(path.join(folder, "aside")),
      before.filter((line) => line.startsWith("db/")).map((line) => line.slice(3)),
    );
  }));

test("two threads that open a new folder at once: one has it", () =>
  withFolder(async (root) => {
    for (const round of [1, 2, 3]) {
      const folder = path.join(root, `data-${round}`);
      const threads = [threadWith(folder), threadWith(folder)];
      try {
        const lines = await Promise.all(threads.map(({ opened }) => opened));
        assert.equal(lines.sort(), ["STORAGE_LOCKED", "open"]);
      } finally {
        await Promise.all(threads.map(({ worker }) => worker.terminate()));
      }
    }
  }));

/** A thread that opens the folder (hold-folder.ts). */
function threadWith(folder: string): { readonly worker: Worker; readonly opened: Promise<string> } {
  const { file } = programOf(new URL("./hold-folder.ts", import.meta.url));
  const code = file.endsWith(".ts") ? `import("tsx/esm/api").then(({ register }) => register())` : "Promise.resolve()";
  const worker = new Worker(`${code}.then(() => import(${JSON.stringify(file)}))`, {
    ...{ eval: true, argv: [folder], stdin: true, stdout: true, execArgv: [] },
  });
  const opened = new Promise<string>((resolve, reject) => {
    worker.once("error", reject);
    worker.stdout.once("data", (bytes) => resolve(String(bytes).trim()));
  });
  return { worker, opened };
}

test("a damaged lock keeps nobody out: it contains nothing", () =>
  withFolder(async (folder) => {
    const storage = await opened({ path: folder });
    await storage.createBucket(bucketOf("window"));
    await storage.putEvents("window", [draftOf(1)]);
    await storage.close();
    const lock = path.join(folder, "lock");
    const damages = [
      (file: string) => fs.writeFile(file, ""),
      (file: string) => fs.writeFile(file, "x".repeat(50)),
      fs.rm,
    ];
    for (const pattern of [/^CURRENT$/, /^MANIFEST-/, /\.log$/]) {
      for (const damage of damages) {
        for (const file of await filesLike(lock, pattern)) await damage(file);
        assert.is(await countIn(folder), 1, String(pattern));
      }
    }
    await fs.rm(lock, { recursive: true });
    assert.is(await countIn(folder), 1);
  }));

test("where a damaged lock is found, one that takes it meanwhile keeps it", () =>
  withFolder(async (folder) => {
    let other: Holder | undefined;
    // The first opening finds damage, and then another process opens the folder.
    class Damaged extends ClassicLevel {
      async _open(): Promise<void> {
        other = await holdElsewhere(folder);
        throw Object.assign(new Error("Corruption: no meta-nextfile entry"), { code: "LEVEL_CORRUPTION" });
      }
    }
    const failureOf = (thrown: unknown): unknown => toStorageError(thrown, "folder", folder);
    const engine = (location: string) => new (other === undefined ? Damaged : ClassicLevel)(location);
    const taken = takeLock(path.join(folder, "lock"), engine, failureOf);
    const failure: unknown = await taken.catch((thrown: unknown) => thrown);
    try {
      assert.ok(isLocked(failure), String(failure));
      assert.is(await other?.ask("1"), "put 1");
    } finally {
      await other?.leave();
    }
    const storage = await opened({ path: folder });
    assert.is(await storage.countEvents("child"), 1);
    await storage.close();
  }));

test("while a folder is open no other process gets it, and afterwards the next one does", () =>
  withFolder(async (folder) => {
    const storage = await opened({ path: folder });
    for (let attempt = 0; attempt < 2; attempt++) {
      const other = await holdElsewhere(folder);
      await other.leave();
      assert.is(other.opened, "STORAGE_LOCKED");
    }
    await storage.close();
    const next = await holdElsewhere(folder);
    await next.leave();
    assert.is(next.opened, "open");
  }));

test.run();
