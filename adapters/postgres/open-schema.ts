import { ActivityError, errorCode, hasCode, isModuleMissing, messageOf, quote } from "../../src/errors.js";
import { Database } from "./database.js";
import { toStorageError } from "./failures.js";
import { MIGRATIONS, PREPARATION } from "./migrations.js";
import { FULL_SCAN_MILLIS, type PostgresClient, type PostgresPool, runStatement } from "./pool.js";

/** Oldest supported server. */
const MIN_SERVER_VERSION = 130_000;
/** Permanent errors: access, missing database, missing rights, read-only. */
const UNUSABLE_CODE = /^(?:28\w{3}|3D000|42501|0A000)$/;

/** Openings of each pool, by schema: the storages of many namespaces share them. */
const openings = new WeakMap<PostgresPool, Map<string, Promise<void>>>();

/**
 * Creates or migrates the tables of a schema, once for each pool. The next call tries a failed opening again.
 *
 * @throws ActivityError `STORAGE_TOO_NEW`, `STORAGE_UNUSABLE`, `STORAGE_FAILED`
 */
export function openSchema(pool: PostgresPool, schema: string): Promise<void> {
  const known = openings.get(pool) ?? new Map<string, Promise<void>>();
  openings.set(pool, known);
  let opening = known.get(schema);
  if (opening === undefined) {
    opening = migrateSchema(pool, schema).then(
      () => undefined,
      (error: unknown) => {
        known.delete(schema);
        throw error;
      },
    );
    known.set(schema, opening);
  }
  return opening;
}

/** Numbers of applied migrations. */
export interface Migrated {
  /** Before the call; 0 for an empty database. */
  readonly from: number;
  /** After the call. */
  readonly to: number;
}

/** Creates the tables of a schema, or applies missing migrations. @throws ActivityError like `openSchema` */
export async function migrateSchema(pool: PostgresPool, schema: string): Promise<Migrated> {
  const database = new Database(async () => pool, schema);
  try {
    return await database.retry(async (client) => {
      await checkServer(client);
      const from = await readVersion(client, database);
      if (from < MIGRATIONS.length) await applyMissing(client, database, schema, from);
      return { from, to: MIGRATIONS.length };
    });
  } catch (error) {
    throw hasCode(error, "STORAGE_UNUSABLE") ? error : (toUnusableError((error as Error).cause) ?? error);
  }
}

/** @throws ActivityError `STORAGE_UNUSABLE` if this role may not change tables */
async function applyMissing(client: PostgresClient, database: Database, schema: string, from: number): Promise<void> {
  try {
    await applyMigrations(client, database, schema);
  } catch (error) {
    if (errorCode(error) !== "42501") throw error;
    const missing = from + 1 === MIGRATIONS.length ? `${from + 1}` : `${from + 1} to ${MIGRATIONS.length}`;
    const message =
      `schema ${quote(schema)} lacks migration ${missing}, and this database role must not apply it ` +
      `(${messageOf(error)}); run activity-server migrate as a role that owns the tables`;
    throw new ActivityError("STORAGE_UNUSABLE", message, { cause: error });
  }
}

function toUnusableError(error: unknown): ActivityError | undefined {
  if (!UNUSABLE_CODE.test(errorCode(error))) return undefined;
  const message = `the database cannot be used: ${(error as Error).message}`;
  return new ActivityError("STORAGE_UNUSABLE", message, { cause: error });
}

async function checkServer(client: PostgresClient): Promise<void> {
  const settings = "select current_setting('server_version_num'), current_setting('server_encoding')";
  const [[version, encoding] = []] = await runStatement(client, settings, []);
  if (Number(version) < MIN_SERVER_VERSION) {
    throw new ActivityError("STORAGE_UNUSABLE", "the database must be PostgreSQL 13 or newer");
  }
  if (encoding !== "UTF8") {
    throw new ActivityError("STORAGE_UNUSABLE", `the encoding of the database must be UTF8, got ${encoding}`);
  }
}

/** The number of applied migrations. @throws ActivityError `STORAGE_TOO_NEW` for tables of a later version */
async function readVersion(client: PostgresClient, database: Database): Promise<number> {
  const [[table] = []] = await runStatement(client, "select to_regclass($1)::text", [`${database.schema}.migrations`]);
  if (table === null || table === undefined) return 0;
  const [[version] = []] = await runStatement(
    client,
    database.withSchema('select max(version) from :"schema".migrations'),
    [],
  );
  if (Number(version) <= MIGRATIONS.length) return Number(version);
  throw new ActivityError(
    "STORAGE_TOO_NEW",
    `a later version of activity-server made these tables (${version}); this one knows up to ${MIGRATIONS.length}`,
  );
}

/** Applies missing migrations in one transaction. A second node waits, and finds them applied. */
async function applyMigrations(client: PostgresClient, database: Database, schema: string): Promise<void> {
  await runStatement(client, "begin isolation level read committed");
  const lock = "select pg_advisory_xact_lock(hashtextextended($1, 0))";
  await runStatement(client, lock, [`activity-server ${schema}`], FULL_SCAN_MILLIS);
  const [[isThere] = []] = await runStatement(client, "select to_regnamespace($1)::text", [database.schema]);
  if (isThere === null) await runStatement(client, database.withSchema('create schema if not exists :"schema"'));
  await runStatement(client, database.withSchema(PREPARATION), undefined);
  for (let version = await readVersion(client, database); version < MIGRATIONS.length; version++) {
    await runStatement(client, database.withSchema(MIGRATIONS[version] as string), undefined, FULL_SCAN_MILLIS);
    await runStatement(client, database.withSchema('insert into :"schema".migrations (version) values ($1)'), [
      version + 1,
    ]);
  }
  await runStatement(client, "commit");
}

/** The error of a pool that cannot be created. */
export function toPoolError(error: unknown): ActivityError {
  if (!isModuleMissing(error)) return toStorageError(error, "try again");
  return new ActivityError("STORAGE_UNUSABLE", `the package ${quote("pg")} is not installed`, { cause: error });
}
