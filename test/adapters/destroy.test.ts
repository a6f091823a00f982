// Everything of a storage is deleted: no file holds a byte of it, and nothing that was open brings it back.
import fs from "node:fs/promises";
import path from "node:path";
import { createStorage } from "unstorage";
import memoryDriver from "unstorage/drivers/memory";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { memory } from "../../adapters/memory.js";
import { unstorage } from "../../adapters/unstorage/index.js";
import { createActivityServer } from "../../src/index.js";
import type { Storage } from "../../src/storage/storage.js";
import { bucketOf, draftOf } from "../contract/case.js";
import { codeOf } from "../refusals.js";
import { BUCKET, type Ground, onFolders, onHostDatabases } from "../trash/grounds.js";
import { holdElsewhere, newDataFolder, withFolder } from "./folder.js";
import { filesWith, uniqueText } from "./traces.js";

const test = suite("destroy");

/** Data with a mark in every place that a server fills. */
async function fill({ open }: Pick<Ground, "open">, mark: string) {
  const server = open();
  const events = Array.from({ length: 3_000 }, (_, index) => ({
    timestamp: new Date(Date.UTC(2024, 0, 1) + index * 60_000),
    duration: { seconds: 30 },
    data: { title: index % 500 === 3 ? mark : `page ${index}` },
  }));
  await server.buckets.create(`kept ${mark}`, { ...BUCKET, hostname: mark }, events);
  await server.buckets.create(`gone ${mark}`, BUCKET, events);
  await server.buckets.delete(`gone ${mark}`);
  await server.settings.put(mark, { mark });
  await server.keys.add({ name: mark, scopes: ["admin"] });
  return server;
}

async function playDestroying(ground: Ground): Promise<void> {
  const { open, folder } = ground;
  if (folder === undefined) return;
  const mark = uniqueText();
  const server = await fill(ground, mark);
  const { deviceId } = await server.info();
  assert.ok(filesWith(folder, mark).length > 0, "it is found before");
  await server.destroy();
  assert.equal(filesWith(folder, mark), []);
  assert.is(await codeOf(server.buckets.list()), "STORAGE_CLOSED");
  assert.is(await codeOf(server.buckets.create("a", BUCKET)), "STORAGE_CLOSED");
  await server.close();
  await server.destroy();
  const next = open();
  assert.equal(await next.buckets.list(), []);
  assert.equal([await next.trash.list(), await next.keys.list(), await next.settings.list()], [[], [], {}]);
  assert.is.not((await next.info()).deviceId, deviceId);
}

test("no file has a trace of a destroyed server, and the next one is new", () => onFolders(playDestroying));

test("nor has a database of the host", () => onHostDatabases(playDestroying));

/** Opens a folder, fills it and closes it. */
async function filled(folder: string, options: object = {}): Promise<string> {
  const mark = uniqueText();
  await newDataFolder(folder);
  const open = () => createActivityServer({ storage: leveldb({ path: folder, ...options }) });
  await (await fill({ open }, mark)).close();
  return mark;
}

test("the folder of a data folder goes, and other files in it stay", () =>
  withFolder(async (base) => {
    const [own, shared] = [path.join(base, "own"), path.join(base, "shared")];
    for (const folder of [own, shared]) await filled(folder);
    await fs.writeFile(path.join(shared, ".note"), "mine");
    for (const folder of [own, shared]) await leveldb({ path: folder }).destroy();
    assert.equal(await fs.readdir(base), ["shared"]);
    assert.equal(await fs.readdir(shared), [".note"]);
    await leveldb({ path: own }).destroy();
    assert.equal(await fs.readdir(base), ["shared"], "one that is not there is not made");
  }));

test("a deletion that is cut off is continued by the next call, and by the next opening", () =>
  withFolder(async (base) => {
    const { rm } = fs;
    for (let calls = 0, isCutOff = true; isCutOff; calls += 2) {
      for (const next of ["destroy", "open"] as const) {
        const folder = path.join(base, `${calls}-${next}`);
        const mark = await filled(folder);
        let left = calls;
        fs.rm = (async (file, options) => {
          if (left-- <= 0) throw Object.assign(new Error("cut off"), { code: "EIO" });
          await rm(file, options);
        }) as typeof rm;
        const storage = leveldb({ path: folder });
        const code = await codeOf(storage.destroy());
        fs.rm = rm;
        isCutOff = code !== "done";
        if (!isCutOff) continue;
        if (next === "destroy") await leveldb({ path: folder }).destroy();
        else {
          const opened = leveldb({ path: folder });
          assert.equal(await opened.listBuckets(), []);
          await opened.close();
        }
        assert.equal(filesWith(folder, mark), [], `${next} after ${calls} calls`);
      }
      assert.ok(calls < 60);
    }
  }));

test("a storage whose deletion failed is closed, and can be asked again", () =>
  withFolder(async (folder) => {
    const mark = await filled(folder);
    const { rm } = fs;
    const server = createActivityServer({ storage: leveldb({ path: folder }) });
    await server.buckets.list();
    fs.rm = () => Promise.reject(Object.assign(new Error("no"), { code: "EIO" }));
    const first = await codeOf(server.destroy());
    fs.rm = rm;
    assert.is(first, "STORAGE_UNUSABLE");
    assert.is(await codeOf(server.buckets.list()), "STORAGE_CLOSED");
    await server.destroy();
    assert.equal(filesWith(folder, mark), []);
  }));

