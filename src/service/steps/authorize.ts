import { ActivityError } from "../../errors.js";
import { type AccessChange, type BucketAccess, refuseChange } from "../access/bucket-access.js";
import type { Verb } from "../access/grants.js";
import { noSuchEntry } from "../trash/entry.js";
import type { Write, WriteContext, WriteKind } from "../write.js";

type Step<Kind extends WriteKind> = (write: Write<Kind>, context: WriteContext) => void;

/**
 * Second step, and the only place that decides about access to buckets: rejects writes that the access of a bucket or
 * the scopes of a key do not allow. Deletions check the access of their buckets again in the transaction.
 *
 * @throws ActivityError `FORBIDDEN`, `NO_SUCH_ENTRY`; `UNAUTHORIZED` for a deletion without confirmation
 */
export function authorize<Kind extends WriteKind>(write: Write<Kind>, context: WriteContext): void {
  if (write.kind === "deleteBucket") refuseUnconfirmed(write as Write<"deleteBucket">, context);
  if (context.grants.standing === "operator") return;
  (STEPS[write.kind] as unknown as Step<Kind>)(write, context);
}

/**
 * Called for each step of a long write: the bucket may have been protected or renamed since the write started.
 *
 * @throws ActivityError `FORBIDDEN`
 */
export function authorizeAdding(bucketId: string, context: WriteContext): void {
  if (context.grants.standing !== "operator") refuse("add", bucketId, context);
}

const STEPS: { readonly [Kind in WriteKind]: Step<Kind> } = {
  heartbeat: ({ bucketId }, context) => refuse("add", bucketId, context),
  insertEvents({ bucketId, drafts }, context) {
    // An event with an ID replaces the one that has it.
    const replaces = drafts.some(({ id }) => id !== undefined);
    if (replaces && !context.grants.allows("write", bucketId)) {
      const needed = `it needs write:${bucketId}, or send the events without ids`;
      throw new ActivityError("FORBIDDEN", `this key may not replace events of the bucket: ${needed}`);
    }
    refuse(replaces ? "alter" : "add", bucketId, context);
  },
  importBuckets({ buckets }, context) {
    for (const { bucketId } of buckets) refuse("add", bucketId, context);
  },

  updateBucket: alter,
  deleteBucket: alter,
  deleteEvent: alter,
  deleteEvents: alter,
  splitEvent: alter,
  moveEvent(write, context) {
    alter(write, context);
    const { bucketId, targetId } = write;
    if (bucketId === targetId) return;
    need("append", targetId, context);
    refuse("add", targetId, context);
  },
  deleteMatching({ buckets, targets = [] }, context) {
    for (const bucketId of targets) {
      if (typeof buckets !== "string") need("write", bucketId, context);
      refuse("alter", bucketId, context);
    }
  },

  restoreTrash({ entryId, targets, restoring }, context) {
    if (targets === undefined) throw noSuchEntry(entryId);
    const { entry, bucketIds } = targets;
    const { allows, view } = context.grants;
    if (!entry.items.every(({ bucketId }) => allows("write", bucketId))) throw noSuchEntry(entryId);
    for (const bucketId of bucketIds) {
      const isNamed = bucketId === restoring.bucket || entry.items.some((own) => own.bucketId === bucketId);
      const isKnown = isNamed || (view?.sees(bucketId) ?? true) || allows("append", bucketId);
      if (!isKnown && !allows("write", bucketId)) throw elsewhere();
      need("write", bucketId, context);
      refuse("add", bucketId, context);
    }
  },
  removeTrash({ targets = [] }, context) {
    // Only an operator may permanently delete data that were or are protected.
    for (const { bucketId, access } of targets) {
      refuseChange(access, "alter", bucketId);
      // Its events belong to that bucket now; do not reveal the ID.
      refuseChange(getAccess(context.parts.shared.redirects.resolve(bucketId), context), "alter", bucketId);
    }
  },

  renameBucket: alter,
  setBucketHost: alter,
  renameHost: alterAll,
  mergeBuckets({ bucketId, from }, context) {
    for (const id of [bucketId, ...from]) refuse("alter", id, context);
  },
  undo: alterAll,

  // The route checks access to these; the bucket is new, or does not change.
  createBucket: allow,
  putSetting: allow,
  setAccess: allow,
  deleteRedirect: allow,
  // They skip protected buckets for every caller.
  applyPrivacy: allow,
  runRetention: allow,
};

function allow(): void {}

function alter({ bucketId }: { readonly bucketId: string }, context: WriteContext): void {
  refuse("alter", bucketId, context);
}

function alterAll({ targets = [] }: { readonly targets?: readonly string[] }, context: WriteContext): void {
  for (const bucketId of targets) refuse("alter", bucketId, context);
}

function refuse(change: AccessChange, bucketId: string, context: WriteContext): void {
  refuseChange(getAccess(bucketId, context), change, bucketId);
}

function getAccess(bucketId: string, { parts }: WriteContext): BucketAccess {
  return parts.access.get(bucketId);
}

function need(verb: Verb, bucketId: string, { grants }: WriteContext): void {
  if (grants.allows(verb, bucketId)) return;
  throw new ActivityError("FORBIDDEN", `this key may not do that; it needs the scope ${verb}:${bucketId}`);
}

/** Does not name the bucket: after a redirect the events belong to a bucket that does not exist for the key. */
function elsewhere(): ActivityError {
  return new ActivityError("FORBIDDEN", "this key may not write to the bucket that this now belongs to");
}

/** docs/reference/compatibility.md#deleting-buckets. */
function refuseUnconfirmed({ isConfirmed }: Write<"deleteBucket">, { parts }: WriteContext): void {
  if (isConfirmed || parts.testing) return;
  throw new ActivityError("UNAUTHORIZED", "deleting a bucket needs the query parameter force=1");
}
