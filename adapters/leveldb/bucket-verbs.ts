import { ActivityError } from "../../src/errors.js";
import type { Storage } from "../../src/storage.js";
import type { TextDatabase } from "./database.js";
import type { Keeper } from "./keeper.js";
import { bucketKey, DEVICE_KEY, del, eventRanges, NEXT_ID_KEY, put, putText, remainsKey } from "./layout.js";
import { Shelf } from "./shelf.js";
import type { Write } from "./store.js";

type BucketVerbs = Pick<
  Storage,
  "deviceId" | "listBuckets" | "getBucket" | "createBucket" | "updateBucket" | "deleteBucket"
>;

/** The verbs for buckets and for the storage as a whole. */
export function bucketVerbs(keeper: Keeper, database: TextDatabase, write: Write): BucketVerbs {
  /** Clears away what deleted buckets left behind. Until then their numbers are not used again, so nothing waits. */
  async function clearRemains(bucketNo: number): Promise<void> {
    for (const range of eventRanges(bucketNo)) await database.clear(range);
    await keeper.commit([del(remainsKey(bucketNo))]);
  }

  for (const bucketNo of keeper.state.remains) keeper.inBackground(clearRemains(bucketNo));

  return {
    async deviceId() {
      await keeper.opened();
      const { state } = keeper;
      if (state.deviceId !== undefined) {
        await keeper.landedSoFar();
        return state.deviceId;
      }
      const deviceId = crypto.randomUUID();
      state.deviceId = deviceId;
      await keeper.commit([put(DEVICE_KEY, deviceId)]);
      return deviceId;
    },

    async listBuckets() {
      await keeper.opened();
      return Array.from(keeper.state.shelves.values(), (shelf) => shelf.summary());
    },

    async getBucket(bucketId) {
      await keeper.opened();
      return keeper.state.shelves.get(bucketId)?.summary();
    },

    createBucket(bucket) {
      return keeper.inTurn(bucket.id, () => {
        const { state } = keeper;
        if (state.shelves.has(bucket.id)) return { result: false, landed: keeper.landedSoFar() };
        const shelf = new Shelf(state.nextBucketNo++, bucket);
        state.shelves.set(bucket.id, shelf);
        return { result: true, landed: keeper.commit([putText(bucketKey(shelf.bucketNo), JSON.stringify(bucket))]) };
      });
    },

    updateBucket(bucketId, patch) {
      return unlessMissing(
        write(bucketId, (shelf) => {
          shelf.bucket = { ...shelf.bucket, ...patch };
          shelf.updates++;
          const record = putText(bucketKey(shelf.bucketNo), JSON.stringify(shelf.bucket));
          return { result: true, landed: keeper.commit([record]) };
        }),
      );
    },

    deleteBucket(bucketId) {
      return unlessMissing(
        write(bucketId, (shelf) => {
          keeper.state.shelves.delete(bucketId);
          const landed = keeper.commit([
            del(bucketKey(shelf.bucketNo)),
            putText(remainsKey(shelf.bucketNo), ""),
            put(NEXT_ID_KEY, keeper.state.nextEventId),
          ]);
          keeper.inBackground(landed.then(() => clearRemains(shelf.bucketNo)));
          return { result: true, landed };
        }),
      );
    },
  };
}

/** @returns `false` in the place of `NO_SUCH_BUCKET` */
async function unlessMissing(done: Promise<boolean>): Promise<boolean> {
  try {
    return await done;
  } catch (thrown) {
    if (ActivityError.is(thrown) && thrown.code === "NO_SUCH_BUCKET") return false;
    throw thrown;
  }
}
