import type { EventDraft } from "../../src/domain/event.js";
import type { Storage } from "../../src/storage/storage.js";
import type { DraftSource, TransactionChange, TransactionPlan } from "../../src/storage/transaction.js";
import { draftOf, idsOf, read } from "./case.js";
import { broken, same } from "./check.js";
import type { Reference } from "./reference.js";

/** A change whose drafts are a list, so that a reference can make it as well. */
export type PlainChange = TransactionChange & { readonly drafts?: readonly EventDraft[] };

/** Carries a transaction out on a storage that has them. */
export function transact(storage: Storage, bucketIds: readonly string[], plan: TransactionPlan): Promise<boolean> {
  if (storage.transact === undefined) broken("transact", "the method is missing");
  return storage.transact(bucketIds, plan);
}

/** A list of drafts, batch by batch. */
export async function* streamOf(drafts: readonly EventDraft[], batchLength = 700): AsyncGenerator<EventDraft[]> {
  for (let at = 0; at < drafts.length; at += batchLength) yield drafts.slice(at, at + batchLength);
}

/** The same changes, whose drafts come in batches. */
export function streamed(changes: readonly PlainChange[]): TransactionChange[] {
  return changes.map((change) => {
    if (!("drafts" in change) || change.drafts === undefined) return change;
    const drafts: DraftSource = streamOf(change.drafts);
    return { ...change, drafts };
  });
}

/** A bucket within a transaction, whatever its id is. */
interface Life {
  /** `undefined` when the bucket is deleted in the end. */
  id: string | undefined;
  /** Ids that the storage gave out in the transaction, ascending. */
  given: number[];
  readonly known: Set<number>;
}

/**
 * Makes the changes of a transaction on a reference, too. Which ids were given is read from the storage; so no change
 * may remove or replace an event that the transaction itself has stored without an id.
 */
export async function mirror(storage: Storage, reference: Reference, changes: readonly PlainChange[]): Promise<void> {
  const lives = await livesOf(storage, reference, changes);
  applyTo(reference, changes, (index, greatest) => nextOf(lives[index] as Life, greatest));
}

/**
 * Makes the changes of a transaction on a reference.
 *
 * @param idOf gives an id to a draft of the n-th change that brings none, above those that were given before
 */
export function applyTo(
  reference: Reference,
  changes: readonly PlainChange[],
  idOf: (index: number, greatest: number) => number = (_, greatest) => greatest + 1,
): void {
  for (const [index, change] of changes.entries()) {
    if (change.kind === "record") setRecord(reference, change);
    else if (change.kind === "rename") reference.renameBucket(change.bucketId, change.newId);
    else if (change.kind === "update") reference.updateBucket(change.bucketId, change.patch);
    else if (change.kind === "delete") reference.deleteBucket(change.bucketId);
    else if (change.kind === "deleteEvents") reference.deleteEvents(change.bucketId, change.eventIds);
    else {
      const { drafts = [] } = change;
      if (change.kind === "create") reference.createBucket(change.bucket);
      const bucketId = change.kind === "create" ? change.bucket.id : change.bucketId;
      reference.putEvents(
        bucketId,
        drafts,
        drafts.map(({ id }) => id ?? idOf(index, reference.greatestId(bucketId))),
      );
    }
  }
}

function setRecord({ records }: Reference, { key, value }: Extract<TransactionChange, { kind: "record" }>): void {
  if (value === undefined) records.delete(key);
  else records.set(key, value);
}

/** The next id that was given; any new one in a bucket that is gone. */
function nextOf(life: Life, greatest: number): number {
  const next = life.id === undefined ? Math.max(greatest, ...life.known) + 1 : life.given.shift();
  if (next === undefined) broken("transact", `events are missing in ${JSON.stringify(life.id)}`);
  life.known.add(next);
  return next;
}

/** The bucket of each change. */
async function livesOf(storage: Storage, reference: Reference, changes: readonly PlainChange[]): Promise<Life[]> {
  const byId = new Map<string, Life>();
  const lives = changes.map((change): Life => {
    const bucketId = change.kind === "create" ? change.bucket.id : change.kind === "record" ? "" : change.bucketId;
    const isThere = change.kind !== "create" && reference.hasBucket(bucketId);
    const found = (change.kind === "create" ? undefined : byId.get(bucketId)) ?? {
      ...{ id: bucketId, given: [] },
      known: new Set(isThere ? idsOf(reference.sorted(bucketId)) : []),
    };
    byId.set(bucketId, found);
    for (const { id } of ("drafts" in change && change.drafts) || []) if (id !== undefined) found.known.add(id);
    if (change.kind === "delete") found.id = undefined;
    if (change.kind === "delete" || change.kind === "rename") byId.delete(bucketId);
    if (change.kind === "rename") {
      found.id = change.newId;
      byId.set(change.newId, found);
    }
    return found;
  });
  for (const [index, life] of lives.entries()) {
    if (changes[index]?.kind === "record" || life.id === undefined || life.given.length > 0) continue;
    const ids = idsOf(await read(storage, life.id)).sort((a, b) => a - b);
    life.given = ids.filter((id) => !life.known.has(id));
  }
  return lives;
}

/** Makes the same changes on the storage and on a reference. */
export async function both(
  storage: Storage,
  reference: Reference,
  bucketIds: readonly string[],
  changes: readonly PlainChange[],
  asStream = false,
): Promise<void> {
  const isDone = await transact(storage, bucketIds, () => (asStream ? streamed(changes) : changes));
  same("transact", isDone, true, "answer of a transaction");
  await mirror(storage, reference, changes);
}

/** Events of two microseconds each, with one label. */
export function run(count: number, from: number, step: number, label: string): EventDraft[] {
  return Array.from({ length: count }, (_, index) => draftOf(from + index * step, 2, label));
}
