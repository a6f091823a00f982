import { createStorage, prefixStorage } from "unstorage";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type KeyValueStorage, unstorage } from "../../adapters/unstorage/index.js";
import type { Storage } from "../../src/storage/storage.js";
import { bucketOf, draftOf, idsOf, read } from "../contract/case.js";
import { TEXTS } from "../contract/values.js";

const test = suite("unstorage: keys");

const DAY = 86_400_000_000;

/** An instance that counts what is asked of it. */
class Counted implements KeyValueStorage {
  readonly items: Map<string, string> = new Map();
  writes: string[] = [];
  reads: string[] = [];
  written = 0;

  async getItem(key: string): Promise<unknown> {
    this.reads.push(key);
    return this.items.get(key) ?? null;
  }

  async setItem(key: string, value: string): Promise<void> {
    this.writes.push(key);
    this.written += value.length;
    this.items.set(key, value);
  }

  async removeItem(key: string): Promise<void> {
    this.items.delete(key);
  }

  async getKeys(base: string): Promise<string[]> {
    return [...this.items.keys()].filter((key) => key.startsWith(`${base}:`));
  }

  forget(): void {
    this.writes = [];
    this.reads = [];
    this.written = 0;
  }
}

/** Opens a bucket with so many events that was closed before: nothing goes on in the background. */
async function withWindow(
  count: number,
  body: (storage: Storage, driver: Counted) => Promise<void>,
  cacheBytes = 0,
): Promise<void> {
  const driver = new Counted();
  const before = unstorage({ storage: driver });
  await before.createBucket(bucketOf("window"));
  await fill(before, count);
  await before.close();
  const storage = unstorage({ storage: driver, cacheBytes });
  await storage.settings.put("first", "write");
  try {
    await body(storage, driver);
  } finally {
    await storage.close();
  }
}

function kindsIn({ items }: Counted): string[] {
  return Array.from(items.keys(), (key) => key.split(/[:-]/)[1] ?? "").sort();
}

async function fill(storage: Storage, count: number): Promise<void> {
  for (let from = 0; from < count; from += 1_000) {
    const drafts = Array.from({ length: 1_000 }, (_, index) => draftOf((from + index) * (DAY / 500), 1_000, index));
    await storage.putEvents("window", drafts);
  }
}

test("ten thousand events take a key for about 1,024 of them", () =>
  withWindow(10_000, async (storage, driver) => {
    await storage.close();
    assert.ok(driver.items.size <= 10_000 / 1_024 + 10, `${[...driver.items.keys()]}`);
    assert.is(kindsIn(driver).filter((kind) => kind === "segment").length, 10);
  }));

test("a heartbeat that merges writes one small value, however many events there are", () =>
  withWindow(10_000, async (storage, driver) => {
    const newest = (await read(storage, "window", { limit: 1 }))[0];
    assert.ok(newest);
    // The first one takes the event out of its segment.
    await storage.heartbeat("window", { timestamp: newest.timestamp + 1_000, duration: 0, data: newest.data }, DAY);
    for (let beat = 1; beat <= 20; beat++) {
      driver.forget();
      const timestamp = newest.timestamp + 2_000 * beat;
      assert.is((await storage.heartbeat("window", { timestamp, duration: 0, data: newest.data }, DAY)).id, newest.id);
      assert.is(driver.writes.length, 1, `${driver.writes}`);
      assert.ok(driver.written < 1_300, `${driver.written} characters`);
      assert.equal(driver.reads, ["activity:owner"]);
    }
  }));

test("heartbeats with new data write a few kilobytes each on the average", () =>
  withWindow(10_000, async (storage, driver) => {
    driver.forget();
    const first = 10_000 * DAY;
    for (let beat = 0; beat < 1_000; beat++) await storage.heartbeat("window", draftOf(first + beat, 0, beat), 0);
    assert.ok(driver.written / 1_000 < 6_000, `${driver.written / 1_000} characters each`);
    assert.ok(driver.writes.length < 1_100, `${driver.writes.length} writes`);
  }));

test("64 heartbeats at once cost two stores at the most, in their order", () =>
  withWindow(0, async (storage, driver) => {
    driver.forget();
    const beats = Array.from({ length: 64 }, (_, index) => storage.heartbeat("window", draftOf(index, 0, index), 0));
    const ids = idsOf(await Promise.all(beats));
    assert.equal(
      ids,
      ids.map((_, index) => index + 1),
    );
    assert.ok(driver.writes.length <= 2, `${driver.writes}`);
  }));

