import { isJsonObject, type JsonValue } from "../domain/json.js";
import { type Micros, parseTimestamp, secondsToMicros, serializeTimestamp } from "../domain/time.js";
import type { ForeignBucket, ForeignEvent } from "./event-text.js";
import { cutToMillis, pythonMicros } from "./python-time.js";

// The schemas of ActivityWatch's databases. Timestamps and durations become what the server itself exports, so that
// importing a database and importing its export have the same result.

/** A value in a row; no selected column exceeds the integers of a double. */
export type SqlValue = number | string | bigint | Uint8Array | null;
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** How to read a database. Rows have the columns that `parseBucket` and `parseEvent` read. */
export interface SqliteDialect {
  /** The name of the server, for people. */
  readonly name: string;
  /** The table of events; its row IDs ascend. */
  readonly eventTable: string;
  /** Selects each bucket once. */
  readonly buckets: string;
  /** Selects the number and the extreme starts of events for each `bucket` key. */
  readonly counts: string;
  /** The selected columns of an event. */
  readonly eventColumns: string;
  /** The column with the bucket of an event. */
  readonly owner: string;
  /** The column of starts, by which a bucket is read in portions. */
  readonly start: string;
  /** An expression for the end of a portion that includes a given start, to compare with. */
  readonly portionEnd: string;
  readonly portionEndValue: string;
  /** Selects the settings as `key` and `value`; `undefined` if the database has none. */
  readonly settings: string | undefined;
  readonly settingPrefix: string;
  parseBucket(row: SqlRow): { readonly key: number; readonly bucket: ForeignBucket };
  /** @returns `undefined` for a row that is not an event */
  parseEvent(row: SqlRow): ForeignEvent | undefined;
  /** Parses an extreme start of `counts`. */
  parseStart(value: SqlValue): Micros | undefined;
}

/** Names of columns, by table. */
export type SqliteTables = ReadonlyMap<string, ReadonlySet<string>>;

/** @returns `undefined` for a database of another program */
export function detectDialect(tables: SqliteTables): SqliteDialect | undefined {
  const has = (table: string, ...columns: readonly string[]): boolean => {
    const found = tables.get(table);
    return found !== undefined && columns.every((column) => found.has(column));
  };
  if (has("bucketmodel", "key", "id") && has("eventmodel", "bucket_id", "timestamp", "duration", "datastr")) {
    return peeweeDialect(has("bucketmodel", "datastr"));
  }
  if (!has("events", "bucketrow", "starttime", "endtime")) return undefined;
  if (has("buckets", "id", "datastr") && has("events", "datastr")) return PYTHON_SQLITE_DIALECT;
  if (has("buckets", "id", "name") && has("events", "data"))
    return rustDialect(has("buckets", "data"), has("key_value"));
  return undefined;
}

const BUCKET_FIELDS = "name, type, client, hostname, CAST(created AS TEXT) AS created";

/** aw-server with its default storage. */
function peeweeDialect(hasData: boolean): SqliteDialect {
  return {
    name: "aw-server",
    eventTable: "eventmodel",
    buckets: `SELECT key AS row, id, ${BUCKET_FIELDS}, ${hasData ? "datastr" : "NULL"} AS data FROM bucketmodel`,
    counts:
      "SELECT bucket_id AS bucket, count(*) AS count, min(timestamp) AS first, max(timestamp) AS last " +
      "FROM eventmodel NOT INDEXED GROUP BY bucket_id",
    eventColumns: "timestamp AS start, duration, datastr AS data",
    owner: "bucket_id",
    start: "timestamp",
    portionEnd: "timestamp || ' '",
    portionEndValue: "?",
    settings: undefined,
    settingPrefix: "",
    parseBucket: parseBucketRow,
    parseEvent({ start, duration, data }) {
      const timestamp = parseStoredTimestamp(start);
      const text = jsonObjectText(data);
      const seconds = Number(duration ?? 0);
      if (timestamp === undefined || text === undefined || !Number.isFinite(seconds)) return undefined;
      return { timestamp: cutToMillis(timestamp), duration: pythonMicros(seconds), data: text };
    },
    parseStart: parseStoredTimestamp,
  };
}

/** A double cannot represent all of these numbers, so they are passed as strings. */
const NUMERIC_START = {
  start: "starttime",
  portionEnd: "CAST(CAST(starttime AS INTEGER) + 1 AS TEXT)",
  portionEndValue: "CAST(? AS INTEGER)",
} as const;

