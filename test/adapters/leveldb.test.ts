// long: 900 s
import path from "node:path";
import { Level } from "level";
import { MemoryLevel } from "memory-level";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import type { Storage } from "../../src/storage/storage.js";
import { type ContractOptions, storageContract } from "../contract/index.js";
import { IS_LONG, SAMPLE_TURN } from "../faults/sizes.js";
import { newDataFolder, newFolder, removeFolder, withFolder } from "./folder.js";

const test = suite("leveldb");

/** A way to get at a LevelDB storage, made anew for each case. */
interface Ground {
  readonly options: Required<Pick<ContractOptions, "create" | "reopen">>;
  /** Demands that what is not the storage's is as it was, and removes what the case left. */
  finish(): Promise<void>;
}

/** A folder of the adapter's own. */
function folderGround(encryption?: { readonly key: Uint8Array }): Ground {
  const folders = new Map<Storage, string>();
  const all: string[] = [];
  async function open(folder: string): Promise<Storage> {
    const storage = leveldb({ path: folder, ...(encryption && { encryption }) });
    folders.set(storage, folder);
    return storage;
  }
  return {
    options: {
      async create() {
        const folder = await newFolder();
        all.push(folder);
        return open(await newDataFolder(path.join(folder, "data")));
      },
      async reopen(storage) {
        await storage.close();
        return open(folders.get(storage) as string);
      },
    },
    async finish() {
      for (const folder of all) await removeFolder(folder);
    },
  };
}

type Database = Parameters<typeof leveldb>[0] extends infer Options
  ? Options extends { readonly db: infer Level }
    ? Level
    : never
  : never;

/** A database of the host, one for each storage; reopening means to open a storage on the same object again. */
function databaseGround(make: () => Promise<Database>, finish: () => Promise<void>): Ground {
  const databases = new Map<Storage, Database>();
  async function open(db: Database): Promise<Storage> {
    const storage = leveldb({ db });
    databases.set(storage, db);
    return storage;
  }
  return {
    options: {
      create: async () => open(await make()),
      async reopen(storage) {
        await storage.close();
        return open(databases.get(storage) as Database);
      },
    },
    finish,
  };
}

/** A sublevel between the host's own keys, of names that come before, behind and close to those of the storage. */
function sublevelGround(): Ground {
  const hosts: MemoryLevel<string, string>[] = [];
  const own = ["!", "!activity", "!activity\u0000", '!activity"', "a", "b!0000000", "m!format", "t!", "~", '"'];
  async function make(): Promise<Database> {
    const host = new MemoryLevel<string, string>();
    hosts.push(host);
    for (const key of own) await host.put(key, `host: ${key}`);
    await host.sublevel("activity2").put("m!format", "of another sublevel");
    return host.sublevel("activity") as unknown as Database;
  }
  return databaseGround(make, async () => {
    for (const host of hosts) {
      assert.is(host.status, "open", "the host's database stays open");
      for (const key of own) assert.is(await host.get(key), `host: ${key}`);
      assert.is(await host.sublevel("activity2").get("m!format"), "of another sublevel");
      const foreign = (await host.keys().all()).filter((key) => !key.startsWith("!activity!"));
      assert.equal(foreign.sort(), [...own, "!activity2!m!format"].sort());
    }
  });
}

/** `level`, opened by the host in a folder. */
function levelGround(): Ground {
  const folders: string[] = [];
  const opened: Level[] = [];
  async function make(): Promise<Database> {
    const folder = await newFolder();
    folders.push(folder);
    const db = new Level(folder);
    await db.open();
    opened.push(db);
    return db as unknown as Database;
  }
  return databaseGround(make, async () => {
    for (const db of opened) {
      assert.is(db.status, "open", "the host's database stays open");
      await db.close();
    }
    for (const folder of folders) await removeFolder(folder);
  });
}

const memoryGround = (): Ground =>
  databaseGround(
    async () => new MemoryLevel() as unknown as Database,
    async () => {},
  );

/**
 * In the short tests a folder and a database in memory share about half of the cases, others each day. What differs between databases of the host is
 * little: some cases show it.
 */
const GROUNDS: readonly (readonly [name: string, turns: readonly number[], every: number, make: () => Ground])[] = [
  ["folder", [0], 16, () => folderGround()],
  ["encrypted folder", [1], 48, () => folderGround({ key: new Uint8Array(32).fill(7) })],
  ["memory-level", [1, 3, 5, 7, 9, 11, 13, 15], 16, memoryGround],
  ["sublevel", [0], 42, sublevelGround],
  ["level", [0], 54, levelGround],
];

/** Some of the cases in the short tests; fewer of those that read the same again as texts. */
function someOf<T extends readonly [index: number, { readonly name: string }]>(
  cases: readonly T[],
  turns: readonly number[],
  every: number,
): readonly T[] {
  if (IS_LONG) return cases;
  const isAgain = ([, { name }]: T): boolean => name.startsWith("texts: ");
  const others = cases
    .filter((each) => !isAgain(each))
    .filter((_, index) => turns.includes((index + SAMPLE_TURN) % every));
  return [...others, ...cases.filter(isAgain).filter((_, index) => turns.includes(index % (5 * every)))];
}

for (const [name, turns, every, makeGround] of GROUNDS) {
  const cases = [...storageContract(makeGround().options).entries()];
  for (const [index, { name: sentence }] of someOf(cases, turns, every)) {
    test(`${name}: ${sentence}`, async () => {
      const ground = makeGround();
      try {
        await storageContract(ground.options)[index]?.run();
      } finally {
        await ground.finish();
      }
    });
  }
}

test("traits name the durability that was asked for", async () => {
  for (const durability of ["process-crash", "power-loss"] as const) {
    await withFolder(async (folder) => {
      const storage = leveldb({ path: folder, durability });
      await storage.close();
      const expected = { adapter: "leveldb", durability, snapshotReads: true, multiProcess: false };
      assert.equal(storage.traits, expected);
    });
  }
});

test.run();
