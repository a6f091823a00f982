import fs from "node:fs";
import path from "node:path";
import { ClassicLevel } from "classic-level";
import { MemoryLevel } from "memory-level";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Operation, type TextDatabase, textDatabase } from "../../adapters/leveldb/database.js";
import { leveldb } from "../../adapters/leveldb/index.js";
import { type JournaledDatabase, journaled } from "../../adapters/leveldb/journal.js";
import type { JournalFiles } from "../../adapters/leveldb/journal-files.js";
import { put } from "../../adapters/leveldb/layout.js";
import type { Storage } from "../../src/storage.js";
import { bucketOf, draftOf, read } from "../contract/case.js";
import { withFolder } from "./folder.js";
import { refuses } from "./opening.js";

const test = suite("leveldb journal");
const ALL = { gte: "", lt: "\uffff" };

/** Gives paths of folders that are not there yet. */
type NewFolder = () => string;

function testInFolder(name: string, body: (folder: NewFolder) => Promise<void>): void {
  test(name, () =>
    withFolder((root) => {
      let no = 0;
      return body(() => path.join(root, String(no++)));
    }),
  );
}

/** What a crash at this moment leaves. */
function crashed(location: string, copy: string): string {
  fs.cpSync(location, copy, { recursive: true });
  return copy;
}

async function beats(storage: Storage, count: number, from = 0): Promise<void> {
  for (let index = from; index < from + count; index++) {
    await storage.heartbeat("window", { timestamp: index * 10, duration: 0, data: { index } }, 0);
  }
}

/** In the order of time; none when the bucket is not there either. */
async function indexesIn(location: string): Promise<unknown[]> {
  const storage = await leveldb({ path: location });
  try {
    if ((await storage.getBucket("window")) === undefined) return [];
    return (await read(storage, "window", { order: "oldest" })).map(({ data }) => data.index);
  } finally {
    await storage.close();
  }
}

const counted = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

testInFolder("what was acknowledged is there after a crash, at whatever moment it comes", async (folder) => {
  const location = folder();
  const storage = await leveldb({ path: location });
  await storage.createBucket(bucketOf("window"));
  let made = 0;
  // Past the change of files, the folding of the tail, and batches that go to the engine directly.
  for (const count of [1, 2, 50, 2_000, 100, 3_000, 7]) {
    await beats(storage, count, made);
    made += count;
    assert.equal(await indexesIn(crashed(location, folder())), counted(made));
  }
  await storage.close();
  assert.equal(await indexesIn(location), counted(made));
});

testInFolder("a record that a crash cut off was never acknowledged, and what was before it stays", async (folder) => {
  const location = folder();
  const storage = await leveldb({ path: location });
  await storage.createBucket(bucketOf("window"));
  await beats(storage, 5);
  const whole = crashed(location, folder());
  await storage.close();
  const size = fs.statSync(path.join(whole, "journal-0")).size;
  const found = new Set<number>();
  for (let cut = 0; cut <= size; cut += 13) {
    const copy = crashed(whole, folder());
    fs.truncateSync(path.join(copy, "journal-0"), cut);
    const there = await indexesIn(copy);
    assert.equal(there, counted(there.length));
    found.add(there.length);
  }
  assert.ok(found.has(0) && found.has(2) && found.size >= 5);
});

testInFolder("a closed folder has no journal, and its database is whole without one", async (folder) => {
  const location = folder();
  const storage = await leveldb({ path: location });
  await storage.createBucket(bucketOf("window"));
  await beats(storage, 20);
  const copy = crashed(location, folder());
  await storage.close();
  assert.equal(
    fs.readdirSync(location).filter((name) => name.startsWith("journal")),
    [],
  );
  const db = new ClassicLevel(location);
  const again = await leveldb({ db });
  assert.is(await again.countEvents("window"), 20);
  await again.close();
  await db.close();

  const left = new ClassicLevel(copy);
  await refuses(leveldb({ db: left }), { code: "STORAGE_UNUSABLE", names: "journal", way: /leveldb\(\{ path \}\)/ });
  await left.close();
  assert.equal(await indexesIn(copy), counted(20));
});

testInFolder("the journal of another database counts for nothing", async (folder) => {
  const [one, other] = [folder(), folder()];
  for (const location of [one, other]) {
    const storage = await leveldb({ path: location });
    await storage.createBucket(bucketOf("window"));
    await beats(storage, location === one ? 3 : 8);
    fs.cpSync(location, `${location}-crashed`, { recursive: true });
    await storage.close();
  }
  fs.copyFileSync(path.join(`${other}-crashed`, "journal-0"), path.join(`${one}-crashed`, "journal-0"));
  assert.equal(await indexesIn(`${one}-crashed`), []);
});

testInFolder("another durability takes over what the journal holds", async (folder) => {
  const location = folder();
  const storage = await leveldb({ path: location });
  await storage.createBucket(bucketOf("window"));
  await beats(storage, 9);
  const copy = crashed(location, folder());
  await storage.close();
  const forced = await leveldb({ path: copy, durability: "power-loss" });
  assert.is(await forced.countEvents("window"), 9);
  assert.not.ok(fs.existsSync(path.join(copy, "journal-0")));
  await forced.close();
});

