import { ActivityError } from "../../src/errors.js";
import type { Storage } from "../../src/storage.js";
import { Directory } from "./directory.js";
import type { Keeper } from "./keeper.js";
import { summaryOf } from "./shelf.js";

type BucketVerbs = Pick<
  Storage,
  "deviceId" | "settings" | "listBuckets" | "getBucket" | "createBucket" | "updateBucket" | "deleteBucket"
>;

/** The verbs for buckets, for settings and for the storage as a whole. */
export function bucketVerbs(keeper: Keeper): BucketVerbs {
  const { shelves } = keeper;

  return {
    settings: {
      async get(key) {
        keeper.assertUsable();
        return keeper.root.settings.get(key);
      },
      async list() {
        keeper.assertUsable();
        return new Map(keeper.root.settings);
      },
      async put(key, value) {
        keeper.assertUsable();
        await keeper.changeRoot((root) => {
          root.settings.set(key, value);
          root.isChanged = true;
        });
      },
      async delete(key) {
        keeper.assertUsable();
        return keeper.changeRoot((root) => {
          const isThere = root.settings.delete(key);
          root.isChanged ||= isThere;
          return isThere;
        });
      },
    },

    async deviceId() {
      keeper.assertUsable();
      return (
        keeper.root.device ??
        keeper.changeRoot((root) => {
          root.isChanged ||= root.device === undefined;
          root.device ??= crypto.randomUUID();
          return root.device;
        })
      );
    },

    async listBuckets() {
      keeper.assertUsable();
      return [...shelves.values()].sort((a, b) => a.file.bucketNo - b.file.bucketNo).map(summaryOf);
    },

    async getBucket(bucketId) {
      keeper.assertUsable();
      const shelf = shelves.get(bucketId);
      return shelf && summaryOf(shelf);
    },

    createBucket(bucket) {
      return keeper.inTurn(bucket.id, async () => {
        if (shelves.has(bucket.id)) return keeper.verify().then(() => false);
        const file = keeper.newFile();
        const empty = { bucket, directory: new Directory([]), tail: [] };
        await file.begin({ ...empty, nextId: keeper.counters.nextEventId });
        await keeper.changeRoot((root) => {
          root.buckets.set(file.bucketNo, bucket.id);
          root.isChanged = true;
        });
        shelves.set(bucket.id, { ...empty, tailWeight: 0, partnerId: undefined, file });
        return true;
      });
    },

    async updateBucket(bucketId, patch) {
      try {
        return await keeper.change(bucketId, (work) => {
          work.bucket = { ...work.bucket, ...patch };
          return true;
        });
      } catch (thrown) {
        if (ActivityError.is(thrown) && thrown.code === "NO_SUCH_BUCKET") return false;
        throw thrown;
      }
    },

    deleteBucket(bucketId) {
      return keeper.inTurn(bucketId, async () => {
        const shelf = shelves.get(bucketId);
        if (shelf === undefined) return keeper.verify().then(() => false);
        const { file, directory } = shelf;
        await keeper.changeRoot((root) => {
          root.buckets.delete(file.bucketNo);
          root.isChanged = true;
        });
        shelves.delete(bucketId);
        keeper.trash.add(file.namesWith(directory.entries));
        return true;
      });
    },
  };
}
