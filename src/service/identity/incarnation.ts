import type { Micros } from "../../domain/time.js";
import { hasCode } from "../../errors.js";
import { INCARNATIONS_KIND } from "../../storage/records.js";
import type { Storage } from "../../storage/storage.js";
import type { TransactionChange, TransactionView } from "../../storage/transaction.js";

/** Identifies a bucket in an undo. */
export interface Incarnation {
  readonly created: Micros;
  /** Missing in undos of versions before 0.3. */
  readonly incarnation?: string | null | undefined;
}

/** Whether a bucket is the recorded one. */
export async function isSameBucket(
  view: Pick<TransactionView, "getBucket" | "getRecord">,
  bucketId: string,
  { created, incarnation = null }: Incarnation,
): Promise<boolean> {
  if ((await view.getBucket(bucketId))?.created !== created) return false;
  return incarnation === null || (await getIncarnation(view, bucketId)) === incarnation;
}

export async function getIncarnation(
  view: Pick<TransactionView, "getRecord">,
  bucketId: string,
): Promise<string | undefined> {
  const held = await view.getRecord(INCARNATIONS_KIND, bucketId);
  return typeof held === "string" ? held : undefined;
}

/** The incarnation of a bucket, and the changes that store it; creates one if there is none. */
export async function ensureIncarnation(
  view: TransactionView,
  bucketId: string,
  newId: string = bucketId,
): Promise<{ readonly incarnation: string; readonly changes: readonly TransactionChange[] }> {
  const held = await getIncarnation(view, bucketId);
  const incarnation = held ?? crypto.randomUUID().slice(0, 13);
  const changes = held === undefined ? [] : await moveIncarnation(view, bucketId, null);
  if (held !== undefined && newId === bucketId) return { incarnation, changes: [] };
  return { incarnation, changes: [...changes, await setIncarnation(view, newId, incarnation)] };
}

/** The changes that move an incarnation with its bucket. @param newId `null`: the bucket is deleted */
export async function moveIncarnation(
  view: TransactionView,
  bucketId: string,
  newId: string | null,
): Promise<TransactionChange[]> {
  const held = await getIncarnation(view, bucketId);
  const changes: TransactionChange[] = [];
  if (held !== undefined) changes.push(recordChange(bucketId, held, undefined));
  if (newId === null) return changes;
  // A remaining record of a deleted bucket.
  if (held !== undefined || (await getIncarnation(view, newId)) !== undefined) {
    changes.push(await setIncarnation(view, newId, held));
  }
  return changes;
}

/**
 * Deletes a bucket without a transaction. Deletes its incarnation first: a later bucket must not get it.
 *
 * @returns whether it existed
 */
export async function deleteWithIncarnation(storage: Storage, bucketId: string): Promise<boolean> {
  const records = storage.records(INCARNATIONS_KIND);
  const held = await records.get(bucketId);
  if (held === undefined) return storage.deleteBucket(bucketId);
  let isLeft = false;
  try {
    await records.compareAndSet(bucketId, held, undefined);
  } catch (cause) {
    // Deleting works even if the disk is full.
    if (!hasCode(cause, "STORAGE_FULL")) throw cause;
    isLeft = true;
  }
  const isDeleted = await storage.deleteBucket(bucketId);
  if (isLeft) await records.compareAndSet(bucketId, held, undefined).catch(() => undefined);
  return isDeleted;
}

async function setIncarnation(
  view: TransactionView,
  key: string,
  value: string | undefined,
): Promise<TransactionChange> {
  return recordChange(key, await getIncarnation(view, key), value);
}

function recordChange(key: string, expected: string | undefined, value: string | undefined): TransactionChange {
  return { kind: "record", recordKind: INCARNATIONS_KIND, key, expected, value };
}
