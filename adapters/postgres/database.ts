import { storageClosed } from "../../src/errors.js";
import type { StorageHealth } from "../../src/storage/health.js";
import { type Contact, contactOf } from "./contact.js";
import { failureOf, isBusy, isConflict, isLost, NOTHING_READ, NoAnswer, NoConnection } from "./failures.js";
import type { Incarnation } from "./incarnation.js";
import { checkPlace, isPlaceChecked } from "./place.js";
import { type PostgresClient, type PostgresPool, type Row, rowsOf } from "./pool.js";

/** How long a call waits for a connection, in milliseconds. */
export const PATIENCE_MILLIS = 5_000;
/** Pause between two attempts. */
const PAUSE_MILLIS = 50;

/** Runs a read-only statement. */
export type Ask = (text: string, values: readonly unknown[], limitMillis?: number) => Promise<Row[]>;

/** Connections of one storage to its database: each is taken for one call or one transaction, never two at once. */
export class Database {
  /** The quoted schema for statements. */
  readonly schema: string;
  readonly #pool: () => Promise<PostgresPool>;
  readonly #incarnation: Incarnation | undefined;
  #isClosed = false;
  #refusal: Error | undefined;

  /**
   * @param incarnation of the storage's namespace. Connections read it, and are also checked first for IDs that a
   *   restored database does not have.
   */
  constructor(pool: () => Promise<PostgresPool>, schema: string, incarnation?: Incarnation) {
    this.#pool = pool;
    this.#incarnation = incarnation;
    this.schema = `"${schema.replaceAll('"', '""')}"`;
  }

  assertOpen(): void {
    if (this.#isClosed) throw storageClosed();
    if (this.#refusal !== undefined) throw this.#refusal;
  }

  /** Rejects all later calls. @returns the error of the first refusal */
  refuse(refusal: Error): Error {
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
  named(text: string): string {
    return text.replaceAll(':"schema"', () => this.schema);
  }

  /** Runs a read-only statement, again on another connection if the first was lost. */
  readonly read: Ask = async (text, values, limitMillis) => {
    this.assertOpen();
    return this.ask(text, values, limitMillis);
  };

  /** Does the same even if the storage was closed in the meantime. */
  readonly ask: Ask = (text, values, limitMillis) =>
    this.attempt((client) => rowsOf(client, this.named(text), values, limitMillis));

  /**
   * Runs repeatable work. A failed connection is closed, and another one is taken.
   *
   * @throws ActivityError `STORAGE_FAILED` if that takes too long
   */
  async attempt<T>(work: (client: PostgresClient) => Promise<T>, outcome: string = NOTHING_READ): Promise<T> {
    const deadline = Date.now() + PATIENCE_MILLIS;
    for (;;) {
      try {
        return await this.with(deadline, work);
      } catch (error) {
        const mayRepeat = isLost(error) || isConflict(error);
        if (!mayRepeat || Date.now() + PAUSE_MILLIS >= deadline) throw failureOf(error, outcome);
        await pause();
      }
    }
  }

  /** The last time that a call of this pool could not reach the database. */
  async lastFailure(): Promise<StorageHealth["lastFailure"]> {
    const pool = await this.#pool().catch(() => undefined);
    return pool === undefined ? undefined : contactOf(pool).lastFailure;
  }

  /** Takes a connection for some work and releases it. @throws errors of the work; `NoConnection` */
  async with<T>(deadline: number, work: (client: PostgresClient) => Promise<T>): Promise<T> {
    const taken = await this.take(deadline);
    try {
      const result = await work(taken.client);
      taken.giveBack();
      return result;
    } catch (error) {
      // The connection may have failed or have an open transaction: close it.
      taken.giveBack(true);
      if (error instanceof NoAnswer) taken.contact.lost(error);
      throw error;
    }
  }

  /** Waits for a connection until the deadline, even while the database starts. @throws NoConnection */
  async take(deadline: number): Promise<Taken> {
    for (;;) {
      let pool: PostgresPool | undefined;
      try {
        pool = await this.#pool();
        const taken = new Taken(await within(deadline, pool.connect()), contactOf(pool));
        const incarnation = this.#incarnation;
        if (incarnation !== undefined && !(incarnation.isKnown && isPlaceChecked(taken.client, this.schema))) {
          await this.#check(taken, incarnation, deadline);
        }
        return taken;
      } catch (error) {
        if (!isLost(error) && !isConflict(error)) throw error;
        if (Date.now() + PAUSE_MILLIS >= deadline) {
          if (pool !== undefined && !isBusy(error)) contactOf(pool).lost(error);
          throw new NoConnection("no connection", { cause: error });
        }
        await pause();
      }
    }
  }

  async #check(taken: Taken, incarnation: Incarnation, deadline: number): Promise<void> {
    const { client } = taken;
    const left = (): number => Math.max(1, deadline - Date.now());
    try {
      if (!isPlaceChecked(client, this.schema)) await checkPlace(client, this, left());
      if (!incarnation.isKnown) await incarnation.look(client, this, left());
    } catch (error) {
      taken.giveBack(true);
      throw error;
    }
  }
}

/** A connection outside its pool. */
export class Taken {
  readonly client: PostgresClient;
  /** The state of its pool. */
  readonly contact: Contact;
  #isOut = true;

  constructor(client: PostgresClient, contact: Contact) {
    this.client = client;
    this.contact = contact;
    hear(client);
  }

  /** Returns the connection to its pool. Only the first call has an effect. @param isBroken closes it instead */
  giveBack(isBroken = false): void {
    if (!this.#isOut) return;
    this.#isOut = false;
    if (!isBroken) this.contact.reached();
    this.client.release(isBroken);
  }
}

const heard = new WeakSet<PostgresClient>();

/**
 * Listens to errors of a connection permanently: it reports its loss between statements and after it was closed, and an
 * unhandled error ends the process. The next statement fails with the reason.
 */
export function hear(client: PostgresClient): void {
  if (heard.has(client)) return;
  heard.add(client);
  client.on("error", () => undefined);
}

export function pause(millis: number = PAUSE_MILLIS): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, millis));
}

/** Waits for a connection, and releases one that arrives too late. */
function within(deadline: number, connecting: Promise<PostgresClient>): Promise<PostgresClient> {
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
