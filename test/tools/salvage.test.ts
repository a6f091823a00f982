// long: 600 s
import fs from "node:fs/promises";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { salvage } from "../../adapters/leveldb/maintenance/salvage.js";
import { replayFragments } from "../../adapters/leveldb/maintenance/salvage-log.js";
import { commitLine, recordLine } from "../../adapters/segments/log-codec.js";
import type { Root } from "../../adapters/segments/root.js";
import { listing, newFolder, removeFolder, withFolder } from "../adapters/folder.js";
import { intOf, randomOf } from "../contract/case.js";
import { sampleOf, sizeOf } from "../faults/sizes.js";
import { codeOf, refusalOf } from "../refusals.js";
import { type Damage, makeSample, type Salvaged, salvageDamaged } from "./damaged-folders.js";

const test = suite("salvage");

const home = await newFolder();
const sample = await makeSample(path.join(home, "sample"));
const everything = [...sample.content.buckets.values()].flatMap((events) => [...events.keys()]);
const inLog = everything.filter((id) => !sample.inSegments.has(id));
const files = await dataFiles(sample.folder);

/** Events of a segment, at most. */
const SEGMENT = 1600;

interface DataFile {
  readonly name: string;
  readonly size: number;
}

async function dataFiles(folder: string): Promise<DataFile[]> {
  const found: DataFile[] = [];
  for (const name of await fs.readdir(folder, { recursive: true })) {
    const stat = await fs.stat(path.join(folder, name));
    if (stat.isFile() && !/LOCK|LOG/.test(name)) found.push({ name, size: stat.size });
  }
  return found;
}

function remove(name: string): Damage {
  return { name: `without ${name}`, apply: (folder) => fs.rm(path.join(folder, name), { recursive: true }) };
}

function cut(name: string, length: number): Damage {
  return { name: `${name} cut at ${length}`, apply: (folder) => fs.truncate(path.join(folder, name), length) };
}

function flip(name: string, at: number): Damage {
  return {
    name: `${name} flipped at ${at}`,
    async apply(folder) {
      const file = path.join(folder, name);
      const bytes = await fs.readFile(file).catch(() => Buffer.alloc(0));
      if (at >= bytes.length) return;
      bytes[at] = (bytes[at] as number) ^ 16;
      await fs.writeFile(file, bytes);
    },
  };
}

function garbage(name: string): Damage {
  return { name: `${name} overwritten`, apply: (folder) => fs.writeFile(path.join(folder, name), "x".repeat(5000)) };
}

function replacedByFolder(name: string): Damage {
  return {
    name: `${name} is a folder`,
    async apply(folder) {
      await fs.rm(path.join(folder, name), { recursive: true });
      await fs.mkdir(path.join(folder, name));
    },
  };
}

function both(first: Damage, second: Damage): Damage {
  return {
    name: `${first.name}, ${second.name}`,
    async apply(folder) {
      await first.apply(folder);
      await second.apply(folder);
    },
  };
}

function places(size: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => Math.floor(((index + 0.4) * size) / count));
}

function damagesOf({ name, size }: DataFile): Damage[] {
  const whole = [remove(name), garbage(name), replacedByFolder(name)];
  if (size === 0) return whole;
  const ends = [0, Math.floor(size / 3), size - 1].map((length) => cut(name, length));
  return [...whole, ...ends, ...[...places(size, 4), size - 1].map((at) => flip(name, at))];
}

function assertSaved({ saved }: Salvaged, ids: Iterable<number>, name: string): void {
  for (const id of ids) assert.ok(saved.has(id), `${name}: event ${id} was intact`);
}

function lost({ saved }: Salvaged): number {
  return everything.length - saved.size;
}

test("a sound folder comes out as it was, and stays as it is", async () => {
  assert.ok(inLog.length > 50 && sample.inSegments.size > 5000, "the sample has both");
  const before = await listing(sample.folder);
  const salvaged = await salvageDamaged(sample, { name: "nothing", apply: () => Promise.resolve() });
  assert.equal(salvaged.report.problems, []);
  assert.is(lost(salvaged), 0);
  assert.equal(await listing(sample.folder), before);
});

for (const [index, file] of files.entries()) {
  const isOfDatabase = file.name.startsWith("db");
  const isLog = file.name.startsWith("wal");
  test(`${path.extname(file.name) || path.basename(file.name)}: what is intact is saved, whatever becomes of it`, async () => {
    // In the short tests others for each file.
    for (const damage of sampleOf(damagesOf(file).slice(index % 12), 12)) {
      const salvaged = await salvageDamaged(sample, damage);
      if (!isOfDatabase) assertSaved(salvaged, sample.inSegments, damage.name);
      if (!isLog) assertSaved(salvaged, inLog, damage.name);
      // Everything can be told without these.
      if (/FORMAT|CURRENT|MANIFEST/.test(file.name)) assert.equal(salvaged.report.problems, [], damage.name);
    }
  });
}

const tables = files.filter((file) => file.name.endsWith(".ldb"));

