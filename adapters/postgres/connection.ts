import { storageClosed } from "../../src/errors.js";
import type { Logger } from "../../src/logger.js";
import { contactOf } from "./contact.js";
import { hear, PATIENCE_MILLIS } from "./database.js";
import { openSchema, unusablePool } from "./opening.js";
import type { OwnPool, PostgresPool } from "./pool.js";

/** Pools that already have our error listener. */
const heard = new WeakSet<PostgresPool>();

/** The pool of a storage: the embedder's, or its own, which the first call creates. */
export class Connection {
  readonly #source: PostgresPool | { readonly connectionString: string; readonly max: number };
  #logger: Logger | undefined;
  #own: Promise<OwnPool> | undefined;
  /** The pool, once it exists. */
  #known: PostgresPool | undefined;
  #closing: Promise<void> | undefined;

  constructor(source: PostgresPool | { readonly connectionString: string; readonly max: number }, logger?: Logger) {
    this.#source = source;
    this.#logger = logger;
  }

  useLogger(logger: Logger): void {
    this.#logger ??= logger;
    if (this.#known !== undefined) contactOf(this.#known).useLogger(this.#logger);
  }

  /** The pool, once its tables exist. @throws ActivityError if they cannot be opened */
  async opened(schema: string): Promise<PostgresPool> {
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
      this.#listen(this.#source);
      return this.#source;
    }
    this.#own ??= this.#make(this.#source).catch((error: unknown) => {
      this.#own = undefined;
      throw unusablePool(error);
    });
    return this.#own;
  }

  async #make(source: { readonly connectionString: string; readonly max: number }): Promise<OwnPool> {
    const { default: pg } = await import("pg");
    const pool = new pg.Pool({
      ...source,
      connectionTimeoutMillis: PATIENCE_MILLIS,
      keepAlive: true,
      application_name: "activity-server",
    });
    this.#listen(pool);
    return pool;
  }

  /** Without a listener for errors, a lost idle connection would end the process. The pool opens another one. */
  #listen(pool: PostgresPool): void {
    this.#known = pool;
    if (this.#logger !== undefined) contactOf(pool).useLogger(this.#logger);
    if (heard.has(pool)) return;
    heard.add(pool);
    pool.on("connect", hear);
    pool.on("error", (error) => this.#logger?.warn(`lost an idle database connection: ${error.message}`));
  }
}
