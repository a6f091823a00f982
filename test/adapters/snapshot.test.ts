// A new log starts with the state of one moment, although other work runs while it is serialized.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { BucketState } from "../../adapters/segments/bucket-state.js";
import { bucketKey } from "../../adapters/segments/keys.js";
import { createSnapshot } from "../../adapters/segments/snapshot.js";
import { loadState, type State } from "../../adapters/segments/state.js";
import { bucketOf } from "../contract/case.js";

const test = suite("snapshots for new logs");

async function* nothing(): AsyncGenerator<never> {}

async function stateOf(buckets: number): Promise<State> {
  const opened = { root: undefined, records: nothing(), entries: nothing(), log: [], problems: () => [] };
  const state = await loadState(opened, "a test");
  for (let bucketNo = 0; bucketNo < buckets; bucketNo++) {
    const bucket = new BucketState(bucketNo, bucketOf(`b${bucketNo}`));
    state.buckets.set(bucket.bucket.id, bucket);
    state.dirty.add(bucketKey(bucketNo));
    change(bucket, 0);
  }
  return state;
}

function change(bucket: BucketState, from: number): void {
  bucket.put(Array.from({ length: 20 }, (_, at) => ({ id: from + at + 1, timestamp: at, duration: from, data: {} })));
  bucket.mergeTargetId = from + 20;
}

test("nothing that changes while a snapshot is serialized is in it", async () => {
  const state = await stateOf(5);
  const expected = await createSnapshot(await stateOf(5));
  const { now } = performance;
  let clock = 0;
  // Each step uses up its time slice.
  performance.now = () => (clock += 10);
  try {
    let isDone = false;
    const creating = createSnapshot(state).finally(() => {
      isDone = true;
    });
    let turns = 0;
    for (; !isDone; turns++) {
      for (const bucket of state.buckets.values()) {
        change(bucket, 10 * turns + 10);
        bucket.take(bucket.memtable.events.slice(0, 2));
      }
      state.buckets.delete(`b${4 - turns}`);
      state.nextEventId += 1000;
      state.dirty.add("s/new");
      await new Promise(setImmediate);
    }
    assert.is(await creating, expected);
    assert.ok(turns >= 5, `${turns} turns of the event loop`);
  } finally {
    performance.now = now;
  }
});

test.run();
