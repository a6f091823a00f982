import pg from "pg";
import { postgres } from "../../adapters/postgres/index.js";
import { type PostgresServer, startPostgres } from "./server.js";

/** The database that others are copied from. */
const WITH_TABLES = "with_tables";

/** One for all files of a process: to start it and to make the tables takes longer than most tests. */
let shared: Promise<PostgresServer | undefined> | undefined;
let count = 0;

/**
 * Makes a database with empty tables, on a server that ends with this process.
 *
 * @returns for `connectionString`; `undefined` where there is no PostgreSQL, as a line has said
 */
export async function newDatabase(): Promise<string | undefined> {
  shared ??= startShared();
  const server = await shared;
  if (server === undefined) return undefined;
  const name = `test_${++count}`;
  await createDatabase(server, `${name} template ${WITH_TABLES}`);
  return urlOf(server, name);
}

async function startShared(): Promise<PostgresServer | undefined> {
  const server = await startPostgres();
  if (server === undefined) return undefined;
  server.unref();
  await createDatabase(server, WITH_TABLES);
  const storage = postgres({ connectionString: urlOf(server, WITH_TABLES) });
  await storage.ready?.();
  await storage.close();
  return server;
}

async function createDatabase({ url }: PostgresServer, words: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create database ${words}`);
  await client.end();
}

function urlOf({ url }: PostgresServer, database: string): string {
  return url.replace("/postgres?", `/${database}?`);
}
