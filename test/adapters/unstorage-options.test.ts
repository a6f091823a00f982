import fs from "node:fs/promises";
import path from "node:path";
import { createStorage } from "unstorage";
import fsLiteDriver from "unstorage/drivers/fs-lite";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type KeyValueStorage, unstorage } from "../../adapters/unstorage/index.js";
import { FaultyStorage } from "./faulty-storage.js";
import { withFolder } from "./folder.js";
import { refuses } from "./opening.js";

const test = suite("unstorage: drivers and options");

test("a driver that keeps nothing, or nothing any more, is refused", async () => {
  const way = /read-only/;
  const nothing = createStorage({
    driver: { name: "none", hasItem: () => false, getItem: () => null, getKeys: () => [] },
  });
  await refuses(unstorage({ storage: nothing }), { code: "STORAGE_UNUSABLE", way });
  await withFolder(async (base) => {
    const storage = unstorage({ storage: createStorage({ driver: fsLiteDriver({ base }) }) });
    await storage.ready();
    await storage.close();
    const readOnly = createStorage({ driver: fsLiteDriver({ base, readOnly: true }) });
    await refuses(unstorage({ storage: readOnly }), { code: "STORAGE_UNUSABLE", way });
  });
});

test("a driver that resolves to an error has failed", () =>
  withFolder(async (base) => {
    // To a file system a name of a file cannot lead on: neither EISDIR nor ENOENT, which mean that nothing is there.
    await fs.writeFile(path.join(base, "activity"), "a file");
    const storage = createStorage({ driver: fsLiteDriver({ base }) });
    await refuses(unstorage({ storage }), { code: "STORAGE_FAILED", names: "ENOTDIR" });
  }));

test("a driver that rejects makes the opening fail", async () => {
  for (const failure of ["unread", "refused"] as const) {
    const driver = new FaultyStorage();
    driver.failCall(1, failure);
    await refuses(unstorage({ storage: driver }), { code: "STORAGE_FAILED", names: "the driver failed" });
    const storage = unstorage({ storage: driver });
    assert.is((await storage.listBuckets()).length, 0);
    await storage.close();
  }
});

test("options that cannot be meant are refused before anything is touched", async () => {
  const touched: KeyValueStorage = {
    getItem: () => Promise.reject(new Error("touched")),
    setItem: () => Promise.reject(new Error("touched")),
    removeItem: () => Promise.reject(new Error("touched")),
    getKeys: () => Promise.reject(new Error("touched")),
  };
  const wrong = [
    ...["", ":", "a:", ":a", "a::b", "a/b", "..", "a?b", "ä", "a b"].map((base) => ({ base })),
    { cacheBytes: -1 },
    { cacheBytes: Number.NaN },
    { durability: "much" as "nothing" },
  ];
  for (const options of wrong) {
    assert.throws(
      () => unstorage({ storage: touched, ...options }),
      (thrown: unknown) => thrown instanceof TypeError,
      JSON.stringify(options),
    );
  }
});

test("a call without an instance, or with a misspelt option, is refused with what to pass", () => {
  const storage = createStorage();
  const wrong: readonly (readonly [options: unknown, says: RegExp])[] = [
    [undefined, /storage must be an instance of the package unstorage; pass the result of createStorage\(\)/],
    [{}, /storage must be an instance of the package unstorage; pass the result of createStorage\(\)/],
    [storage, /storage must be an instance of the package unstorage; pass the result of createStorage\(\)/],
    [{ storage: { getItem() {} } }, /storage must be an instance/],
    [{ storage, prefix: "a" }, /no option prefix; valid options are storage, base/],
    [{ storage, dispose: 1 }, /dispose must be true or false, got 1/],
  ];
  for (const [options, says] of wrong) {
    assert.throws(
      () => unstorage(options as { storage: KeyValueStorage }),
      (thrown: unknown) => thrown instanceof TypeError && says.test(thrown.message),
      String(says),
    );
  }
});

test("closing leaves the instance to its host, unless told otherwise", async () => {
  for (const dispose of [undefined, false, true]) {
    let disposed = 0;
    const host = createStorage();
    const instance: KeyValueStorage = { ...host, dispose: async () => void disposed++ };
    const storage = unstorage({ storage: instance, ...(dispose !== undefined && { dispose }) });
    await storage.ready();
    await Promise.all([storage.close(), storage.close()]);
    assert.is(disposed, dispose ? 1 : 0);
  }
});

test.run();
