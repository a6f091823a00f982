// Flipped bits in an encrypted folder: found as damage, never read as data, never taken for a wrong key; and salvaged.
// long: 600 s
import fs from "node:fs/promises";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb, salvage } from "../../adapters/leveldb/index.js";
import { ActivityError } from "../../src/errors.js";
import type { Storage } from "../../src/storage/storage.js";
import { bucketOf, draftOf, intOf, randomOf, read } from "../contract/case.js";
import { sizeOf } from "../faults/sizes.js";
import { MOVING_FILES, newDataFolder, withFolder } from "./folder.js";

const test = suite("encryption: damage");

const FLIPS = sizeOf("ENCRYPTED_FLIPS", { short: 8, long: 1_000 });
const encryption = { key: new Uint8Array(32).fill(9) };

async function fill(folder: string): Promise<string> {
  await newDataFolder(folder);
  for (const round of [1, 2]) {
    const storage = leveldb({ path: folder, encryption });
    await storage.createBucket(bucketOf("window"));
    const drafts = Array.from({ length: 2_000 }, (_, index) => draftOf(round * 10_000 + index, 1, index % 90));
    await storage.putEvents("window", drafts);
    await storage.putEvents("window", [draftOf(round)]);
    await storage.settings.put(`round ${round}`, { round });
    await storage.close();
  }
  const storage = leveldb({ path: folder, encryption });
  const lines = await linesOf(storage);
  await storage.close();
  return lines.join("\n");
}

async function linesOf(storage: Storage): Promise<string[]> {
  const events = (await storage.getBucket("window")) === undefined ? [] : await read(storage, "window");
  return [...events, ...(await storage.settings.list())].map((each) => JSON.stringify(each)).sort();
}

async function flipped(folder: string, copy: string, random: () => number): Promise<string> {
  await fs.cp(folder, copy, { recursive: true });
  const names = (await fs.readdir(copy, { recursive: true })).filter((name) => !MOVING_FILES.has(path.basename(name)));
  const sizes = await Promise.all(names.map(async (name) => [name, await fs.stat(path.join(copy, name))] as const));
  const files = sizes.filter(([, stats]) => stats.isFile() && stats.size > 0);
  const [name, { size }] = files[intOf(random, 0, files.length - 1)] as (typeof files)[number];
  const bit = intOf(random, 0, size * 8 - 1);
  const bytes = await fs.readFile(path.join(copy, name));
  bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
  await fs.writeFile(path.join(copy, name), bytes);
  return `${name}, bit ${bit}`;
}

test(`${FLIPS} flipped bits are harmless or damage, and what is salvaged was written`, () =>
  withFolder(async (home) => {
    const folder = path.join(home, "whole");
    const whole = await fill(folder);
    const known = new Set(whole.split("\n"));
    const random = randomOf(3);
    let damaged = 0;
    for (let count = 0; count < FLIPS; count++) {
      const copy = path.join(home, `copy-${count}`);
      const what = await flipped(folder, copy, random);
      const kept = path.join(home, `kept-${count}`);
      await fs.cp(copy, kept, { recursive: true });
      const storage = leveldb({ path: copy, encryption });
      try {
        const lines = await linesOf(storage);
        const problems = (await storage.health?.())?.problems ?? [];
        for (const line of lines) assert.ok(known.has(line), `${what}: ${line} was never written`);
        if (problems.length === 0) assert.is(lines.join("\n"), whole, what);
      } catch (thrown) {
        if (!ActivityError.is(thrown)) throw thrown;
        assert.is(thrown.code, "STORAGE_CORRUPT", `${what}: ${thrown.message}`);
        damaged++;
      } finally {
        await storage.close();
      }
      const to = path.join(home, `saved-${count}`);
      const report = await salvage({ path: kept, to, encryption });
      const saved = leveldb({ path: to, encryption });
      const lines = await linesOf(saved);
      await saved.close();
      for (const line of lines) assert.ok(known.has(line), `${what}: ${line} was salvaged and never written`);
      if (report.problems.length === 0) assert.is(lines.join("\n"), whole, `${what}: said to be whole`);
      assert.ok(lines.length > 0 || report.problems.length > 0, what);
      for (const each of [copy, kept, to]) await fs.rm(each, { recursive: true });
    }
    assert.ok(damaged > 0, "no flip did any damage");
  }));

test("without any copy of the keys a salvage says that nothing can be read", () =>
  withFolder(async (home) => {
    const folder = path.join(home, "whole");
    await fill(folder);
    for (const file of ["KEYS", "KEYS.copy"]) await fs.rm(path.join(folder, file));
    const thrown = await salvage({ path: folder, to: path.join(home, "to"), encryption }).catch((error) => error);
    assert.is(thrown.code, "STORAGE_CORRUPT");
    assert.match(thrown.message, /keys are damaged or missing/);
  }));

test.run();
