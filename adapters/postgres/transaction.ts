import { noSuchBucket } from "../../src/errors.js";
import type { Storage } from "../../src/storage/storage.js";
import {
  assertHolds,
  batchesIn,
  bucketTaken,
  type HeldView,
  heldBuckets,
  heldView,
  type TransactionChange,
} from "../../src/storage/transaction.js";
import { slicesOf } from "../../src/util/slices.js";
import type { StorageContext } from "./context.js";
import type { RunRead } from "./database.js";
import { encodeBucket, encodeDrafts, hashOf, parseBucket, toBigint } from "./encoding.js";
import { queueKeyOf } from "./event-methods.js";
import { BatchBuilder, EVENT_COLUMNS, NAMESPACE_ARGUMENT } from "./pages.js";
import { LONG_MILLIS } from "./pool.js";
import { readBucketRecord, readInPages, singleReads } from "./reads.js";
import { readRecord, setRecordArguments } from "./values.js";
import type { Statements } from "./writer.js";

export const LOCK_NAMESPACE = 'select n.next_bucket from :"schema".locked_namespace($1) n';
const LOCK_BUCKET = 'select b.bucket from :"schema".locked_bucket($1, $2) b';
const NEXT_ID = 'select b.next_id from :"schema".buckets b where b.namespace = $1 and b.id_hash = $2';
const MERGE_TARGET = `
  select ${EVENT_COLUMNS}
  from :"schema".buckets b
  left join lateral (
    (select noted.*, 1 as place from :"schema".events noted
     where noted.namespace = ${NAMESPACE_ARGUMENT} and noted.bucket = b.bucket and noted.id = b.merge_target)
    union all
    (select newest.*, 2 as place from :"schema".events newest
     where newest.namespace = ${NAMESPACE_ARGUMENT} and newest.bucket = b.bucket
     order by newest.start_us desc, newest.id desc limit 1)
    order by place limit 1
  ) e on true
  where b.namespace = $1 and b.id_hash = $2`;

/** Maximum IDs of one deletion: millions of them as strings would need too much memory. */
const IDS_AT_ONCE = 10_000;

/** Changes several buckets in one database transaction, which locks the namespace and the buckets. */
export function transactions(context: StorageContext): Pick<Required<Storage>, "transact"> {
  const { database, namespace, queue, writer } = context;
  return {
    async transact(bucketIds, plan) {
      database.assertOpen();
      const held = heldBuckets(bucketIds);
      // The same order for all writers: namespace, then buckets by their hash.
      const hashes = Array.from(held, hashOf).sort();
      const attempt = async (statements: Statements): Promise<boolean> => {
        database.assertOpen();
        await statements.ask(LOCK_NAMESPACE, [namespace], LONG_MILLIS);
        for (const hash of hashes) await statements.ask(LOCK_BUCKET, [namespace, hash], LONG_MILLIS);
        const viewing = createView(context, statements.ask, held);
        try {
          const changes = await plan(viewing.view);
          assertHolds(held, changes);
          viewing.beginChanges();
          for (const change of changes) if (!(await applyChange(statements, namespace, change))) return false;
          database.assertOpen();
          return true;
        } finally {
          viewing.end();
        }
      };
      const keys = Array.from(held, queueKeyOf);
      return queue.runAll(keys, () => queue.run("buckets", () => writer.transaction(attempt)));
    },
  };
}

/**
 * Creates the view of a transaction. It reads on the transaction's own connection until the first change. After that,
 * the old state is read on other connections, which cannot see uncommitted changes.
 */
function createView(
  context: StorageContext,
  own: RunRead,
  held: ReadonlySet<string>,
): HeldView & { beginChanges(): void } {
  const { database, namespace } = context;
  let isChanging = false;
  const ask: RunRead = (...given) => (isChanging ? database.read : own)(...given);
  const view: HeldView["view"] = {
    ...singleReads(ask, namespace),
    read: (bucketId, range) => readInPages(context, ask, bucketId, range),
    async mergeTarget(bucketId) {
      const [row] = await ask(MERGE_TARGET, [namespace, hashOf(bucketId)]);
      if (row === undefined) throw noSuchBucket(bucketId);
      return row[0] === null ? undefined : new BatchBuilder().build([row]).eventAt(0);
    },
    async nextEventId(bucketId) {
      const [row] = await ask(NEXT_ID, [namespace, hashOf(bucketId)]);
      if (row === undefined) throw noSuchBucket(bucketId);
      return Number(row[0]);
    },
    getRecord: (recordKind, key) => readRecord(ask, namespace, recordKind, key),
  };
  const beginChanges = (): void => {
    isChanging = true;
  };
  return { ...heldView(held, view, () => database.assertOpen()), beginChanges };
}

/** Makes one change. @returns `false` if a record did not have the expected value */
async function applyChange({ ask, call }: Statements, namespace: string, change: TransactionChange): Promise<boolean> {
  if (change.kind === "record") {
    const { recordKind, key, expected, value } = change;
    return (await call("set_record", setRecordArguments(recordKind, key, expected, value))) === true;
  }
  if (change.kind === "create") {
    const { bucket, drafts = [] } = change;
    const { exact, fields, data } = encodeBucket(bucket);
    const args = [hashOf(bucket.id), exact, fields, toBigint(bucket.created), data, ...Object.values(encodeDrafts([]))];
    if ((await call("create_bucket", args)) === null) throw bucketTaken("create", bucket.id);
    for await (const batch of batchesIn(drafts)) await put(bucket.id, batch);
    return true;
  }
  const { bucketId } = change;
  const exact = await readBucketRecord(ask, namespace, bucketId);
  if (exact === undefined) throw noSuchBucket(bucketId);
  if (change.kind === "putEvents") for await (const batch of batchesIn(change.drafts)) await put(bucketId, batch);
  else if (change.kind === "deleteEvents") {
    for (const eventIds of slicesOf(change.eventIds, IDS_AT_ONCE)) {
      await call("delete_events", [hashOf(bucketId), eventIds.map(String)]);
    }
  } else if (change.kind === "delete") await call("delete_bucket", [hashOf(bucketId)]);
  else if (change.kind === "update") {
    const after = encodeBucket({ ...parseBucket(exact), ...change.patch });
    await call("replace_bucket", [hashOf(bucketId), exact, after.exact, after.fields, after.data]);
  } else {
    const { newId } = change;
    if ((await readBucketRecord(ask, namespace, newId)) !== undefined) throw bucketTaken("rename", newId);
    const after = encodeBucket({ ...parseBucket(exact), id: newId });
    await call("rename_bucket", [hashOf(bucketId), hashOf(newId), after.exact, after.fields]);
  }
  return true;

  async function put(id: string, batch: Parameters<typeof encodeDrafts>[0]): Promise<void> {
    if (batch.length > 0) await call("put_events", [hashOf(id), ...Object.values(encodeDrafts(batch))]);
  }
}
