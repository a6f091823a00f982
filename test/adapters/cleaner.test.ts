// Everyone who waits until deleted segments are dropped is told when that fails.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { Cleaner } from "../../adapters/segments/cleaner.js";
import type { Committer } from "../../adapters/segments/committer.js";
import { SegmentPins } from "../../adapters/segments/segment-pins.js";
import { Sleeper } from "../../adapters/segments/sleeper.js";
import type { State } from "../../adapters/segments/state.js";
import type { SegmentStore } from "../../adapters/segments/store.js";

const test = suite("cleaner");

/** How long a wait may take that nothing ends. */
const WAIT_MILLIS = 100;

/** A cleaner with the segments of a deleted bucket to drop, whose commits fail as long as the disk does. */
function cleanerOver(disk: { isFailing: boolean }): Cleaner {
  const state = { deleted: new Map([[1, [{ bucketNo: 1, no: 1 }]]]), dirty: new Set() } as unknown as State;
  const committer = {
    async run(capture: () => { readonly committed: () => void }) {
      if (disk.isFailing) throw new Error("the disk fails");
      capture().committed();
    },
    awaitUnlessUncertain: (work: Promise<void>) => work,
  } as unknown as Committer;
  const backOff = () => new Promise<void>(() => undefined);
  const store = {} as SegmentStore;
  return new Cleaner({ store, state, pins: new SegmentPins(), committer, sleeper: new Sleeper(), backOff });
}

test("a failure ends all waits, and the next one tries again at once", async () => {
  const disk = { isFailing: true };
  const cleaner = cleanerOver(disk);
  const ended = (wait: Promise<boolean>) => wait.catch((thrown: Error) => thrown.message);
  const waits = Array.from({ length: 3 }, () => ended(cleaner.finish(WAIT_MILLIS)));
  assert.equal([...new Set(await Promise.all(waits))], ["the disk fails"]);
  assert.is(await ended(cleaner.finish(WAIT_MILLIS)), "the disk fails");
  disk.isFailing = false;
  assert.is(await cleaner.finish(WAIT_MILLIS), true);
  await cleaner.close();
});

test.run();
