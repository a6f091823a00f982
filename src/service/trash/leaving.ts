import type { TransactionChange, TransactionView } from "../../storage/transaction.js";
import { movedIncarnation } from "../identity/incarnation.js";
import { type KeptEntry, KIND } from "./entry.js";
import { hiddenId } from "./hidden.js";

/** The id of the bucket with notes on what went in with an entry; most entries have none. */
export function notesIdOf({ id }: Pick<KeptEntry, "id">): string {
  return hiddenId(id, "notes");
}

/** The changes that take an entry out of the list, and delete the notes on it. */
export async function forget(view: TransactionView, entry: KeptEntry): Promise<TransactionChange[]> {
  const { id, record } = entry;
  const changes: TransactionChange[] = [
    { kind: "record", recordKind: KIND, key: id, expected: record, value: undefined },
  ];
  const bucketId = notesIdOf(entry);
  if ((await view.getBucket(bucketId)) !== undefined) changes.push({ kind: "delete", bucketId });
  return changes;
}

/** The changes that delete what an entry holds. */
export async function erasing(view: TransactionView, { items }: KeptEntry): Promise<TransactionChange[]> {
  const changes: TransactionChange[] = [];
  for (const { hiddenId: bucketId } of items) {
    if (bucketId === null || (await view.getBucket(bucketId)) === undefined) continue;
    changes.push({ kind: "delete", bucketId }, ...(await movedIncarnation(view, bucketId, null)));
  }
  return changes;
}
