import { storageClosed } from "../../src/errors.js";
import type { StorageHealth } from "../../src/storage/health.js";
import { isBusy, isConflict, isLost, NoConnection, StatementTimeout, TRY_AGAIN, toStorageError } from "./failures.js";
import type { NamespaceGeneration } from "./namespace-generation.js";
import { type PostgresClient, type PostgresPool, type Row, runStatement } from "./pool.js";
import { type Reachability, reachabilityOf } from "./reachability.js";
import { isChecked, skipUsedIds } from "./skip-used-ids.js";

/** How long a call waits for a connection, in milliseconds. */
export const MAX_WAIT_MILLIS = 5_000;
/** Pause between two attempts. */
const PAUSE_MILLIS = 50;

/** Runs a read-only statement. */
export type RunRead = (text: string, values: readonly unknown[], limitMillis?: number) => Promise<Row[]>;

/** Connections of one storage to its database: each is taken for one call or one transaction, never two at once. */
export class Database {
  /** The quoted schema for statements. */
  readonly schema: string;
  readonly #pool: () => Promise<PostgresPool>;
  readonly #generation: NamespaceGeneration | undefined;
  #isClosed = false;
  #refusal: Error | undefined;

  /**
   * @param generation of the storage's namespace. Connections read it, and are also checked first for IDs that a
   *   restored database does not have.
   */
  constructor(pool: () => Promise<PostgresPool>, schema: string, generation?: NamespaceGeneration) {
    this.#pool = pool;
    this.#generation = generation;
    this.schema = `"${schema.replaceAll('"', '""')}"`;
  }

  assertOpen(): void {
    if (this.#isClosed) throw storageClosed();
    if (this.#refusal !== undefined) throw this.#refusal;
  }

  /** Rejects all later calls. @returns the error of the first refusal */
  rejectCalls(refusal: Error): Error {
    this.#refusal ??= refusal;
    return this.#refusal;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  close(): void {
    this.#isClosed = true;
  }

  /** Replaces `:"schema"` in a statement, as psql does. */
  withSchema(text: string): string {
    return text.replaceAll(':"schema"', () => this.schema);
  }

  /** Runs a read-only statement, again on another connection if the first was lost. */
  readonly read: RunRead = async (text, values, limitMillis) => {
    this.assertOpen();
    return this.readAfterClose(text, values, limitMillis);
  };

  /** Does the same even if the storage was closed in the meantime. */
  readonly readAfterClose: RunRead = (text, values, limitMillis) =>
    this.retry((client) => runStatement(client, this.withSchema(text), values, limitMillis));

  /**
   * Runs repeatable work. A failed connection is closed, and another one is taken.
   *
   * @throws ActivityError `STORAGE_FAILED` if that takes too long
   */
  async retry<T>(work: (client: PostgresClient) => Promise<T>, outcome: string = TRY_AGAIN): Promise<T> {
    const deadline = Date.now() + MAX_WAIT_MILLIS;
    for (;;) {
      try {
        return await this.withConnection(deadline, work);
      } catch (error) {
        const mayRepeat = isLost(error) || isConflict(error);
        if (!mayRepeat || Date.now() + PAUSE_MILLIS >= deadline) throw toStorageError(error, outcome);
        await pause();
      }
    }
  }

  /** The last time that a call of this pool could not reach the database. */
  async lastFailure(): Promise<StorageHealth["lastFailure"]> {
    const pool = await this.#pool().catch(() => undefined);
    return pool === undefined ? undefined : reachabilityOf(pool).lastFailure;
  }

  /** Takes a connection for some work and releases it. @throws errors of the work; `NoConnection` */
  async withConnection<T>(deadline: number, work: (client: PostgresClient) => Promise<T>): Promise<T> {
    const taken = await this.takeConnection(deadline);
    try {
      const result = await work(taken.client);
      taken.release();
      return result;
    } catch (error) {
      // The connection may have failed or have an open transaction: close it.
      taken.release(true);
      if (error instanceof StatementTimeout) taken.reachability.recordFailure(error);
      throw error;
    }
  }

  /** Waits for a connection until the deadline, even while the database starts. @throws NoConnection */
  async takeConnection(deadline: number): Promise<TakenConnection> {
    for (;;) {
      let pool: PostgresPool | undefined;
      try {
        pool = await this.#pool();
        const taken = new TakenConnection(await connectInTime(deadline, pool.connect()), reachabilityOf(pool));
        const generation = this.#generation;
        if (generation !== undefined && !(generation.isKnown && isChecked(taken.client, this.schema))) {
          await this.#check(taken, generation, deadline);
        }
        return taken;
      } catch (error) {
        if (!isLost(error) && !isConflict(error)) throw error;
        if (Date.now() + PAUSE_MILLIS >= deadline) {
          if (pool !== undefined && !isBusy(error)) reachabilityOf(pool).recordFailure(error);
          throw new NoConnection("no connection", { cause: error });
        }
        await pause();
      }
    }
  }

  async #check(taken: TakenConnection, generation: NamespaceGeneration, deadline: number): Promise<void> {
    const { client } = taken;
    const left = (): number => Math.max(1, deadline - Date.now());
    try {
      if (!isChecked(client, this.schema)) await skipUsedIds(client, this, left());
      if (!generation.isKnown) await generation.read(client, this, left());
    } catch (error) {
      taken.release(true);
      throw error;
    }
  }
}

/** A connection outside its pool. */
export class TakenConnection {
  readonly client: PostgresClient;
  /** The state of its pool. */
  readonly reachability: Reachability;
  #isOut = true;

  constructor(client: PostgresClient, contact: Reachability) {
    this.client = client;
    this.reachability = contact;
    ignoreErrors(client);
  }

  /** Returns the connection to its pool. Only the first call has an effect. @param isBroken closes it instead */
  release(isBroken = false): void {
    if (!this.#isOut) return;
    this.#isOut = false;
    if (!isBroken) this.reachability.recordSuccess();
    this.client.release(isBroken);
  }
}

const listened = new WeakSet<PostgresClient>();

/**
 * Listens to errors of a connection permanently: it reports its loss between statements and after it was closed, and an
 * unhandled error ends the process. The next statement fails with the reason.
 */
export function ignoreErrors(client: PostgresClient): void {
  if (listened.has(client)) return;
  listened.add(client);
  client.on("error", () => undefined);
}

export function pause(millis: number = PAUSE_MILLIS): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, millis));
}

/** Waits for a connection, and releases one that arrives too late. */
function connectInTime(deadline: number, connecting: Promise<PostgresClient>): Promise<PostgresClient> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const timer = setTimeout(
      () => {
        isLate = true;
        reject(new NoConnection("no connection was free in time"));
      },
      Math.max(0, deadline - Date.now()),
    );
    connecting.then(
      (client) => {
        clearTimeout(timer);
        if (isLate) client.release();
        else resolve(client);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
