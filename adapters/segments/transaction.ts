import type { JsonValue } from "../../src/domain/json.js";
import { noSuchBucket } from "../../src/errors.js";
import { isExpected } from "../../src/storage/records.js";
import type { Storage } from "../../src/storage/storage.js";
import {
  assertHolds,
  batchesIn,
  bucketTaken,
  type DraftSource,
  type HeldView,
  heldBuckets,
  heldView,
  type TransactionChange,
  type TransactionPlan,
} from "../../src/storage/transaction.js";
import { BucketState } from "./bucket-state.js";
import type { Engine } from "./engine.js";
import { recordKey } from "./keys.js";
import { nextIdLine } from "./log-codec.js";
import type { CommitPart } from "./prepare-commit.js";
import { READ_METHODS } from "./read-methods.js";
import { bucketIdName } from "./reserved-names.js";
import { sortByCreation } from "./state.js";
import { retryWithoutReserve } from "./with-reserve.js";
import { WorkingBucket } from "./working-bucket.js";

/**
 * Changes several buckets in one commit. Until it succeeds, the memory does not change: the buckets are locked, and new
 * segments are kept separately.
 */
export const TRANSACTIONS: Pick<Required<Storage>, "transact"> & ThisType<{ readonly engine: Engine }> = {
  async transact(bucketIds, plan) {
    const { engine } = this;
    // A plan that only deletes may run even if other writes are rejected.
    engine.assertOpen();
    const held = heldBuckets(bucketIds);
    let isDeletion = false;
    const observedPlan: TransactionPlan = async (view) => {
      const changes = await plan(view);
      isDeletion = changes.every(isDeleting);
      if (!isDeletion) engine.assertWritable();
      return changes;
    };
    const run = (): Promise<boolean> => engine.runInOrderOfAll(held, () => runTransaction(engine, held, observedPlan));
    return run().catch((refusal) => {
      if (!isDeletion) throw refusal;
      return retryWithoutReserve(engine, refusal, run);
    });
  },
};

async function runTransaction(engine: Engine, held: ReadonlySet<string>, plan: TransactionPlan): Promise<boolean> {
  const { state, restructurer, committer, log, store } = engine;
  engine.assertOpen();
  // Earlier writes may still fail. After this no other call changes these buckets.
  await log.awaitDurable();
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const viewing = createView(engine, held);
  let committing: Promise<void> | undefined;
  try {
    await restructurer.freeze(
      [...held].flatMap((id) => state.buckets.get(id) ?? []),
      ended,
    );
    const changes = await plan(viewing.view);
    assertHolds(held, changes);
    const isDeletion = changes.every(isDeleting);
    const run = async (): Promise<boolean> => {
      const work = new TransactionWork(engine, held);
      for (const change of changes) await work.applyChange(change);
      await work.finish();
      await engine.reserve([...Array.from(held, bucketIdName), ...work.records.keys()], ended);
      // A record may have changed without being durable yet.
      await log.awaitDurable();
      if (!isDeletion) engine.assertWritable();
      if (!work.recordsFit()) return false;
      committing = committer.run((commit) => work.parts(commit));
      await committer.awaitUnlessUncertain(committing);
      return true;
    };
    return await (isDeletion && store.withReserve !== undefined ? store.withReserve(run) : run());
  } finally {
    viewing.end();
    // While the outcome of the commit is uncertain, nothing may be based on the current state.
    if (committing === undefined) end();
    else committing.then(end, end);
  }
}

/** The view of a transaction. Its locked buckets do not change, so they are read as usual. */
function createView(engine: Engine, held: ReadonlySet<string>): HeldView {
  const reads = { engine, ...READ_METHODS };
  const view: HeldView["view"] = {
    read: (bucketId, range) => reads.read(bucketId, range),
    countEvents: (bucketId, range) => reads.countEvents(bucketId, range),
    getEvent: (bucketId, eventId) => reads.getEvent(bucketId, eventId),
    getBucket: async (bucketId) => engine.state.buckets.get(bucketId)?.bucket,
    async mergeTarget(bucketId) {
      const bucket = engine.bucket(bucketId);
      const [entry] = bucket.knowsMergeTarget ? [] : bucket.index.entries.slice(-1);
      if (entry === undefined) return bucket.mergeTarget;
      const { batch } = await engine.cache.sourceFor(bucket, [entry])(entry);
      return batch.eventAt(batch.length - 1);
    },
    async nextEventId(bucketId) {
      engine.bucket(bucketId);
      return engine.state.nextEventId;
    },
    getRecord: async (recordKind, key) => engine.state.values.get(recordKey(recordKind, key)),
  };
  return heldView(held, view, () => engine.assertOpen());
}

