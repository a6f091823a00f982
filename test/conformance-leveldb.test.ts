// long: 300 s
import path from "node:path";
import { leveldb } from "../adapters/leveldb/index.js";
import type { Storage } from "../src/storage/storage.js";
import { newDataFolder, withFolder } from "./adapters/folder.js";
import { conformanceSuite } from "./codec/conformance.js";

/** In memory all of them are played in the short tests as well. */
const EVERY = 8;

function withStorage(play: (storage: Storage) => Promise<void>): Promise<void> {
  return withFolder(async (folder) => play(leveldb({ path: await newDataFolder(path.join(folder, "data")) })));
}

conformanceSuite("leveldb", withStorage, undefined, EVERY);
