import type { Bucket } from "../../domain/bucket.js";
import { type JsonValue, sameJson } from "../../domain/json.js";
import type { Micros } from "../../domain/time.js";
import { ActivityError, noSuchBucket, quote } from "../../errors.js";
import { REDIRECTS_KIND } from "../../storage/records.js";
import type { TransactionChange, TransactionView } from "../../storage/transaction.js";
import { BUCKET_ACCESS_KIND } from "../access/bucket-access.js";
import { PRIVATE_TIMES_KIND } from "../privacy/private-times.js";
import { ConcurrentChange } from "../retry-on-change.js";
import { findOversize } from "../validation.js";
import { ensureIncarnation, type Incarnation, isSameBucket, moveIncarnation } from "./incarnation.js";
import { isUnexpired, parseRedirect, serializeRedirect } from "./redirects.js";
import { type RecordStep, toRecordChanges } from "./undo.js";

/** The new ID and hostname of a bucket. */
export interface Label {
  readonly bucketId: string;
  /** The same ID if it does not change. */
  readonly newId: string;
  /** `undefined`: it does not change. */
  readonly hostname: string | undefined;
  /** The hostname by which the bucket was selected. @default it was selected by its ID */
  readonly chosenFor?: string;
}

/** A bucket with a new label. */
export interface Relabelled extends Incarnation {
  readonly from: string;
  readonly to: string;
  readonly oldHostname: string;
  readonly hostname: string;
}

/** Whether the old IDs redirect to the new ones, and until when: `null` = permanently. */
export type RedirectExpiry = { readonly until: Micros | null } | undefined;

/** A planned change of labels. */
export interface RelabelPlan {
  readonly changes: readonly TransactionChange[];
  readonly relabelled: readonly Relabelled[];
  /** Changes of redirects; not part of the changes. */
  readonly redirects: readonly RecordStep[];
}

/** Kinds of records that belong to a bucket and move with it. */
const BUCKET_RECORD_KINDS = [BUCKET_ACCESS_KIND, PRIVATE_TIMES_KIND];

/**
 * Plans the change of bucket labels.
 *
 * @param redirects the records of all redirects
 * @throws ActivityError `NO_SUCH_BUCKET`, `CONFLICT` for an ID in use
 */
export async function planRelabel(
  view: TransactionView,
  labels: readonly Label[],
  { redirects, redirecting, now }: StoredRedirects & { readonly redirecting: RedirectExpiry; readonly now: Micros },
): Promise<RelabelPlan> {
  const changes: TransactionChange[] = [];
  const relabelled: Relabelled[] = [];
  for (const { bucketId, newId, hostname, chosenFor } of labels) {
    const oversize = findOversize(hostname === undefined ? {} : { hostname }, newId === bucketId ? "" : newId);
    if (oversize !== undefined) throw oversize;
    const bucket = await view.getBucket(bucketId);
    if (chosenFor !== undefined && bucket?.hostname !== chosenFor) throw new ConcurrentChange();
    if (bucket === undefined) throw noSuchBucket(bucketId);
    if (newId !== bucketId && (await view.getBucket(newId)) !== undefined) throw idInUse(newId);
    changes.push(...createLabelChanges(bucket, newId, hostname));
    const { hostname: oldHostname, created } = bucket;
    const { incarnation, changes: kept } = await ensureIncarnation(view, bucketId, newId);
    const label = { from: bucketId, to: newId, oldHostname, hostname: hostname ?? oldHostname };
    relabelled.push({ ...label, created, incarnation });
    if (hostname === undefined || hostname !== oldHostname || newId !== bucketId) changes.push(...kept);
    if (newId !== bucketId) changes.push(...(await moveRecords(view, bucketId, newId)));
  }
  const moves = labels.filter(({ bucketId, newId }) => bucketId !== newId);
  return { changes, relabelled, redirects: planRedirects(redirects, moves, { now, made: redirecting }) };
}

/** The records of redirects, by the redirected IDs. */
export interface StoredRedirects {
  readonly redirects: ReadonlyMap<string, JsonValue>;
}

function createLabelChanges({ id: bucketId, hostname }: Bucket, newId: string, wanted = hostname): TransactionChange[] {
  const changes: TransactionChange[] = [];
  if (wanted !== hostname) changes.push({ kind: "update", bucketId, patch: { hostname: wanted } });
  if (newId !== bucketId) changes.push({ kind: "rename", bucketId, newId });
  return changes;
}

/** The changes that move the records of a bucket with it. */
export async function moveRecords(view: TransactionView, from: string, to: string): Promise<TransactionChange[]> {
  const steps: RecordStep[] = [];
  for (const kind of BUCKET_RECORD_KINDS) {
    const held = await view.getRecord(kind, from);
    const there = await view.getRecord(kind, to);
    if (held === undefined && there === undefined) continue;
    if (held !== undefined) steps.push([kind, from, held, null]);
    // A remaining record of a deleted bucket.
    steps.push([kind, to, there ?? null, held ?? null]);
  }
  return toRecordChanges(steps);
}