test("one flipped bit of a table costs one segment, and the report names its span", async () => {
  for (const { name, size } of tables) {
    for (const at of sampleOf(places(size, 5), 5)) {
      const damage = flip(name, at);
      const salvaged = await salvageDamaged(sample, damage);
      assert.ok(lost(salvaged) <= SEGMENT, `${damage.name}: ${lost(salvaged)} are lost`);
      const told = salvaged.report.buckets.flatMap(({ missing }) => missing.map(({ events }) => events));
      const sum = told.reduce((total, events) => total + events, 0);
      assert.is(sum, lost(salvaged), damage.name);
    }
  }
});

test("a table without its end loses what stood there", async () => {
  for (const { name, size } of sampleOf(tables, 3)) {
    for (const damage of [cut(name, size - 1), flip(name, size - 1), both(cut(name, size - 60), flip(name, 9))]) {
      const salvaged = await salvageDamaged(sample, damage);
      assert.ok(lost(salvaged) <= SEGMENT, `${damage.name}: ${lost(salvaged)} are lost`);
    }
  }
});

test("any two faults together are survived as well", async () => {
  const random = randomOf(14);
  const damages = files.flatMap(damagesOf);
  for (let round = 0; round < sizeOf("PAIRS", { short: 4, long: 20 }); round++) {
    const pick = () => damages[intOf(random, 0, damages.length - 1)] as Damage;
    const damage = both(pick(), pick());
    try {
      await salvageDamaged(sample, damage);
    } catch (thrown) {
      // The second fault may find nothing where the first one was.
      if ((thrown as NodeJS.ErrnoException).syscall === undefined) throw thrown;
    }
  }
});

for (const [what, damage, isIntact] of [
  ["no log", remove("wal"), (id: number) => sample.inSegments.has(id)],
  ["no database", remove("db"), (id: number) => !sample.inSegments.has(id)],
] as const) {
  test(`${what}: the other half is saved, and the report says so`, async () => {
    const salvaged = await salvageDamaged(sample, damage);
    assertSaved(salvaged, everything.filter(isIntact), what);
    assert.ok(salvaged.report.problems.length > 0);
  });
}

test("events whose bucket is lost go to a bucket of their own", async () => {
  const { report, content } = await salvageDamaged(sample, remove("db"));
  const recovered = report.buckets.filter(({ isRecovered }) => isRecovered);
  assert.ok(recovered.length > 0);
  for (const { bucketId, events } of recovered) {
    assert.match(bucketId, /^recovered-\d+$/);
    assert.is(content.buckets.get(bucketId)?.size, events);
  }
});

test("what an opening dropped before it gave up is found in the copies that were set aside", async () => {
  const log = files.find(({ name, size }) => /^db.*\.log$/.test(name) && size > 0);
  assert.ok(log !== undefined);
  const damage: Damage = {
    name: "LevelDB's log flipped, then opened",
    async apply(folder) {
      await flip(log.name, 20).apply(folder);
      const storage = leveldb({ path: folder, minFreeBytes: 0 });
      assert.is(await codeOf(storage.ready()), "STORAGE_CORRUPT");
      await storage.close();
    },
  };
  const alone = await salvageDamaged(sample, flip(log.name, 20));
  const opened = await salvageDamaged(sample, damage);
  assert.is(lost(opened), lost(alone));
});

test("folders that are none of ours, and targets in use, are refused", () =>
  withFolder(async (folder) => {
    const [empty, full] = [path.join(folder, "empty"), path.join(folder, "full")];
    for (const each of [empty, full]) await fs.mkdir(each);
    await fs.writeFile(path.join(full, "letter"), "dear");
    for (const [source, to, message] of [
      [empty, path.join(folder, "new"), /contains no data/],
      [full, path.join(folder, "new"), /contains no data/],
      [path.join(folder, "none"), path.join(folder, "new"), /folder .* does not exist/],
      [sample.folder, full, /is not an empty folder/],
      [sample.folder, path.join(sample.folder, "inside"), /is inside the damaged folder/],
    ] as const) {
      const refusal = await refusalOf(salvage({ path: source, to }));
      assert.match(refusal, /^STORAGE_UNUSABLE: /);
      assert.match(refusal, message);
    }
    assert.equal((await fs.readdir(folder)).sort(), ["empty", "full"]);
  }));

test("an empty folder is taken as target, and nothing else is left behind", () =>
  withFolder(async (folder) => {
    const to = path.join(folder, "target");
    await fs.mkdir(to);
    await salvage({ path: sample.folder, to });
    assert.equal(await fs.readdir(folder), ["target"]);
  }));

test("changes that follow a commit in its batch of the log are saved", () => {
  const [inCommit, after] = [recordLine("s/old", 1), recordLine("s/new", 2)];
  const text = [inCommit, commitLine(3), after].join("\n");
  const root = { number: 3, logged: { commit: 3, sequence: 5 } } as Root;
  const commit = { root, records: new Map(), has: () => true, isComplete: true };
  const log = {
    name: "log",
    batches: [{ sequence: 5, text, isAfterGap: false }],
    skippedBytes: 0,
    isOnlyCutOff: false,
  };
  assert.equal([...replayFragments([log], commit).values], [["s/new", 2]]);
});

test("the temporary folders are gone", async () => {
  assert.equal(await fs.readdir(home), ["sample"]);
  await removeFolder(home);
});

test.run();
