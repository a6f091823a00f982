// Which segments a call must look into, found without looking into any.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { SegmentEntry } from "../../adapters/segments/segment-entry.js";
import { SegmentIndex } from "../../adapters/segments/segment-index.js";

const test = suite("segment index");

const EVENTS = 1_024;

/** A segment of consecutive ids, a second each. */
function entryOf(index: number): SegmentEntry {
  const low = index * EVENTS + 1;
  const high = low + EVENTS - 1;
  return {
    ...{ bucketNo: 1, segmentNo: index, count: EVENTS, bytes: EVENTS, sum: index },
    ...{ first: [low, low], last: [high, high], ends: [low + 1, high + 1], ids: [[low, high]] },
  };
}

test("a thousand given ids are looked for among ten million events in some ten steps a segment", () => {
  const segments = 10_000;
  const index = new SegmentIndex();
  index.load(Array.from({ length: segments }, (_, at) => entryOf(at)));
  let steps = 0;
  const ids = Array.from({ length: 1_000 }, (_, at) => at * 10 * EVENTS + 5);
  const counted = new Proxy(ids, {
    get(target, name) {
      steps++;
      return Reflect.get(target, name);
    },
  });
  const found = index.containing(counted);
  assert.equal(
    found.map(({ segmentNo }) => segmentNo),
    ids.map((id) => (id - 5) / EVENTS),
  );
  assert.ok(steps <= segments * 16, `${steps} steps`);
});

test.run();
