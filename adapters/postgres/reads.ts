import type { EventBatch } from "../../src/domain/batch.js";
import { noSuchBucket } from "../../src/errors.js";
import type { EventRange, EventRead, Storage, TimeRange } from "../../src/storage/storage.js";
import { type Ask, type Database, PATIENCE_MILLIS, pause, type Taken } from "./database.js";
import { failureOf, isConflict, isLost, NOTHING_READ } from "./failures.js";
import { bucketOf, hashOf } from "./forms.js";
import type { Ground } from "./ground.js";
import type { NextBatch } from "./held-read.js";
import {
  BatchMaker,
  boundsOf,
  FIRST_PAGE,
  firstStatement,
  nextPageEvents,
  OF_NAMESPACE,
  pageStatement,
  unseen,
} from "./pages.js";
import { LONG_MILLIS, type PostgresClient, type Row, rowsOf } from "./pool.js";

const BUCKET = 'select b.record_text from :"schema".buckets b where b.namespace = $1 and b.id_hash = $2';
const COUNT = `
  select b.bucket, (
    select count(*) from :"schema".events e
    where e.namespace = ${OF_NAMESPACE} and e.bucket = b.bucket
      and e.start_us between $3::bigint - b.longest_us and $4 and e.start_us + e.duration_us >= $3
  )
  from :"schema".buckets b where b.namespace = $1 and b.id_hash = $2`;

const ONE = `
  select e.id, e.start_us, e.duration_us, e.data_text
  from :"schema".buckets b
  left join :"schema".events e
    on e.namespace = ${OF_NAMESPACE} and e.bucket = b.bucket and e.id = ${unseen("$3::bigint")}
  where b.namespace = $1 and b.id_hash = $2`;

const VERSIONS = `
  select b.id_hash::text, b.bucket || '.' || b.version
  from :"schema".buckets b where b.namespace = $1 and b.id_hash = any($2)
  union all
  select null, 'list.' || n.version from :"schema".namespaces n where n.namespace = $1`;

/** The version of a list of buckets that does not exist yet. */
const NO_LIST = "list.0";

/** The methods that read events and their versions. */
export function readMethods(
  ground: Ground,
): Pick<Storage, "read" | keyof SingleReads> & Pick<Required<Storage>, "versions"> {
  const { database, namespace } = ground;

  return {
    async read(bucketId, range = {}) {
      const begun = await begin(ground, bucketId, range);
      return { version: begun.version, batches: new Batches(database, begun) } satisfies EventRead;
    },

    ...singleReads(database.read, namespace),

    async versions(bucketIds) {
      if (database.isClosed) return bucketIds.map(() => undefined);
      const hashes = bucketIds.map((id) => (id === null ? null : hashOf(id)));
      const rows = await database.read(VERSIONS, [namespace, hashes.filter((hash) => hash !== null)]);
      const versions = new Map(rows.map(([hash, version]) => [hash?.replaceAll("-", "") ?? null, version as string]));
      return hashes.map((hash) => versions.get(hash) ?? (hash === null ? NO_LIST : undefined));
    },
  };
}

/** The stored record of a bucket; `undefined` if it does not exist. */
export async function bucketRecord(ask: Ask, namespace: string, bucketId: string): Promise<string | undefined> {
  const [row] = await ask(BUCKET, [namespace, hashOf(bucketId)]);
  return row?.[0] ?? undefined;
}

type SingleReads = Pick<Storage, "getBucket" | "countEvents" | "getEvent">;

/** Reads of one row. @param ask may use the connection of a transaction */
export function singleReads(ask: Ask, namespace: string): SingleReads {
  return {
    async getBucket(bucketId) {
      const record = await bucketRecord(ask, namespace, bucketId);
      return record === undefined ? undefined : bucketOf(record);
    },

    async countEvents(bucketId, range: TimeRange = {}) {
      const [row] = await ask(COUNT, [namespace, hashOf(bucketId), ...boundsOf(range)], LONG_MILLIS);
      if (row === undefined) throw noSuchBucket(bucketId);
      return Number(row[1]);
    },

    async getEvent(bucketId, eventId) {
      const [row] = await ask(ONE, [namespace, hashOf(bucketId), String(eventId)]);
      if (row === undefined) throw noSuchBucket(bucketId);
      return row[0] === null ? undefined : new BatchMaker().make([row]).eventAt(0);
    },
  };
}

interface Begun {
  readonly version: string;
  readonly batches: AsyncGenerator<EventBatch>;
  stop(): void;
}

/** Starts a read. A range that fits into one page needs only one statement. */
async function begin(ground: Ground, bucketId: string, range: EventRange): Promise<Begun> {
  const { database, namespace } = ground;
  const limit = range.limit ?? Number.POSITIVE_INFINITY;
  // One more than a page shows whether more follow.
  const most = Math.min(limit, FIRST_PAGE + 1);
  const bounds = boundsOf(range);
  const args = [namespace, hashOf(bucketId), ...bounds, String(most)];
  const rows = await database.read(firstStatement(range), args, LONG_MILLIS);
  if (rows.length <= FIRST_PAGE) {
    return { version: versionOf(rows, bucketId), batches: single(rows), stop: () => undefined };
  }
  return beginHeld(ground, bucketId, range);
}

