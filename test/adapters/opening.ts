import fs from "node:fs/promises";
import path from "node:path";
import { ClassicLevel } from "classic-level";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { ActivityError, type ErrorCode } from "../../src/errors.js";
import type { Storage } from "../../src/storage/storage.js";
import { bucketOf, draftOf, read } from "../contract/case.js";
import { newDataFolder } from "./folder.js";

type Options = Parameters<typeof leveldb>[0];

/** Opens a storage now. */
export async function opened(options: Options): Promise<Storage> {
  const storage = leveldb(options);
  try {
    await storage.ready();
    return storage;
  } catch (cause) {
    await storage.close();
    throw cause;
  }
}

/** Demands that an opening fails with a code, and with a message that names something and a way out. */
export async function refuses(
  storage: Storage,
  { code, names, way }: { readonly code: ErrorCode; readonly names?: string; readonly way?: RegExp },
): Promise<string> {
  const thrown = await storage.ready().then(
    () => "it opened",
    (error: unknown) => error,
  );
  await storage.close();
  assert.ok(ActivityError.is(thrown), `expected an ActivityError, got ${thrown}`);
  assert.is(thrown.code, code, thrown.message);
  if (names !== undefined) assert.ok(thrown.message.includes(names), `${names} is not in: ${thrown.message}`);
  if (way !== undefined) assert.match(thrown.message, way);
  assert.not.match(thrown.message, /\n/, "a message of one line");
  return thrown.message;
}

/** A folder with two buckets, one of them with segments, that was closed properly and has tables. */
export async function fill(folder: string): Promise<number> {
  await newDataFolder(folder);
  for (const round of [1, 2]) {
    const storage = leveldb({ path: folder });
    await storage.createBucket(bucketOf("window"));
    await storage.createBucket(bucketOf("afk"));
    await storage.putEvents(
      "window",
      Array.from({ length: 3_000 }, (_, index) => draftOf(index * round, 1)),
    );
    await storage.putEvents("afk", [draftOf(round)]);
    await storage.settings.put("key", round);
    await storage.close();
  }
  return 6_000;
}

export async function countIn(folder: string): Promise<number> {
  const storage = leveldb({ path: folder });
  try {
    assert.is((await read(storage, "window")).length, await storage.countEvents("window"));
    return await storage.countEvents("window");
  } finally {
    await storage.close();
  }
}

/** What the database of a folder holds. */
export async function dump(folder: string): Promise<[string, string][]> {
  const db = new ClassicLevel<string, string>(path.join(folder, "db"), { valueEncoding: "hex" });
  try {
    return await db.iterator().all();
  } finally {
    await db.close();
  }
}

/** Files of a folder, or below it, whose names match. */
export async function filesLike(folder: string, pattern: RegExp): Promise<string[]> {
  const names = await fs.readdir(folder, { recursive: true });
  return names.filter((name) => pattern.test(path.basename(name))).map((name) => path.join(folder, name));
}
