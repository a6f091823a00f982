import fs from "node:fs/promises";
import path from "node:path";
import { crc32 } from "node:zlib";
import { ClassicLevel } from "classic-level";
import { MemoryLevel } from "memory-level";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { ActivityError } from "../../src/errors.js";
import { bucketOf, draftOf, read } from "../contract/case.js";
import { listing, withFolder } from "./folder.js";
import { countIn, dump, filesLike, fill, refuses } from "./opening.js";

const test = suite("leveldb: damaged, older, newer and foreign data");

const WAY = /backup|salvage/;

/** What is done to a folder, and what its opening says. */
const DAMAGES: Readonly<Record<string, (folder: string) => Promise<void>>> = {
  "a garbled MANIFEST": (folder) => overwrite(folder, /^MANIFEST/, () => Buffer.alloc(300, 0xa7)),
  "an empty MANIFEST": (folder) => overwrite(folder, /^MANIFEST/, () => Buffer.alloc(0)),
  "a missing MANIFEST": (folder) => remove(folder, /^MANIFEST/),
  "a garbled CURRENT": (folder) => overwrite(folder, /^CURRENT$/, () => Buffer.from("nonsense\n")),
  "an empty CURRENT": (folder) => overwrite(folder, /^CURRENT$/, () => Buffer.alloc(0)),
  "a missing CURRENT": (folder) => remove(folder, /^CURRENT$/),
  "a missing table": (folder) => remove(folder, /\.(ldb|sst)$/),
  "an empty log of the engine": (folder) => overwrite(folder, /^\d+\.log$/, () => Buffer.alloc(0)),
  "a missing log of the engine": (folder) => remove(folder, /^\d+\.log$/),
  "a log of the engine with a flipped bit in its middle": (folder) => flipMiddle(folder, /^\d+\.log$/),
  "a missing write-ahead log": (folder) => remove(folder, /\.wal$/),
  "an empty write-ahead log": (folder) => overwrite(folder, /\.wal$/, () => Buffer.alloc(0)),
  "a write-ahead log that is cut in its snapshot": (folder) =>
    overwrite(folder, /\.wal$/, (content) => content.subarray(0, 45)),
  "a write-ahead log with a flipped bit in its snapshot": (folder) =>
    overwrite(folder, /\.wal$/, (content) => {
      content[60] = (content[60] as number) ^ 1;
      return content;
    }),
};

async function overwrite(folder: string, pattern: RegExp, change: (content: Buffer) => Buffer): Promise<void> {
  for (const file of await filesLike(folder, pattern)) await fs.writeFile(file, change(await fs.readFile(file)));
}

async function remove(folder: string, pattern: RegExp): Promise<void> {
  for (const file of await filesLike(folder, pattern)) await fs.rm(file);
}

function flipMiddle(folder: string, pattern: RegExp): Promise<void> {
  return overwrite(folder, pattern, (content) => {
    const middle = content.length >> 1;
    content[middle] = (content[middle] as number) ^ 4;
    return content;
  });
}

for (const [name, damage] of Object.entries(DAMAGES)) {
  test(`${name} is refused, however often it is tried, and a restored copy opens`, () =>
    withFolder(async (root) => {
      const folder = path.join(root, "data");
      const backup = path.join(root, "backup");
      const count = await fill(folder);
      await fs.cp(folder, backup, { recursive: true });
      await damage(folder);
      const expected = { code: "STORAGE_CORRUPT", names: folder, way: WAY } as const;
      for (let attempt = 0; attempt < 2; attempt++) await refuses(leveldb({ path: folder }), expected);
      await fs.rm(folder, { recursive: true });
      await fs.cp(backup, folder, { recursive: true });
      assert.is(await countIn(folder), count);
    }));
}

test("a record of the MANIFEST is taken back if a power cut kept it and lost the table that it names", () =>
  withFolder(async (root) => {
    const folder = path.join(root, "data");
    const count = await fill(folder);
    const inside = path.join(folder, "db");
    const db = new ClassicLevel<string, string>(inside);
    await db.put("x", "y");
    const before = path.join(root, "before");
    await fs.cp(inside, before, { recursive: true });
    await db.compactRange("x", "x");
    const [manifest] = (await filesLike(inside, /^MANIFEST/)) as [string];
    const content = await fs.readFile(manifest);
    const old = path.join(before, path.basename(manifest));
    const { size } = await fs.stat(old);
    await db.close();
    assert.ok(content.length > size + 7, "the compaction was recorded");
    const record = content.subarray(size, size + 7 + content.readUInt16LE(size + 4));
    await fs.appendFile(old, record);
    await fs.rm(inside, { recursive: true });
    await fs.cp(before, inside, { recursive: true });
    assert.is(await countIn(folder), count);
    // Without the log that the record replaces there is nothing to go back to.
    await fs.rm(inside, { recursive: true });
    await fs.cp(before, inside, { recursive: true });
    await remove(inside, /^\d+\.log$/);
    await refuses(leveldb({ path: folder }), { code: "STORAGE_CORRUPT", names: folder, way: WAY });
  }));

