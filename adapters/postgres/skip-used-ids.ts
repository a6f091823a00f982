import type { Database } from "./database.js";
import { type PostgresClient, runStatement } from "./pool.js";

const HAS_MOVED = 'select :"schema".has_moved()';
/** Read committed: a second node waits, and then sees the result of the first. */
const SKIP_USED_IDS = 'begin isolation level read committed; select :"schema".skip_used_ids(); commit';

/** Schemas of each checked connection. */
const checked = new WeakMap<PostgresClient, Set<string>>();

/** Whether a connection was checked. Restoring or replacing a database closes all connections. */
export function isChecked(client: PostgresClient, schema: string): boolean {
  return checked.get(client)?.has(schema) === true;
}

/**
 * Skips used IDs if the database was restored, or is another server that may lack the last writes. A standby is checked
 * again, because it accepts writes over the same connection once promoted.
 */
export async function skipUsedIds(client: PostgresClient, database: Database, limitMillis: number): Promise<void> {
  const { schema } = database;
  const [[hasMoved] = []] = await runStatement(client, database.withSchema(HAS_MOVED), [], limitMillis);
  if (hasMoved === null) return;
  if (hasMoved === "t") await runStatement(client, database.withSchema(SKIP_USED_IDS), undefined, limitMillis);
  checked.set(client, (checked.get(client) ?? new Set()).add(schema));
}
