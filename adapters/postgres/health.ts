import type { StorageHealth } from "../../src/storage/health.js";
import { type Database, MAX_WAIT_MILLIS } from "./database.js";
import { isBusy, NoConnection } from "./failures.js";
import { runStatement } from "./pool.js";

/** How long the database may take to respond, in milliseconds. Monitoring tools wait no longer. */
const PROBE_MILLIS = Math.min(2_000, MAX_WAIT_MILLIS);

const PROBE = "select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on'";

/** Tests whether the database responds; concurrent calls share a result. */
export function createHealthCheck(database: Database): () => Promise<StorageHealth> {
  let running: Promise<StorageHealth> | undefined;
  return () => {
    running ??= probe(database).finally(() => {
      running = undefined;
    });
    return running;
  };
}

async function probe(database: Database): Promise<StorageHealth> {
  let refusal: string | undefined;
  let state: StorageHealth["state"] = "ok";
  try {
    const deadline = Date.now() + PROBE_MILLIS;
    const [row] = await database.withConnection(deadline, (client) => runStatement(client, PROBE, [], PROBE_MILLIS));
    if (row?.[0] === "t") [state, refusal] = ["read-only", "the database rejects writes: it is a standby or read-only"];
  } catch (error) {
    const cause = error instanceof NoConnection ? error.cause : error;
    const isFree = !isBusy(cause);
    [state, refusal] = [
      "degraded",
      isFree ? "the database cannot be reached" : "all connections of the pool are in use",
    ];
  }
  const lastFailure = await database.lastFailure();
  return {
    state,
    problems: [],
    ...(refusal === undefined ? {} : { refusal }),
    ...(lastFailure === undefined ? {} : { lastFailure }),
  };
}
