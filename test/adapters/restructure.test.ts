import { suite } from "uvu";
import * as assert from "uvu/assert";
import { BucketState } from "../../adapters/segments/bucket-state.js";
import type { Committer } from "../../adapters/segments/committer.js";
import { createSegmentStorage } from "../../adapters/segments/index.js";
import { Restructurer } from "../../adapters/segments/restructure.js";
import { SegmentCache } from "../../adapters/segments/segment-cache.js";
import { SegmentPins } from "../../adapters/segments/segment-pins.js";
import type { State } from "../../adapters/segments/state.js";
import type { Commit } from "../../adapters/segments/store.js";
import { silentLogger } from "../../src/logger.js";
import { bucketOf, draftOf, read } from "../contract/case.js";
import { SimulatedDisk, SimulatedStore } from "./simulated-store.js";

const test = suite("restructuring of buckets");

/** Commits nothing, and is never in doubt. */
const COMMITTER = { run: async () => undefined, awaitUnlessUncertain: <T>(work: Promise<T>) => work };

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await undefined;
}

test("a bucket is restructured by one at a time, whenever they come", async () => {
  const cache = new SegmentCache({} as never, 0, () => undefined);
  for (let seed = 0; seed < 200; seed++) {
    const restructurer = new Restructurer(COMMITTER as unknown as Committer, cache, {} as State, new SegmentPins());
    const bucket = new BucketState(1, bucketOf("window"));
    let isBusy = false;
    const alone = async (length: number): Promise<void> => {
      assert.not(isBusy, `seed ${seed}: two at once`);
      isBusy = true;
      await turns(length);
      assert.ok(isBusy);
      isBusy = false;
    };
    const works = [0, 1, 2, 3, 4].map(async (number) => {
      await turns((seed * (number + 3)) % 11);
      const length = (seed + number * 5) % 7;
      if ((seed + number) % 3 === 0) {
        let end = (): void => undefined;
        const ended = new Promise<void>((resolve) => {
          end = resolve;
        });
        await restructurer.freeze([bucket], ended);
        await alone(length);
        end();
        return;
      }
      await restructurer.edit(bucket, async () => {
        await alone(length);
        return { entries: [], remove: new Set(), put: [], forgetsTarget: false };
      });
    });
    await Promise.all(works);
    await restructurer.settled(bucket);
    assert.is(bucket.restructuring, undefined);
  }
});

/** Records of how many buckets the segments of each commit are. */
class CountingStore extends SimulatedStore {
  readonly flushed: number[] = [];

  constructor() {
    super(new SimulatedDisk(), true, () => "works");
  }

  override async commit(commit: Commit): Promise<void> {
    this.flushed.push(new Set(commit.putSegments.map(({ bucketNo }) => bucketNo)).size);
    await super.commit(commit);
  }
}

test("memtables that become full at the same time are flushed in a commit each, and lose nothing", async () => {
  const store = new CountingStore();
  const storage = createSegmentStorage({
    openStore: () => store,
    traits: { adapter: "simulated", durability: "power-loss", snapshotReads: true, multiProcess: false },
    logger: silentLogger,
  });
  const ids = ["a", "b", "c", "d"];
  for (const id of ids) await storage.createBucket(bucketOf(id));
  const count = 1500;
  for (let at = 0; at < count; at++) {
    await Promise.all(ids.map((id) => storage.heartbeat(id, draftOf(at, 0, at), 0)));
  }
  for (const id of ids) assert.is((await read(storage, id)).length, count);
  await storage.close();
  assert.equal(
    store.flushed.filter((buckets) => buckets > 0),
    [1, 1, 1, 1],
  );
});

test.run();
