import pg from "pg";
import { postgres } from "../../adapters/postgres/index.js";
import type { Storage } from "../../src/storage/storage.js";
import type { ContractOptions } from "../contract/index.js";
import { newDatabase } from "./database.js";

/** A database with a pool, for tests that want a namespace of their own. */
export interface PostgresGround {
  /** For `connectionString`. */
  readonly url: string;
  readonly pool: pg.Pool;
  newNamespace(): string;
  open(namespace: string): Storage;
  /** Each storage in a namespace of its own; a second one on a pool of its own, as another node has it. */
  readonly contract: Required<Pick<ContractOptions, "create" | "reopen" | "second">>;
  finish(): Promise<void>;
}

/** @returns `undefined` where there is no PostgreSQL; a line has said so */
export async function postgresGround(): Promise<PostgresGround | undefined> {
  const url = await newDatabase();
  return url === undefined ? undefined : groundOn(url);
}

/** The same in a database that is there. */
export function groundOn(url: string): PostgresGround {
  const pool = new pg.Pool({ connectionString: url, max: 8 });
  // Tests put pools of their own in front of it.
  pool.setMaxListeners(0);
  const other = new pg.Pool({ connectionString: url, max: 8 });
  const namespaces = new WeakMap<Storage, string>();
  let count = 0;
  const openOn = (on: pg.Pool, namespace: string): Storage => {
    const storage = postgres({ pool: on, namespace });
    namespaces.set(storage, namespace);
    return storage;
  };
  const newNamespace = (): string => `test ${++count}`;
  return {
    url,
    pool,
    newNamespace,
    open: (namespace) => openOn(pool, namespace),
    contract: {
      create: () => openOn(pool, newNamespace()),
      async reopen(storage) {
        await storage.close();
        return openOn(pool, namespaces.get(storage) as string);
      },
      second: (storage) => openOn(other, namespaces.get(storage) as string),
    },
    async finish() {
      await pool.end();
      await other.end();
    },
  };
}
