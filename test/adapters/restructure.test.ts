import { suite } from "uvu";
import * as assert from "uvu/assert";
import { BucketState } from "../../adapters/segments/bucket-state.js";
import type { Committer } from "../../adapters/segments/committer.js";
import { Restructurer } from "../../adapters/segments/restructure.js";
import { SegmentCache } from "../../adapters/segments/segment-cache.js";
import { SegmentPins } from "../../adapters/segments/segment-pins.js";
import type { State } from "../../adapters/segments/state.js";
import { bucketOf } from "../contract/case.js";

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

test.run();