/** One bit of a text in hexadecimal. */
function flipped(hex: string): string {
  const bytes = Buffer.from(hex, "hex");
  const at = Math.min(bytes.length - 1, 20);
  bytes[at] = (bytes[at] as number) ^ 1;
  return bytes.toString("hex");
}

async function putHex(folder: string, key: string, hex: string | undefined): Promise<void> {
  const db = new ClassicLevel<string, string>(path.join(folder, "db"), { valueEncoding: "hex" });
  await (hex === undefined ? db.del(key) : db.put(key, hex));
  await db.close();
}

test("a record, an entry or the root that is damaged or missing is refused", () =>
  withFolder(async (folder) => {
    await fill(folder);
    const all = await dump(folder);
    const kinds = new Set(all.map(([key]) => key.slice(0, 2)));
    assert.equal([...kinds].sort(), ["d!", "g!", "m!", "r!"]);
    for (const kind of ["g!", "r!", "m!root"]) {
      const [key, value] = all.find(([each]) => each.startsWith(kind)) as [string, string];
      for (const bad of [flipped(value), undefined]) {
        await putHex(folder, key, bad);
        await refuses(leveldb({ path: folder }), { code: "STORAGE_CORRUPT", names: folder, way: WAY });
      }
      await putHex(folder, key, value);
    }
    assert.is(await countIn(folder), 6_000);
  }));

test("a segment that is damaged fails the reads that need it, and nothing else", () =>
  withFolder(async (folder) => {
    await fill(folder);
    const all = await dump(folder);
    // One with an entry: others only wait to be dropped.
    const [entry] = all.find(([each]) => each.startsWith("g!")) as [string, string];
    const [key, value] = all.find(([each]) => each === `d${entry.slice(1)}`) as [string, string];
    for (const bad of [flipped(value), "00", undefined]) {
      await putHex(folder, key, bad);
      const reported: string[] = [];
      const logger = {
        info: () => undefined,
        warn: () => undefined,
        error: (error: unknown) => void reported.push(String(error)),
      };
      const storage = leveldb({ path: folder, logger });
      try {
        const failure: unknown = await read(storage, "window").catch((thrown: unknown) => thrown);
        assert.ok(ActivityError.is(failure), "the read fails");
        assert.is(failure.code, "STORAGE_CORRUPT");
        assert.match(failure.message, /window/);
        assert.match(failure.message, /1970-01-01T/, "the time range");
        assert.is((await read(storage, "window", { limit: 1 })).length, 1);
        assert.is((await read(storage, "afk")).length, 2);
        await storage.putEvents("window", [draftOf(10_000)]);
        await storage.heartbeat("window", draftOf(10_001), 5);
        assert.is((await read(storage, "window", { limit: 1 }))[0]?.duration, 1);
        assert.is((await storage.health?.())?.state, "degraded");
        assert.is(reported.length, 1, "reported once");
      } finally {
        await storage.close();
      }
    }
  }));

function formatText(format: number): string {
  const text = `activity-server format ${format} cipher 0 key 0`;
  return `${text} checksum ${crc32(text).toString(16).padStart(8, "0")}\n`;
}

test("a folder of a newer format is refused before anything is touched", () =>
  withFolder(async (folder) => {
    await fill(folder);
    await fs.writeFile(path.join(folder, "FORMAT"), formatText(3));
    const before = await listing(folder);
    for (let attempt = 0; attempt < 2; attempt++) {
      await refuses(leveldb({ path: folder }), { code: "STORAGE_TOO_NEW", names: folder, way: /update/ });
    }
    assert.equal(await listing(folder), before);
  }));

