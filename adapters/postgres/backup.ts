import type { JsonValue } from "../../src/domain/json.js";
import type { BackupItem } from "../../src/storage/backup.js";
import type { StorageContext } from "./context.js";
import { MAX_WAIT_MILLIS } from "./database.js";
import { parseBucket } from "./encoding.js";
import { TRY_AGAIN, toStorageError } from "./failures.js";
import type { ConnectionLease } from "./long-read.js";
import {
  BatchBuilder,
  EVENT_COLUMNS,
  FIRST_PAGE_EVENTS,
  hideFromPlanner,
  NAMESPACE_ARGUMENT,
  nextPageEvents,
} from "./pages.js";
import { FULL_SCAN_MILLIS, type PostgresClient, type Row, runStatement } from "./pool.js";

const SETTINGS = 'select key_text, value_text from :"schema".settings where namespace = $1';
const RECORDS = 'select kind_text, key_text, value_text from :"schema".records where namespace = $1';
const BUCKETS = `
  select b.bucket, b.record_text,
    (select count(*) from :"schema".events e where e.namespace = ${NAMESPACE_ARGUMENT} and e.bucket = b.bucket)
  from :"schema".buckets b where b.namespace = $1 order by b.bucket`;
const EVENTS = `
  select ${EVENT_COLUMNS} from :"schema".events e
  where e.namespace = ${NAMESPACE_ARGUMENT} and e.bucket = ${hideFromPlanner("$2::bigint")}
    and (e.start_us, e.id) > ($3::bigint, $4::bigint)
  order by e.start_us, e.id limit $5`;
/** Position before every event. */
const BEFORE_ALL_EVENTS: readonly (string | null)[] = ["-9223372036854775808", "0"];

/** Reads all data of a namespace as one snapshot: one transaction, on a separate connection until the end. */
export async function* backup(context: StorageContext): AsyncGenerator<BackupItem> {
  const { database, longReads } = context;
  database.assertOpen();
  const deadline = Date.now() + MAX_WAIT_MILLIS;
  let lease: ConnectionLease | undefined;
  let isDone = false;
  try {
    const release = await (await context.slots()).take(deadline);
    const taken = await database.takeConnection(deadline).catch((error: unknown) => {
      release();
      throw error;
    });
    lease = longReads.lease(taken, release);
    await runStatement(taken.client, "begin isolation level repeatable read, read only");
    for await (const item of readItems(context, taken.client)) {
      database.assertOpen();
      lease.startTimeLimit();
      yield item;
      lease.stopTimeLimit();
    }
    database.assertOpen();
    await runStatement(taken.client, "commit");
    isDone = true;
  } catch (error) {
    throw lease?.failure ?? toStorageError(error, TRY_AGAIN);
  } finally {
    lease?.end(!isDone);
  }
}

async function* readItems({ database, namespace }: StorageContext, client: PostgresClient): AsyncGenerator<BackupItem> {
  const ask = (text: string, ...args: readonly unknown[]): Promise<Row[]> =>
    runStatement(client, database.withSchema(text), [namespace, ...args], FULL_SCAN_MILLIS);
  for (const [key, value] of await ask(SETTINGS)) {
    yield { kind: "setting", key: JSON.parse(key ?? "") as string, value: JSON.parse(value ?? "") as JsonValue };
  }
  for (const [kind, key, value] of await ask(RECORDS)) {
    const [recordKind, name] = [JSON.parse(kind ?? "") as string, JSON.parse(key ?? "") as string];
    yield { kind: "record", recordKind, key: name, value: JSON.parse(value ?? "") as JsonValue };
  }
  for (const [number, exact, events] of await ask(BUCKETS)) {
    const bucket = parseBucket(exact ?? "");
    yield { kind: "bucket", bucket, events: Number(events) };
    const maker = new BatchBuilder();
    let pageEvents = FIRST_PAGE_EVENTS;
    for (let last = BEFORE_ALL_EVENTS; ; ) {
      const rows = await ask(EVENTS, number, ...last, String(pageEvents));
      if (rows.length === 0) break;
      yield { kind: "events", bucketId: bucket.id, batch: maker.build(rows) };
      const [id = null, start = null] = rows.at(-1) as Row;
      last = [start, id];
      pageEvents = nextPageEvents(rows, 3);
    }
  }
}
