// What is refused may have been written all the same: it must not come back later.
// long: 300 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createBlobStore } from "../../adapters/unstorage/blob-store.js";
import { createFencingToken, ownerBody } from "../../adapters/unstorage/fencing-token.js";
import { unstorage } from "../../adapters/unstorage/index.js";
import { ActivityError } from "../../src/errors.js";
import type { Storage } from "../../src/storage/storage.js";
import { bucketOf, draftOf, read } from "../contract/case.js";
import { IS_LONG } from "../faults/sizes.js";
import { FaultyStorage } from "./faulty-storage.js";

const test = suite("unstorage: doubt");

/** What the calls start from: events in segments and a setting. */
const ground: Promise<FaultyStorage> = prepare();

async function prepare(): Promise<FaultyStorage> {
  const driver = new FaultyStorage();
  const storage = unstorage({ storage: driver });
  await storage.createBucket(bucketOf("window"));
  await storage.putEvents(
    "window",
    Array.from({ length: 2_000 }, (_, index) => draftOf(index * 10, 5, "kept")),
  );
  await storage.settings.put("kept", 1);
  await storage.close();
  return driver;
}

async function openOn<D extends FaultyStorage>(driver: D): Promise<{ driver: D; storage: Storage }> {
  const storage = unstorage({ storage: driver, cacheBytes: 0 });
  await storage.ready();
  return { driver, storage };
}

async function opened(): Promise<{ driver: FaultyStorage; storage: Storage }> {
  return openOn(new FaultyStorage((await ground).items));
}

