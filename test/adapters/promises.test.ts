// long: 300 s
import fs from "node:fs/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { noSuchBucket } from "../../src/errors.js";
import type { Storage } from "../../src/storage/storage.js";
import { storageContract } from "../contract/index.js";
import { allPromises, promiseNames, promiseOf } from "../contract/promises.js";
import { sampleOf } from "../faults/sizes.js";
import { sharedMemory } from "./shared-memory.js";

const test = suite("storage contract");

/** The comments of a source file as running text. */
async function commentsOf(file: string): Promise<string> {
  const source = await fs.readFile(new URL(`../../${file}`, import.meta.url), "utf8");
  return source.replaceAll(/\s*\n\s*(?:\* )?\s*/g, " ").replaceAll(/\s+/g, " ");
}

test("each promise that a case may name stands in the interface, word for word", async () => {
  const storage = ["storage", "records", "backup", "health", "transaction"].map((name) => `src/storage/${name}.ts`);
  const files = [...storage, "src/domain/bucket.ts", "src/domain/event.ts", "src/domain/batch.ts"];
  const text = (await Promise.all(files.map(commentsOf))).join("\n");
  for (const promise of allPromises()) assert.ok(text.includes(promise), `not found: ${promise}`);
});

test("cases have names of their own", () => {
  const options = { create: memory, reopen: (storage: Storage) => storage, second: memory };
  const names = storageContract(options).map(nameOf);
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
    if (failures.at(-1)?.includes("Deletes the bucket and all its events.")) return;
  }
  assert.unreachable(failures.join("\n"));
});

test("each promise can be named by some case", async () => {
  const folder = new URL("../contract/", import.meta.url);
  const files = (await fs.readdir(folder)).filter((name) => name !== "promises.ts");
  const sources = await Promise.all(files.map((name) => fs.readFile(new URL(name, folder), "utf8")));
  const source = sources.join("");
  for (const name of promiseNames()) assert.ok(source.includes(`"${name}"`), name);
});

/** Fails in the first case that puts events. */
async function failureWith(putEvents: (storage: Storage) => unknown): Promise<Error> {
  const create = async (): Promise<Storage> => {
    const storage = memory();
    return { ...storage, putEvents: () => putEvents(storage) as ReturnType<Storage["putEvents"]> };
  };
  const found = storageContract({ create, callLimitMillis: 20 }).find(
    ({ name }) => name === "two storages share nothing",
  );
  return (await found?.run().then(
    () => assert.unreachable("the case passed"),
    (error: Error) => error,
  )) as Error;
}

test("what an adapter throws is the cause of the failure, and its message is told", async () => {
  const cause = new TypeError("no such column");
  const failure = await failureWith(() => Promise.reject(new Error("the engine failed", { cause })));
  assert.is(
    failure.message,
    `broken promise: ${promiseOf("putAllOrNone")}\n` +
      "  putEvents rejected: Error: the engine failed, because of TypeError: no such column",
  );
  assert.is((failure.cause as Error).cause, cause);
});

/** What `putEvents` does, and what is told of it. */
const WRONG_ANSWERS: readonly (readonly [string, () => unknown, string])[] = [
  ["rejects with no error", () => Promise.reject("no"), "putEvents rejected: 'no'"],
  ["throws", thrown, "putEvents threw: Error: at once"],
  ["answers no list", async () => 1, "putEvents: expected an array, got 1"],
  ["answers no promise", () => [], "putEvents: expected a promise, got []"],
  ["answers a list that is too short", async () => [], "the event of the first storage: expected 1, got undefined"],
  ["never ends", () => new Promise(() => {}), "putEvents neither resolved nor rejected for 0.02 s"],
  [
    "needs a bucket that is there",
    () => Promise.reject(noSuchBucket("a")),
    "putEvents rejected: ActivityError (NO_SUCH",
  ],
];

function thrown(): never {
  throw new Error("at once");
}

for (const [what, putEvents, told] of WRONG_ANSWERS) {
  test(`a method that ${what} fails with the name of a promise`, async () => {
    const { message } = await failureWith(putEvents);
    assert.ok(message.startsWith("broken promise: "), message);
    assert.match(message, told);
  });
}

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

test("calls alternate between two processes where several may use the same data", async () => {
  const name = "a resolved write is seen by the next read, count and lookup";
  const failureIn = async (caseName: string, caches: boolean): Promise<string | undefined> => {
    const found = storageContract(sharedMemory(caches)).find((each) => each.name === caseName);
    assert.ok(found, caseName);
    return found.run().then(
      () => undefined,
      (error: Error) => error.message,
    );
  };
  assert.is(await failureIn(name, true), undefined);
  assert.match((await failureIn(`two processes: ${name}`, true)) ?? "it passed", "count after a put");
});

const inTwo = storageContract(sharedMemory(false)).filter(({ name }) => name.startsWith("two processes:"));
for (const { name, run } of sampleOf(inTwo, 3)) test(`shared memory: ${name}`, run);

test("a storage that claims several processes without a second one is refused", async () => {
  const claiming = (): Storage => ({ ...memory(), traits: { ...memory().traits, multiProcess: true } });
  const cases = storageContract({ create: claiming });
  const own = cases.find(({ name }) => name === "a storage for several processes is tested with two at once");
  const failure = await own?.run().then(
    () => undefined,
    (error: Error) => error.message,
  );
  assert.match(failure ?? "it passed", "traits.multiProcess without");
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
    return { ...storage, close, summaries: () => Promise.reject(new Error("no list")) };
  };
  const cases = storageContract({ create: async () => counted() });
  const failing = cases.filter(({ name }) => name.startsWith("summary:"));
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
