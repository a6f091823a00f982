import type { Pool, PoolClient } from "pg";

/** What befalls the next statements: the answer is lost, the statement is, or everything is. */
export type Fate = "answer" | "statement" | "all" | "unready" | undefined;

/** As the storage gives it. */
export interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/** A pool whose statements fail as they are told. */
export function unlucky(pool: Pool, fateOf: (text: string, config: Statement) => Fate): Pool {
  const lost = (): Error => Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
  return new Proxy(pool, {
    get(target, name) {
      if (name !== "connect") return Reflect.get(target, name, target);
      return async () => {
        const client: PoolClient = await target.connect();
        const query = client.query.bind(client) as (config: Statement) => Promise<unknown>;
        const faked = async (config: Statement): Promise<unknown> => {
          const fate = fateOf(config.text, config);
          if (fate === "statement" || fate === "all") throw lost();
          if (fate === "unready") throw Object.assign(new Error("starting up"), { code: "57P03" });
          const result = await query(config);
          if (fate === "answer") throw lost();
          return result;
        };
        return new Proxy(client, {
          get: (owner, key) => (key === "query" ? faked : bound(owner, Reflect.get(owner, key, owner))),
        });
      };
    },
  });
}

export function bound(owner: object, value: unknown): unknown {
  return typeof value === "function" ? value.bind(owner) : value;
}
