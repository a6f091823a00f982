import { trashBucketId } from "../../storage/space.js";
import type { Storage } from "../../storage/storage.js";
import {
  lacksTransactions,
  type TransactionChange,
  type TransactionView,
  transactOn,
} from "../../storage/transaction.js";
import { BUCKET_ACCESS_KIND } from "../access/bucket-access.js";
import { deleteWithIncarnation, moveIncarnation } from "../identity/incarnation.js";
import { PRIVATE_TIMES_KIND } from "../privacy/private-times.js";
import { ConcurrentChange, retryOnChange } from "../retry-on-change.js";
import type { DeleteOptions } from "./delete-options.js";
import { addSpaceRemedy } from "./deletion-errors.js";
import { type StoredEntry, TRASH_KIND } from "./entry.js";

/** The changes that delete an entry and its notes. */
export async function deleteEntryRecord(view: TransactionView, entry: StoredEntry): Promise<TransactionChange[]> {
  const { id, record } = entry;
  const changes: TransactionChange[] = [
    { kind: "record", recordKind: TRASH_KIND, key: id, expected: record, value: undefined },
  ];
  const bucketId = trashBucketId(id, "notes");
  if ((await view.getBucket(bucketId)) !== undefined) changes.push({ kind: "delete", bucketId });
  return changes;
}

/** Kinds of records that belong to a bucket. */
const BUCKET_RECORD_KINDS = [BUCKET_ACCESS_KIND, PRIVATE_TIMES_KIND];

/** The changes that delete the records of a bucket, so that a later bucket with its ID does not get them. */
export async function deleteBucketRecords(view: TransactionView, bucketId: string): Promise<TransactionChange[]> {
  const changes: TransactionChange[] = [];
  for (const recordKind of BUCKET_RECORD_KINDS) {
    const expected = await view.getRecord(recordKind, bucketId);
    if (expected !== undefined) changes.push({ kind: "record", recordKind, key: bucketId, expected, value: undefined });
  }
  return changes;
}

/**
 * Permanently deletes a bucket and its records. Does not read its events: their files may be damaged.
 *
 * @returns whether it existed
 */
export async function deletePermanently(
  storage: Storage,
  bucketId: string,
  { refuse, tell = () => undefined }: Pick<DeleteOptions, "refuse" | "tell">,
): Promise<boolean> {
  try {
    const deletion = retryOnChange(async () => {
      let isThere = false;
      const isDone = await transactOn(storage, [bucketId], async (view) => {
        isThere = (await view.getBucket(bucketId)) !== undefined;
        if (!isThere) return [];
        await refuse?.(view, bucketId, "alter");
        const gone = [...(await moveIncarnation(view, bucketId, null)), ...(await deleteBucketRecords(view, bucketId))];
        return [{ kind: "delete", bucketId }, ...gone];
      });
      if (!isDone) throw new ConcurrentChange();
      if (isThere) tell();
      return isThere;
    });
    return await addSpaceRemedy(deletion, false);
  } catch (thrown) {
    if (!lacksTransactions(thrown)) throw thrown;
  }
  if (!(await addSpaceRemedy(deleteWithIncarnation(storage, bucketId), false))) return false;
  tell();
  for (const kind of BUCKET_RECORD_KINDS) {
    const records = storage.records(kind);
    const held = await records.get(bucketId);
    if (held !== undefined) await records.compareAndSet(bucketId, held, undefined);
  }
  return true;
}

/**
 * The changes that delete the content of an entry. @throws ActivityError the error of `refuse` for one of its buckets
 */
export async function deleteEntryContent(
  view: TransactionView,
  { items }: StoredEntry,
  refuse: DeleteOptions["refuse"],
): Promise<TransactionChange[]> {
  for (const { bucketId } of items) await refuse?.(view, bucketId, "alter");
  const changes: TransactionChange[] = [];
  for (const { hiddenId: bucketId } of items) {
    if (bucketId === null || (await view.getBucket(bucketId)) === undefined) continue;
    changes.push({ kind: "delete", bucketId }, ...(await moveIncarnation(view, bucketId, null)));
  }
  return changes;
}
