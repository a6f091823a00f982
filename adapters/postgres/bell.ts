import { Database, pause } from "./database.js";
import { hashOf } from "./forms.js";
import { Listening, listenersOf } from "./listening.js";
import { type PostgresPool, rowsOf } from "./pool.js";

/** Shortest interval between two notifications. */
const RING_MILLIS = 50;
/** How long to assume that there still are listeners, or none, in milliseconds. */
const BELIEVED_MILLIS = 5_000;
/** How long a notification waits for a connection. A later one is no better than the reader's own poll. */
const PATIENCE_MILLIS = 2_000;
/** A payload has room for 8,000 bytes. */
const MOST_NAMES = 400;
const EVERYBODY = "*";

/** A separate transaction that does not wait for the disk. */
const RING = "select set_config('synchronous_commit', 'off', true), pg_notify($1, $2)";
const HEARD = `select count(*) from pg_stat_activity where datname = current_database() and application_name = $1`;

/**
 * Wakes up readers of changes on other nodes after a write. Each pool and schema has one. A notification names the
 * namespaces with writes since the last one. It is sent at most once in 50 ms, never within a writing transaction, and
 * only while some node listens. Notifications may be lost: readers also poll.
 */
export class Bell {
  readonly #pool: PostgresPool;
  readonly #database: Database;
  readonly #channel: string;
  readonly #waiting: Set<string> = new Set();
  readonly #listeners: Map<string, Set<() => void>> = new Map();
  #ringing: Promise<void> | undefined;
  #hurry: () => void = () => {};
  #isHurried = false;
  #lastRing = 0;
  #askedAt = Number.NEGATIVE_INFINITY;
  #isHeard = false;
  #listening: Listening | undefined;
  #ending: Promise<void> = Promise.resolve();

  constructor(pool: PostgresPool, schema: string) {
    this.#pool = pool;
    this.#database = new Database(async () => pool, schema);
    this.#channel = `activity_server_${hashOf(schema).slice(0, 12)}`;
  }

  /** Whether readers need not poll: notifications arrive, and all nodes have noticed that this one listens. */
  get isReliable(): boolean {
    const since = this.#listening?.hearingSince;
    return since !== undefined && performance.now() - since > 2 * BELIEVED_MILLIS;
  }

  /** Notifies readers of a namespace about a write, soon. */
  ring(namespace: string): void {
    const name = nameOf(namespace);
    // Readers of this process are woken up without the database.
    if (this.#listeners.size > 0) this.#wake(name);
    if (!this.#isHeard && performance.now() - this.#askedAt < BELIEVED_MILLIS) return;
    this.#waiting.add(name);
    this.#ringing ??= this.#ringSoon().finally(() => {
      this.#ringing = undefined;
    });
  }

  /**
   * Calls back after a write to a namespace, and when notifications start or stop arriving.
   *
   * @returns stops listening; the last call closes the connection
   */
  listen(namespace: string, wake: () => void): () => void {
    const name = nameOf(namespace);
    const own = (): void => wake();
    const wakes = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, wakes.add(own));
    this.#listening ??= this.#startListening();
    return () => {
      wakes.delete(own);
      if (wakes.size === 0 && this.#listeners.get(name) === wakes) this.#listeners.delete(name);
      if (this.#listeners.size === 0) this.#stopListening();
    };
  }

  /** Sends pending notifications at once. Resolves when they are sent and stopped listeners are closed. */
  async settled(): Promise<void> {
    this.#isHurried = true;
    this.#hurry();
    await this.#ringing;
    this.#isHurried = false;
    await this.#ending;
  }

  async #ringSoon(): Promise<void> {
    while (this.#waiting.size > 0) {
      const left = this.#lastRing + RING_MILLIS - performance.now();
      if (left > 0 && !this.#isHurried) await Promise.race([pause(left), this.#hurried()]);
      this.#lastRing = performance.now();
      const names = [...this.#waiting];
      this.#waiting.clear();
      // Without a database there are no readers to wake; after a reconnect they poll first.
      await this.#send(names.length > MOST_NAMES ? EVERYBODY : names.join(" ")).catch(() => undefined);
    }
  }

  #hurried(): Promise<void> {
    return new Promise((resolve) => {
      this.#hurry = resolve;
    });
  }

  async #send(payload: string): Promise<void> {
    await this.#database.with(Date.now() + PATIENCE_MILLIS, async (client) => {
      if (performance.now() - this.#askedAt >= BELIEVED_MILLIS) {
        const [[count] = []] = await rowsOf(client, HEARD, [this.#channel]);
        this.#isHeard = count !== "0";
        this.#askedAt = performance.now();
      }
      if (this.#isHeard) await rowsOf(client, RING, [this.#channel, payload]);
    });
  }

  #startListening(): Listening | undefined {
    const makeClient = listenersOf(this.#pool);
    if (makeClient === undefined) return undefined;
    return new Listening({
      makeClient,
      channel: this.#channel,
      notify: async (payload) => {
        const deadline = Date.now() + PATIENCE_MILLIS;
        await this.#database.with(deadline, (client) => rowsOf(client, RING, [this.#channel, payload]));
      },
      onNotified: (payload) => this.#wake(payload),
      onTurn: () => this.#wake(EVERYBODY),
    });
  }

  #stopListening(): void {
    const stopping = this.#listening?.stop();
    this.#listening = undefined;
    this.#ending = Promise.all([this.#ending, stopping]).then(() => undefined);
  }

  #wake(payload: string): void {
    const names = payload === EVERYBODY ? [...this.#listeners.keys()] : payload.split(" ");
    for (const name of names) for (const wake of this.#listeners.get(name) ?? []) wake();
  }
}

function nameOf(namespace: string): string {
  return hashOf(namespace).slice(0, 12);
}

const bells = new WeakMap<PostgresPool, Map<string, Bell>>();

/** The notifier of a pool and a schema, shared by all their storages. */
export function bellOf(pool: PostgresPool, schema: string): Bell {
  const known = bells.get(pool) ?? new Map<string, Bell>();
  bells.set(pool, known);
  const bell = known.get(schema) ?? new Bell(pool, schema);
  known.set(schema, bell);
  return bell;
}
