import { createStorage, prefixStorage } from "unstorage";
import fsLiteDriver from "unstorage/drivers/fs-lite";
import redisDriver from "unstorage/drivers/redis";
import type { KeyValueStorage } from "../../adapters/unstorage/blob-store.js";
import { newFolder, removeFolder } from "./folder.js";
import { startRedis } from "./redis-server.js";

/** Where one storage lies. */
export interface Place {
  /** An instance of unstorage there; where the driver allows, another one each time. */
  instance(): KeyValueStorage;
}

/** A driver of unstorage under test. */
export interface DriverGround {
  readonly driver: string;
  /** A place where nothing is. */
  newPlace(): Promise<Place>;
  /** Ends and removes what was begun. */
  finish(): Promise<void>;
}

export function memoryGround(): DriverGround {
  return {
    driver: "memory",
    async newPlace() {
      const storage = createStorage();
      return { instance: () => storage };
    },
    finish: async () => undefined,
  };
}

export function fsLiteGround(): DriverGround {
  const folders: string[] = [];
  return {
    driver: "fs-lite",
    async newPlace() {
      const base = await newFolder();
      folders.push(base);
      return { instance: () => createStorage({ driver: fsLiteDriver({ base }) }) };
    },
    async finish() {
      for (const folder of folders) await removeFolder(folder);
    },
  };
}

/** A Redis of its own. `undefined` where none is installed. */
export async function redisGround(): Promise<DriverGround | undefined> {
  const server = await startRedis();
  if (server === undefined) return undefined;
  const storage = createStorage({ driver: redisDriver({ path: server.socketPath }) });
  let places = 0;
  return {
    driver: "redis",
    async newPlace() {
      const prefix = `place-${places++}`;
      return { instance: () => prefixStorage(storage, prefix) };
    },
    async finish() {
      await storage.dispose();
      await server.stop();
    },
  };
}
