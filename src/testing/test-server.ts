import type { TimeInput } from "../domain/time.js";
import { serverClosed } from "../errors.js";
import { type ActivityServer, type ActivityServerOptions, createActivityServer } from "../index.js";
import { errorLogger, type Logger } from "../logger.js";
import { FORGET_ACCESS } from "../util/in-process.js";
import { checkSeed } from "./day.js";
import { FailurePlan, type TestFailure } from "./failure-plan.js";
import { type FakeClock, fakeClock } from "./fake-clock.js";
import { type Filling, load } from "./filling.js";
import { createUuid } from "./random.js";
import { createResettableStorage } from "./resettable-storage.js";
import { TEST_HOSTNAME } from "./watchers.js";

/** Memory for caches: tests have few events. */
const MEMORY_BUDGET_BYTES = 16 * 1024 * 1024;

/** How a test server behaves: what `createActivityServer` takes but a storage, with defaults for tests. */
export interface TestServerOptions<Identity extends object = object, Context = never>
  extends Omit<ActivityServerOptions<Identity, Context>, "storage" | "clock"> {
  /** An integer that determines the device ID. @default 1 */
  readonly seed?: number | undefined;
  /** A fake clock, or the start time of a new one. @default a new one at `TEST_START` */
  readonly clock?: FakeClock | TimeInput | undefined;
  /** Makes the storage fail, to test your app's reaction. `server.fail()` changes it. @default it does not fail */
  readonly fail?: TestFailure | undefined;
  /** @default "test-host" */
  readonly hostname?: string | undefined;
  /** @default 16 MiB */
  readonly memoryBudgetBytes?: number | undefined;
  /** @default true */
  readonly testing?: boolean | undefined;
}

/** A server for the length of a test. */
export interface TestServer<Identity extends object = object, Context = never>
  extends ActivityServer<Identity, Context> {
  /** The server's clock. It does not move until the test moves it. */
  readonly clock: FakeClock;
  /**
   * Creates buckets and inserts their events, in the given order: a `realisticDay()`, `{ bucket, events }`, or a list
   * of them. An existing bucket keeps its record and gets the events.
   *
   * @throws ActivityError `INVALID_INPUT`
   */
  load(filling: Filling): Promise<void>;
  /**
   * Makes later calls of the storage fail. `undefined` ends this.
   *
   * @throws TypeError for a failure that does not exist
   */
  fail(failure: TestFailure | undefined): void;
  /**
   * Restores the initial state: no buckets, no settings, IDs from 1, and the clock at its start. Sockets stay open, and
   * listeners of `on()` stay.
   *
   * It waits for calls in progress and deletes their results. Requests that wait for a body or a hook take effect
   * afterwards.
   *
   * @throws ActivityError `STORAGE_CLOSED` after `close()`
   */
  reset(): Promise<void>;
}

/**
 * Creates a server for tests. It keeps everything in memory. It opens no port until you call `listen()`, which takes a
 * free one. It does the same in every run, because its clock does not move, and its hostname and device ID are fixed.
 *
 * @throws ActivityError `INVALID_INPUT` for an invalid seed or clock; TypeError for other invalid options
 */
export function createTestServer<Identity extends object = object, Context = never>(
  options: TestServerOptions<Identity, Context> = {},
): TestServer<Identity, Context> {
  const { seed = 1, clock: given, fail, hostname = TEST_HOSTNAME, testing = true, ...others } = options;
  refuseStorage(others);
  const clock = resolveClock(given);
  const failures = new FailurePlan();
  failures.set(fail);
  const storage = createResettableStorage(createUuid(`device ${checkSeed(seed)}`), failures);
  const { logger = createQuietLogger(failures) } = options;
  const server = createActivityServer<Identity, Context>({
    ...{ ...others, logger, hostname, testing, clock, storage },
    memoryBudgetBytes: options.memoryBudgetBytes ?? MEMORY_BUDGET_BYTES,
  });
  let isClosed = false;

  function close(): Promise<void> {
    isClosed = true;
    return server.close();
  }

  return {
    ...server,
    clock,
    // A Unix socket has neither port nor host. What is not an object is refused.
    listen: (options = {}) =>
      typeof options !== "object" || options === null || options.socketPath !== undefined
        ? server.listen(options)
        : server.listen({ ...options, port: options.port ?? 0 }),
    load: (filling) => load(server, filling),
    async reset() {
      if (isClosed) throw serverClosed();
      await storage.reset();
      server[FORGET_ACCESS]();
      clock.reset();
      failures.set(fail);
    },
    fail: (failure) => failures.set(failure),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** @throws TypeError */
export function refuseStorage(options: object): void {
  if (!("storage" in options)) return;
  throw new TypeError("a test server has its own storage; use createActivityServer to choose another");
}

/** @throws TypeError for the clock of an ordinary server */
export function resolveClock(clock: FakeClock | TimeInput | undefined): FakeClock {
  if (typeof clock !== "function") return fakeClock(clock);
  if (typeof clock.now === "function" && typeof clock.reset === "function") return clock;
  throw new TypeError("clock must be a fakeClock() or a time, got another function");
}

/** The logger of a server without one, but silent about failures that the test wanted. */
function createQuietLogger(failures: FailurePlan): Logger {
  return { ...errorLogger, error: (error) => failures.hasCaused(error) || errorLogger.error(error) };
}
