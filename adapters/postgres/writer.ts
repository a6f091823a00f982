import { randomUUID } from "node:crypto";
import { type Database, PATIENCE_MILLIS, pause } from "./database.js";
import {
  failureOf,
  isConflict,
  isDeleted,
  isForgotten,
  isLost,
  isRefusal,
  MAYBE_STORED,
  NOTHING_STORED,
  namespaceDeleted,
  unreachable,
} from "./failures.js";
import type { Incarnation } from "./incarnation.js";
import { ENDLESS_MILLIS, LONG_MILLIS, type PostgresClient, type Row, rowsOf, SHORT_MILLIS } from "./pool.js";

/** A sequence of writes, one at a time. The database stores the number of the last one. */
interface Lane {
  readonly no: number;
  step: number;
}

interface WriterGround {
  readonly database: Database;
  readonly namespace: string;
  readonly incarnation: Incarnation;
}

/** The statements of a transaction, on its connection. */
export interface Statements {
  /** Calls a function that writes. @returns its result */
  call(name: string, args: readonly unknown[]): Promise<unknown>;
  ask(text: string, values: readonly unknown[], limitMillis?: number): Promise<Row[]>;
}

/** The result of a transaction that was rolled back. */
const UNDONE = Symbol("undone");

/** Calls a function in migrations/. The first arguments are the namespace and the ID of the write. */
const WRITE = 'select :"schema".$NAME($1, cast(row($2, $3, $4, $5) as :"schema".write_id)$ARGUMENTS)';
/** Time limits of functions, in milliseconds; the others have `LONG_MILLIS`. */
const LIMITS: Readonly<Record<string, number>> = {
  put_heartbeats: SHORT_MILLIS,
  put_setting: SHORT_MILLIS,
  delete_setting: SHORT_MILLIS,
  set_record: SHORT_MILLIS,
  delete_bucket: ENDLESS_MILLIS,
};
/** Time limit of the check whether a write was applied. It is short, because the caller has already waited. */
const SETTLE_MILLIS = 2_000;
const FINISH = 'select :"schema".finish_write($1, cast(row($2, $3, $4, $5) as :"schema".write_id), $6)';
const SETTLE = 'select step, outcome from :"schema".settle_write($1, cast(row($2, $3, $4, $5) as :"schema".write_id))';
/**
 * Calls functions that write, each exactly once. A call with a lost response is repeated only if the database has not
 * applied it. The check itself ensures that it is never applied later.
 */
export class Writer {
  readonly #database: Database;
  readonly #namespace: string;
  readonly #incarnation: Incarnation;
  readonly #sync: "on" | "off";
  /** Identifies this storage among all writers of the database. */
  readonly node: string = randomUUID();
  readonly #onWritten: () => void;
  readonly #free: Lane[] = [];
  #lanes = 0;

  /** @param onWritten called after each applied write */
  constructor(
    { database, namespace, incarnation }: WriterGround,
    sync: "on" | "off",
    onWritten: () => void = () => {},
  ) {
    this.#database = database;
    this.#namespace = namespace;
    this.#incarnation = incarnation;
    this.#sync = sync;
    this.#onWritten = onWritten;
  }

  /**
   * Calls a function once. Its result is JSON.
   *
   * @param name of a function in migrations/
   * @param args after the namespace and the ID of the write
   * @throws ActivityError `STORAGE_FAILED`, with a message that shows whether the write may have been stored;
   *   `STORAGE_FULL`
   */
  async write(name: string, args: readonly unknown[]): Promise<unknown> {
    return this.#once((client, lane) => this.#call(client, name, [...this.#idOf(lane), ...args]));
  }

