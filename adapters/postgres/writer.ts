import { randomUUID } from "node:crypto";
import { type Database, MAX_WAIT_MILLIS, pause } from "./database.js";
import {
  isConflict,
  isLaneUnknown,
  isLost,
  isNamespaceDeleted,
  isRefusal,
  MAYBE_STORED,
  NOTHING_STORED,
  namespaceDeletedError,
  toStorageError,
  unreachableError,
} from "./failures.js";
import type { NamespaceGeneration } from "./namespace-generation.js";
import { FULL_SCAN_MILLIS, LONG_MILLIS, type PostgresClient, type Row, runStatement, SHORT_MILLIS } from "./pool.js";

/** A sequence of writes, one at a time. The database stores the number of the last one. */
interface Lane {
  readonly no: number;
  step: number;
}

interface WriterContext {
  readonly database: Database;
  readonly namespace: string;
  readonly generation: NamespaceGeneration;
}

/** The statements of a transaction, on its connection. */
export interface Statements {
  /** Calls a function that writes. @returns its result */
  call(name: string, args: readonly unknown[]): Promise<unknown>;
  ask(text: string, values: readonly unknown[], limitMillis?: number): Promise<Row[]>;
}

/** The result of a transaction that was rolled back. */
const ROLLED_BACK = Symbol("undone");

/** Calls a function in migrations/. The first arguments are the namespace and the ID of the write. */
const WRITE = 'select :"schema".$NAME($1, cast(row($2, $3, $4, $5) as :"schema".write_id)$ARGUMENTS)';
/** Time limits of functions, in milliseconds; the others have `LONG_MILLIS`. */
const LIMITS: Readonly<Record<string, number>> = {
  put_heartbeats: SHORT_MILLIS,
  put_setting: SHORT_MILLIS,
  delete_setting: SHORT_MILLIS,
  set_record: SHORT_MILLIS,
  delete_bucket: FULL_SCAN_MILLIS,
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
  readonly #generation: NamespaceGeneration;
  readonly #sync: "on" | "off";
  /** Identifies this storage among all writers of the database. */
  readonly node: string = randomUUID();
  readonly #onWritten: () => void;
  readonly #free: Lane[] = [];
  #lanes = 0;

  /** @param onWritten called after each applied write */
  constructor(
    { database, namespace, generation }: WriterContext,
    sync: "on" | "off",
    onWritten: () => void = () => {},
  ) {
    this.#database = database;
    this.#namespace = namespace;
    this.#generation = generation;
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
    return this.#writeOnce((client, lane) => this.#call(client, name, [...this.#writeIdOf(lane), ...args]));
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
    const answer = await this.#writeOnce(async (client, lane) => {
      let failure: { readonly error: unknown } | undefined;
      const recordFailure = <T>(running: Promise<T>): Promise<T> =>
        running.catch((error: unknown) => {
          failure ??= { error };
          throw error;
        });
      // After a failed attempt, the database may have lost the steps of this lane: start another one.
      if (attempts++ > 0 || inner === undefined) inner = await this.#startLane(client);
      const { no, step } = inner;
      steps = 0;
      thrown = undefined;
      const statements: Statements = {
        call: async (name, args) => {
          const id = this.#writeIdOf({ no, step: step + steps++ });
          return JSON.parse((await recordFailure(this.#call(client, name, [...id, ...args]))) ?? "null") as unknown;
        },
        ask: (text, values, limitMillis) =>
          recordFailure(runStatement(client, this.#database.withSchema(text), values, limitMillis)),
      };
      await runStatement(client, "begin");
      const isDone = await work(statements).catch((error: unknown) => {
        if (failure !== undefined) throw failure.error;
        thrown = { error };
        return false;
      });
      if (!isDone) {
        await runStatement(client, "rollback");
        return ROLLED_BACK;
      }
      await runStatement(client, this.#database.withSchema(FINISH), [...this.#writeIdOf(lane), "true"]);
      await runStatement(client, "commit", undefined, LONG_MILLIS);
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
    const text = this.#database.withSchema(WRITE).replace("$NAME", name).replace("$ARGUMENTS", numbers.join(""));
    const [row] = await runStatement(client, text, values, LIMITS[name] ?? LONG_MILLIS);
    return row?.[0] ?? null;
  }

  /** Runs a write under the ID of a lane, exactly once. @returns its result; `undefined` for `ROLLED_BACK` */
  async #writeOnce(
    run: (client: PostgresClient, lane: Lane) => Promise<string | null | typeof ROLLED_BACK>,
  ): Promise<unknown> {
    let lane = this.#free.pop();
    const free = (): void => {
      if (lane !== undefined) this.#free.push(lane);
    };
    const deadline = Date.now() + MAX_WAIT_MILLIS;
    for (;;) {
      try {
        const answer = await this.#database.withConnection(deadline, async (client) => {
          lane ??= await this.#startLane(client);
          return run(client, lane);
        });
        if (answer !== ROLLED_BACK) return this.#finish(lane as unknown as Lane, answer);
        free();
        return undefined;
      } catch (error) {
        if (isLost(error) && !isRefusal(error) && lane !== undefined) {
          // The write may have been applied or not, until the database shows it.
          const settled = await this.#readOutcome(lane, error);
          if (settled !== undefined) return this.#finish(lane, settled.outcome);
          lane.step += 2;
        } else if (isLaneUnknown(error)) {
          // The database lost acknowledged writes, like a promoted standby that was not synchronous. This write was
          // rolled back.
          lane = undefined;
        } else if (isNamespaceDeleted(error)) {
          throw this.#database.rejectCalls(namespaceDeletedError(error));
        } else if (!isLost(error) && !isConflict(error)) {
          free();
          throw toStorageError(error, NOTHING_STORED);
        }
        if (Date.now() >= deadline) {
          free();
          throw toStorageError(error, NOTHING_STORED);
        }
        await pause();
      }
    }
  }

  async #startLane(client: PostgresClient): Promise<Lane> {
    const no = this.#lanes++;
    await this.#generation.startLane(client, this.#database, this.node, no);
    return { no, step: 1 };
  }

  #writeIdOf({ no, step }: Lane): unknown[] {
    return [this.#namespace, this.node, no, step + 1, this.#sync];
  }

  #finish(lane: Lane, outcome: string | null | undefined): unknown {
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
  async #readOutcome(lane: Lane, cause: unknown): Promise<{ readonly outcome: string | null } | undefined> {
    let row: Row | undefined;
    try {
      [row] = await this.#database.retry((client) =>
        runStatement(client, this.#database.withSchema(SETTLE), this.#writeIdOf(lane), SETTLE_MILLIS),
      );
    } catch (error) {
      throw unreachableError(new AggregateError([cause, error]), MAYBE_STORED);
    }
    return Number(row?.[0]) === lane.step + 1 ? { outcome: row?.[1] ?? null } : undefined;
  }
}
