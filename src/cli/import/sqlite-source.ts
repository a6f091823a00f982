import { readFile } from "node:fs/promises";
import { isJsonObject, type JsonValue } from "../../domain/json.js";
import { eventText } from "../../foreign/event-text.js";
import {
  detectDialect,
  parseSettings,
  type SqliteDialect,
  type SqliteTables,
  type SqlRow,
} from "../../foreign/sqlite-dialect.js";
import { formatBytes, quotePath } from "../data-folder.js";
import { LaunchError, printable } from "../launch-error.js";
import { formatCount } from "../tools/report.js";
import { copyPrivately } from "./private-copy.js";
import { isDamage, readableRows } from "./rescue.js";
import type { EventBatchText, Source, SourceBucket } from "./source.js";
import { openSqlite, type SqliteFile } from "./sqlite-file.js";
import { padTruncated } from "./truncated-database.js";

/** Events of a batch; a few more to keep equal ones together. */
const BATCH_EVENTS = 1000;
/** Rows sorted at a time if no index sorts them. */
const PORTION_ROWS = 20_000;

/**
 * Opens a copy of a database of one of ActivityWatch's servers.
 *
 * @param settingsFile of the server that wrote it, if there is one
 * @throws LaunchError for another file, and for an unreadable database
 */
export async function openSqliteSource(database: string, settingsFile: string | undefined): Promise<Source> {
  const copy = await copyPrivately(database);
  let file: SqliteFile | undefined;
  try {
    const missing = await padTruncated(copy.file);
    file = await openSqlite(copy.file);
    const dialect = detectDialect(readTables(file));
    if (dialect === undefined) {
      throw new LaunchError(`${quotePath(database)} is not a database of aw-server or aw-server-rust`);
    }
    const reader = new SqliteReader(file, dialect);
    if (missing > 0) reader.losses.push(`the last ${formatBytes(missing)} of the file, which is truncated`);
    const buckets = reader.readBuckets();
    const settings = new Map([...reader.readSettings(), ...(await readSettingsFile(settingsFile))]);
    const opened = file;
    return {
      kind: dialect.name,
      buckets,
      settings,
      losses: reader.losses,
      async close() {
        opened.close();
        await copy.remove();
      },
    };
  } catch (cause) {
    file?.close();
    await copy.remove();
    if (cause instanceof LaunchError) throw cause;
    const reason = printable(cause instanceof Error ? cause.message : String(cause), 200);
    throw new LaunchError(`${quotePath(database)} cannot be read: ${reason}`, 1, { cause });
  }
}

function readTables(file: SqliteFile): SqliteTables {
  const names = [...file.rows("SELECT name FROM sqlite_master WHERE type = 'table'")].map(({ name }) => String(name));
  return new Map(
    names.map((name) => {
      const columns = [...file.rows("SELECT name FROM pragma_table_info(?)", [name])];
      return [name, new Set(columns.map((column) => String(column["name"])))];
    }),
  );
}

async function readSettingsFile(file: string | undefined): Promise<Map<string, JsonValue>> {
  if (file === undefined) return new Map();
  const value: unknown = JSON.parse(await readFile(file, "utf8").catch(() => "{}"));
  return new Map(isJsonObject(value) ? Object.entries(value) : []);
}

interface BucketCount {
  readonly count: number;
  readonly first: SqlRow[string];
  readonly last: SqlRow[string];
}

class SqliteReader {
  readonly losses: string[] = [];
  readonly #file: SqliteFile;
  readonly #dialect: SqliteDialect;

  constructor(file: SqliteFile, dialect: SqliteDialect) {
    this.#file = file;
    this.#dialect = dialect;
  }

