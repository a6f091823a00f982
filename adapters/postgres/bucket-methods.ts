import type { BucketSummary } from "../../src/domain/bucket.js";
import type { RecordName } from "../../src/storage/records.js";
import type { Storage } from "../../src/storage/storage.js";
import type { StorageContext } from "./context.js";
import { encodeBucket, encodeDrafts, hashOf, parseBucket, toBigint } from "./encoding.js";
import { assignIds, queueKeyOf } from "./event-methods.js";
import { NAMESPACE_ARGUMENT } from "./pages.js";
import { LONG_MILLIS, type Row } from "./pool.js";
import { readBucketRecord } from "./reads.js";
import { LOCK_NAMESPACE } from "./transaction.js";
import { readRecord } from "./values.js";

const ALL = 'select b.record_text from :"schema".buckets b where b.namespace = $1 order by b.bucket';
const SUMMARY = `
  select b.record_text, b.last_end_us, (
    select min(e.start_us) from :"schema".events e where e.namespace = ${NAMESPACE_ARGUMENT} and e.bucket = b.bucket
  )
  from :"schema".buckets b where b.namespace = $1`;
const SUMMARIES = `${SUMMARY} order by b.bucket`;
const SOME_SUMMARIES = `${SUMMARY} and b.id_hash = any($2)`;

type BucketMethods = Pick<Storage, "listBuckets" | "summaries" | "createBucket" | "updateBucket" | "deleteBucket">;

/** The methods of bucket records. */
export function bucketMethods({ database, namespace, writer, queue }: StorageContext): BucketMethods {
  const findRecord = (bucketId: string): Promise<string | undefined> =>
    readBucketRecord(database.readAfterClose, namespace, bucketId);

  /** Writes a bucket record after earlier writes to the bucket, one at a time: each locks the namespace. */
  function inTurn<T>(bucketId: string, write: () => Promise<T>): Promise<T> {
    return queue.run(queueKeyOf(bucketId), () => queue.run("buckets", write));
  }

  /** Creates a bucket unless a record exists. @returns IDs of its events; `null` if it is not created */
  async function createUnlessRecord(
    bucketId: string,
    { recordKind, key }: RecordName,
    args: readonly unknown[],
  ): Promise<unknown> {
    // Most creations are of an existing bucket: they need neither a lock on the namespace nor a transaction.
    if ((await findRecord(bucketId)) !== undefined) return null;
    let ids: unknown = null;
    // Each transaction that redirects an ID locks the namespace.
    await writer.transaction(async ({ ask, call }) => {
      await ask(LOCK_NAMESPACE, [namespace], LONG_MILLIS);
      const record = await readRecord(ask, namespace, recordKind, key);
      ids = record === undefined ? await call("create_bucket", args) : null;
      return ids !== null;
    });
    return ids;
  }

  return {
    async listBuckets() {
      return (await database.read(ALL, [namespace])).map(([exact]) => parseBucket(exact as string));
    },

    async summaries(bucketIds) {
      if (bucketIds === undefined) return (await database.read(SUMMARIES, [namespace], LONG_MILLIS)).map(parseSummary);
      const rows = await database.read(SOME_SUMMARIES, [namespace, bucketIds.map(hashOf)], LONG_MILLIS);
      const found = new Map(rows.map(parseSummary).map((summary) => [summary.id, summary]));
      return bucketIds.flatMap((bucketId) => found.get(bucketId) ?? []);
    },

    async createBucket(bucket, drafts = [], unless) {
      database.assertOpen();
      const { exact, fields, data } = encodeBucket(bucket);
      const columns = Object.values(encodeDrafts(drafts));
      const args = [hashOf(bucket.id), exact, fields, toBigint(bucket.created), data, ...columns];
      const create = () =>
        unless === undefined ? writer.write("create_bucket", args) : createUnlessRecord(bucket.id, unless, args);
      const ids = await inTurn(bucket.id, create);
      return ids === null ? undefined : assignIds(drafts, ids);
    },

    async updateBucket(bucketId, patch) {
      database.assertOpen();
      return inTurn(bucketId, async () => {
        for (;;) {
          const before = await findRecord(bucketId);
          if (before === undefined) return false;
          const { exact, fields, data } = encodeBucket({ ...parseBucket(before), ...patch });
          // Another node may have changed it in the meantime.
          if (await writer.write("replace_bucket", [hashOf(bucketId), before, exact, fields, data])) return true;
        }
      });
    },

    async deleteBucket(bucketId) {
      database.assertOpen();
      return inTurn(bucketId, async () => (await writer.write("delete_bucket", [hashOf(bucketId)])) === true);
    },
  };
}

function parseSummary([exact, end, start]: Row): BucketSummary {
  const isEmpty = start === null || start === undefined;
  return {
    ...parseBucket(exact as string),
    start: isEmpty ? null : Number(start),
    end: isEmpty ? null : Number(end),
  };
}
