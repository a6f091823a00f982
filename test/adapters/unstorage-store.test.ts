import { suite } from "uvu";
import { createBlobStore } from "../../adapters/unstorage/blob-store.js";
import { BlobSegmentStore } from "../../adapters/unstorage/store.js";
import { FaultyStorage } from "./faulty-storage.js";
import { segmentStoreSuite } from "./segment-store.js";
import { fsLiteGround, memoryGround, redisGround } from "./unstorage-grounds.js";

const test = suite("unstorage: segment store");

const grounds = [memoryGround(), fsLiteGround(), await redisGround()].filter((ground) => ground !== undefined);

for (const ground of grounds) {
  const cases = segmentStoreSuite(async () => {
    const place = await ground.newPlace();
    return { store: () => new BlobSegmentStore(createBlobStore(place.instance(), "activity")) };
  });
  for (const { name, run } of cases) test(`${ground.driver}: ${name}`, run);
}

for (const { name, run } of segmentStoreSuite(async () => {
  const driver = new FaultyStorage();
  return { store: () => new BlobSegmentStore(createBlobStore(driver, "activity")) };
})) {
  test(`slow driver: ${name}`, run);
}

test("what the suite left is removed", async () => {
  for (const ground of grounds) await ground.finish();
});

test.run();
