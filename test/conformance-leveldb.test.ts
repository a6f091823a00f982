// long: 300 s
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { leveldb } from "../adapters/leveldb/index.js";
import type { Storage } from "../src/storage/storage.js";
import { conformanceSuite } from "./codec/conformance.js";

/** In memory all of them are played in the short tests as well. */
const EVERY = 4;

async function withStorage(play: (storage: Storage) => Promise<void>): Promise<void> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), "activity-server-"));
  try {
    await play(leveldb({ path: path.join(folder, "data") }));
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
}

conformanceSuite("leveldb", withStorage, undefined, EVERY);
