import type { Bucket } from "../../domain/bucket.js";
import type { Micros } from "../../domain/time.js";
import type { Storage } from "../../storage/storage.js";
import { lacksTransactions, transactOn } from "../../storage/transaction.js";
import { ChangedMeanwhile } from "../retrying.js";
import { isInForce, parseRedirect, REDIRECTS_KIND } from "./redirects.js";

/**
 * Creates an empty bucket unless its id is taken, in the step that finds no redirect there: none begins at the id of a
 * bucket (docs/buckets.md#redirects).
 *
 * @returns whether it was created
 * @throws ChangedMeanwhile where the id is redirected
 */
export async function createUnredirected(storage: Storage, bucket: Bucket, now: Micros): Promise<boolean> {
  if ((await storage.getBucket(bucket.id)) !== undefined) return false;
  let isNew = false;
  try {
    await transactOn(storage, [bucket.id], async (view) => {
      isNew = (await view.getBucket(bucket.id)) === undefined;
      if (!isNew) return [];
      const record = await view.getRecord(REDIRECTS_KIND, bucket.id);
      const redirect = record === undefined ? undefined : parseRedirect(record);
      if (redirect !== undefined && isInForce(redirect, now)) throw new ChangedMeanwhile();
      return [{ kind: "create", bucket }];
    });
    return isNew;
  } catch (thrown) {
    if (!lacksTransactions(thrown)) throw thrown;
    return (await storage.createBucket(bucket)) !== undefined;
  }
}
