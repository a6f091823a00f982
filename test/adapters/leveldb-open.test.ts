import fs from "node:fs/promises";
import path from "node:path";
import { ClassicLevel } from "classic-level";
import { MemoryLevel } from "memory-level";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { ActivityError, type ErrorCode } from "../../src/errors.js";
import type { Storage } from "../../src/storage.js";
import { bucketOf, draftOf, read } from "../contract/case.js";
import { ENGINE_JOURNAL, holdElsewhere, listing, withFolder } from "./folder.js";

const test = suite("leveldb: opening");

/** Demands that an opening fails with a code, and with a message that names something and a way out. */
async function refuses(
  opening: Promise<Storage>,
  { code, names, way }: { readonly code: ErrorCode; readonly names?: string; readonly way?: RegExp },
): Promise<string> {
  const thrown = await opening.then(
    async (storage) => {
      await storage.close();
      return "it opened";
    },
    (error: unknown) => error,
  );
  assert.ok(ActivityError.is(thrown), `expected an ActivityError, got ${thrown}`);
  assert.is(thrown.code, code, thrown.message);
  if (names !== undefined) assert.ok(thrown.message.includes(names), `${names} is not in: ${thrown.message}`);
  if (way !== undefined) assert.match(thrown.message, way);
  assert.not.match(thrown.message, /\n/, "a message of one line");
  return thrown.message;
}

/** A folder with two buckets, one of them with sealed events, that was closed properly and has tables. */
async function fill(folder: string): Promise<number> {
  for (const round of [1, 2]) {
    const storage = await leveldb({ path: folder });
    await storage.createBucket(bucketOf("window"));
    await storage.createBucket(bucketOf("afk"));
    await storage.putEvents(
      "window",
      Array.from({ length: 3_000 }, (_, index) => draftOf(index * round, 1)),
    );
    await storage.putEvents("afk", [draftOf(round)]);
    await storage.settings.put("key", round);
    await storage.close();
  }
  return 6_000;
}

async function countIn(folder: string): Promise<number> {
  const storage = await leveldb({ path: folder });
  try {
    assert.is((await read(storage, "window")).length, await storage.countEvents("window"));
    return await storage.countEvents("window");
  } finally {
    await storage.close();
  }
}

async function dump(folder: string): Promise<[string, string][]> {
  const db = new ClassicLevel<string, string>(folder, { valueEncoding: "hex" });
  try {
    return await db.iterator().all();
  } finally {
    await db.close();
  }
}

async function putRaw(folder: string, entries: readonly (readonly [key: string, value: string])[]): Promise<void> {
  const db = new ClassicLevel<string, string>(folder);
  for (const [key, value] of entries) await db.put(key, value);
  await db.close();
}

async function filesLike(folder: string, pattern: RegExp): Promise<string[]> {
  return (await fs.readdir(folder)).filter((name) => pattern.test(name)).map((name) => path.join(folder, name));
}

test("a folder that is missing is made, for its owner only", () =>
  withFolder(async (root) => {
    const folder = path.join(root, "a", "b");
    await (await leveldb({ path: folder })).close();
    assert.is((await fs.stat(folder)).mode & 0o777, 0o700);
    assert.is((await fs.stat(path.dirname(folder))).mode & 0o777, 0o700);
  }));

test("a folder that is open in this process is refused, by any name, and the holder keeps it", () =>
  withFolder(async (root) => {
    const folder = path.join(root, "data");
    const storage = await leveldb({ path: folder });
    await storage.createBucket(bucketOf("window"));
    await fs.symlink(folder, path.join(root, "link"));
    // Reading the lock file in this process would give the lock away, too.
    const before = await listing(folder, new Set(["LOCK"]));
    const names = [folder, `${folder}/`, path.join(root, "link"), path.relative(process.cwd(), folder)];
    for (const name of names) {
      const expected = { code: "STORAGE_LOCKED", names: path.resolve(name), way: /stop|choose|another/ } as const;
      await refuses(leveldb({ path: name }), expected);
    }
    const [first, second] = await Promise.allSettled([leveldb({ path: folder }), leveldb({ path: folder })]);
    assert.equal([first?.status, second?.status], ["rejected", "rejected"]);
    assert.equal(await listing(folder, new Set(["LOCK"])), before);
    // By trying, LevelDB would have given the lock away: then the other process gets in.
    const other = await holdElsewhere(folder);
    await other.leave();
    assert.is(other.opened, "STORAGE_LOCKED");
    await storage.putEvents("window", [draftOf(1)]);
    await storage.close();
    assert.is(await countIn(folder), 1);
  }));

