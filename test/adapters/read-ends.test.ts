// What reads keep: a read of nothing keeps nothing, so what is deleted permanently afterwards can be erased at once.

import { MemoryLevel } from "memory-level";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { SegmentPins } from "../../adapters/segments/segment-pins.js";
import { micros } from "../../src/index.js";
import { withServer } from "../harness.js";

const test = suite("ends of reads");

test("reads with limit 0 do not delay a permanent deletion", () =>
  withServer({ door: "process", storage: leveldb({ db: new MemoryLevel() as never }) }, async ({ server }) => {
    const start = 1_700_000_000_000_000;
    await server.buckets.create("window", { type: "t", client: "c", hostname: "h" });
    await server.events.insert(
      "window",
      Array.from({ length: 1_500 }, (_, index) => ({ timestamp: micros(start + index * 1_000_000), data: { index } })),
    );
    const url = "http://localhost/api/0/buckets/window/events?limit=0";
    for (const query of ["", "&offset=3", "&filter=index=7", "&start=2023-01-01", "&offset=3&end=2024-01-01"]) {
      const response = await server.fetch(new Request(`${url}${query}`));
      assert.equal([response.status, await response.json()], [200, []], query);
    }
    const end = start + 1_000_000_000;
    const { count: events } = await server.events.deleteMatching("window", {
      start: micros(start),
      end: micros(end),
      permanent: true,
    });
    assert.is(events, 1_000);
  }));

test("a read that stops early keeps the segments of reads ahead", async () => {
  const pins = new SegmentPins();
  const segment = { bucketNo: 1, segmentNo: 1 };
  const { run, end } = pins.pinParts();
  let complete = (): void => {};
  const ahead = run(() => new Promise<void>((resolve) => (complete = resolve)));
  pins.add([segment]);
  end();
  assert.equal(pins.droppable(1), []);
  complete();
  await ahead;
  assert.equal(pins.droppable(1), [segment]);
});

test.run();
