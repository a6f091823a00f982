// long: 300 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createBlobStore } from "../../adapters/unstorage/blob-store.js";
import { BlobSegmentStore } from "../../adapters/unstorage/store.js";
import { type Failure, FaultyStorage } from "./faulty-storage.js";
import { type FaultyGround, playStoreFaults, type Sequel } from "./segment-store-faults.js";

const test = suite("unstorage: faults under the segment store");

/** A driver that fails once. @param isLate whether a write that was given up arrives before the data are opened again */
function groundFor(failure: Failure): FaultyGround {
  const driver = new FaultyStorage();
  return {
    store: () => new BlobSegmentStore(createBlobStore(driver, "activity")),
    failCall: (count) => driver.failCall(count, failure),
    get hasFailed() {
      return driver.failed > 0;
    },
    repair() {
      driver.repair();
      driver.arrive();
    },
  };
}

const PLANS: readonly (readonly [Failure, readonly Sequel[]])[] = [
  ["refused", ["goes on", "closes", "dies"]],
  ["made", ["goes on", "closes", "dies"]],
  ["late", ["goes on", "closes", "dies"]],
  ["torn", ["goes on", "closes", "dies"]],
  ["unread", ["goes on", "closes", "dies"]],
  ["crash before", ["dies"]],
  ["crash behind", ["dies"]],
  ["crash within", ["dies"]],
];

for (const [index, [failure, sequels]] of PLANS.entries()) {
  for (const [turn, sequel] of sequels.entries()) {
    test(`a call fails (${failure}), then the process ${sequel}: what counts is whole`, async () => {
      const points = await playStoreFaults(() => groundFor(failure), sequel, index + 2 * turn);
      assert.ok(points >= 15, `only ${points} points`);
      console.log(`fault injection, ${failure}, ${sequel}: ${points} points`);
    });
  }
}

test.run();
