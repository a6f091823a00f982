import type { Logger } from "../../src/logger.js";
import type { StorageHealth } from "../../src/storage/health.js";
import { describeLoss } from "./failures.js";
import type { PostgresPool } from "./pool.js";

/** Records whether the calls of one pool reach the database, and logs changes. */
export class Reachability {
  #logger: Logger | undefined;
  #lastFailure: StorageHealth["lastFailure"];
  #isUnreachable = false;

  /** Sets the logger, unless there is one: the storages of many namespaces share a pool. */
  useLogger(logger: Logger): void {
    this.#logger ??= logger;
  }

  get lastFailure(): StorageHealth["lastFailure"] {
    return this.#lastFailure;
  }

  /** Records a failed call. Logs only the first one until the database is reached again. */
  recordFailure(error: unknown): void {
    const message = `the database cannot be reached (${describeLoss(error)})`;
    this.#lastFailure = { at: Date.now(), message };
    if (!this.#isUnreachable) this.#logger?.warn(message);
    this.#isUnreachable = true;
  }

  /** Records a successful call. */
  recordSuccess(): void {
    if (!this.#isUnreachable) return;
    this.#isUnreachable = false;
    this.#logger?.info("the database can be reached again");
  }
}

const states = new WeakMap<PostgresPool, Reachability>();

/** The state of a pool, shared by all its storages. */
export function reachabilityOf(pool: PostgresPool): Reachability {
  const known = states.get(pool) ?? new Reachability();
  states.set(pool, known);
  return known;
}
