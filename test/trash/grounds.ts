// Servers over every kind of storage, for tests of the trash.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { ClassicLevel } from "classic-level";
import { createStorage } from "unstorage";
import fsDriver from "unstorage/drivers/fs";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { memory } from "../../adapters/memory.js";
import { unstorage } from "../../adapters/unstorage/index.js";
import {
  type ActivityEvent,
  type ActivityServer,
  type ActivityServerOptions,
  type BucketInput,
  createActivityServer,
} from "../../src/index.js";
import type { Storage } from "../../src/storage/storage.js";
import { type FakeClock, fakeClock } from "../../src/testing/index.js";
import { newDataFolder, withFolder } from "../adapters/folder.js";
import { IS_LONG } from "../faults/sizes.js";
import { postgresGround } from "../postgres/ground.js";

export const BUCKET: BucketInput = { type: "t", client: "c", hostname: "h", name: "n", data: { kept: [1, null] } };

/** The events of a bucket, the oldest first. */
export function eventsOf(server: ActivityServer, bucketId: string): Promise<ActivityEvent[]> {
  return server.events.read(bucketId, { order: "oldest" }).toArray();
}

/** What a test gets. */
export interface Ground {
  readonly name: string;
  readonly clock: FakeClock;
  /** Where its files are; `undefined` for those that have none of their own. */
  readonly folder: string | undefined;
  /** A storage over the same data each time. */
  storage(): Storage;
  /** A server over the same data each time. */
  open(options?: Partial<ActivityServerOptions>): ActivityServer;
}

type Play = (ground: Ground) => Promise<void>;

const KEEPING = [onLevel, onBlobs, onPostgres];
let turn = 0;

/**
 * Plays a test on each kind of storage, each time on a new one; in the short tests in memory and on another, of those
 * that keep what is written each in its turn.
 */
export async function onEach(play: Play): Promise<void> {
  await onMemory(play);
  for (const onKind of IS_LONG ? KEEPING : KEEPING.slice(turn, turn + 1)) await onKind(play);
  turn = (turn + 1) % KEEPING.length;
}

/** Plays a test in memory and on LevelDB. */
export async function onMemoryAndLevel(play: Play): Promise<void> {
  await onMemory(play);
  await onLevel(play);
}

/** Plays a test on those that keep files of their own. */
export async function onFolders(play: Play): Promise<void> {
  await onLevel(play);
  await onBlobs(play);
}

/** Plays a test in memory alone. */
export function onMemory(play: Play): Promise<void> {
  const held = memory();
  // The storage in memory is lost when it is closed.
  return on("memory", undefined, () => keptOpen(held), play);
}

function onLevel(play: Play): Promise<void> {
  return withFolder(async (folder) => {
    await newDataFolder(folder);
    await on("leveldb", folder, () => leveldb({ path: folder }), play);
  });
}

function onBlobs(play: Play): Promise<void> {
  return withFolder((base) => {
    const open = () => unstorage({ storage: createStorage({ driver: fsDriver({ base }) }) });
    return on("unstorage", base, open, play);
  });
}

async function onPostgres(play: Play): Promise<void> {
  database ??= postgresGround();
  const ground = await database;
  if (ground === undefined) return;
  const namespace = ground.newNamespace();
  await on("postgres", undefined, () => ground.open(namespace), play);
}

/** Plays a test in databases of a host, which has values of its own there and its own idea of keys. */
export async function onHostDatabases(play: (ground: Ground) => Promise<void>): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "trash-"));
  try {
    const whole = path.join(folder, "whole");
    await inDatabase(whole, (db) => on("a database", whole, () => leveldb({ db }), play));
    for (const depth of [1, 2]) {
      const place = path.join(folder, `${depth}`);
      await inDatabase(place, async (db) => {
        for (const key of "abcxyz") await db.put(key, { key });
        const outer = db.sublevel("host");
        const part = depth === 1 ? outer : outer.sublevel("activity");
        await on(`a sublevel of depth ${depth}`, place, () => leveldb({ db: part }), play);
        assert.equal(await db.get("z"), { key: "z" });
      });
    }
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

async function inDatabase(location: string, play: (db: ClassicLevel<string, unknown>) => Promise<void>): Promise<void> {
  const db = new ClassicLevel<string, unknown>(location, { keyEncoding: "json", valueEncoding: "json" });
  try {
    await play(db);
  } finally {
    await db.close();
  }
}

/** One for all tests of a file: it takes seconds to start. */
let database: ReturnType<typeof postgresGround> | undefined;

/** The last thing in a file that uses `onEach`. */
export async function finish(): Promise<void> {
  const ended = await database;
  // Another file in the same process begins anew.
  database = undefined;
  turn = 0;
  await ended?.finish();
}

async function on(
  name: string,
  folder: string | undefined,
  storage: () => Storage,
  play: (ground: Ground) => Promise<void>,
): Promise<void> {
  const clock = fakeClock();
  const servers: ActivityServer[] = [];
  const open = (options: Partial<ActivityServerOptions> = {}): ActivityServer => {
    const server = createActivityServer({ storage: storage(), clock, ...options });
    servers.push(server);
    return server;
  };
  try {
    await play({ name, clock, folder, storage, open });
  } catch (cause) {
    throw new Error(`on ${name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  } finally {
    for (const server of servers) await server.close();
  }
}

/** A storage that ignores `close()`. */
export function keptOpen(storage: Storage): Storage {
  return new Proxy(storage, {
    get(target, name) {
      if (name === "close") return () => Promise.resolve();
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
