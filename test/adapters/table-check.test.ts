import fs from "node:fs/promises";
import path from "node:path";
import { ClassicLevel } from "classic-level";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { stateOfTable, tablesIn, unsafeTable } from "../../adapters/leveldb/maintenance/table-check.js";
import { withFolder } from "./folder.js";

const test = suite("table check");

/** The tables that LevelDB makes of some values. */
function tablesOf(values: ReadonlyMap<string, Uint8Array>): Promise<Buffer[]> {
  return withFolder(async (folder) => {
    const level = new ClassicLevel<string, Uint8Array>(folder, { valueEncoding: "view", maxFileSize: 64 * 1024 });
    await level.batch([...values].map(([key, value]) => ({ type: "put", key, value })));
    await level.compactRange("", "~");
    await level.close();
    const names = (await fs.readdir(folder)).filter((name) => name.endsWith(".ldb"));
    return Promise.all(names.map((name) => fs.readFile(path.join(folder, name))));
  });
}

const bytesOf = (length: number, step: number) => Uint8Array.from({ length }, (_, index) => (index * step) >> 3);

test("tables as LevelDB makes them are sound, with one block and with many, compressed or not", async () => {
  const keys = Array.from({ length: 400 }, (_, index) => `g!key ${index}`);
  for (const length of [0, 1, 100, 9_000]) {
    for (const step of [0, 7_919]) {
      const tables = await tablesOf(new Map(keys.map((key) => [key, bytesOf(length, step)])));
      assert.ok(
        tables.length > 0 && tables.every((table) => stateOfTable(table) === "sound"),
        `values of ${length} bytes`,
      );
    }
  }
});

test("a table with one flipped bit is not", async () => {
  const [table = Buffer.alloc(0)] = await tablesOf(
    new Map([
      ["a", bytesOf(90, 31)],
      ["b", bytesOf(50, 97)],
    ]),
  );
  const unseen: number[] = [];
  for (let bit = 0; bit < table.length * 8; bit++) {
    const damaged = Buffer.from(table);
    damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    if (stateOfTable(damaged) === "sound") unseen.push(bit >> 3);
  }
  // The end of the footer is filled up with zeros that nobody reads.
  const padding = unseen.filter((at) => at < table.length - 48 || at >= table.length - 8);
  assert.equal(padding, []);
});

test("nor is one that was cut, emptied or filled with zeros", async () => {
  const [table = Buffer.alloc(0)] = await tablesOf(new Map([["a", bytesOf(90, 31)]]));
  for (let length = 0; length < table.length; length++) assert.is(stateOfTable(table.subarray(0, length)), "unsafe");
  assert.is(stateOfTable(Buffer.alloc(table.length)), "unsafe");
});

test("only tables that count are checked: one that a crash has left half written is not", () =>
  withFolder(async (folder) => {
    const level = new ClassicLevel<string, Uint8Array>(folder, { valueEncoding: "view", maxFileSize: 64 * 1024 });
    for (let round = 0; round < 300; round++) {
      await level.put(`key ${round % 50}`, bytesOf(5_000, round));
      if (round % 60 === 0) await level.compactRange("", "~");
    }
    await level.compactRange("", "~");
    await level.close();
    const files = (await fs.readdir(folder)).filter((name) => name.endsWith(".ldb"));
    assert.equal((await tablesIn(folder)).map(({ name }) => name).sort(), files.sort());
    await fs.writeFile(path.join(folder, "009999.ldb"), Buffer.alloc(5_000));
    assert.is(await unsafeTable(folder, await tablesIn(folder)), undefined);
    const [table = ""] = files;
    await fs.truncate(path.join(folder, table), 1_000);
    assert.is(await unsafeTable(folder, await tablesIn(folder)), table);
  }));

test.run();
