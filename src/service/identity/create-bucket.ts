import type { Bucket } from "../../domain/bucket.js";
import type { EventDraft, StoredEvent } from "../../domain/event.js";
import { MICROS_PER_MILLI, type Micros } from "../../domain/time.js";
import { ActivityError, quote } from "../../errors.js";
import { REDIRECTS_KIND } from "../../storage/records.js";
import type { Storage } from "../../storage/storage.js";
import { ConcurrentChange } from "../retry-on-change.js";
import { parseRedirect, Redirects } from "./redirects.js";

/**
 * Creates a bucket unless its ID is in use, in the step that finds no redirect from it: no redirect has the ID of a
 * bucket (docs/guides/buckets.md#redirects). Removes an expired redirect, since it would apply again if the clock is
 * set back, and one that resolves to its own ID, since that is a circle.
 *
 * @param notify called as soon as the bucket is stored
 * @returns the events stored with it; `undefined`, with nothing changed, if the ID is in use
 * @throws ConcurrentChange if the ID was redirected, or is free now; ActivityError `CONFLICT` for an unknown redirect
 */
export async function createUnredirectedBucket(
  storage: Storage,
  bucket: Bucket,
  drafts: readonly EventDraft[],
  now: Micros,
  tell?: (stored: readonly StoredEvent[]) => void,
): Promise<readonly StoredEvent[] | undefined> {
  const { id } = bucket;
  // There is no `await` before it: writes reach the storage in the order of the calls.
  const stored = await storage.createBucket(bucket, drafts, { recordKind: REDIRECTS_KIND, key: id });
  if (stored !== undefined) {
    tell?.(stored);
    return stored;
  }
  if ((await storage.getBucket(id)) !== undefined) return undefined;
  const records = storage.records(REDIRECTS_KIND);
  const record = await records.get(id);
  if (record !== undefined && parseRedirect(record) === undefined) {
    const message = `the redirect of ${quote(id)} is from another version of this server; delete it to use the ID`;
    throw new ActivityError("CONFLICT", message);
  }
  const redirects = new Redirects(storage, () => now / MICROS_PER_MILLI);
  await redirects.ready();
  if (record !== undefined && redirects.resolve(id) === id) await records.compareAndSet(id, record, undefined);
  throw new ConcurrentChange();
}
