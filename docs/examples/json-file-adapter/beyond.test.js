// What no suite can see from outside: writes that fail, a process that is killed, and what nobody thought of.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, rmdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import test from "node:test";
import { memory } from "activity-server/memory";
import { jsonFile } from "./json-file.js";

const BUCKET = { id: "a", type: "currentwindow", client: "test", hostname: "desk", name: null, created: 0, data: {} };

async function withFile(body) {
  const folder = await mkdtemp(join(tmpdir(), "json-file-"));
  try {
    await body(join(folder, "activity.json"));
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function eventsOf(storage, id, range) {
  const list = [];
  for await (const batch of (await storage.read(id, range)).batches) list.push(...batch.events());
  return list;
}

/** All that a storage tells. */
async function contentOf(storage) {
  const content = [];
  for (const bucket of await storage.summaries()) {
    content.push({ bucket, events: await eventsOf(storage, bucket.id) });
  }
  return content;
}

/** A storage with its ids by bucket, in the order in which they were seen: which ids it gives out is up to it. */
function sideOf(storage) {
  const ids = new Map();
  const idsOf = (bucketId) => ids.get(bucketId) ?? ids.set(bucketId, []).get(bucketId);
  return {
    storage,
    /** The id that was seen as the n-th, or one that was not. */
    idAt: (bucketId, nth, unknown) => idsOf(bucketId)[nth] ?? unknown,
    deleteBucket(bucketId) {
      ids.delete(bucketId);
      return storage.deleteBucket(bucketId);
    },
    /** An answer with the places of its ids instead of them. */
    seen(bucketId, answer) {
      const own = idsOf(bucketId);
      const placeOf = (id) => (own.includes(id) ? own.indexOf(id) : own.push(id) - 1);
      const numbered = (key, value) => (key === "id" && typeof value === "number" ? placeOf(value) : value);
      return answer === undefined ? undefined : JSON.parse(JSON.stringify(answer, numbered));
    },
  };
}

/** Integers below a limit, the same ones for the same seed. */
function randomOf(seed) {
  let state = seed;
  return (limit) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * limit);
  };
}

/** A random call on a bucket, as a function of the side to call. */
function randomCall(random, step) {
  const id = "abc"[random(3)];
  const draft = { timestamp: random(500), duration: random(40) - 4, data: { label: random(2) } };
  const timestamp = random(500);
  const nth = random(200);
  // Above every counter.
  const idIn = (side) => side.idAt(id, nth, step * 1_000_000);
  const otherIn = (side) => ({ ...draft, timestamp, id: idIn(side) });
  const start = random(500);
  const span = { start, end: start + random(200) };
  const range = { ...span, limit: random(9), order: random(2) ? "oldest" : "newest" };
  const pulsetimeMicros = random(20);
  const isSmall = pulsetimeMicros < 10;
  const calls = [
    ({ storage }) =>
      storage.createBucket({ ...BUCKET, id }, isSmall ? [] : [draft, { ...draft, id: step * 1_000_000 }]),
    ({ storage }) => storage.updateBucket(id, { client: `client ${pulsetimeMicros}` }),
    (side) => (pulsetimeMicros === 0 ? side.deleteBucket(id) : side.storage.getBucket(id)),
    (side) => side.storage.putEvents(id, isSmall ? [draft] : [draft, otherIn(side)]),
    ({ storage }) => storage.mergeEvents(id, [draft, { ...draft, timestamp: draft.timestamp + 1 }]),
    ({ storage }) => storage.heartbeat(id, draft, pulsetimeMicros),
    ({ storage }) => storage.records("kind").compareAndSet(id, draft.data, isSmall ? undefined : { label: timestamp }),
    ({ storage }) => storage.records("kind").compareAndSet(id, undefined, draft.data),
    (side) => side.storage.deleteEvents(id, [idIn(side)]),
    (side) => side.storage.getEvent(id, idIn(side)),
    ({ storage }) => storage.countEvents(id, span),
    ({ storage }) => eventsOf(storage, id, range),
  ];
  const call = calls[random(calls.length)];
  return async (side) => {
    try {
      return { call: `${id}: ${call}`, value: side.seen(id, await call(side)) };
    } catch (error) {
      return { call: `${id}: ${call}`, code: error.code };
    }
  };
}