test("a day out of twenty is read from the segments of that day alone", () =>
  withWindow(10_000, async (storage, driver) => {
    driver.forget();
    const events = await read(storage, "window", { start: 5 * DAY, end: 6 * DAY - 1 });
    assert.is(events.length, 500);
    assert.ok(driver.reads.length <= 2, `${driver.reads.length} reads`);
    driver.forget();
    assert.is(await storage.countEvents("window", { start: 2 * DAY, end: 18 * DAY }), 8_001);
    assert.ok(driver.reads.length <= 2, `${driver.reads.length} reads to count`);
    driver.forget();
    assert.is((await storage.getEvent("window", 4_444))?.id, 4_444);
    assert.is(driver.reads.length, 1);
    await storage.putEvents("window", [draftOf(20 * DAY)]);
    driver.forget();
    await read(storage, "window", { limit: 1 });
    assert.is(driver.reads.length, 0, "the newest are in memory");
    await read(storage, "window", { limit: 10, order: "oldest" });
    assert.is(driver.reads.length, 1);
  }));

test("an event of long ago that reaches into a range is found", () =>
  withWindow(10_000, async (storage, driver) => {
    const [long] = await storage.putEvents("window", [draftOf(DAY + 1, 12 * DAY, "long")]);
    await fill(storage, 1_000);
    driver.forget();
    const events = await read(storage, "window", { start: 13 * DAY - 1_000, end: 13 * DAY });
    assert.ok(idsOf(events).includes(long?.id ?? 0));
    assert.ok(driver.reads.length <= 4, `${driver.reads.length} reads`);
  }));

test("segments that were read are kept as far as there is room", () =>
  withWindow(
    2_000,
    async (storage, driver) => {
      await read(storage, "window");
      driver.forget();
      await read(storage, "window");
      assert.is(driver.reads.length, 0);
    },
    16 * 1024 * 1024,
  ));

test("keys are of few characters, short, lower case, and no key lies below another", async () => {
  const driver = new Counted();
  const storage = unstorage({ storage: driver });
  for (const id of TEXTS) {
    await storage.createBucket(bucketOf(id));
    await storage.putEvents(
      id,
      Array.from({ length: 400 }, (_, index) => draftOf(index, 0, id)),
    );
    await storage.heartbeat(id, draftOf(1_000), 0);
  }
  const keys = [...driver.items.keys()];
  for (const key of keys) {
    assert.match(key, /^activity:[a-z0-9-]{1,60}$/);
    assert.not.ok(keys.some((other) => other.startsWith(`${key}:`)));
  }
  await storage.close();
});

test("opening again and again leaves nothing behind", async () => {
  const driver = new Counted();
  let storage = unstorage({ storage: driver });
  await storage.createBucket(bucketOf("window"));
  await fill(storage, 3_000);
  for (let round = 0; round < 10; round++) {
    await storage.heartbeat("window", draftOf(3_000 * DAY + round, 0, round), 0);
    await storage.close();
    storage = unstorage({ storage: driver });
  }
  await storage.close();
  const kinds = kindsIn(driver);
  assert.equal([...new Set(kinds)], ["log", "manifest", "owner", "root", "segment"]);
  const most: Record<string, number> = { log: 3, manifest: 1, owner: 1, root: 2, segment: 4 };
  for (const [kind, count] of Object.entries(most)) {
    assert.ok(kinds.filter((each) => each === kind).length <= count, `${kinds}`);
  }
});

test("a deleted bucket leaves no key behind, and neither do edits of old events", async () => {
  const driver = new Counted();
  const storage = unstorage({ storage: driver });
  await storage.createBucket(bucketOf("window"));
  await fill(storage, 3_000);
  for (let id = 1; id <= 2_000; id += 100) await storage.putEvents("window", [{ ...draftOf(5, 5, "edited"), id }]);
  await storage.deleteBucket("window");
  for (let left = 200; left > 0 && kindsIn(driver).some((kind) => /segment|manifest/.test(kind)); left--) {
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  await storage.close();
  assert.equal([...new Set(kindsIn(driver))], ["log", "owner", "root"]);
});

test("two bases of one instance share nothing, and the host's own keys stay as they are", async () => {
  const host = createStorage();
  const own = {
    activity: "host",
    "activity:mine": { a: 1 },
    "activity:segment-mine": "x",
    "activity2:root": 7,
    z: null,
  };
  for (const [key, value] of Object.entries(own)) await host.setItem(key, value);
  const one = unstorage({ storage: host });
  const other = unstorage({ storage: host, base: "other:place" });
  const third = unstorage({ storage: prefixStorage(host, "deep:down") });
  for (const storage of [one, other, third]) {
    assert.is((await storage.listBuckets()).length, 0);
    await storage.createBucket(bucketOf("window"));
    assert.equal(idsOf(await storage.putEvents("window", [draftOf(1)])), [1]);
    await storage.deleteBucket("window");
    await storage.close();
  }
  for (const [key, value] of Object.entries(own)) assert.equal(await host.getItem(key), value, key);
});

test.run();