  /**
   * Makes several writes in one transaction, all or none.
   *
   * @param work makes them; runs again after a lost connection or a conflict
   * @returns the result of the work; `false` discards all changes
   * @throws errors of the work; errors of `write`
   */
  async transaction(work: (statements: Statements) => Promise<boolean>): Promise<boolean> {
    // Each write in it is a step of this lane. One write in the outer lane then shows whether all of them were applied.
    let inner = this.#free.pop();
    let attempts = 0;
    let steps = 0;
    let thrown: { readonly error: unknown } | undefined;
    const answer = await this.#once(async (client, lane) => {
      let failure: { readonly error: unknown } | undefined;
      const noted = <T>(running: Promise<T>): Promise<T> =>
        running.catch((error: unknown) => {
          failure ??= { error };
          throw error;
        });
      // After a failed attempt, the database may have lost the steps of this lane: start another one.
      if (attempts++ > 0 || inner === undefined) inner = await this.#beginLane(client);
      const { no, step } = inner;
      steps = 0;
      thrown = undefined;
      const statements: Statements = {
        call: async (name, args) => {
          const id = this.#idOf({ no, step: step + steps++ });
          return JSON.parse((await noted(this.#call(client, name, [...id, ...args]))) ?? "null") as unknown;
        },
        ask: (text, values, limitMillis) => noted(rowsOf(client, this.#database.named(text), values, limitMillis)),
      };
      await rowsOf(client, "begin");
      const isDone = await work(statements).catch((error: unknown) => {
        if (failure !== undefined) throw failure.error;
        thrown = { error };
        return false;
      });
      if (!isDone) {
        await rowsOf(client, "rollback");
        return UNDONE;
      }
      await rowsOf(client, this.#database.named(FINISH), [...this.#idOf(lane), "true"]);
      await rowsOf(client, "commit", undefined, LONG_MILLIS);
      return "true";
    });
    if (inner !== undefined) {
      if (answer === true) inner.step += steps;
      this.#free.push(inner);
    }
    if (thrown !== undefined) throw thrown.error;
    return answer === true;
  }

  async #call(client: PostgresClient, name: string, values: readonly unknown[]): Promise<string | null> {
    const numbers = values.slice(5).map((_, index) => `, $${index + 6}`);
    const text = this.#database.named(WRITE).replace("$NAME", name).replace("$ARGUMENTS", numbers.join(""));
    const [row] = await rowsOf(client, text, values, LIMITS[name] ?? LONG_MILLIS);
    return row?.[0] ?? null;
  }

  /** Runs a write under the ID of a lane, exactly once. @returns its result; `undefined` for `UNDONE` */
  async #once(run: (client: PostgresClient, lane: Lane) => Promise<string | null | typeof UNDONE>): Promise<unknown> {
    let lane = this.#free.pop();
    const free = (): void => {
      if (lane !== undefined) this.#free.push(lane);
    };
    const deadline = Date.now() + PATIENCE_MILLIS;
    for (;;) {
      try {
        const answer = await this.#database.with(deadline, async (client) => {
          lane ??= await this.#beginLane(client);
          return run(client, lane);
        });
        if (answer !== UNDONE) return this.#end(lane as unknown as Lane, answer);
        free();
        return undefined;
      } catch (error) {
        if (isLost(error) && !isRefusal(error) && lane !== undefined) {
          // The write may have been applied or not, until the database shows it.
          const settled = await this.#settle(lane, error);
          if (settled !== undefined) return this.#end(lane, settled.outcome);
          lane.step += 2;
        } else if (isForgotten(error)) {
          // The database lost acknowledged writes, like a promoted standby that was not synchronous. This write was
          // rolled back.
          lane = undefined;
        } else if (isDeleted(error)) {
          throw this.#database.refuse(namespaceDeleted(error));
        } else if (!isLost(error) && !isConflict(error)) {
          free();
          throw failureOf(error, NOTHING_STORED);
        }
        if (Date.now() >= deadline) {
          free();
          throw failureOf(error, NOTHING_STORED);
        }
        await pause();
      }
    }
  }

  async #beginLane(client: PostgresClient): Promise<Lane> {
    const no = this.#lanes++;
    await this.#incarnation.beginLane(client, this.#database, this.node, no);
    return { no, step: 1 };
  }

  #idOf({ no, step }: Lane): unknown[] {
    return [this.#namespace, this.node, no, step + 1, this.#sync];
  }

  #end(lane: Lane, outcome: string | null | undefined): unknown {
    lane.step++;
    this.#free.push(lane);
    this.#onWritten();
    return JSON.parse(outcome ?? "null");
  }

  /**
   * Reads from the database whether a write was applied. If the database cannot be reached, the lane is abandoned.
   *
   * @returns the outcome of the write; `undefined` if it was not applied
   */
  async #settle(lane: Lane, cause: unknown): Promise<{ readonly outcome: string | null } | undefined> {
    let row: Row | undefined;
    try {
      [row] = await this.#database.attempt((client) =>
        rowsOf(client, this.#database.named(SETTLE), this.#idOf(lane), SETTLE_MILLIS),
      );
    } catch (error) {
      throw unreachable(new AggregateError([cause, error]), MAYBE_STORED);
    }
    return Number(row?.[0]) === lane.step + 1 ? { outcome: row?.[1] ?? null } : undefined;
  }
}
