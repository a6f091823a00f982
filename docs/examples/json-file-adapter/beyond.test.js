// What no suite can see from outside: writes that fail, a process that is killed, and what nobody thought of.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, rmdir } from "node:fs/promises";
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

async function listOf(events) {
  const list = [];
  for await (const chunk of events) list.push(...chunk);
  return list;
}

/** All that a storage tells. */
async function contentOf(storage) {
  const content = [];
  for (const bucket of await storage.listBuckets()) {
    content.push({ bucket, events: await listOf(storage.readEvents(bucket.id)) });
  }
  return content;
}

/** Integers below a limit, the same ones for the same seed. */
function randomOf(seed) {
  let state = seed;
  return (limit) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * limit);
  };
}

/** A random call, as a function of the storage to call. */
function randomCall(random) {
  const id = "abc"[random(3)];
  const draft = { timestamp: random(500), duration: random(40) - 4, data: { label: random(2) } };
  const other = { ...draft, timestamp: random(500), id: 1 + random(200) };
  const start = random(500);
  const span = { start, end: start + random(200) };
  const range = { ...span, limit: random(9), order: random(2) ? "oldest" : "newest" };
  const pulsetime = random(20);
  const calls = [
    (storage) => storage.createBucket({ ...BUCKET, id }),
    (storage) => storage.updateBucket(id, { client: `client ${pulsetime}` }),
    (storage) => (pulsetime === 0 ? storage.deleteBucket(id) : storage.getBucket(id)),
    (storage) => storage.putEvents(id, pulsetime < 10 ? [draft] : [draft, other]),
    (storage) => storage.heartbeat(id, draft, pulsetime),
    (storage) => storage.deleteEvents(id, [other.id, other.id + 1]),
    (storage) => storage.getEvent(id, other.id),
    (storage) => storage.countEvents(id, span),
    (storage) => listOf(storage.readEvents(id, range)),
  ];
  return calls[random(calls.length)];
}

async function outcomeOf(call, storage) {
  try {
    return { value: await call(storage) };
  } catch (error) {
    return { code: error.code };
  }
}

test("1500 random calls answer as memory() does", () =>
  withFile(async (path) => {
    const mine = await jsonFile(path);
    const reference = memory();
    const random = randomOf(7);
    for (let step = 1; step <= 1500; step++) {
      const call = randomCall(random);
      assert.deepEqual(await outcomeOf(call, mine), await outcomeOf(call, reference), `step ${step}: ${call}`);
    }
    assert.deepEqual(await contentOf(mine), await contentOf(reference));
    await mine.close();
    const reopened = await jsonFile(path);
    assert.deepEqual(await contentOf(reopened), await contentOf(reference), "after a reopening");
    await reopened.close();
  }));

test("a write that fails changes nothing, and neither do those built on it", () =>
  withFile(async (path) => {
    const storage = await jsonFile(path);
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
    const reopened = await jsonFile(path);
    assert.equal(await reopened.countEvents("a"), 2);
    assert.equal(await reopened.settings.get("key"), undefined);
    await reopened.close();
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
      const storage = await jsonFile(path);
      const events = await listOf(storage.readEvents("a"));
      assert.ok(lines >= 40, `round ${round}: it ended after ${lines} writes`);
      assert.ok(events.length >= acknowledged, `${events.length} events are left of ${acknowledged}`);
      assert.equal(events.length % 2, 0, "half of a put was kept");
      await storage.close();
    }
  }));