test("a folder that is open in another process is refused, and stays", () =>
  withFolder(async (folder) => {
    await filled(folder);
    const holder = await holdElsewhere(folder);
    assert.is(holder.opened, "open");
    assert.is(await codeOf(leveldb({ path: folder }).destroy()), "STORAGE_LOCKED");
    await holder.leave();
    const storage = leveldb({ path: folder });
    assert.is((await storage.listBuckets()).length > 0, true);
    await storage.close();
  }));

test("storages of the same folder in this process are refused, and bring nothing back", () =>
  withFolder(async (folder) => {
    await filled(folder);
    const [one, two] = [leveldb({ path: folder }), leveldb({ path: folder })];
    await one.listBuckets();
    await two.putEvents((await two.listBuckets())[0]?.id ?? "", [draftOf(1)]);
    await one.destroy();
    assert.is(await codeOf(two.createBucket(bucketOf("window"))), "STORAGE_CLOSED");
    await two.close();
    assert.is(await codeOf(fs.stat(folder)), "ENOENT");
  }));

test("a folder whose key is lost, and one that does not open, are deleted", () =>
  withFolder(async (base) => {
    const [sealed, damaged] = [path.join(base, "sealed"), path.join(base, "damaged")];
    await filled(sealed, { encryption: { key: "1".repeat(64) } });
    await filled(damaged);
    await fs.rm(path.join(damaged, "db", "CURRENT"));
    for (const folder of [sealed, damaged]) {
      assert.is.not(await codeOf(leveldb({ path: folder }).ready()), "done");
      await leveldb({ path: folder }).destroy();
    }
    assert.equal(await fs.readdir(base), []);
  }));

test("a folder with other files is refused", () =>
  withFolder(async (folder) => {
    await fs.mkdir(path.join(folder, "db"));
    await fs.writeFile(path.join(folder, "thesis"), "mine");
    assert.is(await codeOf(leveldb({ path: folder }).destroy()), "STORAGE_UNUSABLE");
    assert.equal((await fs.readdir(folder)).sort(), ["db", "thesis"]);
  }));

test("keys of other storages below the same base stay", async () => {
  const storage = createStorage();
  for (const base of ["activity", "activity:anna", "other"]) {
    const each = unstorage({ storage, base });
    await each.createBucket(bucketOf(base));
    await each.close();
  }
  await unstorage({ storage }).destroy();
  assert.equal(
    (await storage.getKeys("activity")).filter((key) => !key.startsWith("activity:anna:")),
    [],
  );
  for (const base of ["activity:anna", "other"]) {
    const each = unstorage({ storage, base });
    assert.equal((await each.listBuckets()).length, 1, base);
    await each.close();
  }
});

test("a writer that had unstorage open is refused, and what it wrote goes", async () => {
  const storage = createStorage();
  const writer = unstorage({ storage });
  await writer.createBucket(bucketOf("window"), [draftOf(1)]);
  await unstorage({ storage }).destroy();
  assert.equal(await storage.getKeys(), []);
  assert.is.not(await codeOf(writer.putEvents("window", [draftOf(2)])), "done");
  assert.is.not(await codeOf(writer.createBucket(bucketOf("next"))), "done");
  await writer.close();
  assert.equal(await storage.getKeys(), []);
});

test("a deletion in unstorage that is cut off is continued", async () => {
  const driver = memoryDriver();
  let left = Number.POSITIVE_INFINITY;
  const failing = {
    ...driver,
    removeItem(key: string, options: never) {
      if (left-- <= 0) throw new Error("cut off");
      return driver.removeItem?.(key, options);
    },
  };
  const storage = createStorage({ driver: failing as typeof driver });
  for (let calls = 0, isCutOff = true; isCutOff; calls++) {
    left = Number.POSITIVE_INFINITY;
    const opened = unstorage({ storage });
    await opened.createBucket(bucketOf("window"), [draftOf(1)]);
    await opened.close();
    left = calls;
    isCutOff = (await codeOf(unstorage({ storage }).destroy())) !== "done";
    left = Number.POSITIVE_INFINITY;
    await unstorage({ storage }).destroy();
    assert.equal(await storage.getKeys(), [], `after ${calls} calls`);
    assert.ok(calls < 60);
  }
});

test("a storage without the method is emptied by its other methods", async () => {
  const { destroy: _, ...methods } = memory();
  let left: unknown[] | undefined;
  const bare: Storage = {
    ...methods,
    async close() {
      left = [];
      for await (const item of methods.backup()) left.push(item);
      await methods.close();
    },
  };
  const server = await fill({ open: () => createActivityServer({ storage: bare }) }, "mark");
  await server.destroy();
  assert.equal(left, []);
});

test("a closed server is not destroyed", async () => {
  const server = createActivityServer({ storage: memory() });
  await server.close();
  assert.is(await codeOf(server.destroy()), "STORAGE_CLOSED");
});

test("the end is announced, and a storage that is opened by a function is destroyed", () =>
  withFolder(async (folder) => {
    const mark = await filled(folder);
    const server = createActivityServer({ storage: () => leveldb({ path: folder }) });
    let ends = 0;
    server.on("close", () => ends++);
    await server.destroy();
    await server.close();
    assert.is(ends, 1);
    assert.equal(filesWith(folder, mark), []);
  }));

test.run();
