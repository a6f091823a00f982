import fs from "node:fs/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import type { Storage } from "../../src/storage.js";
import { storageContract } from "../contract/index.js";
import { allPromises } from "../contract/promises.js";

const test = suite("storage contract");

/** The comments of a source file as running text. */
async function commentsOf(file: string): Promise<string> {
  const source = await fs.readFile(new URL(`../../${file}`, import.meta.url), "utf8");
  return source.replaceAll(/\s*\n\s*(?:\* )?\s*/g, " ").replaceAll(/\s+/g, " ");
}

test("each promise that a case may name stands in the interface, word for word", async () => {
  const text = (await commentsOf("src/storage.ts")) + (await commentsOf("src/domain/bucket.ts"));
  for (const promise of allPromises()) assert.ok(text.includes(promise), `not found: ${promise}`);
});

test("cases have names of their own", () => {
  const names = storageContract({ create: async () => memory(), reopen: async (storage) => storage }).map(nameOf);
  assert.is(new Set(names).size, names.length);
});

function nameOf({ name }: { readonly name: string }): string {
  return name;
}

test("without reopen the cases that need it are left out", () => {
  const all = storageContract({ create: async () => memory(), reopen: async (storage) => storage }).map(nameOf);
  const some = new Set(storageContract({ create: async () => memory() }).map(nameOf));
  const missing = all.filter((name) => !some.has(name));
  assert.ok(missing.length >= 4);
  assert.ok(
    missing.every((name) => /reopening/.test(name)),
    missing.join("; "),
  );
});

test("a broken promise is named by the failure", async () => {
  const forgetful = (): Storage => ({ ...memory(), deleteBucket: async () => true });
  const failures: string[] = [];
  for (const { run } of storageContract({ create: async () => forgetful() })) {
    await run().catch((error: Error) => failures.push(error.message));
  }
  assert.ok(
    failures.some((message) => message.includes("Deletes the bucket and all its events.")),
    failures.join("\n"),
  );
});

test("a storage that claims durability without reopen is refused", async () => {
  const claiming = (): Storage => {
    const storage = memory();
    return { ...storage, traits: { ...storage.traits, durability: "power-loss" } };
  };
  const cases = storageContract({ create: async () => claiming() });
  const [own] = cases.filter(({ name }) => name === "a storage that promises durability is tested with reopen");
  const failure = await own?.run().then(
    () => undefined,
    (error: Error) => error.message,
  );
  assert.match(failure ?? "it passed", /data outlive a reopening/);
});

test("storages are closed when a case fails, too", async () => {
  let open = 0;
  const counted = (): Storage => {
    const storage = memory();
    open++;
    const close = async (): Promise<void> => {
      open--;
      await storage.close();
    };
    return { ...storage, close, listBuckets: () => Promise.reject(new Error("no list")) };
  };
  const cases = storageContract({ create: async () => counted() });
  const failing = cases.filter(({ name }) => name.startsWith("summary:") || name === "a new storage has no buckets");
  for (const { run } of failing) {
    const failed = await run().then(
      () => false,
      () => true,
    );
    assert.ok(failed);
    assert.is(open, 0);
  }
});

test.run();