/** Writing comes back a moment after a failure. */
async function eventually<T>(call: () => Promise<T>): Promise<T> {
  for (let left = 100; ; left--) {
    try {
      return await call();
    } catch (thrown) {
      if (left === 0) throw thrown;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

async function refused(call: Promise<unknown>): Promise<void> {
  const outcome: unknown = await call.then(
    () => "accepted",
    (error: unknown) => error,
  );
  assert.ok(ActivityError.is(outcome) && outcome.code === "STORAGE_FAILED", String(outcome));
}

/** Calls whose last write is the log or the root. */
const CALLS: Readonly<Record<string, (storage: Storage) => Promise<unknown>>> = {
  "a heartbeat": (storage) => storage.heartbeat("window", draftOf(50_000, 0, "doubtful"), 0),
  "an insert of many": (storage) =>
    storage.putEvents(
      "window",
      Array.from({ length: 700 }, (_, index) => draftOf(index * 30, 1, "doubtful")),
    ),
  "a deletion of old events": (storage) => storage.deleteEvents("window", [5, 300, 900]),
  "a new name": (storage) => storage.updateBucket("window", { name: "doubtful" }),
  "a new bucket": (storage) => storage.createBucket(bucketOf("doubtful")),
  "a deleted bucket": (storage) => storage.deleteBucket("window"),
  "a setting": (storage) => storage.settings.put("doubtful", 1),
};

/** Demands that there is only what was acknowledged. */
async function expectKept(storage: Storage, when: string): Promise<void> {
  assert.equal(
    (await storage.listBuckets()).map(({ id, name }) => [id, name]),
    [["window", null]],
    when,
  );
  const events = await read(storage, "window");
  assert.is(events.length, 2_000, when);
  assert.ok(
    events.every(({ data }) => data.label === "kept"),
    when,
  );
  assert.equal([...(await storage.settings.list()).keys()], ["kept"], when);
}

/** Lets a call fail at its last write, which is made all the same. */
async function failLast(
  driver: FaultyStorage,
  storage: Storage,
  call: (storage: Storage) => Promise<unknown>,
): Promise<void> {
  driver.failCall(await writesOf(driver, call), "made");
  await refused(call(storage));
  driver.repair();
}

/** How many values a call writes that is the first one behind an opening. */
async function writesOf(driver: FaultyStorage, call: (storage: Storage) => Promise<unknown>): Promise<number> {
  const { driver: probe, storage } = await openOn(new FaultyStorage(driver.items));
  const before = probe.sets;
  await call(storage);
  return probe.sets - before;
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate);
}

/** Each later call of the driver, and how it ends in a crash there. */
const CRASHES = [1, 2, 3, 4, 5, 6].flatMap((nth) =>
  (["crash before", "crash behind", "crash within"] as const).map((failure) => [nth, failure] as const),
);

for (const [at, [what, call]] of Object.entries(CALLS).entries()) {
  test(`${what} that was refused but written is not seen, and not found after a close`, async () => {
    const { driver, storage } = await opened();
    await failLast(driver, storage, call);
    await expectKept(storage, "behind the refusal");
    await storage.close();
    const reopened = await unstorage({ storage: driver });
    await expectKept(reopened, "after a reopening");
    await reopened.close();
  });

  test(`${what} that was refused but written, then a crash at any later write: nothing is damaged`, async () => {
    for (const [nth, failure] of IS_LONG ? CRASHES : CRASHES.filter((_, index) => index % 4 === at % 4)) {
      const { driver, storage } = await opened();
      await failLast(driver, storage, call);
      driver.failCall(nth, failure);
      const later = await storage
        .putEvents("window", [{ ...draftOf(3, 1, "later"), id: 1_000 }])
        .catch(() => undefined);
      await storage.close();
      const { storage: reopened } = await openOn(new FaultyStorage(driver.items));
      const buckets = await reopened.listBuckets();
      for (const { id } of buckets) await read(reopened, id);
      if (later !== undefined) assert.equal(await reopened.getEvent("window", 1_000), later[0], `${failure} at ${nth}`);
      await reopened.close();
    }
  });
}

/** A driver that gives a write up, and carries it out later all the same. */
class LateStorage extends FaultyStorage {
  #isLate = false;
  #carryOut: () => Promise<void> = async () => undefined;
  #left = 0;

  giveUp(nth: number): void {
    this.#left = nth;
  }

  /** What was given up happens now. */
  async arrive(): Promise<void> {
    assert.ok(this.#isLate, "nothing was given up");
    await this.#carryOut();
  }

  override async setItem(key: string, value: string): Promise<void> {
    if (this.#left > 0 && --this.#left === 0) {
      this.#isLate = true;
      this.#carryOut = () => super.setItem(key, value);
      throw new Error("injected: it takes too long");
    }
    await super.setItem(key, value);
  }
}

for (const [what, call] of Object.entries(CALLS)) {
  test(`${what} whose last write was given up and arrives late changes nothing`, async () => {
    for (const later of [0, 1, 2, 5]) {
      const { driver: late, storage } = await openOn(new LateStorage((await ground).items));
      late.giveUp(await writesOf(late, call));
      await refused(call(storage));
      for (let round = 1; round <= later; round++) {
        await eventually(() => storage.heartbeat("window", draftOf(60_000, round, "kept"), 0));
      }
      await eventually(() => storage.settings.put("kept", later));
      await late.arrive();
      await storage.close();
      const reopened = await unstorage({ storage: late });
      assert.is(await reopened.settings.get("kept"), later, `arrives behind ${later} others`);
      const [newest] = await read(reopened, "window", { limit: 1 });
      assert.is(newest?.duration, later === 0 ? 5 : later, `arrives behind ${later} others`);
      if (later > 0) await reopened.deleteEvents("window", [newest?.id ?? 0]);
      await expectKept(reopened, `arrives behind ${later} others`);
      await reopened.close();
    }
  });
}

test("a write that finds no space is refused as such, and is not there later", async () => {
  const { driver, storage } = await opened();
  const failing = new Error("ENOSPC: no space left on device, write");
  const setItem = driver.setItem.bind(driver);
  driver.setItem = () => Promise.reject(Object.assign(failing, { code: "ENOSPC" }));
  for (const call of Object.values(CALLS)) {
    const thrown = await call(storage).catch((error: unknown) => error);
    assert.ok(ActivityError.is(thrown) && thrown.code === "STORAGE_FULL", String(thrown));
  }
  await expectKept(storage, "while there is no space");
  driver.setItem = setItem;
  await eventually(() => storage.settings.put("kept", 2));
  await storage.close();
  const { storage: reopened } = await openOn(driver);
  await expectKept(reopened, "after a reopening");
  await reopened.close();
});

test("a write that may be stored all the same says so", async () => {
  const { driver, storage } = await opened();
  driver.failCall(1, "crash behind");
  const thrown = await storage.settings.put("doubtful", 1).catch((error: unknown) => error);
  assert.match(String(thrown), "may be after a restart");
  await storage.close();
});

test("a check under way does not count for what is written behind it", async () => {
  const driver = new FaultyStorage();
  const values = createBlobStore(driver, "activity");
  await values.write("owner", ownerBody("aaaaaaaaaaaa"));
  let answer: () => void = () => undefined;
  const slow = {
    ...values,
    async read(name: string) {
      const found = await values.read(name);
      // The driver has looked already, but its answer is still under way.
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return found;
    },
  };
  const token = createFencingToken(slow, "aaaaaaaaaaaa");
  const first = token.verify();
  await turns(3);
  await values.write("owner", ownerBody("bbbbbbbbbbbb"));
  const second = token.verify().then(
    () => "passed",
    (error: unknown) => (ActivityError.is(error) ? error.code : String(error)),
  );
  answer();
  await first;
  await turns(3);
  answer();
  assert.is(await second, "STORAGE_LOCKED");
});

test.run();
