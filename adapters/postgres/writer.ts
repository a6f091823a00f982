import { randomUUID } from "node:crypto";
import { ActivityError } from "../../src/errors.js";
import { type Database, PATIENCE_MILLIS, pause } from "./database.js";
import { failureOf, isConflict, isForgotten, isLost, isRefusal, MAYBE_STORED, NOTHING_STORED } from "./failures.js";
import { ENDLESS_MILLIS, LONG_MILLIS, type Row, rowsOf, SHORT_MILLIS } from "./pool.js";

/** What one statement at a time goes by: the number of its last write stands in the database. */
interface Lane {
  readonly no: number;
  step: number;
}

/** Each write is one call of a function of migrations/, with the namespace and the id of the write in front. */
const WRITE = 'select :"schema".$NAME($1, cast(row($2, $3, $4, $5) as :"schema".write_id)$ARGUMENTS)';
/** How long some of them may take. */
const LIMITS: Readonly<Record<string, number>> = {
  put_heartbeats: SHORT_MILLIS,
  put_setting: SHORT_MILLIS,
  delete_setting: SHORT_MILLIS,
  set_record: SHORT_MILLIS,
  delete_bucket: ENDLESS_MILLIS,
};
/** The same for the question whether a write was applied: somebody has waited for long then. */
const SETTLE_MILLIS = 2_000;
const SETTLE = 'select step, outcome from :"schema".settle_write($1, cast(row($2, $3, $4, $5) as :"schema".write_id))';
/**
 * Calls functions that write, each exactly once. A call whose answer was lost is repeated only when the database says
 * that it was not applied; by asking, it is made sure that it never will be.
 */
export class Writer {
  readonly #database: Database;
  readonly #namespace: string;
  /** For `synchronous_commit`. */
  readonly #sync: "on" | "off";
  readonly #node: string = randomUUID();
  readonly #free: Lane[] = [];
  #lanes = 0;

  constructor(database: Database, namespace: string, sync: "on" | "off") {
    this.#database = database;
    this.#namespace = namespace;
    this.#sync = sync;
  }

  /**
   * @param name of a function in migrations/ that returns JSON
   * @param args behind the namespace and the id of the write
   * @throws ActivityError `STORAGE_FAILED`, whose message tells when the write may have been stored; `STORAGE_FULL`
   */
  async write(name: string, args: readonly unknown[]): Promise<unknown> {
    let lane = this.#free.pop() ?? this.#newLane();
    const deadline = Date.now() + PATIENCE_MILLIS;
    const numbers = args.map((_, index) => `, $${index + 6}`).join("");
    const text = this.#database.named(WRITE).replace("$NAME", name).replace("$ARGUMENTS", numbers);
    for (;;) {
      try {
        const [row] = await this.#database.with(deadline, (client) =>
          rowsOf(client, text, [...this.#idOf(lane), ...args], LIMITS[name] ?? LONG_MILLIS),
        );
        return this.#end(lane, lane.step + 1, row?.[0]);
      } catch (error) {
        if (isLost(error) && !isRefusal(error)) {
          // From here on nobody knows, until the database is asked.
          const settled = await this.#settle(lane, error);
          if (settled !== undefined) return this.#end(lane, lane.step + 1, settled.outcome);
          lane.step += 2;
        } else if (isForgotten(error)) {
          // It lost what it acknowledged, as a standby does that was not synchronous. This write was undone.
          lane = this.#newLane();
        } else if (!isLost(error) && !isConflict(error)) {
          this.#free.push(lane);
          throw failureOf(error, NOTHING_STORED);
        }
        if (Date.now() >= deadline) {
          this.#free.push(lane);
          throw failureOf(error, NOTHING_STORED);
        }
        await pause();
      }
    }
  }

  #newLane(): Lane {
    return { no: this.#lanes++, step: 0 };
  }

  #idOf({ no, step }: Lane): unknown[] {
    return [this.#namespace, this.#node, no, step + 1, this.#sync];
  }

  #end(lane: Lane, step: number, outcome: string | null | undefined): unknown {
    lane.step = step;
    this.#free.push(lane);
    return JSON.parse(outcome ?? "null");
  }

  /** Resolves what the write answered; `undefined` when it was not applied. A lane that cannot be asked is left. */
  async #settle(lane: Lane, cause: unknown): Promise<{ readonly outcome: string | null } | undefined> {
    let row: Row | undefined;
    try {
      [row] = await this.#database.attempt((client) =>
        rowsOf(client, this.#database.named(SETTLE), this.#idOf(lane), SETTLE_MILLIS),
      );
    } catch (error) {
      throw new ActivityError("STORAGE_FAILED", `the database cannot be reached; ${MAYBE_STORED}`, {
        cause: new AggregateError([cause, error]),
      });
    }
    return Number(row?.[0]) === lane.step + 1 ? { outcome: row?.[1] ?? null } : undefined;
  }
}