  readSettings(): Map<string, JsonValue> {
    const { settings, settingPrefix } = this.#dialect;
    if (settings === undefined) return new Map();
    return parseSettings(this.#readUntilDamage(settings, "settings"), settingPrefix);
  }

  readBuckets(): SourceBucket[] {
    const { buckets, counts, parseBucket, parseStart } = this.#dialect;
    const known = this.#readUntilDamage(buckets, "buckets").map(parseBucket);
    const byKey = new Map<number, BucketCount>();
    for (const { bucket, count, first = null, last = null } of this.#countEvents(counts)) {
      byKey.set(Number(bucket), { count: Number(count), first, last });
    }
    const found = known.map(({ key, bucket }): SourceBucket => {
      const { count = 0, first = null, last = null } = byKey.get(key) ?? {};
      byKey.delete(key);
      return {
        bucket,
        events: count,
        first: parseStart(first),
        last: parseStart(last),
        read: () => this.#readEvents(key, { bucketId: bucket.id, count }),
      };
    });
    const strays = [...byKey.values()].reduce((sum, { count }) => sum + count, 0);
    if (strays > 0) this.losses.push(`${formatCount(strays, "event")} of a lost bucket`);
    return found;
  }

  /** Counts the events of each bucket; in a damaged file, the readable ones. */
  #countEvents(sql: string): SqlRow[] {
    try {
      return [...this.#file.rows(sql)];
    } catch (cause) {
      if (!isDamage(cause)) throw cause;
      const counts = new Map<number, { bucket: number; count: number; first: null; last: null }>();
      for (const { owner } of this.#rescueRows()) {
        const count = counts.get(Number(owner)) ?? { bucket: Number(owner), count: 0, first: null, last: null };
        count.count++;
        counts.set(Number(owner), count);
      }
      return [...counts.values()];
    }
  }

  #rescueRows(): Generator<SqlRow> {
    const { eventTable: table, eventColumns, owner } = this.#dialect;
    return readableRows(this.#file, { table, columns: `${owner} AS owner, ${eventColumns}` }, (from, to) => {
      const loss = `events in rows ${from} to ${to ?? "the end"}: damaged`;
      if (!this.losses.includes(loss)) this.losses.push(loss);
    });
  }

  /** Reads rows of a small table up to the first damage. */
  #readUntilDamage(sql: string, what: string): SqlRow[] {
    const rows: SqlRow[] = [];
    try {
      for (const row of this.#file.rows(sql)) rows.push(row);
    } catch (cause) {
      this.losses.push(`some ${what} (${cause instanceof Error ? cause.message : cause})`);
    }
    return rows;
  }

  *#readEvents(key: number, { bucketId, count }: { bucketId: string; count: number }): Generator<EventBatchText> {
    let seen = 0;
    let invalid = 0;
    const noteRow = (isValid: boolean): void => {
      seen++;
      if (!isValid) invalid++;
    };
    let isWhole = true;
    try {
      yield* this.#toBatches(this.#readInPortions(key), { isSorted: true, noteRow });
    } catch (cause) {
      if (!isDamage(cause)) throw cause;
      isWhole = false;
    }
    // A damaged index may hide rows without an error.
    if (!isWhole || seen < count) {
      invalid = 0;
      let isRestart = true;
      for (const batch of this.#toBatches(filterByBucket(this.#rescueRows(), key), { isSorted: false, noteRow })) {
        yield { ...batch, isRestart };
        isRestart = false;
      }
    }
    if (invalid > 0) this.losses.push(`${formatCount(invalid, "event")} of ${printable(bucketId)}: invalid`);
  }

  /** Reads rows of a bucket by start, in portions: without an index, sorting all of them takes too much memory. */
  *#readInPortions(key: number): Generator<SqlRow> {
    const { eventTable, eventColumns, owner, start, portionEnd, portionEndValue } = this.#dialect;
    let from: string | undefined;
    for (;;) {
      const lower = from === undefined ? "" : ` AND ${start} >= ${portionEndValue}`;
      const values = from === undefined ? [key] : [key, from];
      const portion = `FROM ${eventTable} WHERE ${owner} = ?${lower}`;
      const next = `SELECT ${portionEnd} AS edge ${portion} ORDER BY ${start} LIMIT 1 OFFSET ${PORTION_ROWS}`;
      const [found] = [...this.#file.rows(next, values)];
      const to = found === undefined ? undefined : String(found["edge"]);
      const upper = to === undefined ? "" : ` AND ${start} < ${portionEndValue}`;
      const sql = `SELECT ${eventColumns} ${portion}${upper} ORDER BY ${start}`;
      yield* this.#file.rows(sql, to === undefined ? values : [...values, to]);
      if (to === undefined) return;
      from = to;
    }
  }

  *#toBatches(
    rows: Iterable<SqlRow>,
    { isSorted, noteRow }: { isSorted: boolean; noteRow(isValid: boolean): void },
  ): Generator<EventBatchText> {
    let texts: string[] = [];
    let last = Number.NaN;
    for (const row of rows) {
      const event = this.#dialect.parseEvent(row);
      noteRow(event !== undefined);
      if (event === undefined) continue;
      if (texts.length >= BATCH_EVENTS && event.timestamp !== last) {
        yield { text: texts.join(), count: texts.length, canSplitBefore: isSorted };
        texts = [];
      }
      texts.push(eventText(event));
      last = event.timestamp;
    }
    if (texts.length > 0) yield { text: texts.join(), count: texts.length, canSplitBefore: isSorted };
  }
}

function* filterByBucket(rows: Iterable<SqlRow>, key: number): Generator<SqlRow> {
  for (const row of rows) if (row["owner"] === key) yield row;
}
