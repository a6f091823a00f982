import type { EventBatch } from "../../src/domain/batch.js";
import { noSuchBucket } from "../../src/errors.js";
import type { EventRange, EventRead, Storage, TimeRange } from "../../src/storage/storage.js";
import type { StorageContext } from "./context.js";
import { type Database, MAX_WAIT_MILLIS, pause, type RunRead, type TakenConnection } from "./database.js";
import { hashOf, parseBucket } from "./encoding.js";
import { isConflict, isLost, TRY_AGAIN, toStorageError } from "./failures.js";
import type { NextBatch } from "./long-read.js";
import {
  BatchBuilder,
  boundsOf,
  FIRST_PAGE_EVENTS,
  firstPageStatement,
  hideFromPlanner,
  NAMESPACE_ARGUMENT,
  nextPageEvents,
  pageStatement,
} from "./pages.js";
import { LONG_MILLIS, type PostgresClient, type Row, runStatement } from "./pool.js";

const BUCKET = 'select b.record_text from :"schema".buckets b where b.namespace = $1 and b.id_hash = $2';
const COUNT = `
  select b.bucket, (
    select count(*) from :"schema".events e
    where e.namespace = ${NAMESPACE_ARGUMENT} and e.bucket = b.bucket
      and e.start_us between $3::bigint - b.longest_us and $4 and e.start_us + e.duration_us >= $3
  )
  from :"schema".buckets b where b.namespace = $1 and b.id_hash = $2`;

const ONE = `
  select e.id, e.start_us, e.duration_us, e.data_text
  from :"schema".buckets b
  left join :"schema".events e
    on e.namespace = ${NAMESPACE_ARGUMENT} and e.bucket = b.bucket and e.id = ${hideFromPlanner("$3::bigint")}
  where b.namespace = $1 and b.id_hash = $2`;

/** The methods that read events. */
export function readMethods(context: StorageContext): Pick<Storage, "read" | keyof SingleReads> {
  const { database, namespace } = context;

  return {
    async read(bucketId, range = {}) {
      const begun = await startRead(context, bucketId, range);
      return { version: begun.version, batches: new Batches(database, begun) } satisfies EventRead;
    },

    ...singleReads(database.read, namespace),
  };
}

/** The stored record of a bucket; `undefined` if it does not exist. */
export async function readBucketRecord(ask: RunRead, namespace: string, bucketId: string): Promise<string | undefined> {
  const [row] = await ask(BUCKET, [namespace, hashOf(bucketId)]);
  return row?.[0] ?? undefined;
}

type SingleReads = Pick<Storage, "getBucket" | "countEvents" | "getEvent">;

/** Reads of one row. @param ask may use the connection of a transaction */
export function singleReads(ask: RunRead, namespace: string): SingleReads {
  return {
    async getBucket(bucketId) {
      const record = await readBucketRecord(ask, namespace, bucketId);
      return record === undefined ? undefined : parseBucket(record);
    },

    async countEvents(bucketId, range: TimeRange = {}) {
      const [row] = await ask(COUNT, [namespace, hashOf(bucketId), ...boundsOf(range)], LONG_MILLIS);
      if (row === undefined) throw noSuchBucket(bucketId);
      return Number(row[1]);
    },

    async getEvent(bucketId, eventId) {
      const [row] = await ask(ONE, [namespace, hashOf(bucketId), String(eventId)]);
      if (row === undefined) throw noSuchBucket(bucketId);
      return row[0] === null ? undefined : new BatchBuilder().build([row]).eventAt(0);
    },
  };
}

interface StartedRead {
  readonly version: string;
  readonly batches: AsyncGenerator<EventBatch>;
  stop(): void;
}

/** Starts a read. A range that fits into one page needs only one statement. */
async function startRead(context: StorageContext, bucketId: string, range: EventRange): Promise<StartedRead> {
  const { database, namespace } = context;
  const limit = range.limit ?? Number.POSITIVE_INFINITY;
  // One more than a page shows whether more follow.
  const most = Math.min(limit, FIRST_PAGE_EVENTS + 1);
  const bounds = boundsOf(range);
  const args = [namespace, hashOf(bucketId), ...bounds, String(most)];
  const rows = await database.read(firstPageStatement(range), args, LONG_MILLIS);
  if (rows.length <= FIRST_PAGE_EVENTS) {
    return { version: versionOf(rows, bucketId), batches: singleBatch(rows), stop: () => undefined };
  }
  return startLongRead(context, bucketId, range);
}

/** @throws ActivityError `NO_SUCH_BUCKET` if there is no row */
function versionOf([row]: readonly Row[], bucketId: string): string {
  if (row === undefined) throw noSuchBucket(bucketId);
  return `${row[0]}.${row[1]}`;
}

async function* singleBatch(rows: readonly Row[]): AsyncGenerator<EventBatch> {
  if (rows[0]?.[3] !== null) yield new BatchBuilder().build(rows, 3);
}

