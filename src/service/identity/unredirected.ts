import type { Bucket } from "../../domain/bucket.js";
import type { EventDraft, StoredEvent } from "../../domain/event.js";
import type { Micros } from "../../domain/time.js";
import { REDIRECTS_KIND } from "../../storage/records.js";
import type { Storage } from "../../storage/storage.js";
import { ChangedMeanwhile } from "../retrying.js";
import { isInForce, parseRedirect } from "./redirects.js";

/**
 * Creates a bucket unless its id is taken, in the step that finds no redirect there: none begins at the id of a bucket
 * (docs/buckets.md#redirects). A redirect that has ended is removed first, so that it does not come back when the clock
 * goes back.
 *
 * @returns the events that were stored with it; `undefined`, with nothing changed, when the id is taken
 * @throws ChangedMeanwhile where the id was redirected, or is free by now
 */
export async function createUnredirected(
  storage: Storage,
  bucket: Bucket,
  drafts: readonly EventDraft[],
  now: Micros,
): Promise<readonly StoredEvent[] | undefined> {
  const { id } = bucket;
  // Nothing is waited for before it: writes reach the storage in the order of the calls.
  const stored = await storage.createBucket(bucket, drafts, { recordKind: REDIRECTS_KIND, key: id });
  if (stored !== undefined) return stored;
  if ((await storage.getBucket(id)) !== undefined) return undefined;
  const redirects = storage.records(REDIRECTS_KIND);
  const record = await redirects.get(id);
  const redirect = record === undefined ? undefined : parseRedirect(record);
  const hasEnded = record !== undefined && (redirect === undefined || !isInForce(redirect, now));
  if (hasEnded) await redirects.compareAndSet(id, record, undefined);
  throw new ChangedMeanwhile();
}