/**
 * The changes of redirects for renamed buckets: redirects to the old IDs resolve to the new ones, and none has the ID
 * of a bucket, so that no chain is a circle.
 *
 * @param made expiry of new redirects; `undefined`: creates none
 * @throws ActivityError `CONFLICT` for an ID that redirects to another bucket
 */
export function planRedirects(
  before: ReadonlyMap<string, JsonValue>,
  moves: readonly { readonly bucketId: string; readonly newId: string }[],
  { now, made }: { readonly now: Micros; readonly made: RedirectExpiry },
): RecordStep[] {
  const after = new Map<string, JsonValue>(before);
  for (const { bucketId, newId } of moves) {
    const there = after.get(newId);
    const known = there === undefined ? undefined : parseRedirect(there);
    if (known !== undefined && isUnexpired(known, now) && known.to !== bucketId)
      throw redirectedElsewhere(newId, known.to);
    after.delete(newId);
    for (const [key, value] of after) {
      const redirect = parseRedirect(value);
      if (redirect?.to === bucketId) after.set(key, serializeRedirect({ ...redirect, to: newId }));
    }
    if (made !== undefined)
      after.set(bucketId, serializeRedirect({ from: bucketId, to: newId, created: now, ...made }));
  }
  const keys = new Set([...before.keys(), ...after.keys()]);
  return Array.from(keys).flatMap((key): RecordStep[] => {
    const [old, now] = [before.get(key) ?? null, after.get(key) ?? null];
    return old === now ? [] : [[REDIRECTS_KIND, key, old, now]];
  });
}

/**
 * The changes that restore old labels of buckets.
 *
 * @throws ActivityError `CONFLICT` if a bucket is deleted or another one now, or its old ID is in use
 */
export async function planLabelUndo(
  view: TransactionView,
  relabelled: readonly Relabelled[],
  { steps, now }: { readonly steps: readonly RecordStep[]; readonly now: Micros },
): Promise<readonly TransactionChange[]> {
  const changes: TransactionChange[] = [];
  for (const { from, to, oldHostname, hostname, created, incarnation } of relabelled) {
    const bucket = await view.getBucket(to);
    if (bucket === undefined || !(await isSameBucket(view, to, { created, incarnation }))) throw bucketMissing(to);
    if (from !== to && (await view.getBucket(from)) !== undefined) throw idInUse(from);
    if (from !== to) {
      changes.push(...(await removeRedirect(view, from, { to, steps, now })));
      changes.push(...(await moveIncarnation(view, to, from)));
      changes.push(...(await moveRecords(view, to, from)));
    }
    // Keeps a hostname that was set later.
    changes.push(...createLabelChanges(bucket, from, bucket.hostname === hostname ? oldHostname : bucket.hostname));
  }
  return changes;
}

/**
 * The changes that remove a redirect from an ID that a bucket gets again; without those that the undo makes anyway.
 *
 * @param to the ID of the bucket in the meantime
 * @throws ActivityError `CONFLICT` if it redirects to another bucket
 */
export async function removeRedirect(
  view: TransactionView,
  bucketId: string,
  { to, steps, now }: { readonly to: string; readonly steps: readonly RecordStep[]; readonly now: Micros },
): Promise<TransactionChange[]> {
  const expected = await view.getRecord(REDIRECTS_KIND, bucketId);
  if (expected === undefined) return [];
  const isOurs = ([kind, key, , after]: RecordStep): boolean =>
    kind === REDIRECTS_KIND && key === bucketId && sameJson(expected, after);
  if (steps.some(isOurs)) return [];
  const redirect = parseRedirect(expected);
  if (redirect !== undefined && isUnexpired(redirect, now) && redirect.to !== to) {
    throw redirectedElsewhere(bucketId, redirect.to);
  }
  return [{ kind: "record", recordKind: REDIRECTS_KIND, key: bucketId, expected, value: undefined }];
}

function idInUse(bucketId: string): ActivityError {
  return conflict(`a bucket named ${quote(bucketId)} already exists; merge the two, or choose another ID`);
}

function bucketMissing(bucketId: string): ActivityError {
  return conflict(
    `the bucket ${quote(bucketId)} no longer exists, or is another; if it was renamed or merged, undo that first`,
  );
}

function redirectedElsewhere(bucketId: string, to: string): ActivityError {
  return conflict(`${quote(bucketId)} is redirected to ${quote(to)}; delete that redirect first`);
}

/** The error for a change that the current data do not allow. */
export function conflict(message: string): ActivityError {
  return new ActivityError("CONFLICT", message);
}
