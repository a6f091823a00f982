// The suite that every adapter has to pass: each promise of the interface, one after the other.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";
import { storageContract } from "activity-server/contract";
import { jsonFile } from "./json-file.js";

const folder = await mkdtemp(join(tmpdir(), "json-file-"));
after(() => rm(folder, { recursive: true }));

/** Where the data of each storage are. */
const paths = new Map();

function storageAt(path) {
  const storage = jsonFile(path);
  paths.set(storage, path);
  return storage;
}

const cases = storageContract({
  create: () => storageAt(join(folder, `${paths.size}.json`)),
  reopen: async (storage) => {
    await storage.close();
    return storageAt(paths.get(storage));
  },
});

for (const { name, run } of cases) test(name, run);