/** Reads a longer range in a transaction, because all its pages must be of one snapshot. */
async function startLongRead(context: StorageContext, bucketId: string, range: EventRange): Promise<StartedRead> {
  const { database, longReads } = context;
  const deadline = Date.now() + MAX_WAIT_MILLIS;
  for (;;) {
    let taken: TakenConnection | undefined;
    let release: (() => void) | undefined;
    try {
      release = await (await context.slots()).take(deadline);
      taken = await database.takeConnection(deadline);
      const { client } = taken;
      await runStatement(client, "begin isolation level repeatable read, read only");
      const pages = new Pages(context, bucketId, range);
      const version = await pages.begin(asking(client, database));
      database.assertOpen();
      const next: NextBatch = (connection) => pages.next(asking(connection, database));
      const read = longReads.start(taken, next, release);
      return { version, batches: read.batches(), stop: () => read.stop() };
    } catch (error) {
      taken?.release(true);
      release?.();
      const mayRepeat = isLost(error) || isConflict(error);
      if (!mayRepeat || Date.now() >= deadline) throw toStorageError(error, TRY_AGAIN);
      await pause();
    }
  }
}

/**
 * Reads a bucket that has no concurrent writes: each page is a separate statement. So a transaction can read all its
 * buckets at once, and as slowly as needed, without a connection for each.
 */
export async function readInPages(
  context: StorageContext,
  readerOn: RunRead,
  bucketId: string,
  range: EventRange = {},
): Promise<EventRead> {
  const ask: RunRead = (text, values) => readerOn(text, values, LONG_MILLIS);
  const pages = new Pages(context, bucketId, range);
  const version = await pages.begin(ask);
  return { version, batches: readBatches(pages, ask) };
}

/** Yields pages, and loads the next one in the meantime. */
async function* readBatches(pages: Pages, ask: RunRead): AsyncGenerator<EventBatch> {
  let coming = pages.next(ask);
  for (;;) {
    const batch = await coming;
    if (batch === undefined) return;
    coming = pages.next(ask);
    // If the consumer has stopped, this would be an unhandled rejection.
    coming.catch(() => undefined);
    yield batch;
  }
}

function asking(client: PostgresClient, database: Database): RunRead {
  return (text, values) => runStatement(client, database.withSchema(text), values, LONG_MILLIS);
}

/** The pages of a range, one after another. */
class Pages {
  readonly #context: StorageContext;
  readonly #bucketId: string;
  readonly #range: EventRange;
  readonly #statement: string;
  readonly #maker: BatchBuilder = new BatchBuilder();
  #first: EventBatch | undefined;
  #left: number;
  #bucket: string | null = null;
  #longest: string | null = null;
  #last: readonly [start: string | null, id: string | null] = [null, null];
  #pageEvents = FIRST_PAGE_EVENTS;
  #isDone = false;

  constructor(context: StorageContext, bucketId: string, range: EventRange) {
    this.#context = context;
    this.#bucketId = bucketId;
    this.#range = range;
    this.#left = range.limit ?? Number.POSITIVE_INFINITY;
    this.#statement = pageStatement(range);
  }

  /** Reads the first page. @returns the version of the bucket in all pages */
  async begin(ask: RunRead): Promise<string> {
    const { namespace } = this.#context;
    const asked = Math.min(this.#left, FIRST_PAGE_EVENTS);
    const args = [namespace, hashOf(this.#bucketId), ...boundsOf(this.#range), String(asked)];
    const rows = await ask(firstPageStatement(this.#range), args);
    const version = versionOf(rows, this.#bucketId);
    const [bucket = null, , longest = null, id] = rows[0] as Row;
    this.#bucket = bucket;
    this.#longest = longest;
    if (id === null) this.#isDone = true;
    else this.#first = this.#batchOf(rows, 3, asked);
    return version;
  }

  async next(ask: RunRead): Promise<EventBatch | undefined> {
    const first = this.#first;
    this.#first = undefined;
    if (first !== undefined || this.#isDone) return first;
    const [start, end] = boundsOf(this.#range);
    const asked = Math.min(this.#left, this.#pageEvents);
    const args = [this.#context.namespace, this.#bucket, start, this.#longest, end, ...this.#last, String(asked)];
    const rows = await ask(this.#statement, args);
    return rows.length === 0 ? undefined : this.#batchOf(rows, 0, asked);
  }

  #batchOf(rows: readonly Row[], from: number, asked: number): EventBatch {
    const last = rows.at(-1) as Row;
    this.#last = [last[from + 1] ?? null, last[from] ?? null];
    this.#left -= rows.length;
    this.#isDone = rows.length < asked || this.#left === 0;
    this.#pageEvents = nextPageEvents(rows, from + 3);
    return this.#maker.build(rows, from);
  }
}

/** The batches of a read. They fail once the storage is closed, and `return` releases their resources. */
class Batches implements AsyncIterableIterator<EventBatch> {
  readonly #database: Database;
  readonly #batches: AsyncGenerator<EventBatch>;
  readonly #stop: () => void;

  constructor(database: Database, { batches, stop }: StartedRead) {
    this.#database = database;
    this.#batches = batches;
    this.#stop = stop;
  }

  async next(): Promise<IteratorResult<EventBatch>> {
    const result = await this.#batches.next();
    this.#database.assertOpen();
    return result;
  }

  /** Also works before the first pull, when the generator has nothing to end. */
  async return(): Promise<IteratorResult<EventBatch>> {
    this.#stop();
    return this.#batches.return(undefined);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
