import type { Micros } from "../../domain/time.js";
import { INCARNATIONS_KIND } from "../../storage/records.js";
import type { Storage } from "../../storage/storage.js";
import type { TransactionChange } from "../../storage/transaction.js";
import { TRASH_KIND } from "../trash/entry.js";
import type { MergeSteps } from "./merge.js";
import { parseUndo, type StoredUndo, UNDO_KIND } from "./undo.js";

/** A merge that can still be undone. */
export interface PendingMerge {
  readonly undo: StoredUndo;
  readonly steps: MergeSteps;
}

/**
 * The merges into a bucket that can still be undone. They do not change within a transaction that locks the bucket.
 *
 * @param now `undefined` includes expired ones
 */
export async function pendingMerges(
  storage: Pick<Storage, "records">,
  bucketId: string,
  now: Micros = Number.NEGATIVE_INFINITY,
): Promise<PendingMerge[]> {
  const incarnation = await storage.records(INCARNATIONS_KIND).get(bucketId);
  if (incarnation === undefined) return [];
  const found: PendingMerge[] = [];
  for (const [id, record] of await storage.records(UNDO_KIND).list()) {
    const undo = parseUndo(id, record);
    if (undo?.kind !== "merge" || undo.steps["incarnation"] !== incarnation || undo.expires <= now) continue;
    const steps = undo.steps as unknown as MergeSteps;
    if ((await storage.records(TRASH_KIND).get(steps.entryId)) !== undefined) found.push({ undo, steps });
  }
  return found;
}

/** The changes that note which events have left a bucket other than by a deletion: no undo restores these. */
export function recordMovedEvents(merges: readonly PendingMerge[], eventIds: readonly number[]): TransactionChange[] {
  return merges.flatMap(({ undo, steps: { sources, moved = [] } }): TransactionChange[] => {
    const end = Math.max(...sources.map(({ base, count }) => base + count));
    const known = eventIds.filter((id) => id < end && !moved.includes(id));
    if (known.length === 0) return [];
    const { id, record: expected, ...kept } = undo;
    const steps = { ...kept.steps, moved: [...moved, ...known] };
    const value = { ...kept, from: [...kept.from], to: [...kept.to], steps };
    return [{ kind: "record", recordKind: UNDO_KIND, key: id, expected, value }];
  });
}
