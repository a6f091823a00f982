import type { JsonValue } from "../../src/domain/json.js";
import type { BackupItem } from "../../src/storage/backup.js";
import { PATIENCE_MILLIS } from "./database.js";
import { failureOf, NOTHING_READ } from "./failures.js";
import { bucketOf } from "./forms.js";
import type { Ground } from "./ground.js";
import type { Lease } from "./held-read.js";
import { BatchMaker, EVENT_COLUMNS, FIRST_PAGE, nextPageEvents, OF_NAMESPACE, unseen } from "./pages.js";
import { ENDLESS_MILLIS, type PostgresClient, type Row, rowsOf } from "./pool.js";

const SETTINGS = 'select key_text, value_text from :"schema".settings where namespace = $1';
const RECORDS = 'select kind_text, key_text, value_text from :"schema".records where namespace = $1';
const BUCKETS = `
  select b.bucket, b.record_text,
    (select count(*) from :"schema".events e where e.namespace = ${OF_NAMESPACE} and e.bucket = b.bucket)
  from :"schema".buckets b where b.namespace = $1 order by b.bucket`;
const EVENTS = `
  select ${EVENT_COLUMNS} from :"schema".events e
  where e.namespace = ${OF_NAMESPACE} and e.bucket = ${unseen("$2::bigint")}
    and (e.start_us, e.id) > ($3::bigint, $4::bigint)
  order by e.start_us, e.id limit $5`;
/** Position before every event. */
const BEGINNING: readonly (string | null)[] = ["-9223372036854775808", "0"];

/** Reads all data of a namespace as one snapshot: one transaction, on a separate connection until the end. */
export async function* backup(ground: Ground): AsyncGenerator<BackupItem> {
  const { database, held } = ground;
  database.assertOpen();
  const deadline = Date.now() + PATIENCE_MILLIS;
  let lease: Lease | undefined;
  let isDone = false;
  try {
    const giveBack = await (await ground.slots()).take(deadline);
    const taken = await database.take(deadline).catch((error: unknown) => {
      giveBack();
      throw error;
    });
    lease = held.lease(taken, giveBack);
    await rowsOf(taken.client, "begin isolation level repeatable read, read only");
    for await (const item of itemsOf(ground, taken.client)) {
      database.assertOpen();
      lease.rest();
      yield item;
      lease.resume();
    }
    database.assertOpen();
    await rowsOf(taken.client, "commit");
    isDone = true;
  } catch (error) {
    throw lease?.failure ?? failureOf(error, NOTHING_READ);
  } finally {
    lease?.end(!isDone);
  }
}

async function* itemsOf({ database, namespace }: Ground, client: PostgresClient): AsyncGenerator<BackupItem> {
  const ask = (text: string, ...args: readonly unknown[]): Promise<Row[]> =>
    rowsOf(client, database.named(text), [namespace, ...args], ENDLESS_MILLIS);
  for (const [key, value] of await ask(SETTINGS)) {
    yield { kind: "setting", key: JSON.parse(key ?? "") as string, value: JSON.parse(value ?? "") as JsonValue };
  }
  for (const [kind, key, value] of await ask(RECORDS)) {
    const [recordKind, name] = [JSON.parse(kind ?? "") as string, JSON.parse(key ?? "") as string];
    yield { kind: "record", recordKind, key: name, value: JSON.parse(value ?? "") as JsonValue };
  }
  for (const [number, exact, events] of await ask(BUCKETS)) {
    const bucket = bucketOf(exact ?? "");
    yield { kind: "bucket", bucket, events: Number(events) };
    const maker = new BatchMaker();
    let pageEvents = FIRST_PAGE;
    for (let last = BEGINNING; ; ) {
      const rows = await ask(EVENTS, number, ...last, String(pageEvents));
      if (rows.length === 0) break;
      yield { kind: "events", bucketId: bucket.id, batch: maker.make(rows) };
      const [id = null, start = null] = rows.at(-1) as Row;
      last = [start, id];
      pageEvents = nextPageEvents(rows, 3);
    }
  }
}
