// A database that another program writes to is copied, or refused: the copy ends in either case.
import fs from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { copyPrivately } from "../../src/cli/import/private-copy.js";
import { withFolder } from "../adapters/folder.js";

const test = suite("private copy of a database");

test("a file that becomes shorter while it is copied is copied as it is then", () =>
  withFolder(async (folder) => {
    const database = path.join(folder, "database");
    const LARGE = 1024 ** 3;
    await fs.writeFile(database, "");
    // Sparse: it takes up no space.
    await fs.truncate(database, LARGE);
    const copying = copyPrivately(database);
    await untilCopied(await folderOfCopy());
    await fs.truncate(database, 1000);
    const copy = await copying;
    assert.is((await fs.stat(copy.file)).size, 1000);
    await copy.remove();
  }));

async function folderOfCopy(): Promise<string> {
  for (;;) {
    const names = await fs.readdir(tmpdir());
    const name = names.find((each) => each.startsWith(`activity-server-import-${process.pid}-`));
    if (name !== undefined) return path.join(tmpdir(), name);
  }
}

/** Resolves when the first bytes are there. */
async function untilCopied(folder: string): Promise<void> {
  for (;;) {
    const stat = await fs.stat(path.join(folder, "database")).catch(() => undefined);
    if (stat !== undefined && stat.size > 0) return;
  }
}

test.run();
