import { suite } from "uvu";
import * as assert from "uvu/assert";
import { eventsOf, finish, onEach } from "./grounds.js";

const test = suite("the trash of 0.2");

const BUCKET = { type: "t", client: "c", hostname: "h", name: null, created: 1_700_000_000_000_000, data: {} };
const EXTENT = { events: 2, start: 10, end: 31, duration: 2, bytes: 200 };
/** As 0.2 stored it: a whole bucket, a few events in the record, many events in a bucket of their own. */
const ENTRIES = {
  "5f0c81ab-42d7": { bucketId: "whole", isWhole: true, hiddenId: ".trash/5f0c81ab-42d7/0", inline: [] },
  "c0ffee00-0001": {
    ...{ bucketId: "few", isWhole: false, hiddenId: null },
    inline: [
      [7, 10, 1, '{"n":7}'],
      [8, 30, 1, '{"n":8}'],
    ],
  },
  "c0ffee00-0002": { bucketId: "many", isWhole: false, hiddenId: ".trash/c0ffee00-0002/0", inline: [] },
};
const EVENTS = [
  { id: 7, timestamp: 10, duration: 1, data: { n: 7 } },
  { id: 8, timestamp: 30, duration: 1, data: { n: 8 } },
];

test("nothing is converted: it is listed, hidden, restored and deleted as before", () =>
  onEach(async ({ open, storage, clock }) => {
    const deleted = clock() * 1000;
    const raw = storage();
    for (const [id, item] of Object.entries(ENTRIES)) {
      const bucket = { ...BUCKET, id: item.bucketId };
      if (item.hiddenId !== null) await raw.createBucket({ ...bucket, id: item.hiddenId }, EVENTS);
      if (!item.isWhole) await raw.createBucket(bucket);
      const items = [{ ...EXTENT, bucket, access: "append-only", ...item }];
      await raw.records("trash").compareAndSet(id, undefined, { deleted, reason: "it was deleted", items });
    }
    await raw.close();

    const server = open();
    const idsOfBuckets = async () => (await server.buckets.list()).map(({ id }) => id);
    assert.equal(await idsOfBuckets(), ["few", "many"]);
    assert.equal((await server.trash.list()).map(({ id }) => id).sort(), Object.keys(ENTRIES));
    for (const [id, { bucketId }] of Object.entries(ENTRIES)) {
      const [restored] = await server.trash.restore(id);
      assert.equal(restored, { bucketId, events: 2, created: bucketId === "whole" });
      const found = (await eventsOf(server, bucketId)).map(({ timestamp, duration, data }) => [
        timestamp,
        duration,
        data,
      ]);
      assert.equal(
        found,
        EVENTS.map(({ timestamp, duration, data }) => [timestamp, duration, data]),
      );
    }
    assert.is(await server.buckets.getAccess("whole"), "append-only");
    await server.buckets.delete("whole", { permanent: true });
    await server.close();
    const after = storage();
    assert.equal(
      (await after.listBuckets()).map(({ id }) => id),
      ["few", "many"],
    );
    assert.is((await after.records("trash").list()).size, 0);
    await after.close();
  }));

test("the database ends", finish);

test.run();
