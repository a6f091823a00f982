import type { StorageHealth } from "../../src/storage/health.js";
import { type Database, PATIENCE_MILLIS } from "./database.js";
import { isBusy, NoConnection } from "./failures.js";
import { rowsOf } from "./pool.js";

/** How long the database may take to respond, in milliseconds. Monitoring tools wait no longer. */
const PROBE_MILLIS = Math.min(2_000, PATIENCE_MILLIS);

const PROBE = "select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on'";

/** Tests whether the database responds; concurrent calls share a result. */
export function healthOf(database: Database): () => Promise<StorageHealth> {
  let asking: Promise<StorageHealth> | undefined;
  return () => {
    asking ??= probe(database).finally(() => {
      asking = undefined;
    });
    return asking;
  };
}

async function probe(database: Database): Promise<StorageHealth> {
  let refusal: string | undefined;
  let state: StorageHealth["state"] = "ok";
  try {
    const deadline = Date.now() + PROBE_MILLIS;
    const [row] = await database.with(deadline, (client) => rowsOf(client, PROBE, [], PROBE_MILLIS));
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
