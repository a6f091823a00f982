import { MAX_WAIT_MILLIS } from "./database.js";
import { type PostgresListener, type PostgresPool, runStatement } from "./pool.js";

/** How long a test notification may take, in milliseconds. */
const TEST_TIMEOUT_MILLIS = 3_000;
/** Interval between two test notifications. */
const TEST_INTERVAL_MILLIS = 60_000;
const FIRST_PAUSE_MILLIS = 250;
const LONGEST_PAUSE_MILLIS = 60_000;
/** How long to wait for a connection to close. */
const END_MILLIS = 1_000;
const TEST_PREFIX = "proof ";

/** Creates separate connections to the database of a pool; `undefined` if the pool does not reveal its options. */
export function clientFactoryOf(pool: PostgresPool): (() => PostgresListener) | undefined {
  const make: unknown = Reflect.get(pool, "Client");
  const { options } = pool;
  if (typeof make !== "function" || options === undefined) return undefined;
  // A pool makes these non-enumerable.
  const { password, ssl } = options;
  const settings = { ...options, password, ssl, keepAlive: true, connectionTimeoutMillis: MAX_WAIT_MILLIS };
  return () => Reflect.construct(make, [settings]);
}

/** Options of a listening connection. */
export interface NotificationListenerOptions {
  readonly makeClient: () => PostgresListener;
  /** A name that needs no quotes. Listening connections use it as their `application_name`. */
  readonly channel: string;
  /** Notifies the channel, through another connection. */
  readonly notify: (payload: string) => Promise<void>;
  readonly onNotified: (payload: string) => void;
  /** Called when it starts or stops receiving notifications. */
  readonly onStateChange: () => void;
}

/**
 * Listens on a separate connection until it is stopped, and opens another one after a loss. A connection counts as
 * working once a test notification from another connection arrives: through a transaction pooler, none does.
 */
export class NotificationListener {
  readonly #options: NotificationListenerOptions;
  readonly #ended: Promise<void>;
  readonly #tests: Map<string, () => void> = new Map();
  readonly #stopping: AbortController = new AbortController();
  #workingSince: number | undefined;

  constructor(options: NotificationListenerOptions) {
    this.#options = options;
    this.#ended = this.#run(this.#stopping.signal);
  }

  /** Since when notifications arrive, by `performance.now()`. */
  get workingSince(): number | undefined {
    return this.#workingSince;
  }

  /** Resolves when its connection is closed. */
  stop(): Promise<void> {
    this.#stopping.abort();
    return this.#ended;
  }

  async #run(stopped: AbortSignal): Promise<void> {
    let pauseMillis = FIRST_PAUSE_MILLIS;
    while (!stopped.aborted) {
      const hasHeard = await this.#listen(stopped);
      pauseMillis = hasHeard ? FIRST_PAUSE_MILLIS : Math.min(pauseMillis * 2, LONGEST_PAUSE_MILLIS);
      await within(pauseMillis, stopped);
    }
  }

  /** Listens until the connection is lost. Never rejects. @returns whether any notification arrived */
  async #listen(stopped: AbortSignal): Promise<boolean> {
    const { makeClient, channel, onStateChange } = this.#options;
    let client: PostgresListener | undefined;
    let hasHeard = false;
    try {
      client = makeClient();
      const over = AbortSignal.any([stopped, lossOf(client)]);
      client.on("notification", ({ payload = "" }) => this.#receive(payload));
      await this.#step(client.connect(), over);
      await this.#step(runStatement(client, `listen ${channel}`), over);
      while (!stopped.aborted && (await this.#testDelivery(over))) {
        if (!hasHeard) {
          await this.#step(runStatement(client, "select set_config('application_name', $1, false)", [channel]), over);
          this.#workingSince = performance.now();
          hasHeard = true;
          onStateChange();
        }
        if (await within(TEST_INTERVAL_MILLIS, over)) break;
      }
    } catch {
      // It tries again; waiting readers poll in the meantime.
    }
    await within(END_MILLIS, undefined, client?.end().catch(() => undefined) ?? Promise.resolve());
    this.#workingSince = undefined;
    if (hasHeard) onStateChange();
    return hasHeard;
  }

  /** Waits for a step of the setup. @throws Error if it takes too long, or the connection is lost */
  async #step(step: Promise<unknown>, over: AbortSignal): Promise<void> {
    const isInTime = await within(MAX_WAIT_MILLIS, over, step);
    if (!isInTime || this.#stopping.signal.aborted) throw new Error("no connection to listen on");
  }

  async #testDelivery(over: AbortSignal): Promise<boolean> {
    const token = Math.random().toString(36).slice(2);
    let isHeard = false;
    const heard = new Promise<void>((resolve) => {
      this.#tests.set(token, () => {
        isHeard = true;
        resolve();
      });
    });
    await this.#options.notify(TEST_PREFIX + token);
    await within(TEST_TIMEOUT_MILLIS, over, heard);
    this.#tests.delete(token);
    return isHeard;
  }

  #receive(payload: string): void {
    if (payload.startsWith(TEST_PREFIX)) this.#tests.get(payload.slice(TEST_PREFIX.length))?.();
    else this.#options.onNotified(payload);
  }
}

/** Aborts when a connection is lost. An unhandled error would end the process. */
function lossOf(client: PostgresListener): AbortSignal {
  const loss = new AbortController();
  client.on("error", () => loss.abort());
  client.on("end", () => loss.abort());
  return loss.signal;
}

/**
 * Waits for a promise or an abort, with a limit. Not a race of promises: one that lasts would keep all that it raced.
 *
 * @returns whether one came in time
 */
function within(millis: number, over: AbortSignal | undefined, promise?: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => finish(false), millis);
    const finish = (isInTime: boolean): void => {
      clearTimeout(timer);
      over?.removeEventListener("abort", end);
      resolve(isInTime);
    };
    const end = (): void => finish(true);
    over?.addEventListener("abort", end);
    if (over?.aborted) end();
    promise?.then(end, (thrown) => {
      reject(thrown);
      end();
    });
  });
}
