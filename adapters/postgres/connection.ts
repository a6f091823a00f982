import { storageClosed } from "../../src/errors.js";
import type { Logger } from "../../src/logger.js";
import { ignoreErrors, MAX_WAIT_MILLIS } from "./database.js";
import { openSchema, toPoolError } from "./open-schema.js";
import type { OwnPool, PostgresPool } from "./pool.js";
import { reachabilityOf } from "./reachability.js";

/** Pools that already have our error listener. */
const listened = new WeakSet<PostgresPool>();

/** The pool of a storage: the embedder's, or its own, which the first call creates. */
export class Connection {
  readonly #source: PostgresPool | { readonly connectionString: string; readonly max: number };
  #logger: Logger | undefined;
  #own: Promise<OwnPool> | undefined;
  /** The pool, once it exists. */
  #pool: PostgresPool | undefined;
  #closing: Promise<void> | undefined;

  constructor(source: PostgresPool | { readonly connectionString: string; readonly max: number }, logger?: Logger) {
    this.#source = source;
    this.#logger = logger;
  }

  useLogger(logger: Logger): void {
    this.#logger ??= logger;
    if (this.#pool !== undefined) reachabilityOf(this.#pool).useLogger(this.#logger);
  }

  /** The pool, once its tables exist. @throws ActivityError if they cannot be opened */
  async openPool(schema: string): Promise<PostgresPool> {
    if (this.#closing !== undefined && this.#own === undefined && "connectionString" in this.#source)
      throw storageClosed();
    const pool = await this.pool();
    await openSchema(pool, schema);
    return pool;
  }

  /** Ends its own pool. An embedder's pool stays open. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    const pool = await this.#own?.catch(() => undefined);
    await pool?.end();
  }

  /** The pool, whether its tables exist or not. */
  async pool(): Promise<PostgresPool> {
    if (!("connectionString" in this.#source)) {
      this.#addListeners(this.#source);
      return this.#source;
    }
    this.#own ??= this.#createPool(this.#source).catch((error: unknown) => {
      this.#own = undefined;
      throw toPoolError(error);
    });
    return this.#own;
  }

  async #createPool(source: { readonly connectionString: string; readonly max: number }): Promise<OwnPool> {
    const { default: pg } = await import("pg");
    const pool = new pg.Pool({
      ...source,
      connectionTimeoutMillis: MAX_WAIT_MILLIS,
      keepAlive: true,
      application_name: "activity-server",
    });
    this.#addListeners(pool);
    return pool;
  }

  /** Without a listener for errors, a lost idle connection would end the process. The pool opens another one. */
  #addListeners(pool: PostgresPool): void {
    this.#pool = pool;
    if (this.#logger !== undefined) reachabilityOf(pool).useLogger(this.#logger);
    if (listened.has(pool)) return;
    listened.add(pool);
    pool.on("connect", ignoreErrors);
    pool.on("error", (error) => this.#logger?.warn(`lost an idle database connection: ${error.message}`));
  }
}
