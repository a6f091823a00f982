import { Database, pause } from "./database.js";
import { hashOf } from "./encoding.js";
import { clientFactoryOf, NotificationListener } from "./notification-listener.js";
import { type PostgresPool, runStatement } from "./pool.js";

/** Shortest interval between two notifications. */
const INTERVAL_MILLIS = 50;
/** How long to assume that there still are listeners, or none, in milliseconds. */
const COUNT_VALID_MILLIS = 5_000;
/** How long a notification waits for a connection. A later one is no better than the reader's own poll. */
const MAX_WAIT_MILLIS = 2_000;
/** A payload has room for 8,000 bytes. */
const MAX_NAMES = 400;
const ALL_NAMESPACES = "*";

/** A separate transaction that does not wait for the disk. */
const NOTIFY = "select set_config('synchronous_commit', 'off', true), pg_notify($1, $2)";
const COUNT_LISTENERS = `
  select count(*) from pg_stat_activity where datname = current_database() and application_name = $1`;

/**
 * Wakes up readers of changes on other nodes after a write. Each pool and schema has one. A notification names the
 * namespaces with writes since the last one. It is sent at most once in 50 ms, never within a writing transaction, and
 * only while some node listens. Notifications may be lost: readers also poll.
 */
export class ChangeNotifier {
  readonly #pool: PostgresPool;
  readonly #database: Database;
  readonly #channel: string;
  readonly #pending: Set<string> = new Set();
  readonly #listeners: Map<string, Set<() => void>> = new Map();
  #sending: Promise<void> | undefined;
  #endPause: () => void = () => {};
  #isFlushing = false;
  #lastSent = 0;
  #countedAt = Number.NEGATIVE_INFINITY;
  #hasListeners = false;
  #listener: NotificationListener | undefined;
  #stopped: Promise<void> = Promise.resolve();

  constructor(pool: PostgresPool, schema: string) {
    this.#pool = pool;
    this.#database = new Database(async () => pool, schema);
    this.#channel = `activity_server_${hashOf(schema).slice(0, 12)}`;
  }

  /** Whether readers need not poll: notifications arrive, and all nodes have noticed that this one listens. */
  get isReliable(): boolean {
    const since = this.#listener?.workingSince;
    return since !== undefined && performance.now() - since > 2 * COUNT_VALID_MILLIS;
  }

  /** Notifies readers of a namespace about a write, soon. */
  notify(namespace: string): void {
    const name = shortHash(namespace);
    // Readers of this process are woken up without the database.
    if (this.#listeners.size > 0) this.#wake(name);
    if (!this.#hasListeners && performance.now() - this.#countedAt < COUNT_VALID_MILLIS) return;
    this.#pending.add(name);
    this.#sending ??= this.#sendPending().finally(() => {
      this.#sending = undefined;
    });
  }

  /**
   * Calls back after a write to a namespace, and when notifications start or stop arriving.
   *
   * @returns stops listening; the last call closes the connection
   */
  listen(namespace: string, wake: () => void): () => void {
    const name = shortHash(namespace);
    const own = (): void => wake();
    const wakes = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, wakes.add(own));
    this.#listener ??= this.#startListening();
    return () => {
      wakes.delete(own);
      if (wakes.size === 0 && this.#listeners.get(name) === wakes) this.#listeners.delete(name);
      if (this.#listeners.size === 0) this.#stopListening();
    };
  }

  /** Sends pending notifications at once. Resolves when they are sent and stopped listeners are closed. */
  async flush(): Promise<void> {
    this.#isFlushing = true;
    this.#endPause();
    await this.#sending;
    this.#isFlushing = false;
    await this.#stopped;
  }

  async #sendPending(): Promise<void> {
    while (this.#pending.size > 0) {
      const left = this.#lastSent + INTERVAL_MILLIS - performance.now();
      if (left > 0 && !this.#isFlushing) await Promise.race([pause(left), this.#pauseEnd()]);
      this.#lastSent = performance.now();
      const names = [...this.#pending];
      this.#pending.clear();
      // Without a database there are no readers to wake; after a reconnect they poll first.
      await this.#send(names.length > MAX_NAMES ? ALL_NAMESPACES : names.join(" ")).catch(() => undefined);
    }
  }

  #pauseEnd(): Promise<void> {
    return new Promise((resolve) => {
      this.#endPause = resolve;
    });
  }

  async #send(payload: string): Promise<void> {
    await this.#database.withConnection(Date.now() + MAX_WAIT_MILLIS, async (client) => {
      if (performance.now() - this.#countedAt >= COUNT_VALID_MILLIS) {
        const [[count] = []] = await runStatement(client, COUNT_LISTENERS, [this.#channel]);
        this.#hasListeners = count !== "0";
        this.#countedAt = performance.now();
      }
      if (this.#hasListeners) await runStatement(client, NOTIFY, [this.#channel, payload]);
    });
  }

  #startListening(): NotificationListener | undefined {
    const makeClient = clientFactoryOf(this.#pool);
    if (makeClient === undefined) return undefined;
    return new NotificationListener({
      makeClient,
      channel: this.#channel,
      notify: async (payload) => {
        const deadline = Date.now() + MAX_WAIT_MILLIS;
        await this.#database.withConnection(deadline, (client) =>
          runStatement(client, NOTIFY, [this.#channel, payload]),
        );
      },
      onNotified: (payload) => this.#wake(payload),
      onStateChange: () => this.#wake(ALL_NAMESPACES),
    });
  }

  #stopListening(): void {
    const stopping = this.#listener?.stop();
    this.#listener = undefined;
    this.#stopped = Promise.all([this.#stopped, stopping]).then(() => undefined);
  }

  #wake(payload: string): void {
    const names = payload === ALL_NAMESPACES ? [...this.#listeners.keys()] : payload.split(" ");
    for (const name of names) for (const wake of this.#listeners.get(name) ?? []) wake();
  }
}

function shortHash(namespace: string): string {
  return hashOf(namespace).slice(0, 12);
}

const notifiers = new WeakMap<PostgresPool, Map<string, ChangeNotifier>>();

/** The notifier of a pool and a schema, shared by all their storages. */
export function notifierOf(pool: PostgresPool, schema: string): ChangeNotifier {
  const known = notifiers.get(pool) ?? new Map<string, ChangeNotifier>();
  notifiers.set(pool, known);
  const notifier = known.get(schema) ?? new ChangeNotifier(pool, schema);
  known.set(schema, notifier);
  return notifier;
}