/** A journal in memory, and a database that can be told to refuse. */
function parts() {
  const contents: [Buffer, Buffer] = [Buffer.alloc(0), Buffer.alloc(0)];
  const refuse = { append: false, batch: false };
  let current: 0 | 1 = 0;
  let position = 0;
  const files: JournalFiles = {
    append(bytes) {
      const written = refuse.append ? bytes.subarray(0, bytes.length / 2) : bytes;
      const rest = contents[current].subarray(position + written.length);
      contents[current] = Buffer.concat([contents[current].subarray(0, position), written, rest]);
      if (refuse.append) throw new Error("no space");
      position += bytes.length;
    },
    swap() {
      current = current === 0 ? 1 : 0;
      position = 0;
    },
    read: () => contents.map((bytes) => Buffer.from(bytes)),
    remove() {
      contents[0] = contents[1] = Buffer.alloc(0);
    },
  };
  const plain = textDatabase(new MemoryLevel(), "process-crash");
  const database: TextDatabase = {
    ...plain,
    async batch(operations) {
      if (refuse.batch) throw new Error("refused");
      await plain.batch(operations);
    },
  };
  /** What is there for a process that starts now. */
  async function afterCrash(): Promise<Record<string, string>> {
    const copy = textDatabase(new MemoryLevel(), "process-crash");
    const entries: Operation[] = [];
    for await (const chunk of plain.entries(ALL)) {
      for (const [key, value] of chunk) entries.push({ type: "put", key, value, valueEncoding: "utf8" });
    }
    await copy.batch(entries);
    return contentOf(await journaled(copy, { ...files, append: () => undefined, swap: () => undefined }));
  }
  return { files, database, refuse, afterCrash, contents };
}

async function contentOf(database: JournaledDatabase): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const chunk of database.entries(ALL)) {
    for (const [key, value] of chunk) if (key !== "m!journal") found[key] = value;
  }
  return found;
}

test("what the journal could not take whole is not there, and what comes later is", async () => {
  const { files, database, refuse, afterCrash } = parts();
  const journal = await journaled(database, files);
  for (const key of ["a", "b", "c"]) await journal.batch([put(key, 1)]);
  refuse.append = true;
  const thrown = await journal.batch([put("d", 1)]).catch((error: Error) => error.message);
  assert.is(thrown, "no space");
  assert.equal(Object.keys(await afterCrash()), ["a", "b", "c"]);
  refuse.append = false;
  await journal.batch([put("e", 1)]);
  assert.equal(Object.keys(await afterCrash()), ["a", "b", "c", "e"]);
  assert.equal(Object.keys(await contentOf(journal)), ["a", "b", "c", "e"]);
});

test("what the engine refuses to take over stays in the journal until it takes it", async () => {
  const { files, database, refuse, afterCrash } = parts();
  const journal = await journaled(database, files);
  await journal.batch([put("a", 1)]);
  refuse.batch = true;
  const many = Array.from({ length: 5_000 }, (_, index) => `k${String(index).padStart(4, "0")}`);
  const taken = ["a"];
  for (const key of many) {
    const done = await journal.batch([put(key, 2)]).then(
      () => true,
      () => false,
    );
    if (done) taken.push(key);
  }
  assert.ok(taken.length > 2_000 && taken.length < 5_000, `${taken.length} were taken`);
  assert.equal(Object.keys(await afterCrash()), taken);
  refuse.batch = false;
  await journal.batch([put("z", 3)]);
  assert.equal(Object.keys(await afterCrash()), [...taken, "z"]);
  assert.equal(Object.keys(await contentOf(journal)), [...taken, "z"]);
});

test("of records with a gap between them only those before it count", async () => {
  const { files, database, afterCrash, contents } = parts();
  const journal = await journaled(database, files);
  await journal.batch([put("a", 1)]);
  for (const key of ["b", "c", "d"]) await journal.batch([put(key, 1)]);
  const bytes = contents.find(({ length }) => length > 0) as Buffer;
  const length = bytes.length / 3;
  const gap = Buffer.concat([bytes.subarray(0, length), bytes.subarray(2 * length)]);
  contents[0] = gap;
  contents[1] = Buffer.alloc(0);
  assert.equal(Object.keys(await afterCrash()), ["a", "b"]);
});

test("later values stand over earlier ones, and deletions stay deletions", async () => {
  const { files, database, afterCrash } = parts();
  const journal = await journaled(database, files);
  await journal.batch([put("a", 0), put("b", 0)]);
  for (let round = 1; round <= 6_000; round++) await journal.batch([put("a", round), put(`n${round % 3_000}`, round)]);
  await journal.batch([{ type: "del", key: "b" }]);
  const expected = Object.fromEntries(counted(3_000).map((no) => [`n${no}`, String(no === 0 ? 6_000 : no + 3_000)]));
  assert.equal(await afterCrash(), { a: "6000", ...expected });
  assert.equal(await contentOf(journal), { a: "6000", ...expected });
});

test("texts of all kinds come through", async () => {
  const { files, database, afterCrash } = parts();
  const journal = await journaled(database, files);
  await journal.batch([put("a", 1)]);
  const values = { 'a"\n': "line\nbreak", ü: "日本語 \ud83d\ude00", empty: "", "-": "-", lone: "\ud800" };
  for (const [key, value] of Object.entries(values)) await journal.batch([put(`s!${JSON.stringify(key)}`, value)]);
  const found = await afterCrash();
  for (const [key, value] of Object.entries(values)) {
    assert.is(JSON.parse(found[`s!${JSON.stringify(key)}`] as string), value);
  }
});

testInFolder("an event larger than the journal takes is kept all the same", async (folder) => {
  const location = folder();
  const storage = await leveldb({ path: location });
  await storage.createBucket(bucketOf("window"));
  await beats(storage, 3);
  await storage.putEvents("window", [draftOf(1_000, 1, "x".repeat(200_000))]);
  await beats(storage, 1, 3);
  const copy = crashed(location, folder());
  await storage.close();
  const again = await leveldb({ path: copy });
  assert.is(await again.countEvents("window"), 5);
  await again.close();
});

test.run();
