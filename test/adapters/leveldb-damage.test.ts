import fs from "node:fs/promises";
import path from "node:path";
import { ClassicLevel } from "classic-level";
import { MemoryLevel } from "memory-level";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { ActivityError } from "../../src/errors.js";
import { bucketOf, draftOf, read } from "../contract/case.js";
import { ENGINE_JOURNAL, listing, withFolder } from "./folder.js";
import { countIn, dump, filesLike, fill, putRaw, refuses } from "./opening.js";

const test = suite("leveldb: damaged, newer and foreign data");

test("a missing CURRENT is refused, nothing is changed, and the repair that is named brings all back", () =>
  withFolder(async (folder) => {
    const count = await fill(folder);
    await fs.rm(path.join(folder, "CURRENT"));
    const before = await listing(folder);
    const expected = { code: "STORAGE_CORRUPT", names: folder, way: /repair/ } as const;
    for (let attempt = 0; attempt < 2; attempt++) await refuses(leveldb({ path: folder }), expected);
    assert.equal(await listing(folder), before);
    await ClassicLevel.repair(folder);
    assert.is(await countIn(folder), count);
  }));

const DAMAGES: Readonly<Record<string, (folder: string) => Promise<void>>> = {
  "a garbled MANIFEST": (folder) => overwrite(folder, /^MANIFEST/, () => Buffer.alloc(300, 0xa7)),
  "an empty MANIFEST": (folder) => overwrite(folder, /^MANIFEST/, () => Buffer.alloc(0)),
  "a missing MANIFEST": async (folder) => {
    for (const file of await filesLike(folder, /^MANIFEST/)) await fs.rm(file);
  },
  "a garbled CURRENT": (folder) => overwrite(folder, /^CURRENT$/, () => Buffer.from("nonsense\n")),
  "an empty CURRENT": (folder) => overwrite(folder, /^CURRENT$/, () => Buffer.alloc(0)),
  "a missing table": async (folder) => {
    for (const file of await filesLike(folder, /\.(ldb|sst)$/)) await fs.rm(file);
  },
};

async function overwrite(folder: string, pattern: RegExp, content: () => Buffer): Promise<void> {
  for (const file of await filesLike(folder, pattern)) await fs.writeFile(file, content());
}

for (const [name, damage] of Object.entries(DAMAGES)) {
  test(`${name} is refused, no file is changed, and a restored copy opens`, () =>
    withFolder(async (root) => {
      const folder = path.join(root, "data");
      const backup = path.join(root, "backup");
      const count = await fill(folder);
      await fs.cp(folder, backup, { recursive: true });
      await damage(folder);
      const before = await listing(folder, ENGINE_JOURNAL);
      const expected = { code: "STORAGE_CORRUPT", names: folder, way: /backup|repair/ } as const;
      for (let attempt = 0; attempt < 2; attempt++) await refuses(leveldb({ path: folder }), expected);
      assert.equal(await listing(folder, ENGINE_JOURNAL), before);
      await fs.rm(folder, { recursive: true });
      await fs.cp(backup, folder, { recursive: true });
      assert.is(await countIn(folder), count);
    }));
}

test("a record that is damaged is named, and the records are kept", () =>
  withFolder(async (root) => {
    const records: [string, string][] = [
      ["b!0000001", "{"],
      ["t!0000001!00000000001", "[1"],
      ["g!0000001!0000009", "{}"],
      ['s!"key', "1"],
    ];
    for (const [index, [key, value]] of records.entries()) {
      const folder = path.join(root, String(index));
      await fill(folder);
      await putRaw(folder, [[key, value]]);
      const before = await dump(folder);
      const message = await refuses(leveldb({ path: folder }), { code: "STORAGE_CORRUPT", names: folder });
      assert.ok(message.includes(JSON.stringify(key)), message);
      assert.equal(await dump(folder), before);
    }
  }));

test("a segment that is damaged fails the reads that need it, and nothing else", () =>
  withFolder(async (folder) => {
    await fill(folder);
    const segments = (await dump(folder)).filter(([key]) => key.startsWith("d!"));
    assert.ok(segments.length > 2, "the folder has sealed segments");
    await putRaw(folder, [[segments[0]?.[0] ?? "", "garbage"]]);
    const storage = await leveldb({ path: folder });
    try {
      const failure = await read(storage, "window").then(
        () => "it was read",
        (error: unknown) => error,
      );
      assert.ok(ActivityError.is(failure) && /^STORAGE_(CORRUPT|FAILED)$/.test(failure.code), String(failure));
      assert.match((failure as Error).message, /window/);
      assert.is((await read(storage, "window", { limit: 1 })).length, 1);
      assert.is((await read(storage, "afk")).length, 2);
      await storage.putEvents("window", [draftOf(10_000)]);
      await storage.heartbeat("window", draftOf(10_001), 5);
      assert.is((await read(storage, "window", { limit: 1 }))[0]?.duration, 1);
    } finally {
      await storage.close();
    }
  }));

