// PostgreSQL, for any number of nodes on one database: rows, and functions that write them.

import type { Logger } from "../../src/logger.js";
import { checkDurability, refuseUnknownOptions } from "../../src/storage/adapter-options.js";
import type { DestroyableStorage } from "../../src/storage/storage.js";
import { Connection } from "./connection.js";
import { type Migrated, migrateSchema } from "./open-schema.js";
import type { PostgresPool } from "./pool.js";
import { createStorage } from "./storage.js";

export type { Migrated } from "./open-schema.js";
export type { PostgresClient, PostgresPool, PostgresQuery } from "./pool.js";

/** Options for both ways to connect. */
export interface PostgresCommonOptions {
  /**
   * The owner of these data. Namespaces share tables but no data; all nodes with one namespace serve the same data. Any
   * string of up to 200 characters. @default "default"
   */
  readonly namespace?: string | undefined;
  /** The database schema of the tables. Created if it is missing. @default "activity_server" */
  readonly schema?: string | undefined;
  /**
   * What an acknowledged write survives. `power-loss`: the server has forced it to its disk, and to its synchronous
   * standbys if it has any (`synchronous_commit = on`). `process-crash`: a crash of this process, but not of the
   * database, which may then lose acknowledged writes of the last half second (`synchronous_commit = off`).
   * @default "power-loss"
   */
  readonly durability?: "process-crash" | "power-loss" | undefined;
  /**
   * How often readers of `changes` poll the database if they cannot listen to it, for example through a transaction
   * pooler. In milliseconds, at least 100. @default 2000
   */
  readonly pollMillis?: number | undefined;
  /** Where to report lost connections. @default the logger of the server that uses the storage */
  readonly logger?: Logger | undefined;
}

/** Your own pool, shared by any number of storages. */
export interface PostgresPoolOptions extends PostgresCommonOptions {
  /** The result of `new pg.Pool()` of the package pg, with at least two connections. It stays open. */
  readonly pool: PostgresPool;
  readonly connectionString?: undefined;
  readonly max?: undefined;
}

/** A pool for this storage. */
export interface PostgresUrlOptions extends PostgresCommonOptions {
  /** `postgres://user:password@host:5432/database?sslmode=verify-full`; the package pg reads it. */
  readonly connectionString: string;
  /** Maximum connections of this storage. @default 10 */
  readonly max?: number | undefined;
  readonly pool?: undefined;
}

const NAMES = new Set(["pool", "connectionString", "max", "namespace", "schema", "durability", "pollMillis", "logger"]);
const SOURCES = "pass either connectionString (a database URL) or pool (a pool of the package pg)";
const MIGRATE_NAMES = new Set(["schema"]);
const DEFAULT_SCHEMA = "activity_server";
const DEFAULT_MAX = 10;
const DEFAULT_POLL_MILLIS = 2_000;

/**
 * Creates a storage in PostgreSQL 13 or newer. `ready()` or the first call opens it, and creates or migrates its
 * tables. Any number of processes may use the same data at once. See docs/guides/storage-postgres.md.
 *
 * Opening throws an ActivityError: `STORAGE_TOO_NEW` for tables of a later version, `STORAGE_UNUSABLE` if the database
 * denies access or has another encoding than UTF8, `STORAGE_FAILED` if it is unreachable for five seconds.
 *
 * @throws TypeError for invalid options
 */
export function postgres(options: PostgresPoolOptions | PostgresUrlOptions): DestroyableStorage {
  checkOptions(options);
  const { namespace = "default", schema = DEFAULT_SCHEMA, durability = "power-loss", logger } = options;
  const { pool, connectionString, max = DEFAULT_MAX, pollMillis = DEFAULT_POLL_MILLIS } = options;
  const connection = new Connection(pool ?? { connectionString: connectionString as string, max }, logger);
  return createStorage({ connection, schema, namespace, durability, pollMillis });
}

/**
 * Deletes all data of a namespace permanently, like `destroy()` of its storage. Nodes that have it open reject all
 * later writes. Other namespaces stay. Does nothing if the namespace does not exist.
 *
 * @throws TypeError for invalid options; ActivityError like opening a `postgres` storage
 */
