import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { leveldb } from "../adapters/leveldb/index.js";
import { conformanceSuite } from "./codec/conformance.js";

conformanceSuite("leveldb", async (play) => {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), "activity-server-"));
  try {
    await play(await leveldb({ path: path.join(folder, "data") }));
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
});
