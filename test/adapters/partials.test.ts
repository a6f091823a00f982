// Files that are not whole yet: those of killed processes go, those that may still be written stay.
import { spawnSync } from "node:child_process";
import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createPartialPath, removeLeftovers } from "../../adapters/leveldb/maintenance/partials.js";
import { withFolder } from "./folder.js";

const test = suite("partial files");

const MINUTE = 60_000;

test("what a process makes that cannot be found here goes only after some minutes without a change", () =>
  withFolder(async (folder) => {
    await mkdir(folder, { recursive: true });
    const target = path.join(folder, "backup.gz");
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    const ofEnded = (): string => createPartialPath(target).replace(`-${process.pid}-`, `-${pid}-`);
    const [recent, old, changed, own] = [ofEnded(), ofEnded(), ofEnded(), createPartialPath(target)];
    const before = new Date(Date.now() - 15 * MINUTE);
    for (const file of [recent, old, own]) await writeFile(file, "");
    for (const file of [old, own]) await utimes(file, before, before);
    await mkdir(changed);
    await writeFile(path.join(changed, "000001.log"), "");
    await utimes(changed, before, before);
    await removeLeftovers(target);
    assert.equal((await readdir(folder)).sort(), [recent, changed, own].map((file) => path.basename(file)).sort());
  }));

test.run();