test("a folder of format 1 is refused before anything is touched, with the commands that bring it over", () =>
  withFolder(async (folder) => {
    for (const format of ["1\n", undefined]) {
      const db = new ClassicLevel<string, string>(folder);
      await db.put("m!format", '{"format":1}');
      await db.close();
      if (format === undefined) await fs.rm(path.join(folder, "FORMAT"));
      else await fs.writeFile(path.join(folder, "FORMAT"), format);
      const before = await listing(folder);
      await refuses(leveldb({ path: folder }), {
        code: "STORAGE_TOO_OLD",
        names: folder,
        way: /migrate-format-1.*restore/,
      });
      assert.equal(await listing(folder), before);
    }
  }));

test("a given database of format 1 is refused and kept", async () => {
  const db = new MemoryLevel<string, string>();
  await db.put("m!format", '{"format":1}');
  await db.put('s!"theme"', '"dark"');
  await refuses(leveldb({ db: db as never }), { code: "STORAGE_TOO_OLD", way: /restore/ });
  assert.is((await db.keys().all()).length, 2);
});

test("a lost or garbled FORMAT is reported and written anew, and nothing else is lost", () =>
  withFolder(async (folder) => {
    const count = await fill(folder);
    for (const content of [undefined, "\0\0", "", "nonsense", "1\n"]) {
      if (content === undefined) await fs.rm(path.join(folder, "FORMAT"));
      else await fs.writeFile(path.join(folder, "FORMAT"), content);
      assert.is(await countIn(folder), count);
      assert.is(await fs.readFile(path.join(folder, "FORMAT"), "utf8"), formatText(2));
    }
  }));

const FOREIGN: readonly [name: string, key: string | Buffer][] = [
  ["text keys", "user:1"],
  ["a key before all others", ""],
  ["keys beyond the basic plane", "\u{1f600}"],
  ["binary keys", Buffer.from([0xff, 0xff, 0xff])],
];

for (const [name, key] of FOREIGN) {
  test(`a given database of somebody else (${name}) is refused, kept and left open`, async () => {
    const db = new MemoryLevel<Buffer, string>({ keyEncoding: "buffer" });
    await db.put(Buffer.from(key), "theirs");
    await refuses(leveldb({ db: db as never }), {
      code: "STORAGE_UNUSABLE",
      way: /pass a separate database, or a sublevel/,
    });
    assert.is(db.status, "open");
    assert.equal(await db.iterator().all(), [[Buffer.from(key), "theirs"]]);
    await db.close();
  });
}

test("a given database without the record of a bucket is refused as damaged, and kept", async () => {
  const db = new MemoryLevel<string, string>();
  const storage = leveldb({ db: db as never });
  await storage.createBucket(bucketOf("window"));
  await storage.putEvents(
    "window",
    Array.from({ length: 3_000 }, (_, index) => draftOf(index)),
  );
  await storage.close();
  await db.del("r!b/1");
  const before = await db.keys().all();
  await refuses(leveldb({ db: db as never }), { code: "STORAGE_CORRUPT", way: WAY });
  assert.equal(await db.keys().all(), before);
});

test("what a deletion left behind is cleared away after the next opening", () =>
  withFolder(async (folder) => {
    await fill(folder);
    const storage = leveldb({ path: folder });
    await storage.deleteBucket("window");
    // Closed before the segments are dropped in the background.
    await storage.close();
    assert.ok((await dump(folder)).some(([key]) => key.startsWith("d!")));
    const kinds = async (): Promise<Set<string>> => {
      const again = leveldb({ path: folder });
      assert.equal(
        (await again.listBuckets()).map(({ id }) => id),
        ["afk"],
      );
      await new Promise((resolve) => setTimeout(resolve, 500));
      await again.close();
      return new Set((await dump(folder)).map(([key]) => key.slice(0, 2)));
    };
    for (let left = await kinds(); left.has("d!") || left.has("g!"); left = await kinds());
    const final = leveldb({ path: folder });
    assert.equal((await final.verify()).problems, []);
    await final.close();
  }));

test("a given database of a newer format is refused and kept", async () => {
  const db = new MemoryLevel<string, string>();
  const storage = leveldb({ db: db as never });
  await storage.createBucket(bucketOf("window"));
  await storage.close();
  const { addSum } = await import("../../adapters/segments/checksum.js");
  await db.put("m!root", addSum("root", '{"format":99}').stored);
  const before = await db.iterator().all();
  await refuses(leveldb({ db: db as never }), { code: "STORAGE_TOO_NEW", way: /update/ });
  assert.equal(await db.iterator().all(), before);
  await db.close();
});

test.run();
