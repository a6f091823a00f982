import fs from "node:fs/promises";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { readCloseState } from "../../adapters/leveldb/clean-mark.js";
import { layoutOf } from "../../adapters/leveldb/folder.js";
import { leveldb } from "../../adapters/leveldb/index.js";
import { bucketOf } from "../contract/case.js";
import { withFolder } from "./folder.js";
import { countIn, filesLike, fill } from "./opening.js";

const test = suite("leveldb: how a folder was left");

const LEVELDB_FILE = /^(CURRENT|MANIFEST-.*|\d+\.(log|ldb|sst))$/;

test("a folder that was closed is unchanged until any file of its database differs", () =>
  withFolder(async (folder) => {
    await fill(folder);
    const layout = layoutOf(folder);
    assert.is(await readCloseState(layout), "unchanged");
    const files = await filesLike(layout.db, LEVELDB_FILE);
    assert.ok(files.length >= 4, files.join());
    for (const file of files) {
      const content = await fs.readFile(file);
      const flipped = Buffer.from(content);
      const at = flipped.length >> 1;
      if (flipped.length > 0) flipped[at] = (flipped[at] as number) ^ 1;
      for (const other of [flipped, content.subarray(1), Buffer.concat([content, Buffer.alloc(1)])]) {
        if (other.equals(content)) continue;
        await fs.writeFile(file, other);
        assert.is(await readCloseState(layout), "clean", path.basename(file));
      }
      await fs.rm(file);
      assert.is(await readCloseState(layout), "clean", `without ${path.basename(file)}`);
      await fs.writeFile(file, content);
    }
    await fs.writeFile(path.join(layout.db, "000999.ldb"), "");
    assert.is(await readCloseState(layout), "clean", "one more");
  }));

test("a folder is unclean while it is open, and after an end without closing", () =>
  withFolder(async (root) => {
    const folder = path.join(root, "data");
    const count = await fill(folder);
    const storage = leveldb({ path: folder });
    await storage.createBucket(bucketOf("another"));
    assert.is(await readCloseState(layoutOf(folder)), "unclean");
    const killed = path.join(root, "killed");
    await fs.cp(folder, killed, { recursive: true });
    await storage.close();
    assert.is(await readCloseState(layoutOf(folder)), "unchanged");
    assert.is(await readCloseState(layoutOf(killed)), "unclean");
    assert.is(await countIn(killed), count);
    assert.is(await readCloseState(layoutOf(killed)), "unchanged");
  }));

test.run();