test("1500 random calls answer as memory() does", () =>
  withFile(async (path) => {
    const mine = sideOf(jsonFile(path));
    const reference = sideOf(memory());
    const random = randomOf(7);
    for (let step = 1; step <= 1500; step++) {
      const call = randomCall(random, step);
      assert.deepEqual(await call(mine), await call(reference), `step ${step}`);
    }
    const contentIn = async (side) => (await contentOf(side.storage)).map((each) => side.seen(each.bucket.id, each));
    assert.deepEqual(await contentIn(mine), await contentIn(reference));
    const before = await contentOf(mine.storage);
    await mine.storage.close();
    const reopened = jsonFile(path);
    assert.deepEqual(await contentOf(reopened), before, "after a reopening");
    assert.deepEqual(await reopened.records("kind").list(), await reference.storage.records("kind").list());
    await reopened.close();
  }));

test("a write that fails changes nothing, and neither do those built on it", () =>
  withFile(async (path) => {
    const storage = jsonFile(path);
    await storage.createBucket(BUCKET);
    const [first] = await storage.putEvents("a", [{ timestamp: 1, duration: 0, data: {} }]);
    const before = await contentOf(storage);
    await mkdir(`${path}.new`); // a folder where the new file has to be written
    const put = () => storage.putEvents("a", [{ timestamp: 2, duration: 0, data: {} }]);
    const refused = [put(), put()];
    await new Promise(setImmediate);
    refused.push(storage.deleteBucket("a"), storage.settings.put("key", 1));
    for (const { reason } of await Promise.allSettled(refused)) assert.equal(reason?.code, "STORAGE_FAILED");
    assert.deepEqual(await contentOf(storage), before);
    await rmdir(`${path}.new`);
    const [second] = await put();
    assert.equal(second.id, first.id + 1);
    await storage.close();
    const reopened = jsonFile(path);
    assert.equal(await reopened.countEvents("a"), 2);
    assert.equal(await reopened.settings.get("key"), undefined);
    await reopened.close();
  }));

test("an opening that failed is tried again by the next call", () =>
  withFile(async (path) => {
    await mkdir(path); // a folder where the file has to be
    const storage = jsonFile(path);
    await assert.rejects(storage.ready(), { code: "STORAGE_UNUSABLE" });
    await assert.rejects(storage.listBuckets(), { code: "STORAGE_UNUSABLE" });
    await rmdir(path);
    await storage.createBucket(BUCKET);
    assert.equal((await storage.listBuckets()).length, 1);
    await storage.close();
  }));

test("damage is found", () =>
  withFile(async (path) => {
    const storage = jsonFile(path);
    await storage.createBucket(BUCKET);
    assert.deepEqual((await storage.verify()).problems, []);
    await writeFile(path, "{");
    assert.equal((await storage.verify()).problems[0]?.kind, "damaged");
    await storage.close();
    await assert.rejects(jsonFile(path).ready(), { code: "STORAGE_CORRUPT" });
  }));

test("what was acknowledged before a kill -9 is there after it", () =>
  withFile(async (path) => {
    for (let round = 1; round <= 3; round++) {
      const child = spawn(process.execPath, [join(import.meta.dirname, "writer.js"), path]);
      let acknowledged = 0;
      let lines = 0;
      for await (const line of createInterface({ input: child.stdout })) {
        acknowledged = Number(line);
        if (++lines === 40) child.kill("SIGKILL");
      }
      const storage = jsonFile(path);
      const events = await eventsOf(storage, "a");
      assert.ok(lines >= 40, `round ${round}: it ended after ${lines} writes`);
      assert.ok(events.length >= acknowledged, `${events.length} events are left of ${acknowledged}`);
      assert.equal(events.length % 2, 0, "half of a put was kept");
      await storage.close();
    }
  }));
