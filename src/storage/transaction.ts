import type { EventBatch } from "../domain/batch.js";
import type { Bucket, BucketPatch } from "../domain/bucket.js";
import type { EventDraft, StoredEvent } from "../domain/event.js";
import type { JsonValue } from "../domain/json.js";
import { ActivityError, hasCode, quote } from "../errors.js";
import type { EventRange, EventRead, Storage, TimeRange } from "./storage.js";

/**
 * Drafts to be stored: a list, or batches one after the other, for more than should be in memory at once. Ids are given
 * for each batch by itself, as by `putEvents`.
 */
export type DraftSource = readonly EventDraft[] | AsyncIterable<readonly EventDraft[]>;

/** One change of a transaction. Each sees those before it in the list. */
export type TransactionChange =
  /** Creates a bucket with its events. */
  | { readonly kind: "create"; readonly bucket: Bucket; readonly drafts?: DraftSource }
  /** Changes fields of a bucket. */
  | { readonly kind: "update"; readonly bucketId: string; readonly patch: BucketPatch }
  /** Gives a bucket another id. Everything else stays: its events and their ids, its merge target, its place. */
  | { readonly kind: "rename"; readonly bucketId: string; readonly newId: string }
  /** Deletes a bucket with its events. */
  | { readonly kind: "delete"; readonly bucketId: string }
  /** As `putEvents`. */
  | { readonly kind: "putEvents"; readonly bucketId: string; readonly drafts: DraftSource }
  /** As `deleteEvents`; ids that the bucket does not hold do not matter. */
  | { readonly kind: "deleteEvents"; readonly bucketId: string; readonly eventIds: readonly number[] }
  /** As `compareAndSet` of `records(recordKind)`. */
  | {
      readonly kind: "record";
      readonly recordKind: string;
      readonly key: string;
      /** `undefined`: there must be none. */
      readonly expected: JsonValue | undefined;
      /** `undefined`: deletes it. */
      readonly value: JsonValue | undefined;
    };

/**
 * What a transaction sees: its buckets as they are while it holds them. A bucket that it does not name is refused with
 * `INVALID_INPUT`. Reads that it began may go on while its changes are made, and show none of them. Drafts may read
 * more on their way, with the same answers. Reads end with the transaction.
 */
export interface TransactionView {
  /** Resolves `undefined` for a bucket that does not exist. */
  getBucket(bucketId: string): Promise<Bucket | undefined>;
  read(bucketId: string, range?: EventRange): Promise<EventRead>;
  countEvents(bucketId: string, range?: TimeRange): Promise<number>;
  getEvent(bucketId: string, eventId: number): Promise<StoredEvent | undefined>;
  /** What the next heartbeat would be compared with; `undefined` in an empty bucket. */
  mergeTarget(bucketId: string): Promise<StoredEvent | undefined>;
  /**
   * An id from which on the bucket gave none out: for drafts whose ids a record of the same transaction tells. Ids of
   * the last 2^32, which callers can bring, are not looked at.
   */
  nextEventId(bucketId: string): Promise<number>;
  getRecord(recordKind: string, key: string): Promise<JsonValue | undefined>;
}

/**
 * Decides what a transaction does. It may be called again when the engine has to begin anew, so it has no effects of
 * its own. Other writes to its buckets wait for it: calling one of them here would wait for itself.
 */
export type TransactionPlan = (
  view: TransactionView,
) => readonly TransactionChange[] | Promise<readonly TransactionChange[]>;

/**
 * The buckets of a transaction, for checks.
 *
 * @throws ActivityError `INVALID_INPUT` for a bucket that is named twice
 */
export function heldBuckets(bucketIds: readonly string[]): ReadonlySet<string> {
  const held = new Set<string>();
  for (const bucketId of bucketIds) {
    if (held.has(bucketId)) {
      throw new ActivityError("INVALID_INPUT", `the transaction names the bucket ${quote(bucketId)} twice`);
    }
    held.add(bucketId);
  }
  return held;
}

/** @throws ActivityError `INVALID_INPUT` for a bucket that a transaction does not hold */
function assertHeld(held: ReadonlySet<string>, bucketId: string): void {
  if (held.has(bucketId)) return;
  const message = `the transaction does not hold the bucket ${quote(bucketId)}; name it among its buckets`;
  throw new ActivityError("INVALID_INPUT", message);
}

/** @throws ActivityError `INVALID_INPUT` for a change of a bucket that a transaction does not hold */
export function assertHolds(held: ReadonlySet<string>, changes: readonly TransactionChange[]): void {
  for (const change of changes) {
    if (change.kind === "create") assertHeld(held, change.bucket.id);
    else if (change.kind !== "record") assertHeld(held, change.bucketId);
    if (change.kind === "rename") assertHeld(held, change.newId);
  }
}

/** The error of a change that creates a bucket, or renames one, where there is one already. */
export function bucketTaken(change: "create" | "rename", bucketId: string): ActivityError {
  const what = change === "create" ? "created" : "renamed";
  return new ActivityError("INVALID_INPUT", `no bucket can be ${what} to ${quote(bucketId)}: there is one already`);
}

/** The error of a view that is used when its transaction is over. */
function transactionOver(): ActivityError {
  return new ActivityError("INVALID_INPUT", "the transaction is over; read within the function that it was given");
}

/** A view that can be used until its transaction is over. */
export interface HeldView {
  readonly view: TransactionView;
  /** Refuses what is asked from now on, and ends reads under way. */
  end(): void;
}

/**
 * Holds a view to its rules: it tells of the buckets of its transaction alone, and of nothing when that is over. So the
 * view of an adapter only has to read.
 *
 * @param assertOpen throws when the storage is closed
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

/** The batches of a source; a list is one. */
export async function* batchesIn(source: DraftSource): AsyncGenerator<readonly EventDraft[]> {
  if (Symbol.asyncIterator in source) yield* source;
  else yield source;
}

/** Whether a transaction failed since the storage has none. */
export function lacksTransactions(thrown: unknown): boolean {
  return hasCode(thrown, "STORAGE_UNSUPPORTED");
}

/**
 * Carries a transaction out on a storage of which it is not known whether it can.
 *
 * @throws ActivityError `STORAGE_UNSUPPORTED` when it cannot; what `transact` throws
 */
export function transactOn(storage: Storage, bucketIds: readonly string[], plan: TransactionPlan): Promise<boolean> {
  if (storage.transact !== undefined) return storage.transact(bucketIds, plan);
  const message = `the storage ${quote(storage.traits.adapter)} has no transactions, so it cannot do this in one step`;
  return Promise.reject(new ActivityError("STORAGE_UNSUPPORTED", message));
}