function isDeleting(change: TransactionChange): boolean {
  if (change.kind === "record") return change.value === undefined;
  return change.kind === "delete" || change.kind === "deleteEvents";
}

type RecordChange = Extract<TransactionChange, { kind: "record" }>;

/** The buckets of a transaction with its changes. */
class TransactionWork {
  /** By key; several changes of one record are in order. */
  readonly records: Map<string, RecordChange[]> = new Map();
  readonly #engine: Engine;
  /** By current ID. */
  readonly #buckets: Map<string, WorkingBucket> = new Map();
  readonly #all: WorkingBucket[] = [];
  #changesList = false;

  constructor(engine: Engine, held: ReadonlySet<string>) {
    this.#engine = engine;
    for (const bucketId of held) {
      const bucket = engine.state.buckets.get(bucketId);
      if (bucket !== undefined) this.#add(new WorkingBucket(engine, bucket, false));
    }
  }

  async applyChange(change: TransactionChange): Promise<void> {
    if (change.kind === "record") {
      const key = recordKey(change.recordKind, change.key);
      this.records.set(key, [...(this.records.get(key) ?? []), change]);
      return;
    }
    if (change.kind === "create") return this.#create(change);
    const { bucketId } = change;
    const bucket = this.#buckets.get(bucketId);
    if (bucket === undefined) throw noSuchBucket(bucketId);
    if (change.kind === "putEvents") return put(bucket, change.drafts);
    if (change.kind === "deleteEvents") return bucket.delete(change.eventIds);
    this.#changesList = true;
    if (change.kind === "update") {
      bucket.record = { ...bucket.record, ...change.patch };
      return;
    }
    if (change.kind === "rename" && this.#buckets.has(change.newId)) throw bucketTaken("rename", change.newId);
    this.#buckets.delete(bucketId);
    if (change.kind === "delete") bucket.isDeleted = true;
    else {
      bucket.record = { ...bucket.record, id: change.newId };
      this.#buckets.set(change.newId, bucket);
    }
  }

  async finish(): Promise<void> {
    for (const bucket of this.#all) await bucket.finish();
  }

  /** Whether each record has its expected value. */
  recordsFit(): boolean {
    const { values } = this.#engine.state;
    return Array.from(this.records).every(([key, changes]) => {
      let held = values.get(key);
      return changes.every(({ expected, value }) => {
        const fits = isExpected(held, expected);
        held = value;
        return fits;
      });
    });
  }

  parts(commit: number): CommitPart[] {
    const { state } = this.#engine;
    const values = new Map(Array.from(this.records, ([key, changes]) => [key, changes.at(-1)?.value]));
    // Never empty: replay skips the previous records, of which the commit may contain another version.
    const lines = [nextIdLine(state.nextEventId)];
    const head = { lines, values, committed: () => this.#apply(values) };
    return [head, ...this.#all.flatMap((bucket) => bucket.commitPart(commit) ?? [])];
  }

  #apply(values: ReadonlyMap<string, JsonValue | undefined>): void {
    const { state, cleaner } = this.#engine;
    cleaner.schedule();
    for (const [key, value] of values) {
      if (value === undefined) state.values.delete(key);
      else state.values.set(key, value);
    }
    if (this.#changesList) for (const { bucket } of this.#all) state.buckets.delete(bucket.bucket.id);
    for (const working of this.#all) {
      const { bucket, isDeleted, isNew } = working;
      if (!isDeleted) {
        working.apply();
        state.buckets.set(bucket.bucket.id, bucket);
      } else if (!isNew) {
        bucket.isDeleted = true;
        if (bucket.index.entries.length > 0) state.deleted.set(bucket.bucketNo, [...bucket.index.entries]);
      }
    }
    if (!this.#changesList) return;
    sortByCreation(state.buckets);
    state.listChanges++;
  }

  async #create({ bucket, drafts = [] }: Extract<TransactionChange, { kind: "create" }>): Promise<void> {
    if (this.#buckets.has(bucket.id)) throw bucketTaken("create", bucket.id);
    const { state } = this.#engine;
    this.#changesList = true;
    const created = new WorkingBucket(this.#engine, new BucketState(state.nextBucketNo++, bucket), true);
    this.#add(created);
    await put(created, drafts);
  }

  #add(bucket: WorkingBucket): void {
    this.#buckets.set(bucket.record.id, bucket);
    this.#all.push(bucket);
  }
}

async function put(bucket: WorkingBucket, drafts: DraftSource): Promise<void> {
  for await (const batch of batchesIn(drafts)) await bucket.put(batch);
}
