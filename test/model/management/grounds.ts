import fs from "node:fs";
import path from "node:path";
import { memory } from "../../../adapters/memory.js";
import type { Storage } from "../../../src/storage/storage.js";
import { newDataFolder, newFolder, removeFolder } from "../../adapters/folder.js";
import { postgresGround } from "../../postgres/ground.js";
import { keptOpen } from "../../trash/grounds.js";
import { type StorageName, storageOf } from "../grounds.js";

export type GroundName = "memory" | StorageName;
export const GROUND_NAMES: readonly GroundName[] = [
  "memory",
  "leveldb",
  "leveldb-power-loss",
  "leveldb-encrypted",
  "unstorage",
  "postgres",
];

/** Where one play keeps its data. */
export interface Ground {
  /** A storage over the data; the one before is closed. */
  open(): Storage;
  /** Goes on with the data as a process that is killed now leaves them; the storage before can still be closed. */
  kill(): Promise<void>;
  finish(): Promise<void>;
}

/** One for all plays: it takes seconds to start. */
let database: ReturnType<typeof postgresGround> | undefined;

/** @returns `undefined` if this machine has no such storage */
export async function newGround(name: GroundName): Promise<Ground | undefined> {
  if (name === "memory") {
    const storage = memory();
    return { open: () => keptOpen(storage), kill: async () => undefined, finish: async () => storage.close() };
  }
  if (name === "postgres") {
    database ??= postgresGround();
    const ground = await database;
    if (ground === undefined) return undefined;
    const namespace = ground.newNamespace();
    return { open: () => ground.open(namespace), kill: async () => undefined, finish: async () => undefined };
  }
  const folders = [await newFolder()];
  await newDataFolder(path.join(folders[0] as string, "data"));
  return {
    open: () => storageOf({ name, place: folders.at(-1) as string }),
    async kill() {
      folders.push(await copied(folders.at(-1) as string));
    },
    async finish() {
      for (const folder of folders) await removeFolder(folder);
    },
  };
}

/** At once, so that nothing is written meanwhile but what is on its way already: that may remove a file. */
async function copied(folder: string): Promise<string> {
  const copy = await newFolder();
  try {
    for (const name of fs.readdirSync(folder, { recursive: true }) as string[]) {
      const [from, to] = [path.join(folder, name), path.join(copy, name)];
      if (fs.statSync(from).isDirectory()) fs.mkdirSync(to);
      // Copying never ends when the file becomes shorter meanwhile.
      else fs.writeFileSync(to, fs.readFileSync(from));
    }
    return copy;
  } catch (error) {
    await removeFolder(copy);
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return copied(folder);
  }
}

/** The last thing in a file that uses grounds. */
export async function finishGrounds(): Promise<void> {
  const ground = await database;
  database = undefined;
  await ground?.finish();
}
