// A folder that version 0.2 left with an index out of order: lists of late events, then deletions and more lists.
import fs from "node:fs/promises";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb, salvage } from "../../adapters/leveldb/index.js";
import type { Storage } from "../../src/storage/storage.js";
import { read } from "../contract/case.js";
import { newDataFolder, withFolder } from "./folder.js";

const test = suite("index out of order");

interface Fixture {
  /** The files of the folder, as Base64. */
  readonly files: Readonly<Record<string, string>>;
  readonly buckets: Readonly<Record<string, FixtureBucket>>;
}

interface FixtureBucket {
  /** Events that were deleted: while the index was wrong, some of these deletions missed them. */
  readonly tried: readonly number[];
  /** Everything that was acknowledged. */
  readonly expected: readonly (readonly [id: number, timestamp: number, from: number])[];
}

const FIXTURE = new URL("./fixtures/out-of-order-0.2.json.gz", import.meta.url);
const fixture = JSON.parse(gunzipSync(await fs.readFile(FIXTURE)).toString()) as Fixture;

async function unpack(folder: string): Promise<string> {
  const target = await newDataFolder(path.join(folder, "data"));
  for (const [name, content] of Object.entries(fixture.files)) {
    await fs.mkdir(path.dirname(path.join(target, name)), { recursive: true });
    await fs.writeFile(path.join(target, name), Buffer.from(content, "base64"));
  }
  return target;
}

/** Demands every event that nobody tried to delete, and none that was never stored, each once and in order. */
async function assertWhole(storage: Storage): Promise<void> {
  for (const [bucketId, bucket] of Object.entries(fixture.buckets)) await assertBucket(storage, bucketId, bucket);
}

async function assertBucket(storage: Storage, bucketId: string, { expected, tried }: FixtureBucket): Promise<void> {
  const found = await read(storage, bucketId, { order: "oldest" });
  const known = new Map(expected.map(([id, timestamp, from]) => [id, { timestamp, from }]));
  for (const [index, { id, timestamp, data }] of found.entries()) {
    assert.equal(known.get(id), { timestamp, from: data["from"] }, `event ${id}`);
    const before = found[index - 1];
    assert.ok(before === undefined || before.timestamp < timestamp || before.id < id, `order at ${index}`);
  }
  const ids = new Set(found.map(({ id }) => id));
  assert.is(ids.size, found.length, "each event once");
  const deleted = new Set(tried);
  assert.equal(
    expected.filter(([id]) => !deleted.has(id) && !ids.has(id)),
    [],
    "acknowledged events that are missing",
  );
  const [start, end] = [found[300]?.timestamp ?? 0, found[900]?.timestamp ?? 0];
  const inRange = found.filter(({ timestamp, duration }) => timestamp <= end && timestamp + duration >= start);
  assert.is(await storage.countEvents(bucketId, { start, end }), inRange.length);
}

test("the first start rebuilds the index, reports it, and leaves a folder that is in order", () =>
  withFolder(async (folder) => {
    const data = await unpack(folder);
    const first = leveldb({ path: data });
    await assertWhole(first);
    const { problems } = await first.verify();
    assert.equal(
      problems.map(({ kind, bucketId }) => [kind, bucketId]),
      [
        ["disordered", "window"],
        ["disordered", "afk"],
      ],
    );
    assert.is((await first.health?.())?.state, "degraded");
    await first.putEvents("window", [{ timestamp: 1, duration: 0, data: { from: 1 } }]);
    await first.deleteEvents("window", [(await read(first, "window", { order: "oldest", limit: 1 }))[0]?.id as number]);
    await first.close();
    const second = leveldb({ path: data });
    await assertWhole(second);
    assert.equal((await second.verify()).problems, []);
    assert.is((await second.health?.())?.state, "ok");
    await second.close();
  }));

test("salvage saves every event once", () =>
  withFolder(async (folder) => {
    const saved = path.join(folder, "saved");
    await salvage({ path: await unpack(folder), to: saved });
    const storage = leveldb({ path: saved });
    await assertWhole(storage);
    assert.equal((await storage.verify()).problems, []);
    await storage.close();
  }));

test.run();
