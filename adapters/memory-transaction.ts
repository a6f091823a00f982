import type { JsonValue } from "../src/domain/json.js";
import { noSuchBucket } from "../src/errors.js";
import { isExpected } from "../src/storage/records.js";
import {
  assertHolds,
  batchesIn,
  bucketTaken,
  type HeldView,
  heldBuckets,
  heldView,
  type TransactionChange,
  type TransactionPlan,
} from "../src/storage/transaction.js";
import { slicesOf } from "../src/util/slices.js";
import { createTimeSlice } from "../src/util/time-slice.js";
import { type IdCounter, MemoryBucket } from "./memory-bucket.js";
import type { MemoryChanges } from "./memory-changes.js";
import type { SerialQueues } from "./memory-queues.js";

/** A bucket, with a number that distinguishes it from earlier buckets with its ID. */
export interface Numbered {
  readonly no: number;
  readonly state: MemoryBucket;
}

/** The content of the storage. */
export interface MemoryContent {
  /** By id, in the order of creation. */
  readonly buckets: Map<string, Numbered>;
  /** Records by kind and key. */
  readonly kinds: Map<string, Map<string, JsonValue>>;
  readonly ids: IdCounter;
  readonly queues: SerialQueues;
  /** @throws ActivityError `STORAGE_CLOSED` */
  assertOpen(): void;
  versionOf(bucketId: string): string | undefined;
  /** The number of a new bucket. */
  nextNo(): number;
  /** The list of buckets has changed. */
  listChanged(): void;
  readonly changes: MemoryChanges;
}

/**
 * Changes several buckets at once: on copies, which take the places of the buckets in the end. Returns
 * the promise of `hold` unchanged, so that it resolves before the writes that waited for it.
 */
export function transactInMemory(
  content: MemoryContent,
  bucketIds: readonly string[],
  plan: TransactionPlan,
): Promise<boolean> {
  let held: ReadonlySet<string>;
  try {
    content.assertOpen();
    held = heldBuckets(bucketIds);
  } catch (refusal) {
    return Promise.reject(refusal);
  }
  return content.queues.hold(held, async () => {
    content.assertOpen();
    const { view, end } = createView(content, held);
    try {
      const changes = await plan(view);
      assertHolds(held, changes);
      const draft = new TransactionDraft(content, held);
      for (const change of changes) await draft.apply(change);
      content.assertOpen();
      return draft.commit();
    } finally {
      end();
    }
  });
}

function createView(
  { buckets, kinds, ids, assertOpen, versionOf }: MemoryContent,
  held: ReadonlySet<string>,
): HeldView {
  function get(bucketId: string): MemoryBucket {
    const state = buckets.get(bucketId)?.state;
    if (state === undefined) throw noSuchBucket(bucketId);
    return state;
  }
  async function* toAsync<T>(items: Iterable<T>): AsyncGenerator<T> {
    yield* items;
  }
  const view: HeldView["view"] = {
    getBucket: async (bucketId) => buckets.get(bucketId)?.state.bucket,
    async read(bucketId, range = {}) {
      return { version: versionOf(bucketId), batches: toAsync(get(bucketId).read(range)) };
    },
    countEvents: async (bucketId, range = {}) => get(bucketId).count(range),
    getEvent: async (bucketId, eventId) => get(bucketId).get(eventId),
    mergeTarget: async (bucketId) => get(bucketId).mergeTarget,
    async nextEventId(bucketId) {
      get(bucketId);
      return ids.next;
    },
    getRecord: async (recordKind, key) => kinds.get(recordKind)?.get(key),
  };
  return heldView(held, view, assertOpen);
}

type RecordChange = Extract<TransactionChange, { kind: "record" }>;

/** The buckets of a transaction as its changes leave them. */
class TransactionDraft {
  readonly #content: MemoryContent;
  /** By id. */
  readonly #states: Map<string, { readonly no: number | undefined; readonly state: MemoryBucket }> = new Map();
  /** Numbers of all buckets that it holds: these give way in the end. */
  readonly #held: Set<number> = new Set();
  /** In the order of their creation. */
  readonly #created: MemoryBucket[] = [];
  readonly #records: RecordChange[] = [];
  /** Changes of buckets, in their order. */
  readonly #made: Exclude<TransactionChange, RecordChange>[] = [];
  #changesList = false;

