import type { EventBatch } from "../domain/batch.js";
import type { Bucket, BucketPatch } from "../domain/bucket.js";
import type { EventDraft, StoredEvent } from "../domain/event.js";
import type { JsonValue } from "../domain/json.js";
import { ActivityError, hasCode, quote } from "../errors.js";
import type { EventRange, EventRead, Storage, TimeRange } from "./storage.js";

/**
 * Drafts to store: a list, or successive batches if they should not be in memory all at once. Each batch gets its IDs
 * separately, as in `putEvents`.
 */
export type DraftSource = readonly EventDraft[] | AsyncIterable<readonly EventDraft[]>;

/** One change of a transaction. Each change sees the earlier ones of the list. */
export type TransactionChange =
  /** Creates a bucket with its events. */
  | { readonly kind: "create"; readonly bucket: Bucket; readonly drafts?: DraftSource }
  /** Changes fields of a bucket. */
  | { readonly kind: "update"; readonly bucketId: string; readonly patch: BucketPatch }
  /** Changes the ID of a bucket. Everything else stays: its events and their IDs, its merge target, its position. */
  | { readonly kind: "rename"; readonly bucketId: string; readonly newId: string }
  /** Deletes a bucket with its events. */
  | { readonly kind: "delete"; readonly bucketId: string }
  /** Like `putEvents`. */
  | { readonly kind: "putEvents"; readonly bucketId: string; readonly drafts: DraftSource }
  /** Like `deleteEvents`; ignores IDs that the bucket does not contain. */
  | { readonly kind: "deleteEvents"; readonly bucketId: string; readonly eventIds: readonly number[] }
  /** Like `compareAndSet` of `records(recordKind)`. */
  | {
      readonly kind: "record";
      readonly recordKind: string;
      readonly key: string;
      /** `undefined`: the record must not exist. */
      readonly expected: JsonValue | undefined;
      /** `undefined`: deletes it. */
      readonly value: JsonValue | undefined;
    };

/**
 * The state that a transaction sees: its buckets while it locks them. Rejects other buckets with `INVALID_INPUT`. Reads
 * that it started may continue during its changes, and do not show them. Drafts may read more while they are consumed,
 * with the same results. Reads end with the transaction.
 */
export interface TransactionView {
  /** Resolves `undefined` for an unknown bucket. */
  getBucket(bucketId: string): Promise<Bucket | undefined>;
  read(bucketId: string, range?: EventRange): Promise<EventRead>;
  countEvents(bucketId: string, range?: TimeRange): Promise<number>;
  getEvent(bucketId: string, eventId: number): Promise<StoredEvent | undefined>;
  /** The event that the next heartbeat would be compared with; `undefined` in an empty bucket. */
  mergeTarget(bucketId: string): Promise<StoredEvent | undefined>;
  /**
   * A lower bound of unused event IDs: for drafts whose IDs are part of a record of the same transaction. Ignores IDs
   * of the last 2^32, which only callers can choose.
   */
  nextEventId(bucketId: string): Promise<number>;
  getRecord(recordKind: string, key: string): Promise<JsonValue | undefined>;
}

/**
 * Decides the changes of a transaction. The engine may call it again if it must restart, so it must not have side
 * effects. Other writes to its buckets wait for it: a call of one here would wait for itself.
 */
export type TransactionPlan = (
  view: TransactionView,
) => readonly TransactionChange[] | Promise<readonly TransactionChange[]>;

/**
 * The buckets of a transaction, for checks.
 *
 * @throws ActivityError `INVALID_INPUT` for a repeated bucket
 */
export function heldBuckets(bucketIds: readonly string[]): ReadonlySet<string> {
  const held = new Set<string>();
  for (const bucketId of bucketIds) {
    if (held.has(bucketId)) {
      throw new ActivityError("INVALID_INPUT", `bucketIds must be unique, got ${quote(bucketId)} twice`);
    }
    held.add(bucketId);
  }
  return held;
}

