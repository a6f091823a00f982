import type { Database } from "./database.js";
import { type PostgresClient, rowsOf } from "./pool.js";

const LOOK = 'select n.incarnation from :"schema".namespaces n where n.namespace = $1';
const BEGIN_LANE = 'select :"schema".begin_lane($1, $2, $3, $4)';

/**
 * Tells a namespace from a later one of the same name. A storage learns it from the first connection that finds the
 * namespace, and each lane of its writes shows it: so no write of a storage that was open reaches a deleted namespace.
 */
export class Incarnation {
  readonly #namespace: string;
  #known: string | null = null;

  constructor(namespace: string) {
    this.#namespace = namespace;
  }

  get isKnown(): boolean {
    return this.#known !== null;
  }

  async look(client: PostgresClient, database: Database, limitMillis: number): Promise<void> {
    const [row] = await rowsOf(client, database.named(LOOK), [this.#namespace], limitMillis);
    this.#known ??= row?.[0] ?? null;
  }

  /** Begins a lane of writes, and the namespace if there was none. @throws error for which `isDeleted` is true */
  async beginLane(client: PostgresClient, database: Database, node: string, lane: number): Promise<void> {
    const args = [this.#namespace, node, String(lane), this.#known];
    const [row] = await rowsOf(client, database.named(BEGIN_LANE), args);
    this.#known ??= row?.[0] ?? null;
  }
}