  constructor(content: MemoryContent, held: ReadonlySet<string>) {
    this.#content = content;
    for (const bucketId of held) {
      const found = content.buckets.get(bucketId);
      if (found === undefined) continue;
      this.#states.set(bucketId, { no: found.no, state: found.state.copy() });
      this.#held.add(found.no);
    }
  }

  async apply(change: TransactionChange): Promise<void> {
    if (change.kind === "record") {
      this.#records.push(change);
      return;
    }
    this.#made.push(change);
    if (change.kind === "create") return this.#create(change);
    const { bucketId } = change;
    const found = this.#states.get(bucketId);
    if (found === undefined) throw noSuchBucket(bucketId);
    const { state } = found;
    if (change.kind === "putEvents") return put(state, change.drafts);
    if (change.kind === "deleteEvents") return remove(state, change.eventIds);
    this.#changesList = true;
    if (change.kind === "update") state.bucket = { ...state.bucket, ...change.patch };
    else {
      if (change.kind === "rename" && this.#states.has(change.newId)) throw bucketTaken("rename", change.newId);
      this.#states.delete(bucketId);
      if (change.kind === "delete") return;
      state.bucket = { ...state.bucket, id: change.newId };
      state.changes++;
      this.#states.set(change.newId, found);
    }
  }

  /** Applies all changes at once. @returns `false`, with nothing changed, if a record has an unexpected value */
  commit(): boolean {
    const { buckets, kinds } = this.#content;
    const records = this.#newRecords();
    if (records === undefined) return false;
    for (const [kind, entries] of records) kinds.set(kind, entries);
    const changed = new Map(Array.from(this.#states.values(), (each) => [each.no, each.state]));
    const after: Numbered[] = [];
    for (const { no, state } of buckets.values()) {
      const mine = this.#held.has(no) ? changed.get(no) : state;
      if (mine !== undefined) after.push({ no, state: mine });
    }
    const isThere = new Set(Array.from(this.#states.values(), ({ state }) => state));
    for (const state of this.#created) if (isThere.has(state)) after.push({ no: this.#content.nextNo(), state });
    buckets.clear();
    for (const each of after) buckets.set(each.state.bucket.id, each);
    if (this.#changesList) this.#content.listChanged();
    for (const change of this.#made) recordChange(this.#content.changes, change);
    return true;
  }

  async #create({ bucket, drafts = [] }: Extract<TransactionChange, { kind: "create" }>): Promise<void> {
    if (this.#states.has(bucket.id)) throw bucketTaken("create", bucket.id);
    const state = new MemoryBucket(bucket, this.#content.ids);
    this.#changesList = true;
    this.#states.set(bucket.id, { no: undefined, state });
    this.#created.push(state);
    await put(state, drafts);
  }

  #newRecords(): Map<string, Map<string, JsonValue>> | undefined {
    const after = new Map<string, Map<string, JsonValue>>();
    for (const { recordKind, key, expected, value } of this.#records) {
      const entries = after.get(recordKind) ?? new Map(this.#content.kinds.get(recordKind));
      after.set(recordKind, entries);
      if (!isExpected(entries.get(key), expected)) return undefined;
      if (value === undefined) entries.delete(key);
      else entries.set(key, value);
    }
    return after;
  }
}

/** A bucket with another id is one that is gone, and a new one. */
function recordChange(changes: MemoryChanges, change: Exclude<TransactionChange, RecordChange>): void {
  if (change.kind === "create") changes.bucket("bucket-created", change.bucket.id);
  else if (change.kind === "update") changes.bucket("bucket-updated", change.bucketId);
  else if (change.kind === "putEvents") changes.bucket("events-written", change.bucketId);
  else if (change.kind === "deleteEvents") changes.bucket("events-deleted", change.bucketId);
  else changes.bucket("bucket-deleted", change.bucketId);
  if (change.kind === "rename") changes.bucket("bucket-created", change.newId);
}

async function put(state: MemoryBucket, drafts: Parameters<typeof batchesIn>[0]): Promise<void> {
  const timeSlice = createTimeSlice();
  for await (const batch of batchesIn(drafts)) {
    if (batch.length === 0) continue;
    state.put(batch);
    await timeSlice.yield();
  }
}

/** Ids that are deleted at a time. */
const AT_ONCE = 1_024;

async function remove(state: MemoryBucket, eventIds: readonly number[]): Promise<void> {
  const timeSlice = createTimeSlice();
  for (const slice of slicesOf(eventIds, AT_ONCE)) {
    state.delete(slice);
    await timeSlice.yield();
  }
}
