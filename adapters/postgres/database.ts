import { storageClosed } from "../../src/errors.js";
import type { StorageHealth } from "../../src/storage/health.js";
import { type Contact, contactOf } from "./contact.js";
import { failureOf, isBusy, isConflict, isLost, NOTHING_READ, NoAnswer, NoConnection } from "./failures.js";
import type { Incarnation } from "./incarnation.js";
import { checkPlace, isPlaceChecked } from "./place.js";
import { type PostgresClient, type PostgresPool, type Row, rowsOf } from "./pool.js";

/** How long a call waits for a connection, in milliseconds. */
export const PATIENCE_MILLIS = 5_000;
/** Between two attempts. */
const PAUSE_MILLIS = 50;

/** Runs a statement that only reads. */
export type Ask = (text: string, values: readonly unknown[], limitMillis?: number) => Promise<Row[]>;

/** Connections to one database, for one storage: taken for one call or one transaction, never two at once. */
export class Database {
  /** The schema as it is written in statements. */
  readonly schema: string;
  readonly #pool: () => Promise<PostgresPool>;
  readonly #incarnation: Incarnation | undefined;
  #isClosed = false;
  #refusal: Error | undefined;

  /**
   * @param incarnation of the namespace of a storage, which is learned from its connections; each of them is also
   *   checked first for ids that a restored database does not know
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

  /** Refuses all calls from now on. @returns the error for them */
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

  /** Statements are written with `:"schema"`, as psql has it. */
  named(text: string): string {
    return text.replaceAll(':"schema"', () => this.schema);
  }

  /** Runs a statement that only reads, again on another connection when its own was lost. */
  readonly read: Ask = async (text, values, limitMillis) => {
    this.assertOpen();
    return this.ask(text, values, limitMillis);
  };

  /** The same for a call that was made before the closing. */
  readonly ask: Ask = (text, values, limitMillis) =>
    this.attempt((client) => rowsOf(client, this.named(text), values, limitMillis));

  /**
   * Does what may be done again. A connection that fails is closed, and another one is taken.
   *
   * @throws ActivityError `STORAGE_FAILED` when that took too long
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

  /** The last time that the database could not be reached, by whatever call on this pool. */
  async lastFailure(): Promise<StorageHealth["lastFailure"]> {
    const pool = await this.#pool().catch(() => undefined);
    return pool === undefined ? undefined : contactOf(pool).lastFailure;
  }

  /** Takes a connection for some work and gives it back. @throws what the work throws; `NoConnection` */
  async with<T>(deadline: number, work: (client: PostgresClient) => Promise<T>): Promise<T> {
    const taken = await this.take(deadline);
    try {
      const result = await work(taken.client);
      taken.giveBack();
      return result;
    } catch (error) {
      // What a server refused is over; a connection that failed, or a transaction that was left, is not used again.
      taken.giveBack(true);
      if (error instanceof NoAnswer) taken.contact.lost(error);
      throw error;
    }
  }

  /** Waits for a connection until the deadline, also while the database starts. @throws NoConnection */
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

/** A connection while it is out of the pool. */
export class Taken {
  readonly client: PostgresClient;
  /** What its pool knows of the database. */
  readonly contact: Contact;
  #isOut = true;

  constructor(client: PostgresClient, contact: Contact) {
    this.client = client;
    this.contact = contact;
    hear(client);
  }

  /** @param isBroken closes it */
  giveBack(isBroken = false): void {
    if (!this.#isOut) return;
    this.#isOut = false;
    if (!isBroken) this.contact.reached();
    this.client.release(isBroken);
  }
}

const heard = new WeakSet<PostgresClient>();

/**
 * Listens to the errors of a connection, for good: it reports its loss also between two statements and after it was
 * closed, and what nobody hears ends the process. The next statement fails, and tells.
 */
export function hear(client: PostgresClient): void {
  if (heard.has(client)) return;
  heard.add(client);
  client.on("error", () => undefined);
}

export function pause(millis: number = PAUSE_MILLIS): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, millis));
}

/** Waits for a connection; one that comes too late goes back. */
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