/** @throws ActivityError `INVALID_INPUT` for a bucket outside the transaction */
function assertHeld(held: ReadonlySet<string>, bucketId: string): void {
  if (held.has(bucketId)) return;
  const message = `the transaction does not hold the bucket ${quote(bucketId)}; name it among its buckets`;
  throw new ActivityError("INVALID_INPUT", message);
}

/** @throws ActivityError `INVALID_INPUT` for a change of a bucket outside the transaction */
export function assertHolds(held: ReadonlySet<string>, changes: readonly TransactionChange[]): void {
  for (const change of changes) {
    if (change.kind === "create") assertHeld(held, change.bucket.id);
    else if (change.kind !== "record") assertHeld(held, change.bucketId);
    if (change.kind === "rename") assertHeld(held, change.newId);
  }
}

/** The error for creating a bucket, or renaming one, with an existing ID. */
export function bucketTaken(change: "create" | "rename", bucketId: string): ActivityError {
  const what = change === "create" ? "created" : "renamed";
  return new ActivityError("INVALID_INPUT", `no bucket can be ${what} to ${quote(bucketId)}: it already exists`);
}

/** The error for a view that is used after its transaction. */
function transactionOver(): ActivityError {
  return new ActivityError("INVALID_INPUT", "the transaction has ended; read within its plan function");
}

/** A view that ends with its transaction. */
export interface HeldView {
  readonly view: TransactionView;
  /** Rejects later calls, and ends reads in progress. */
  end(): void;
}

/**
 * Restricts a view to the buckets and the duration of its transaction. So the view of an adapter only has to read.
 *
 * @param assertOpen throws if the storage is closed
 */
export function heldView(held: ReadonlySet<string>, view: TransactionView, assertOpen: () => void): HeldView {
  let isOver = false;

  function usable(bucketId?: string): TransactionView {
    assertOpen();
    if (isOver) throw transactionOver();
    if (bucketId !== undefined) assertHeld(held, bucketId);
    return view;
  }

  async function* whileUsable(batches: EventRead["batches"]): AsyncGenerator<EventBatch> {
    for await (const batch of batches) {
      usable();
      yield batch;
    }
  }

  return {
    view: {
      getBucket: async (bucketId) => usable(bucketId).getBucket(bucketId),
      async read(bucketId, range) {
        const { version, batches } = await usable(bucketId).read(bucketId, range);
        return { version, batches: whileUsable(batches) };
      },
      countEvents: async (bucketId, range) => usable(bucketId).countEvents(bucketId, range),
      getEvent: async (bucketId, eventId) => usable(bucketId).getEvent(bucketId, eventId),
      mergeTarget: async (bucketId) => usable(bucketId).mergeTarget(bucketId),
      nextEventId: async (bucketId) => usable(bucketId).nextEventId(bucketId),
      getRecord: async (recordKind, key) => usable().getRecord(recordKind, key),
    },
    end() {
      isOver = true;
    },
  };
}

/** The batches of a source; a list is one batch. */
export async function* batchesIn(source: DraftSource): AsyncGenerator<readonly EventDraft[]> {
  if (Symbol.asyncIterator in source) yield* source;
  else yield source;
}

/** Whether a transaction failed because the storage does not support transactions. */
export function lacksTransactions(thrown: unknown): boolean {
  return hasCode(thrown, "STORAGE_UNSUPPORTED");
}

/**
 * Runs a transaction on a storage that may lack support.
 *
 * @throws ActivityError `STORAGE_UNSUPPORTED` without support; the errors of `transact`
 */
export function transactOn(storage: Storage, bucketIds: readonly string[], plan: TransactionPlan): Promise<boolean> {
  if (storage.transact !== undefined) return storage.transact(bucketIds, plan);
  const message = `the storage ${quote(storage.traits.adapter)} has no transactions, so it cannot do this in one step`;
  return Promise.reject(new ActivityError("STORAGE_UNSUPPORTED", message));
}
