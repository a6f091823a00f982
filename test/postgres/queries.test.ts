// One history, written to every storage in the same way: all of them answer the same.
import { createStorage } from "unstorage";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { memory } from "../../adapters/memory.js";
import { unstorage } from "../../adapters/unstorage/index.js";
import { FUNCTIONS } from "../../src/query/functions.js";
import type { Storage } from "../../src/storage/storage.js";
import { withFolder } from "../adapters/folder.js";
import { postgresGround } from "./ground.js";
import { answersOf, fillDesk, PROGRAM_COUNT, PROGRAM_TEXT, sameAnswers } from "./queries.js";

const test = suite("queries of all storages");

const ground = await postgresGround();

test("the programs are at least 20, and call every function of the language", () => {
  assert.ok(PROGRAM_COUNT >= 20);
  const names = [...FUNCTIONS.keys()];
  assert.ok(names.length > 20);
  assert.equal(
    names.filter((name) => !PROGRAM_TEXT.includes(`${name}(`)),
    [],
  );
});

test(`${PROGRAM_COUNT} programs answer the same on every storage, for three periods`, () =>
  withFolder(async (folder) => {
    const reference = memory();
    await fillDesk(reference);
    const wanted = await answersOf(reference);
    const results = [...wanted.values()].map((text) => JSON.parse(text) as unknown[]);
    assert.ok(results.every((each) => each.length === 3));
    assert.ok(new Set([...wanted.values()]).size === PROGRAM_COUNT, "no two programs answer the same");
    assert.ok(
      [...wanted.values()].every((text) => !/^\[(?:\[\],?|0,?)*\]$/.test(text)),
      "none answers nothing",
    );
    const others: [string, Storage][] = [
      ["leveldb", leveldb({ path: folder })],
      ["unstorage", unstorage({ storage: createStorage() })],
    ];
    if (ground !== undefined) others.push(["postgres", ground.open(ground.newNamespace())]);
    for (const [name, storage] of others) {
      await fillDesk(storage);
      sameAnswers(await answersOf(storage), wanted, name);
      await storage.close();
    }
  }));

test("the connections of the suite end", async () => ground?.finish());

test.run();
