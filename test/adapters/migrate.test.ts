// Folders that are converted before a server starts.
import fs from "node:fs/promises";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb, migrate } from "../../adapters/leveldb/index.js";
import { bucketOf, draftOf } from "../contract/case.js";
import { codeOf } from "../refusals.js";
import { newDataFolder, withFolder } from "./folder.js";

const test = suite("migrate a folder");

test("a folder of this version stays, and is closed afterwards", () =>
  withFolder(async (folder) => {
    await newDataFolder(folder);
    const before = leveldb({ path: folder });
    await before.createBucket(bucketOf("window"), [draftOf(1)]);
    await before.close();
    await migrate({ path: folder });
    const after = leveldb({ path: folder, cacheBytes: 0 });
    assert.is(await after.countEvents("window"), 1);
    await after.close();
  }));

test("a folder that is not there is refused and not created, and one of 0.1 gets its way", () =>
  withFolder(async (base) => {
    assert.is(await codeOf(migrate({ path: path.join(base, "missing") })), "STORAGE_UNUSABLE");
    for (const name of ["CURRENT", "MANIFEST-000001"]) await fs.writeFile(path.join(base, name), "");
    assert.is(await codeOf(migrate({ path: base })), "STORAGE_TOO_OLD");
    assert.equal((await fs.readdir(base)).sort(), ["CURRENT", "MANIFEST-000001"]);
  }));

test.run();