/** aw-server with `--storage sqlite`: microseconds, as floats if Python computed them that way. */
const PYTHON_SQLITE_DIALECT: SqliteDialect = {
  name: "aw-server, its other storage",
  eventTable: "events",
  buckets: `SELECT rowid AS row, id, ${BUCKET_FIELDS}, datastr AS data FROM buckets`,
  counts:
    "SELECT bucketrow AS bucket, count(*) AS count, min(starttime) AS first, max(starttime) AS last " +
    "FROM events NOT INDEXED GROUP BY bucketrow",
  eventColumns: "starttime AS start, endtime AS end, datastr AS data",
  owner: "bucketrow",
  ...NUMERIC_START,
  settings: undefined,
  settingPrefix: "",
  parseBucket: parseBucketRow,
  parseEvent({ start, end, data }) {
    const text = jsonObjectText(data);
    if (text === undefined || typeof start !== "number" || typeof end !== "number") return undefined;
    const from = pythonMicros(start / 1e6);
    return { timestamp: cutToMillis(from), duration: pythonMicros(end / 1e6) - from, data: text };
  },
  parseStart: (value) => (typeof value === "number" ? cutToMillis(pythonMicros(value / 1e6)) : undefined),
};

/** Nanoseconds of `column` in whole microseconds, rounded down: a double cannot represent the nanoseconds. */
const flooredMicros = (column: string): string => `(${column} - ((${column} % 1000 + 1000) % 1000)) / 1000`;

/** aw-server-rust: nanoseconds. */
function rustDialect(hasData: boolean, hasSettings: boolean): SqliteDialect {
  const data = hasData ? "data" : "NULL";
  return {
    name: "aw-server-rust",
    eventTable: "events",
    // The name is the ID of other servers.
    buckets:
      `SELECT id AS row, name AS id, NULL AS name, type, client, hostname, ` +
      `CAST(created AS TEXT) AS created, ${data} AS data FROM buckets`,
    counts:
      `SELECT bucketrow AS bucket, count(*) AS count, ${flooredMicros("min(starttime)")} AS first, ` +
      `${flooredMicros("max(starttime)")} AS last FROM events NOT INDEXED GROUP BY bucketrow`,
    eventColumns:
      `${flooredMicros("starttime")} AS start, (endtime - starttime) / 1000 AS micros, ` +
      "(endtime - starttime) % 1000 AS nanos, data",
    owner: "bucketrow",
    ...NUMERIC_START,
    settings: hasSettings ? "SELECT key, value FROM key_value WHERE key LIKE 'settings.%'" : undefined,
    settingPrefix: "settings.",
    parseBucket: parseBucketRow,
    parseEvent({ start, micros, nanos, data: given }) {
      const text = jsonObjectText(given);
      if (text === undefined || typeof start !== "number") return undefined;
      if (typeof micros !== "number" || typeof nanos !== "number") return undefined;
      // The server exports seconds, and an importing program rounds them.
      return { timestamp: start, duration: secondsToMicros((micros * 1000 + nanos) / 1e9), data: text };
    },
    parseStart: (value) => (typeof value === "number" ? value : undefined),
  };
}

function parseBucketRow({ row, id, name, type, client, hostname, created, data }: SqlRow): {
  readonly key: number;
  readonly bucket: ForeignBucket;
} {
  const instant = parseStoredTimestamp(created ?? null);
  return {
    key: Number(row),
    bucket: {
      id: text(id),
      type: text(type),
      client: text(client),
      hostname: text(hostname),
      name: typeof name === "string" ? name : null,
      created: instant === undefined ? undefined : serializeTimestamp(instant),
      data: jsonObjectText(data) ?? "{}",
    },
  };
}

function text(value: SqlValue | undefined): string {
  return value === null || value === undefined ? "unknown" : String(value);
}

function parseStoredTimestamp(value: SqlValue | undefined): Micros | undefined {
  return typeof value === "string" && value.length < 64 ? parseTimestamp(value) : undefined;
}

/** Strings that are known to be JSON objects: many events have the same. */
let checked: Set<string> = new Set();
const MAX_CHECKED = 5000;

/** @returns the string of a JSON object; `undefined` for all other values, such as the `NaN` that Python writes */
function jsonObjectText(value: SqlValue | undefined): string | undefined {
  const given = value instanceof Uint8Array ? new TextDecoder().decode(value) : value;
  if (given === null || given === undefined || given === "null") return "{}";
  if (typeof given !== "string") return undefined;
  if (checked.has(given)) return given;
  try {
    if (!isJsonObject(JSON.parse(given))) return undefined;
  } catch {
    return undefined;
  }
  if (checked.size >= MAX_CHECKED) checked = new Set();
  checked.add(given);
  return given;
}

/** The settings in rows of `settings`; skips a value that is not JSON. */
export function parseSettings(rows: Iterable<SqlRow>, prefix: string): Map<string, JsonValue> {
  const settings = new Map<string, JsonValue>();
  for (const { key, value } of rows) {
    if (typeof key !== "string" || typeof value !== "string") continue;
    try {
      settings.set(key.slice(prefix.length), JSON.parse(value) as JsonValue);
    } catch {
      // The other server could not use it either.
    }
  }
  return settings;
}
