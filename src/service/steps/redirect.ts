import { followRedirects } from "../identity/follow-redirects.js";
import { ConcurrentChange, missingBucketAsChange, retryOnChange } from "../retry-on-change.js";
import { type BucketSelection, createBucketTest } from "../trash/matching.js";
import type { Write, WriteContext, WriteKind } from "../write.js";

type Step<Kind extends WriteKind> = <Result>(
  write: Write<Kind>,
  context: WriteContext,
  run: (resolved: Write<Kind>) => Promise<Result>,
) => Promise<Result>;

/**
 * First step: finds the buckets of a write, and runs the other steps with them; again whenever these were renamed in
 * the meantime. Reports follow redirects. Changes and deletions apply to the bucket that they name.
 */
export function redirect<Kind extends WriteKind, Result>(
  write: Write<Kind>,
  context: WriteContext,
  run: (resolved: Write<Kind>) => Promise<Result>,
): Promise<Result> {
  return (STEPS[write.kind] as unknown as Step<Kind>)(write, context, run);
}

const STEPS: { readonly [Kind in WriteKind]: Step<Kind> } = {
  heartbeat: follow,
  insertEvents: follow,
  createBucket: (write, context, run) =>
    retryOnChange(async () => {
      try {
        return await follow(write, context, run);
      } catch (thrown) {
        if (thrown instanceof ConcurrentChange) context.parts.shared.redirects.forget();
        throw thrown;
      }
    }),
  async importBuckets({ buckets, ...write }, { parts }, run) {
    const { redirects } = parts.shared;
    await redirects.ready();
    return run({
      ...write,
      buckets: buckets.map((bucket) => ({ ...bucket, bucketId: redirects.resolve(bucket.bucketId) })),
    });
  },

  updateBucket: runUnchanged,
  deleteBucket: runUnchanged,
  deleteEvent: runUnchanged,
  deleteEvents: runUnchanged,
  splitEvent: runUnchanged,
  moveEvent: runUnchanged,
  putSetting: runUnchanged,
  setAccess: runUnchanged,
  renameBucket: runUnchanged,
  setBucketHost: runUnchanged,
  mergeBuckets: runUnchanged,
  deleteRedirect: runUnchanged,
  // They skip protected buckets for every caller.
  applyPrivacy: runUnchanged,
  runRetention: runUnchanged,

  deleteMatching(write, context, run) {
    const { buckets } = write;
    // All attempts together have the time of one query.
    const { check } = context.parts.shared.load.work();
    return retryOnChange(async () => {
      // If the only bucket is missing, that is the result.
      if (typeof buckets === "string") return run({ ...write, check, targets: [buckets] });
      return missingBucketAsChange(run({ ...write, check, targets: await selectVisible(buckets, context) }));
    });
  },
  restoreTrash: (write, { parts: { trash, shared } }, run) =>
    retryOnChange(async () => {
      const leadsTo = (bucketId: string) => shared.redirects.resolveStored(bucketId);
      return run({ ...write, targets: await trash.findTargets(write.entryId, write.restoring, leadsTo) });
    }),
  async removeTrash({ entryIds, ...write }, { parts, visible }, run) {
    const own = (await visible.listTrash()).map(({ id }) => id);
    const chosen = entryIds === undefined ? own : own.filter((id) => entryIds.includes(id));
    return run({ ...write, entryIds: chosen, targets: await parts.trash.listAccess(chosen) });
  },
  renameHost: async (write, { parts }, run) =>
    run({ ...write, targets: await parts.identity.findBucketsOfHost(write.hostname) }),
  undo: async (write, { parts }, run) => run({ ...write, targets: (await parts.identity.getUndo(write.undoId)).to }),
};

function runUnchanged<Kind extends WriteKind, Result>(
  write: Write<Kind>,
  _context: WriteContext,
  run: (resolved: Write<Kind>) => Promise<Result>,
): Promise<Result> {
  return run(write);
}

function follow<Reported extends { readonly bucketId: string }, Result>(
  write: Reported,
  context: WriteContext,
  run: (resolved: Reported) => Promise<Result>,
): Promise<Result> {
  return followRedirects(write.bucketId, context, (bucketId) =>
    run(bucketId === write.bucketId ? write : { ...write, bucketId }),
  );
}

/** The IDs of the selected buckets that the caller can see. */
async function selectVisible(
  buckets: BucketSelection,
  { parts: { storage }, grants }: WriteContext,
): Promise<string[]> {
  const chosen = (await storage.listBuckets()).filter(createBucketTest(buckets)).map(({ id }) => id);
  return chosen.filter((id) => grants.view?.sees(id) ?? true);
}
