import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import readline from "node:readline";
import { MemoryLevel } from "memory-level";
import { createStorage } from "unstorage";
import fsLiteDriver from "unstorage/drivers/fs-lite";
import { leveldb } from "../../adapters/leveldb/index.js";
import { memory } from "../../adapters/memory.js";
import { postgres } from "../../adapters/postgres/index.js";
import { unstorage } from "../../adapters/unstorage/index.js";
import { createActivityServer } from "../../src/index.js";
import type { Storage } from "../../src/storage/storage.js";
import { newDataFolder, newFolder, removeFolder } from "../adapters/folder.js";
import { newDatabase } from "../postgres/database.js";
import { programOf } from "../program.js";
import { type Door, inProcess, overHttp } from "./doors.js";

/** How a play uses the server: its methods, web-standard requests, or a socket. */
export type DoorName = "process" | "fetch" | "socket";
export const DOOR_NAMES: readonly DoorName[] = ["process", "fetch", "socket"];

/** A server that is open. */
export interface Opened {
  readonly door: Door;
  /** Absent if the server runs in a process of its own. */
  readonly storage?: Storage;
  close(): Promise<void>;
  /** Kills its process, without a chance to write anything. */
  kill?(): Promise<void>;
}

/** Where one play keeps its data. */
export interface Ground {
  open(door: DoorName): Promise<Opened>;
  /** Opens the data in a process that can be killed. */
  openElsewhere?(): Promise<Opened>;
  finish(): Promise<void>;
}

/** What makes a storage over data that outlive it, in this process or another one. */
interface Kept {
  readonly name: StorageName;
  /** A folder, or an address of a database. */
  readonly place: string;
}

const ENCRYPTION = { key: new Uint8Array(32).fill(5) };

const KEPT: Record<StorageName, (place: string) => Storage> = {
  leveldb: (place: string) => leveldb({ path: path.join(place, "data") }),
  "leveldb-power-loss": (place: string) => leveldb({ path: path.join(place, "data"), durability: "power-loss" }),
  "leveldb-encrypted": (place: string) => leveldb({ path: path.join(place, "data"), encryption: ENCRYPTION }),
  unstorage: (place: string) => unstorage({ storage: createStorage({ driver: fsLiteDriver({ base: place }) }) }),
  postgres: (place: string) => postgres({ connectionString: place }),
};

/** Storages that keep their data. */
export type StorageName = "leveldb" | "leveldb-power-loss" | "leveldb-encrypted" | "unstorage" | "postgres";
export type GroundName = "memory" | "memory-level" | StorageName;
export const GROUND_NAMES: readonly GroundName[] = ["memory", "memory-level", ...(Object.keys(KEPT) as StorageName[])];

export function storageOf({ name, place }: Kept): Storage {
  return KEPT[name](place);
}

/** A ground without data. @returns `undefined` if this machine has no such storage */
export async function newGround(name: GroundName): Promise<Ground | undefined> {
  if (name === "memory") return { open: (door) => serve(memory(), door), finish: async () => undefined };
  if (name === "memory-level") {
    const db = new MemoryLevel() as never;
    return { open: (door) => serve(leveldb({ db }), door), finish: async () => undefined };
  }
  const place = name === "postgres" ? await newDatabase() : await newFolder();
  if (place === undefined) return undefined;
  if (name !== "postgres") await newDataFolder(path.join(place, "data"));
  const kept = { name, place };
  return {
    open: (door) => serve(storageOf(kept), door),
    openElsewhere: () => serveElsewhere(kept),
    finish: async () => (name === "postgres" ? undefined : removeFolder(place)),
  };
}

async function serve(storage: Storage, name: DoorName): Promise<Opened> {
  const server = createActivityServer({
    storage,
    hostname: "desk",
    logger: { info() {}, warn() {}, error: console.error } as never,
  });
  const close = (): Promise<void> => server.close();
  if (name === "process") return { door: inProcess(server), storage, close };
  if (name === "fetch") return { door: overHttp({ fetch: server.fetch }), storage, close };
  const { url } = await server.listen({ port: 0 });
  return { door: overHttp({ url }), storage, close };
}

/** Starts child.ts. */
async function serveElsewhere(kept: Kept): Promise<Opened> {
  const { execArgv, file } = programOf(new URL("./child.ts", import.meta.url));
  const child = spawn(process.execPath, [...execArgv, file, JSON.stringify(kept)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const url = await firstLineOf(child);
  return {
    door: overHttp({ url }),
    async close() {
      child.stdin.end();
      await ended;
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

async function firstLineOf(child: ChildProcess): Promise<string> {
  const lines = readline.createInterface({ input: child.stdout as NodeJS.ReadableStream });
  for await (const line of lines) return line;
  throw new Error("the server ended before it listened");
}
