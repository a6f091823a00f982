// A folder that is removed, replaced or unmounted while it is open: nothing that goes nowhere is acknowledged.
import fs from "node:fs/promises";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { loadEngine } from "../../adapters/leveldb/engine.js";
import { FolderStore } from "../../adapters/leveldb/folder-store.js";
import { leveldb } from "../../adapters/leveldb/index.js";
import { ActivityError } from "../../src/errors.js";
import { silentLogger } from "../../src/logger.js";
import type { Storage } from "../../src/storage/storage.js";
import { bucketOf, draftOf } from "../contract/case.js";
import { IS_LONG } from "../faults/sizes.js";
import { listing, withFolder } from "./folder.js";
import { countIn, filesLike } from "./opening.js";
import { accepted, until } from "./until.js";

const test = suite("leveldb: place");

type Options = Omit<Extract<Parameters<typeof leveldb>[0], { path: string }>, "path" | "logger">;

/** What happens to the folder, and what puts it back. */
interface Loss {
  readonly name: string;
  happen(folder: string): Promise<void>;
  undo?(folder: string): Promise<void>;
}

const aside = (folder: string): string => `${folder}-aside`;

const moved = (part: string): Loss => ({
  name: `${part === "" ? "the folder" : part} is moved away`,
  happen: (folder) => fs.rename(path.join(folder, part), aside(folder)),
  undo: (folder) => fs.rename(aside(folder), path.join(folder, part)),
});

const LOSSES: readonly Loss[] = [
  { name: "the folder is removed", happen: (folder) => fs.rm(folder, { recursive: true }) },
  {
    name: "its content is removed",
    async happen(folder) {
      for (const name of await fs.readdir(folder)) await fs.rm(path.join(folder, name), { recursive: true });
    },
  },
  {
    name: "the log is removed",
    async happen(folder) {
      for (const file of await filesLike(folder, /\.wal$/)) await fs.rm(file);
    },
  },
  {
    name: "the folder is replaced by a copy of it",
    async happen(folder) {
      await fs.rename(folder, aside(folder));
      await fs.cp(aside(folder), folder, { recursive: true });
    },
    async undo(folder) {
      await fs.rm(folder, { recursive: true });
      await fs.rename(aside(folder), folder);
    },
  },
  {
    name: "the folder is replaced by an empty one",
    async happen(folder) {
      await fs.rename(folder, aside(folder));
      await fs.mkdir(folder);
    },
    async undo(folder) {
      await fs.rmdir(folder);
      await fs.rename(aside(folder), folder);
    },
  },
  {
    name: "the database is replaced by a copy of it",
    async happen(folder) {
      const db = path.join(folder, "db");
      await fs.rename(db, aside(folder));
      await fs.cp(aside(folder), db, { recursive: true });
    },
  },
  ...["", "wal", "db"].map(moved),
];

const MODES: readonly Options[] = [
  {},
  { durability: "power-loss" },
  { flushMillis: 1 },
  { encryption: { key: "5a".repeat(32) } },
];

for (const [index, { name, happen, undo }] of LOSSES.entries()) {
  if (!IS_LONG && index % 2 === 1) continue;
  const options = MODES[index % MODES.length] as Options;
  test(`${name} (${JSON.stringify(options)}): writes are refused, and health is degraded`, () =>
    withFolder(async (root) => {
      const folder = path.join(root, "data");
      const storage = leveldb({ ...options, path: folder, logger: silentLogger });
      await storage.createBucket(bucketOf("window"));
      await storage.putEvents("window", [draftOf(1)]);
      await happen(folder);
      let last: unknown;
      let count = 1;
      // What is acknowledged until it is noticed is lost if nobody puts the folder back.
      await until(
        async () => {
          last = await storage.putEvents("window", [draftOf(count + 1)]).catch((thrown: unknown) => thrown);
          if (last instanceof Error) return true;
          count++;
          return false;
        },
        () => "writes go on",
      );
      assert.ok(ActivityError.is(last) && last.code === "STORAGE_FAILED", String(last));
      assert.match(last.message, "removed, replaced or unmounted");
      const health = await storage.health?.();
      assert.is(health?.state, "degraded");
      assert.match(health?.refusal ?? "", "removed, replaced or unmounted");
      assert.is(health?.problems.filter(({ kind }) => kind === "missing").length, 1);
      for (const refused of allWrites(storage)) {
        const thrown: unknown = await refused().catch((error: unknown) => error);
        assert.ok(ActivityError.is(thrown) && thrown.code === "STORAGE_FAILED", String(thrown));
      }
      if (undo === undefined) return storage.close();
      await undo(folder);
      await accepted(() => storage.putEvents("window", [draftOf(count + 1)]));
      assert.is((await storage.health?.())?.state, "ok");
      await storage.close();
      if (options.encryption === undefined) assert.is(await countIn(folder), count + 1);
    }));
}

function allWrites(storage: Storage): (() => Promise<unknown>)[] {
  return [
    () => storage.createBucket(bucketOf("other")),
    () =>
      storage.createBucket(
        bucketOf("large"),
        Array.from({ length: 600 }, (_, index) => draftOf(index)),
      ),
    () => storage.heartbeat("window", draftOf(9_999), 1),
    () => storage.settings.put("key", 1),
    () => storage.deleteBucket("window"),
  ];
}

test("a server without writes reports it as well", () =>
  withFolder(async (root) => {
    const folder = path.join(root, "data");
    const storage = leveldb({ path: folder, logger: silentLogger });
    await storage.createBucket(bucketOf("window"));
    await fs.rename(folder, aside(folder));
    await until(
      async () => (await storage.health?.())?.state === "degraded",
      () => "health is ok",
    );
    await storage.close();
  }));

test("another folder in its place stays as it is", () =>
  withFolder(async (root) => {
    const [folder, other] = [path.join(root, "data"), path.join(root, "other")];
    const storages = [folder, other].map((each) => leveldb({ path: each, logger: silentLogger }));
    for (const storage of storages) await storage.createBucket(bucketOf("window"));
    await storages[1]?.close();
    await fs.rename(folder, aside(folder));
    await fs.rename(other, folder);
    const before = await listing(folder);
    const [storage] = storages as [Storage];
    await until(
      () =>
        storage.putEvents("window", [draftOf(1)]).then(
          () => false,
          () => true,
        ),
      () => "writes go on",
    );
    await storage.deleteBucket("window").catch(() => undefined);
    await storage.close();
    assert.equal(await listing(folder), before);
  }));

test("a folder is lost when it is gone, and never while its log and its database begin new files", () =>
  withFolder(async (root) => {
    const folder = path.join(root, "data");
    const engine = await loadEngine();
    const store = new FolderStore({
      ...{ folder, durability: "process-crash", flushMillis: 1e9, minFreeBytes: 0, logger: silentLogger, engine },
      checkMillis: 0,
    });
    await store.open();
    let isOver = false;
    let looks = 0;
    const look = async (): Promise<void> => {
      for (; !isOver; looks++) {
        assert.is(store.lost(), undefined);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const looking = look();
    for (let sequence = 1; sequence <= 60; sequence++) {
      if (sequence % 3 === 1) await store.beginLog({ sequence, text: "" });
      else await store.append({ sequence, text: "[]" });
      if (sequence % 4 === 0) await store.force();
      if (sequence % 20 === 0) await store.recover();
    }
    isOver = true;
    await looking;
    assert.ok(looks > 60);
    // The next batch, rather than the next force.
    await fs.rename(folder, aside(folder));
    assert.throws(() => store.append({ sequence: 61, text: "[]" }), /removed, replaced or unmounted/);
    await store.close();
  }));

test.run();
