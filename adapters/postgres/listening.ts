import { PATIENCE_MILLIS } from "./database.js";
import { type PostgresListener, type PostgresPool, rowsOf } from "./pool.js";

/** How long a test notification may take, in milliseconds. */
const PROOF_MILLIS = 3_000;
/** Interval between two test notifications. */
const PROVE_MILLIS = 60_000;
const FIRST_PAUSE_MILLIS = 250;
const LONGEST_PAUSE_MILLIS = 60_000;
/** How long to wait for a connection to close. */
const END_MILLIS = 1_000;
const PROOF = "proof ";

/** Creates separate connections to the database of a pool; `undefined` if the pool does not reveal its options. */
export function listenersOf(pool: PostgresPool): (() => PostgresListener) | undefined {
  const make: unknown = Reflect.get(pool, "Client");
  const { options } = pool;
  if (typeof make !== "function" || options === undefined) return undefined;
  // A pool makes these non-enumerable.
  const { password, ssl } = options;
  const settings = { ...options, password, ssl, keepAlive: true, connectionTimeoutMillis: PATIENCE_MILLIS };
  return () => Reflect.construct(make, [settings]);
}

/** Options of a listening connection. */
export interface ListeningOptions {
  readonly makeClient: () => PostgresListener;
  /** A name that needs no quotes. Listening connections use it as their `application_name`. */
  readonly channel: string;
  /** Notifies the channel, through another connection. */
  readonly notify: (payload: string) => Promise<void>;
  readonly onNotified: (payload: string) => void;
  /** Called when it starts or stops receiving notifications. */
  readonly onTurn: () => void;
}

/**
 * Listens on a separate connection until it is stopped, and opens another one after a loss. A connection counts as
 * working once a test notification from another connection arrives: through a transaction pooler, none does.
 */
export class Listening {
  readonly #options: ListeningOptions;
  readonly #ended: Promise<void>;
  readonly #proofs: Map<string, () => void> = new Map();
  #stop: () => void = () => {};
  #isStopped = false;
  #hearingSince: number | undefined;

  constructor(options: ListeningOptions) {
    this.#options = options;
    const stopped = new Promise<void>((resolve) => {
      this.#stop = resolve;
    });
    this.#ended = this.#run(stopped);
  }

  /** Since when notifications arrive, by `performance.now()`. */
  get hearingSince(): number | undefined {
    return this.#hearingSince;
  }

  /** Resolves when its connection is closed. */
  stop(): Promise<void> {
    this.#isStopped = true;
    this.#stop();
    return this.#ended;
  }

  async #run(stopped: Promise<void>): Promise<void> {
    let pauseMillis = FIRST_PAUSE_MILLIS;
    while (!this.#isStopped) {
      const hasHeard = await this.#listen(stopped);
      pauseMillis = hasHeard ? FIRST_PAUSE_MILLIS : Math.min(pauseMillis * 2, LONGEST_PAUSE_MILLIS);
      await within(pauseMillis, stopped);
    }
  }

  /** Listens until the connection is lost. Never rejects. @returns whether any notification arrived */
  async #listen(stopped: Promise<void>): Promise<boolean> {
    const { makeClient, channel, onTurn } = this.#options;
    let client: PostgresListener | undefined;
    let hasHeard = false;
    try {
      client = makeClient();
      const over = Promise.race([stopped, lossOf(client)]);
      client.on("notification", ({ payload = "" }) => this.#take(payload));
      await this.#step(client.connect(), over);
      await this.#step(rowsOf(client, `listen ${channel}`), over);
      while (!this.#isStopped && (await this.#prove(over))) {
        if (!hasHeard) {
          await this.#step(rowsOf(client, "select set_config('application_name', $1, false)", [channel]), over);
          this.#hearingSince = performance.now();
          hasHeard = true;
          onTurn();
        }
        if (await within(PROVE_MILLIS, over)) break;
      }
    } catch {
      // It tries again; waiting readers poll in the meantime.
    }
    await within(END_MILLIS, client?.end().catch(() => undefined) ?? Promise.resolve());
    this.#hearingSince = undefined;
    if (hasHeard) onTurn();
    return hasHeard;
  }

  /** Waits for a step of the setup. @throws Error if it takes too long, or the connection is lost */
  async #step(step: Promise<unknown>, over: Promise<void>): Promise<void> {
    const isInTime = await within(PATIENCE_MILLIS, step, over);
    if (!isInTime || this.#isStopped) throw new Error("no connection to listen on");
  }

  async #prove(over: Promise<void>): Promise<boolean> {
    const token = Math.random().toString(36).slice(2);
    let isHeard = false;
    const heard = new Promise<void>((resolve) => {
      this.#proofs.set(token, () => {
        isHeard = true;
        resolve();
      });
    });
    await this.#options.notify(PROOF + token);
    await within(PROOF_MILLIS, heard, over);
    this.#proofs.delete(token);
    return isHeard;
  }

  #take(payload: string): void {
    if (payload.startsWith(PROOF)) this.#proofs.get(payload.slice(PROOF.length))?.();
    else this.#options.onNotified(payload);
  }
}

/** Resolves when a connection is lost. An unhandled error would end the process. */
function lossOf(client: PostgresListener): Promise<void> {
  return new Promise((resolve) => {
    client.on("error", () => resolve());
    client.on("end", () => resolve());
  });
}

/** Waits for the first of several promises, with a limit. @returns whether one settled in time */
async function within(millis: number, ...first: readonly Promise<unknown>[]): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  let isLate = false;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      isLate = true;
      resolve();
    }, millis);
  });
  try {
    await Promise.race([...first, late]);
    return !isLate;
  } finally {
    clearTimeout(timer);
  }
}
