import type { Database } from "./database.js";
import { type PostgresClient, runStatement } from "./pool.js";

const GENERATION = 'select n.incarnation from :"schema".namespaces n where n.namespace = $1';
const BEGIN_LANE = 'select :"schema".begin_lane($1, $2, $3, $4)';

/**
 * The number that distinguishes a namespace from later ones of the same name. The first connection that finds the
 * namespace reads it, and each new lane of writes sends it. So an open storage never writes to a namespace that was
 * deleted and created again.
 */
export class NamespaceGeneration {
  readonly #namespace: string;
  #known: string | null = null;

  constructor(namespace: string) {
    this.#namespace = namespace;
  }

  get isKnown(): boolean {
    return this.#known !== null;
  }

  async read(client: PostgresClient, database: Database, limitMillis: number): Promise<void> {
    const [row] = await runStatement(client, database.withSchema(GENERATION), [this.#namespace], limitMillis);
    this.#known ??= row?.[0] ?? null;
  }

  /** Starts a lane of writes, and creates a missing namespace. @throws error for which `isDeleted` is true */
  async startLane(client: PostgresClient, database: Database, node: string, lane: number): Promise<void> {
    const args = [this.#namespace, node, String(lane), this.#known];
    const [row] = await runStatement(client, database.withSchema(BEGIN_LANE), args);
    this.#known ??= row?.[0] ?? null;
  }
}
