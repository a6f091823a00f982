// A commit that is refused leaves its number in the log, and the next commit takes that number again.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { createSegmentStorage } from "../../adapters/segments/index.js";
import type { Commit } from "../../adapters/segments/store.js";
import { silentLogger } from "../../src/logger.js";
import type { Storage } from "../../src/storage/storage.js";
import { bucketOf, draftOf, read } from "../contract/case.js";
import { FaultyDatabase } from "./faulty-database.js";
import { SimulatedDisk, SimulatedStore } from "./simulated-store.js";
import { accepted } from "./until.js";

const test = suite("refused commits");

function rename(storage: Storage, expected: string, value: string): Promise<boolean> {
  return storage.transact?.(["a", "b"], async () => [
    { kind: "rename", bucketId: "a", newId: "b" },
    { kind: "record", recordKind: "kind", key: "r", expected, value },
  ]) as Promise<boolean>;
}

test("a start after a kill finds what the later commit of the same number left", async () => {
  const database = new FaultyDatabase();
  const storage = leveldb({ db: database });
  await storage.createBucket(bucketOf("a"));
  await storage.putEvents("a", [draftOf(1)]);
  await storage.records("kind").compareAndSet("r", undefined, "v0");
  database.failKey("m!root");
  const [refused] = await Promise.allSettled([rename(storage, "v0", "never")]);
  assert.is(refused.status, "rejected");
  assert.is(database.failed, 1);
  database.repair();
  assert.ok(await accepted(() => storage.records("kind").compareAndSet("r", "v0", "v1")));
  await storage.updateBucket("a", { client: "changed" });
  await storage.putEvents("a", [draftOf(2)]);
  assert.is(await rename(storage, "v1", "v2"), true);
  await storage.putEvents("b", [draftOf(3)]);

  const killed = new FaultyDatabase();
  await killed.open();
  await killed.load(await database.dump());
  await killed.close();
  const started = leveldb({ db: killed });
  assert.equal(
    (await started.listBuckets()).map(({ id, client }) => [id, client]),
    [["b", "changed"]],
  );
  assert.is(await started.records("kind").get("r"), "v2");
  assert.equal(
    (await read(started, "b", { order: "oldest" })).map(({ timestamp }) => timestamp),
    [1, 2, 3],
  );
  await started.close();
  await storage.close();
});

/** A store on a disk that may be full, where only the space of the reserve is left. */
class StoreOnFullDisk extends SimulatedStore {
  isFull = false;
  /** Looks after a commit in doubt. */
  looks = 0;
  readonly #hasReserve: boolean;
  #isGivenUp = false;
  /** Looks that fail after the reserve was given up: its space is not free at once. */
  #lateLooks: number;

  constructor(hasReserve: boolean, lateLooks = 0) {
    super(new SimulatedDisk(), true, () => "works");
    this.#hasReserve = hasReserve;
    this.#lateLooks = lateLooks;
  }

  override async commit(commit: Commit): Promise<void> {
    this.#assertRoom();
    await super.commit(commit);
  }

  override async recover(): Promise<number> {
    this.looks++;
    this.#assertRoom();
    if (this.isFull && this.#lateLooks-- > 0) throw noSpace();
    return super.recover();
  }

  async releaseReserve(): Promise<boolean> {
    const isFirst = this.#hasReserve && !this.#isGivenUp;
    this.#isGivenUp ||= isFirst;
    return isFirst;
  }

  #assertRoom(): void {
    if (this.isFull && !this.#isGivenUp) throw noSpace();
  }
}

function noSpace(): Error {
  return Object.assign(new Error("no space left"), { code: "ENOSPC" });
}

function storageOn(store: StoreOnFullDisk): Storage {
  return createSegmentStorage({
    openStore: () => store,
    traits: { adapter: "simulated", durability: "power-loss", snapshotReads: true, multiProcess: false },
    logger: silentLogger,
  });
}

test("when the disk is full, a commit in doubt gets the reserve before anything that waits is refused", async () => {
  const store = new StoreOnFullDisk(true, 1);
  const storage = storageOn(store);
  await storage.createBucket(bucketOf("a"));
  await storage.createBucket(bucketOf("b"));
  store.isFull = true;
  assert.is(await storage.transact?.(["a"], async () => [{ kind: "delete", bucketId: "a" }]), true);
  assert.equal(
    (await storage.listBuckets()).map(({ id }) => id),
    ["b"],
  );
  await storage.close();
});

test("without a reserve, a commit in doubt on a full disk is refused at the first look", async () => {
  const store = new StoreOnFullDisk(false);
  const storage = storageOn(store);
  await storage.createBucket(bucketOf("a"));
  store.isFull = true;
  const refused = await storage
    .transact?.(["a"], async () => [{ kind: "delete", bucketId: "a" }])
    .catch(() => store.looks);
  assert.is(refused, 1);
  store.isFull = false;
  await storage.close();
});

test.run();
