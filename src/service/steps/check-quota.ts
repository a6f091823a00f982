import type { EventDraft } from "../../domain/event.js";
import { roughSize } from "../../domain/json.js";
import { UnknownDrafts } from "../../domain/unknown-drafts.js";
import { hasCode } from "../../errors.js";
import type { Storage } from "../../storage/storage.js";
import { jsonBytes } from "../../storage/usage.js";
import type { Waiting } from "../../util/waiting.js";
import { measureGrowth, type Quota } from "../quota.js";
import type { Write, WriteContext, WriteKind } from "../write.js";

/** How a kind of write affects the quota. */
type Step<Kind extends WriteKind> = (write: Write<Kind>, quota: Quota) => Waiting;

/**
 * Before the commit: rejects a write that exceeds the quota of the server. Never rejects deletions.
 *
 * @returns a promise if the storage must be counted first
 * @throws ActivityError `QUOTA_EXCEEDED`, at once or by the promise
 */
export function checkQuota<Kind extends WriteKind>(write: Write<Kind>, { parts: { quota } }: WriteContext): Waiting {
  return quota === undefined ? undefined : (STEPS[write.kind] as unknown as Step<Kind>)(write, quota);
}

/** After the commit: notes changes whose size is unknown. */
export function updateQuota(write: Write, { parts: { quota } }: WriteContext): void {
  if (quota === undefined || ADDING.has(write.kind)) return;
  if (REGROUPING.has(write.kind)) quota.forget();
  else quota.shrink();
}

/** They add no more than was admitted. */
const ADDING: ReadonlySet<WriteKind> = new Set(["heartbeat", "insertEvents", "createBucket", "importBuckets"]);
/** They keep copies, or restore data from the trash. */
const REGROUPING: ReadonlySet<WriteKind> = new Set(["restoreTrash", "mergeBuckets", "undo"]);

const STEPS: { readonly [Kind in WriteKind]: Step<Kind> } = {
  heartbeat: ({ beat }, quota) => quota.admitBeat(beat.data),
  insertEvents: ({ drafts }, quota) => admitDrafts(quota, drafts),
  createBucket({ bucketId, bucket, drafts }, quota) {
    const { events, bytes } = measureGrowth(drafts);
    return quota.admit(events, bytes + bucketId.length + jsonBytes(bucket));
  },
  // Events are admitted while they are merged: most may exist already.
  importBuckets: (_, quota) => quota.admit(1, 1),
  updateBucket: ({ patch }, quota) => quota.admit(0, patch.data === undefined ? 0 : roughSize(patch.data)),
  putSetting: ({ key, value }, quota) => quota.admit(0, value === null ? 0 : key.length + jsonBytes(value)),
  splitEvent: (_, quota) => quota.admit(1, 1),
  restoreTrash: (_, quota) => quota.admit(1, 0),

  moveEvent: admitAny,
  deleteBucket: admitAny,
  deleteEvent: admitAny,
  deleteEvents: admitAny,
  deleteMatching: admitAny,
  removeTrash: admitAny,
  setAccess: admitAny,
  renameBucket: admitAny,
  setBucketHost: admitAny,
  renameHost: admitAny,
  mergeBuckets: admitAny,
  undo: admitAny,
  deleteRedirect: admitAny,
  applyPrivacy: admitAny,
  runRetention: admitAny,
};

function admitAny(): undefined {}

/** Admits drafts of an import. At the quota, existing events are left out. */
export async function admitImported(
  bucketId: string,
  drafts: readonly EventDraft[],
  { parts: { quota, storage } }: WriteContext,
): Promise<void> {
  if (quota === undefined) return;
  try {
    await admitDrafts(quota, drafts);
  } catch (refusal) {
    if (!hasCode(refusal, "QUOTA_EXCEEDED")) throw refusal;
    await admitDrafts(quota, await findUnknown(storage, bucketId, drafts));
  }
}

async function findUnknown(
  storage: Storage,
  bucketId: string,
  drafts: readonly EventDraft[],
): Promise<readonly EventDraft[]> {
  const unknown = new UnknownDrafts(drafts);
  let [start, end] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { timestamp } of drafts) [start, end] = [Math.min(start, timestamp), Math.max(end, timestamp)];
  for await (const batch of (await storage.read(bucketId, { start, end })).batches) {
    for (const { timestamp, duration, data } of batch.events()) unknown.see(timestamp, duration, data);
  }
  return unknown.rest();
}

function admitDrafts(quota: Quota, drafts: readonly EventDraft[]): Waiting {
  const { events, bytes } = measureGrowth(drafts);
  return quota.admit(events, bytes);
}