export async function deleteNamespace(
  options: (PostgresPoolOptions | PostgresUrlOptions) & { readonly namespace: string },
): Promise<void> {
  if (options?.namespace === undefined) throw new TypeError("deleteNamespace needs the option namespace");
  const storage = postgres(options);
  try {
    await storage.destroy();
  } finally {
    await storage.close();
  }
}

/**
 * Creates the tables of a schema, or applies the missing migrations, in one transaction. Call it with a role that may
 * change tables: the role of the servers then only needs to read and write rows
 * (docs/guides/storage-postgres.md#roles).
 *
 * @param database the result of `new pg.Pool()` of the package pg, which stays open, or the URL of a database
 * @throws TypeError for invalid options; ActivityError `STORAGE_TOO_NEW`, `STORAGE_UNUSABLE`, `STORAGE_FAILED`
 */
export async function migrate(
  database: PostgresPool | Pick<PostgresUrlOptions, "connectionString">,
  options: Pick<PostgresCommonOptions, "schema"> = {},
): Promise<Migrated> {
  refuseUnknownOptions("migrate", options, MIGRATE_NAMES);
  const { schema = DEFAULT_SCHEMA } = options;
  const isPool = !("connectionString" in database);
  checkOptions(isPool ? { pool: database, schema } : { ...database, schema });
  const connection = new Connection(isPool ? database : { ...database, max: 2 });
  try {
    return await migrateSchema(await connection.pool(), schema);
  } finally {
    await connection.close();
  }
}

function checkOptions(options: PostgresPoolOptions | PostgresUrlOptions): void {
  if (typeof options !== "object" || options === null) throw new TypeError(`postgres needs options; ${SOURCES}`);
  refuseUnknownOptions("postgres", options, NAMES);
  const { pool, connectionString, max, namespace, schema, durability, pollMillis } = options;
  if ((pool === undefined) === (connectionString === undefined)) {
    throw new TypeError(`postgres needs one database, got ${pool === undefined ? "none" : "two"}; ${SOURCES}`);
  }
  if (pool !== undefined && typeof (pool as Partial<PostgresPool> | null)?.connect !== "function") {
    throw new TypeError("pool must be a pg.Pool; pass the result of new pg.Pool() of the package pg");
  }
  if (pool?.options?.max !== undefined && pool.options.max < 2) {
    throw new TypeError(`pool must allow at least 2 connections, got max ${pool.options.max}`);
  }
  if (connectionString !== undefined && (typeof connectionString !== "string" || connectionString === "")) {
    // The value is not shown, because it may contain a password.
    throw new TypeError("connectionString must be a database URL, got an empty or invalid value");
  }
  if (max !== undefined && pool !== undefined) {
    throw new TypeError("max cannot be combined with pool; set it in the options of the pool");
  }
  if (max !== undefined && (!Number.isInteger(max) || max < 2)) {
    throw new TypeError(`max must be an integer of at least 2, got ${String(max)}`);
  }
  if (namespace !== undefined && !isName(namespace, 200)) {
    throw new TypeError(`namespace must be a string of 1 to 200 characters, got ${JSON.stringify(namespace)}`);
  }
  if (schema !== undefined && (!isName(schema, 63) || Buffer.byteLength(schema) > 63)) {
    throw new TypeError(`schema must be a string of 1 to 63 bytes, got ${JSON.stringify(schema)}`);
  }
  // These quotes would end the function bodies in the migrations.
  if (schema !== undefined && /\$(id)?\$/.test(schema)) {
    throw new TypeError(`schema must not contain $$ or $id$, got ${JSON.stringify(schema)}`);
  }
  if (pollMillis !== undefined && !(pollMillis >= 100 && pollMillis < 2 ** 31)) {
    throw new TypeError(`pollMillis must be at least 100 and less than 2147483648, got ${String(pollMillis)}`);
  }
  checkDurability(durability);
}

/** Whether PostgreSQL can store a string of at most this length. */
function isName(name: unknown, longest: number): boolean {
  if (typeof name !== "string" || name === "" || name.length > longest) return false;
  return name.isWellFormed() && !name.includes("\0");
}
