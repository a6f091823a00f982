import { type ActivityError, quote } from "../../errors.js";
import type { Storage } from "../../storage/storage.js";
import { type Incarnation, isSameBucket } from "./incarnation.js";
import type { MergeSteps } from "./merge.js";
import type { Redirects } from "./redirects.js";
import { conflict, type Relabelled } from "./relabel.js";
import type { StoredUndo, UndoLog } from "./undo.js";

/** A requested change, which the same request may have made before: its response can have been lost. */
export interface RequestedChange {
  /** Its name in messages. */
  readonly name: string;
  /** The buckets to change. */
  readonly from: readonly string[];
  /** The resulting bucket; `undefined` if each bucket stays separate. */
  readonly to?: string;
  /** The buckets that an undo of the same change lists, with their IDs after it; none for other changes. */
  readonly findChanged: (undo: StoredUndo) => readonly ChangedBucket[];
}

interface ChangedBucket extends Incarnation {
  readonly to: string;
}

/** The records in which a change can be found. */
export interface ChangeRecords {
  readonly storage: Storage;
  readonly redirects: Redirects;
  readonly undos: UndoLog;
}

export function describeRename(from: string, to: string): RequestedChange {
  return {
    name: `the rename of ${quote(from)} to ${quote(to)}`,
    ...{ from: [from], to },
    findChanged: (undo) => readRelabelled(undo).filter((bucket) => bucket.from === from && bucket.to === to),
  };
}

/** @param from the buckets with the old hostname @param newIdOf returns the new ID of a bucket */
export function describeHostRename(
  oldHostname: string,
  hostname: string,
  { from, newIdOf }: { readonly from: readonly string[]; readonly newIdOf: (id: string) => string },
): RequestedChange {
  return {
    name: `the rename of the hostname ${quote(oldHostname)} to ${quote(hostname)}`,
    from,
    findChanged(undo) {
      const all = readRelabelled(undo);
      const isSame = (bucket: Relabelled): boolean =>
        bucket.oldHostname === oldHostname && bucket.hostname === hostname && bucket.to === newIdOf(bucket.from);
      return all.every(isSame) ? all : [];
    },
  };
}

export function describeMerge(into: string, from: readonly string[]): RequestedChange {
  return {
    name: `the merge into ${quote(into)}`,
    ...{ from, to: into },
    findChanged({ kind, to: [to], from: merged, steps }) {
      if (kind !== "merge" || to !== into || !from.every((id) => merged.includes(id))) return [];
      const { intoCreated: created, incarnation } = steps as unknown as MergeSteps;
      return [{ to: into, created, incarnation }];
    },
  };
}

function readRelabelled({ kind, steps }: StoredUndo): readonly Relabelled[] {
  return kind === "rename" || kind === "host" ? (steps["relabelled"] as unknown as readonly Relabelled[]) : [];
}

/**
 * Creates the error for a change that was rejected because it was made before.
 *
 * @returns `undefined` if it was not made, or not completely
 */
export async function createRepeatedError(
  { name, from, to, findChanged: madeBy }: RequestedChange,
  { storage, redirects, undos }: ChangeRecords,
): Promise<ActivityError | undefined> {
  for (const bucketId of from) if ((await storage.getBucket(bucketId)) !== undefined) return undefined;
  const stored = {
    getBucket: (bucketId: string) => storage.getBucket(bucketId),
    getRecord: (recordKind: string, key: string) => storage.records(recordKind).get(key),
  };
  for (const undo of await undos.listUnexpired()) {
    for (const made of madeBy(undo)) {
      if (await isSameBucket(stored, made.to, made)) return conflict(`${name} was done already (undo ID ${undo.id})`);
    }
  }
  if (to === undefined || (await stored.getBucket(to)) === undefined) return undefined;
  for (const bucketId of from) if ((await redirects.resolveStored(bucketId)) !== to) return undefined;
  const redirected = `${from.map(quote).join(", ")} ${from.length === 1 ? "redirects" : "redirect"} to ${quote(to)}`;
  return conflict(`${redirected} already, by an earlier rename or merge`);
}