test("a folder of a newer format is refused before anything is touched", () =>
  withFolder(async (folder) => {
    await fill(folder);
    await putRaw(folder, [["m!format", '{"format":2}']]);
    await fs.writeFile(path.join(folder, "FORMAT"), "2\n");
    const before = await listing(folder);
    for (let attempt = 0; attempt < 2; attempt++) {
      await refuses(leveldb({ path: folder }), { code: "STORAGE_TOO_NEW", names: folder, way: /update/ });
    }
    assert.equal(await listing(folder), before);
  }));

test("a database of a newer format without the file that says so is refused, its records are kept", () =>
  withFolder(async (folder) => {
    await fill(folder);
    await putRaw(folder, [
      ["m!format", '{"format":2,"more":[]}'],
      ["z!unknown", "of the future"],
    ]);
    await fs.rm(path.join(folder, "FORMAT"), { force: true });
    const before = await dump(folder);
    await refuses(leveldb({ path: folder }), { code: "STORAGE_TOO_NEW", names: folder, way: /update/ });
    assert.equal(await dump(folder), before);
    assert.not.ok((await fs.readdir(folder)).includes("FORMAT"), "a file FORMAT that claims our version was written");
  }));

const FOREIGN: readonly [name: string, key: string | Buffer][] = [
  ["text keys", "user:1"],
  ["a key before all others", ""],
  ["keys beyond the basic plane", "\u{1f600}"],
  ["binary keys", Buffer.from([0xff, 0xff, 0xff])],
  ["keys that look like a bucket", "b!0000001"],
];

for (const [name, key] of FOREIGN) {
  test(`a folder database of somebody else (${name}) is refused, its records are kept`, () =>
    withFolder(async (folder) => {
      const db = new ClassicLevel<Buffer, string>(folder, { keyEncoding: "buffer" });
      await db.put(Buffer.from(key), "theirs");
      await db.close();
      const before = await dump(folder);
      await refuses(leveldb({ path: folder }), { code: "STORAGE_UNUSABLE", names: folder, way: /own|another|choose/ });
      assert.equal(await dump(folder), before);
      assert.not.ok((await fs.readdir(folder)).includes("FORMAT"), "a file FORMAT was written");
    }));

  test(`a given database of somebody else (${name}) is refused, kept and left open`, async () => {
    const db = new MemoryLevel<Buffer, string>({ keyEncoding: "buffer" });
    await db.put(Buffer.from(key), "theirs");
    await refuses(leveldb({ db: db as never }), { code: "STORAGE_UNUSABLE", way: /own|another|choose/ });
    assert.is(db.status, "open");
    assert.equal(await db.iterator().all(), [[Buffer.from(key), "theirs"]]);
    await db.close();
  });
}

test("events whose bucket record is lost are refused as damage, not cleared away", async () => {
  const db = new MemoryLevel<string, string>();
  const storage = await leveldb({ db: db as never });
  await storage.createBucket(bucketOf("window"));
  await storage.putEvents(
    "window",
    Array.from({ length: 3_000 }, (_, index) => draftOf(index)),
  );
  await storage.close();
  const [record] = await db.keys({ gte: "b!", lt: 'b"' }).all();
  await db.del(record as string);
  const before = await db.keys().all();
  await refuses(leveldb({ db: db as never }), { code: "STORAGE_CORRUPT", way: /backup/ });
  assert.equal(await db.keys().all(), before);
});

test("what a deletion left behind is cleared away at the next opening", async () => {
  const db = new MemoryLevel<string, string>();
  await (await leveldb({ db: db as never })).close();
  await db.put("t!0000009!00000000001", "[0,0,{}]");
  await db.put("x!0000009", "");
  const storage = await leveldb({ db: db as never });
  assert.equal(await storage.listBuckets(), []);
  await storage.close();
  assert.equal(await db.keys().all(), ["m!format"]);
});

test("a given database of a newer format is refused and kept", async () => {
  const db = new MemoryLevel<string, string>();
  await db.put("m!format", '{"format":99}');
  await db.put("unknown", "of the future");
  await refuses(leveldb({ db: db as never }), { code: "STORAGE_TOO_NEW", way: /update/ });
  assert.equal(await db.iterator().all(), [
    ["m!format", '{"format":99}'],
    ["unknown", "of the future"],
  ]);
});

test.run();
