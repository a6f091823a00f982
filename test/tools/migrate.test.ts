// The way from 0.1: the script asks no more than what 0.1 and later versions answer alike.
import { execFile } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ClassicLevel } from "classic-level";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { salvage } from "../../adapters/leveldb/maintenance/salvage.js";
import { memory } from "../../adapters/memory.js";
import { parseBackup } from "../../src/codec/parse-backup.js";
import { restoreBackup } from "../../src/storage/backup.js";
import type { Storage } from "../../src/storage/storage.js";
import { fakeClock } from "../../src/testing/index.js";
import { listing, withFolder } from "../adapters/folder.js";
import { type ServedOptions, withServer } from "../harness.js";
import { refusalOf } from "../refusals.js";
import { bucket, bytesOf } from "./backups.js";

const test = suite("migration from 0.1");
const SCRIPT = fileURLToPath(new URL("../../scripts/migrate-format-1.mjs", import.meta.url));
const run = promisify(execFile);

function withUrl(options: ServedOptions, body: (url: string, folder: string) => Promise<void>): Promise<void> {
  return withFolder((folder) => withServer(options, ({ url }) => body(url, folder)));
}

async function oldStorage(): Promise<Storage> {
  const storage = memory();
  await storage.settings.put("theme", { "}]\\": ['"', "\ud800"] });
  await storage.deviceId();
  await storage.createBucket({ ...bucket("ü ]}"), name: "N" }, [
    { timestamp: 1_700_000_000_000_001, duration: 1_500_000, data: { t: '"]},[{\\ \ud800 ü\\"' } },
    { timestamp: 1_600_000_000_000_000, duration: -1, data: { "[{": [[]] } },
  ]);
  await storage.createBucket(bucket("empty"));
  const many = Array.from({ length: 3456 }, (_, index) => ({ timestamp: index * 1e6, duration: 1, data: { index } }));
  await storage.createBucket(bucket("many"), many);
  return storage;
}

test("a running server becomes a backup file with ids, settings and device id", async () => {
  const storage = await oldStorage();
  // With a clock of its own it would note the time, which version 0.1 did not.
  await withUrl({ storage, apiKey: "secret", clock: fakeClock() }, async (url, folder) => {
    const [file, keyFile] = [join(folder, "old.jsonl"), join(folder, "key")];
    await writeFile(keyFile, "secret\n");
    await run(process.execPath, [SCRIPT, url, "--to", file, "--api-key-file", keyFile]);
    const bytes = await readFile(file);
    const target = memory();
    await restoreBackup(target, () => parseBackup([bytes]));
    assert.ok((await bytesOf(target.backup())).equals(await bytesOf(storage.backup())));
    assert.equal((await readdir(folder)).sort(), ["key", "old.jsonl"]);
  });
});

test("what goes wrong is said, and leaves no file", async () => {
  await withUrl({ storage: await oldStorage(), apiKey: "secret" }, async (url, folder) => {
    const refused = await run(process.execPath, [SCRIPT, url, "--to", join(folder, "old.jsonl")]).catch((e) => e);
    assert.is(refused.code, 1);
    assert.match(refused.stderr, /answers 401/);
    const misused = await run(process.execPath, [SCRIPT, url]).catch((e) => e);
    assert.is(misused.code, 2);
    assert.match(misused.stderr, /usage/);
    assert.equal(await readdir(folder), []);
  });
});

/** Files as 0.1 made them: LevelDB in the folder itself, and a journal. */
async function makeFormat1(folder: string, format: string | undefined): Promise<void> {
  const level = new ClassicLevel(folder);
  await level.put("l!00000001", JSON.stringify({ id: "window", type: "t" }));
  await level.close();
  await writeFile(join(folder, "journal-0"), "[1,2,3]\n");
  if (format !== undefined) await writeFile(join(folder, "FORMAT"), format);
}

for (const [name, format] of [
  ["a folder of 0.1", "1\n"],
  ["one whose FORMAT is lost", undefined],
] as const) {
  test(`${name} is left alone, and the message holds the commands that bring it over`, () =>
    withFolder(async (root) => {
      const [folder, target] = [join(root, "old"), join(root, "new")];
      await makeFormat1(folder, format);
      const before = await listing(folder);
      const storage = leveldb({ path: folder });
      const refusals = [await refusalOf(storage.ready()), await refusalOf(salvage({ path: folder, to: target }))];
      await storage.close();
      for (const message of refusals) {
        assert.match(message, /^STORAGE_TOO_OLD: /);
        assert.match(message, /node scripts\/migrate-format-1\.mjs URL --to FILE/);
        assert.match(message, /activity-server restore FILE --data NEW_FOLDER/);
      }
      assert.equal(await listing(folder), before);
      assert.equal(await readdir(root), ["old"]);
    }));
}

test.run();