test("of two openings at once one succeeds", () =>
  withFolder(async (folder) => {
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => leveldb({ path: folder })));
    const opened = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    for (const storage of opened) await storage.close();
    assert.is(opened.length, 1);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") assert.is((outcome.reason as ActivityError).code, "STORAGE_LOCKED");
    }
  }));

test("a folder that is open in another process is refused, and the holder goes on", () =>
  withFolder(async (folder) => {
    const holder = await holdElsewhere(folder);
    try {
      assert.is(holder.opened, "open");
      assert.is(await holder.ask("1"), "put 1");
      const before = await listing(folder, ENGINE_JOURNAL);
      for (let attempt = 0; attempt < 2; attempt++) {
        const expected = { code: "STORAGE_LOCKED", names: folder, way: /stop|choose|another/ } as const;
        await refuses(leveldb({ path: folder }), expected);
      }
      assert.equal(await listing(folder, ENGINE_JOURNAL), before);
      assert.is(await holder.ask("2"), "put 2");
    } finally {
      await holder.leave();
    }
    const storage = await leveldb({ path: folder });
    assert.is(await storage.countEvents("child"), 2);
    await storage.close();
  }));

test("a folder may be opened again after it was closed, and by the next process", () =>
  withFolder(async (folder) => {
    for (let round = 0; round < 3; round++) await (await leveldb({ path: folder })).close();
    const holder = await holdElsewhere(folder);
    await holder.leave();
    assert.is(holder.opened, "open");
  }));

test("a file in the place of the folder, or above it, is refused and kept", () =>
  withFolder(async (root) => {
    const file = path.join(root, "file");
    await fs.writeFile(file, "content");
    for (const place of [file, path.join(file, "data"), path.join(file, "a", "b")]) {
      await refuses(leveldb({ path: place }), { code: "STORAGE_UNUSABLE", names: place, way: /choose/ });
    }
    assert.is(await fs.readFile(file, "utf8"), "content");
  }));

test("a folder that cannot be made is refused", async () => {
  for (const place of ["/proc/activity-server/data", "/proc/self/fd/data", "/dev/null/data"]) {
    if (process.platform !== "linux") return;
    await refuses(leveldb({ path: place }), { code: "STORAGE_UNUSABLE", names: place, way: /choose/ });
  }
});

test("a folder that may not be written is refused", () =>
  withFolder(async (folder) => {
    // Nothing is forbidden to root.
    if (process.getuid === undefined || process.getuid() === 0) return;
    await fs.chmod(folder, 0o500);
    await refuses(leveldb({ path: folder }), { code: "STORAGE_UNUSABLE", names: folder, way: /permission|choose/ });
    await fs.chmod(folder, 0o700);
  }));

test("a folder with other files is refused and left alone", () =>
  withFolder(async (folder) => {
    await fs.writeFile(path.join(folder, "thesis.txt"), "years of work");
    const before = await listing(folder);
    await refuses(leveldb({ path: folder }), { code: "STORAGE_UNUSABLE", names: folder, way: /choose/ });
    assert.equal(await listing(folder), before);
  }));

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

test("a given database stays open behind close, a folder does not stay locked", () =>
  withFolder(async (folder) => {
    const db = new MemoryLevel<string, string>();
    const storage = await leveldb({ db: db as never });
    await storage.close();
    assert.is(db.status, "open");
    await db.close();
    await (await leveldb({ path: folder })).close();
    await dump(folder);
  }));

test.run();
