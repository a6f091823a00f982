import type { Logger } from "../../src/logger.js";
import type { StorageHealth } from "../../src/storage/health.js";
import { lossOf } from "./failures.js";
import type { PostgresPool } from "./pool.js";

/** Records whether the calls of one pool reach the database, and logs changes. */
export class Contact {
  #logger: Logger | undefined;
  #lastFailure: StorageHealth["lastFailure"];
  #isLost = false;

  /** Sets the logger, unless there is one: the storages of many namespaces share a pool. */
  useLogger(logger: Logger): void {
    this.#logger ??= logger;
  }

  get lastFailure(): StorageHealth["lastFailure"] {
    return this.#lastFailure;
  }

  /** Records a failed call. Logs only the first one until the database is reached again. */
  lost(error: unknown): void {
    const message = `the database cannot be reached (${lossOf(error)})`;
    this.#lastFailure = { at: Date.now(), message };
    if (!this.#isLost) this.#logger?.warn(message);
    this.#isLost = true;
  }

  /** Records a successful call. */
  reached(): void {
    if (!this.#isLost) return;
    this.#isLost = false;
    this.#logger?.info("the database can be reached again");
  }
}

const contacts = new WeakMap<PostgresPool, Contact>();

/** The state of a pool, shared by all its storages. */
export function contactOf(pool: PostgresPool): Contact {
  const known = contacts.get(pool) ?? new Contact();
  contacts.set(pool, known);
  return known;
}