/** @throws ActivityError `NO_SUCH_BUCKET` if there is no row */
function versionOf([row]: readonly Row[], bucketId: string): string {
  if (row === undefined) throw noSuchBucket(bucketId);
  return `${row[0]}.${row[1]}`;
}

async function* single(rows: readonly Row[]): AsyncGenerator<EventBatch> {
  if (rows[0]?.[3] !== null) yield new BatchMaker().make(rows, 3);
}

/** Reads a longer range in a transaction, because all its pages must be of one snapshot. */
async function beginHeld(ground: Ground, bucketId: string, range: EventRange): Promise<Begun> {
  const { database, held } = ground;
  const deadline = Date.now() + PATIENCE_MILLIS;
  for (;;) {
    let taken: Taken | undefined;
    let giveBack: (() => void) | undefined;
    try {
      giveBack = await (await ground.slots()).take(deadline);
      taken = await database.take(deadline);
      const { client } = taken;
      await rowsOf(client, "begin isolation level repeatable read, read only");
      const pages = new Pages(ground, bucketId, range);
      const version = await pages.begin(asking(client, database));
      database.assertOpen();
      const next: NextBatch = (connection) => pages.next(asking(connection, database));
      const read = held.begin(taken, next, giveBack);
      return { version, batches: read.batches(), stop: () => read.stop() };
    } catch (error) {
      taken?.giveBack(true);
      giveBack?.();
      const mayRepeat = isLost(error) || isConflict(error);
      if (!mayRepeat || Date.now() >= deadline) throw failureOf(error, NOTHING_READ);
      await pause();
    }
  }
}

/**
 * Reads a bucket that has no concurrent writes: each page is a separate statement. So a transaction can read all its
 * buckets at once, and as slowly as needed, without a connection for each.
 */
export async function readUnheld(
  ground: Ground,
  asking: Ask,
  bucketId: string,
  range: EventRange = {},
): Promise<EventRead> {
  const ask: Ask = (text, values) => asking(text, values, LONG_MILLIS);
  const pages = new Pages(ground, bucketId, range);
  const version = await pages.begin(ask);
  return { version, batches: batchesOf(pages, ask) };
}

/** Yields pages, and loads the next one in the meantime. */
async function* batchesOf(pages: Pages, ask: Ask): AsyncGenerator<EventBatch> {
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

function asking(client: PostgresClient, database: Database): Ask {
  return (text, values) => rowsOf(client, database.named(text), values, LONG_MILLIS);
}

/** The pages of a range, one after another. */
class Pages {
  readonly #ground: Ground;
  readonly #bucketId: string;
  readonly #range: EventRange;
  readonly #statement: string;
  readonly #maker: BatchMaker = new BatchMaker();
  #first: EventBatch | undefined;
  #left: number;
  #bucket: string | null = null;
  #longest: string | null = null;
  #last: readonly [start: string | null, id: string | null] = [null, null];
  #pageEvents = FIRST_PAGE;
  #isDone = false;

  constructor(ground: Ground, bucketId: string, range: EventRange) {
    this.#ground = ground;
    this.#bucketId = bucketId;
    this.#range = range;
    this.#left = range.limit ?? Number.POSITIVE_INFINITY;
    this.#statement = pageStatement(range);
  }

  /** Reads the first page. @returns the version of the bucket in all pages */
  async begin(ask: Ask): Promise<string> {
    const { namespace } = this.#ground;
    const asked = Math.min(this.#left, FIRST_PAGE);
    const args = [namespace, hashOf(this.#bucketId), ...boundsOf(this.#range), String(asked)];
    const rows = await ask(firstStatement(this.#range), args);
    const version = versionOf(rows, this.#bucketId);
    const [bucket = null, , longest = null, id] = rows[0] as Row;
    this.#bucket = bucket;
    this.#longest = longest;
    if (id === null) this.#isDone = true;
    else this.#first = this.#batchOf(rows, 3, asked);
    return version;
  }

  async next(ask: Ask): Promise<EventBatch | undefined> {
    const first = this.#first;
    this.#first = undefined;
    if (first !== undefined || this.#isDone) return first;
    const [start, end] = boundsOf(this.#range);
    const asked = Math.min(this.#left, this.#pageEvents);
    const args = [this.#ground.namespace, this.#bucket, start, this.#longest, end, ...this.#last, String(asked)];
    const rows = await ask(this.#statement, args);
    return rows.length === 0 ? undefined : this.#batchOf(rows, 0, asked);
  }

  #batchOf(rows: readonly Row[], from: number, asked: number): EventBatch {
    const last = rows.at(-1) as Row;
    this.#last = [last[from + 1] ?? null, last[from] ?? null];
    this.#left -= rows.length;
    this.#isDone = rows.length < asked || this.#left === 0;
    this.#pageEvents = nextPageEvents(rows, from + 3);
    return this.#maker.make(rows, from);
  }
}

/** The batches of a read. They fail once the storage is closed, and `return` releases their resources. */
class Batches implements AsyncIterableIterator<EventBatch> {
  readonly #database: Database;
  readonly #batches: AsyncGenerator<EventBatch>;
  readonly #stop: () => void;

  constructor(database: Database, { batches, stop }: Begun) {
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
