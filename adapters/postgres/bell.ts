import { Database, pause } from "./database.js";
import { hashOf } from "./forms.js";
import { Listening, listenersOf } from "./listening.js";
import { type PostgresPool, rowsOf } from "./pool.js";

/** Between two rings. */
const RING_MILLIS = 50;
/** How long what was found out about listeners is believed, in milliseconds. */
const BELIEVED_MILLIS = 5_000;
/** How long a ring waits for a connection: a late one is worth no more than a look of the reader's own. */
const PATIENCE_MILLIS = 2_000;
/** A payload has room for 8,000 bytes. */
const MOST_NAMES = 400;
const EVERYBODY = "*";

/** A transaction of its own, which waits for no disk. */
const RING = "select set_config('synchronous_commit', 'off', true), pg_notify($1, $2)";
const HEARD = `select count(*) from pg_stat_activity where datname = current_database() and application_name = $1`;

/**
 * Wakes readers of changes on other nodes up behind a write. One for each pool and schema: it names the namespaces that
 * were written to since the last ring, at most once in 50 ms, never within a transaction that writes, and only while
 * somebody listens. A ring may be lost: readers also look by themselves.
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

  /** Whether readers need not look by themselves: it hears, and all nodes have found out. */
  get isReliable(): boolean {
    const since = this.#listening?.hearingSince;
    return since !== undefined && performance.now() - since > 2 * BELIEVED_MILLIS;
  }

  /** Tells readers of a namespace that something was written, soon. */
  ring(namespace: string): void {
    const name = nameOf(namespace);
    // Readers of this process need no database to be woken up.
    if (this.#listeners.size > 0) this.#wake(name);
    if (!this.#isHeard && performance.now() - this.#askedAt < BELIEVED_MILLIS) return;
    this.#waiting.add(name);
    this.#ringing ??= this.#ringSoon().finally(() => {
      this.#ringing = undefined;
    });
  }

  /**
   * Calls back when somebody rang for a namespace, and when it begins or ceases to hear.
   *
   * @returns ends that; with the last one the connection goes
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

  /** Rings at once for what waits, and resolves when nothing is under way that was begun or ended before. */
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
      // Without a database there is nobody to wake; who comes back looks first.
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

/** That of a pool and a schema, shared by all storages on them. */
export function bellOf(pool: PostgresPool, schema: string): Bell {
  const known = bells.get(pool) ?? new Map<string, Bell>();
  bells.set(pool, known);
  const bell = known.get(schema) ?? new Bell(pool, schema);
  known.set(schema, bell);
  return bell;
}
