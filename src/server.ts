import { serverClosed } from "./errors.js";
import type { MountableApp } from "./http/app.js";
import type { ServerFetch } from "./http/fetch.js";
import { type Activity, createInFlight } from "./http/in-flight.js";
import { checkListenOptions, type ListeningSocket, type ListenOptions, listen } from "./http/listen.js";
import { createNodeHandler, type NodeHandler } from "./http/node.js";
import { warnOfOpenAddress } from "./http/open-address.js";
import { SIGN_IN_PATH } from "./http/sign-in-page.js";
import type { MakeWebDoors, WebDoors } from "./http/web-doors.js";
import { errorLogger, guarded, silentLogger } from "./logger.js";
import { type ActivityServerOptions, checkOptions, isKeyNeeded } from "./options.js";
import { createPipelines } from "./pipelines.js";
import { completeLimits } from "./query/budget.js";
import { createAccessServices } from "./service/access/access-services.js";
import { BucketAccessRules } from "./service/access/bucket-access.js";
import { OPERATOR } from "./service/access/grants.js";
import { RecordCaches } from "./service/access/record-cache.js";
import { createDataServices } from "./service/data-services.js";
import { Feed } from "./service/feed/feed.js";
import { ForeignChanges } from "./service/foreign-changes.js";
import { createInProcess, type InProcessApi } from "./service/in-process.js";
import { checkIdentity, createInProcessCalls } from "./service/in-process-calls.js";
import { createAnnouncer, type NoticeListener, type ServerNotices } from "./service/notices.js";
import { Quota } from "./service/quota.js";
import { type Maintenance, RetentionSchedule } from "./service/retention/schedule.js";
import { Service } from "./service/service.js";
import { createShared } from "./service/shared.js";
import { createShutdown } from "./service/shutdown.js";
import { Trash } from "./service/trash/trash.js";
import { TrustedClock } from "./service/trusted-clock.js";
import type { WriteParts } from "./service/write.js";
import { toStorage } from "./storage/lazy-storage.js";
import { createMainSpace } from "./storage/space.js";
import type { StorageUsage } from "./storage/usage.js";
import { loadDeferredModules } from "./util/deferred-modules.js";
import { ACTIVITY, END_FEEDS, FORGET_ACCESS, IN_PROCESS, START_MAINTENANCE } from "./util/in-process.js";
import { MemoryBudget } from "./util/memory-budget.js";
import { machineName, runtimeName } from "./util/runtime.js";
import { VERSION } from "./util/version.js";

/**
 * An activity server: embed it by `app`, `fetch` or `nodeHandler`, let it listen itself, or call it in process.
 *
 * @typeParam Identity the caller that `authorize` returns; listeners get it
 * @typeParam Context the value that your app passes with requests; an `ActivityServer` of unknown context takes none
 */
export interface ActivityServer<Identity extends object = object, Context = never>
  extends InProcessApi,
    AsyncDisposable {
  /** Called by a test server after it has emptied its storage. */
  readonly [FORGET_ACCESS]: () => void;
  /** Called by a CLI with its own sockets: starts the hourly work, as `listen()` does. */
  readonly [START_MAINTENANCE]: () => void;
  /** Called by a CLI with its own sockets when it stops. */
  readonly [END_FEEDS]: () => void;
  /** Work in progress, for `createTenants`. */
  readonly [ACTIVITY]: Activity;
  /** The h3 app with all routes, for `mount()` in another app of h3 2. */
  readonly app: MountableApp;
  /**
   * Responds to the arguments of the global `fetch`, to paths such as `/api/0/info`, and to objects with a `Request` in
   * `request`, such as events of SvelteKit and contexts of Astro. Never rejects: other arguments get 400.
   */
  readonly fetch: ServerFetch<Context>;
  /** Called by `connect()` of `activity-server/client`: like `fetch`, but without access checks. */
  readonly [IN_PROCESS]: ServerFetch<Context>;
  /** A request listener for `node:http` and for frameworks built on it. */
  readonly nodeHandler: NodeHandler<Context>;
  /**
   * Returns the calls in process for a user: hooks and listeners get the identity. Nothing else changes, and
   * `authorize` is not called, because it decides about requests.
   *
   * @throws ActivityError `INVALID_INPUT` for an identity that is not an object
   */
  as(identity: Identity): InProcessApi;
  /**
   * Opens the storage, then a socket. You can call it several times.
   *
   * @throws the errors of `storage.ready()`; Error with a `code` of Node, such as `EADDRINUSE`; ActivityError
   *   `STORAGE_CLOSED` after `close()`
   */
  listen(options?: ListenOptions): Promise<ListeningSocket>;
  /**
   * Runs the hourly maintenance once (docs/guides/retention.md#without-listen). @throws ActivityError `STORAGE_CLOSED`
   */
  maintain(): Promise<Maintenance>;
  /**
   * Calls back after each acknowledged write, from every interface. `bucket` and `change` also report writes of other
   * nodes to the same data, if the storage supports that (docs/guides/in-process.md#other-nodes). A failing listener is
   * logged, without other effects.
   *
   * @returns stops listening
   * @throws ActivityError `INVALID_INPUT` for an unknown name, `STORAGE_CLOSED` after `close()`
   */
  on<Name extends keyof ServerNotices>(name: Name, listener: NoticeListener<Name, Identity>): () => void;
  /** Counts the stored data (docs/explanation/durability.md#usage). */
  usage(): Promise<StorageUsage>;
  /** Stops accepting requests, finishes those in progress, and closes the storage. You can call it twice. */
  close(): Promise<void>;
  /**
   * Closes, and deletes all data permanently (docs/guides/closing-an-account.md). You can repeat it. @throws the errors
   * of the storage's `destroy()`
   */
  destroy(): Promise<void>;
}

/** A server for requests of Node and calls in process: the parts that the CLI needs. */
export type NodeServer<Identity extends object = object, Context = never> = Omit<
  ActivityServer<Identity, Context>,
  keyof WebDoors
>;

/**
 * Assembles a server.
 *
 * @param makeWebDoors creates the interfaces for web-standard requests; separate, since its packages take as long to
 *   load as the rest of a start
 * @throws TypeError for invalid options
 */
export function assembleServer<Identity extends object, Context, Doors extends Partial<WebDoors>>(
  options: ActivityServerOptions<Identity, Context>,
  makeWebDoors: MakeWebDoors<Doors>,
): NodeServer<Identity, Context> & Doors {
  checkOptions(options);
  // Spreads come last in literals: each one that starts with a spread gets its own hidden class in V8, of 300 bytes.
  const storage = createMainSpace(toStorage(options.storage));
  const logger = guarded(options.logger === false ? silentLogger : (options.logger ?? errorLogger));
  storage.useLogger?.(logger);
  const budget = new MemoryBudget(options.memoryBudgetBytes);
  storage.useMemory?.(budget);
  const announcer = createAnnouncer<Identity>(logger);
  const foreign = new ForeignChanges({ storage, announcer, logger });
  const caches = new RecordCaches();
  const bucketAccess = new BucketAccessRules(storage, caches);
  const { clock = Date.now, trashDays = 30, feedReaders: limit } = options;
  const ages = new TrustedClock({ storage, clock, logger });
  const trash = new Trash({ storage, access: bucketAccess, clock, ages, logger, days: trashDays });
  const inFlight = createInFlight(options.maintain ? startMaintenance : undefined);
  const base = { storage, budget, caches, trash, access: bucketAccess, announcer, logger, clock, ages };
  const shared = createShared({ ...base, queryLimits: completeLimits(options.queryLimits) });
  const care = createDataServices({ shared, ...base });
  const feed = new Feed({ storage, foreign, privacy: shared.privacy, budget, limit, hasKeys: () => keys.hasKeys() });
  const quota = options.quota && new Quota(options.quota, () => storage.usage());
  const service = createService(options, { shared, quota, feed, ...base, ...care });
  const run = (share: number) => service.execute({ kind: "runRetention", share });
  const scheduled = { run, close: () => care.retention.close() };
  const schedule = new RetentionSchedule(scheduled, trash, logger, () => storage.ready());
  const people = createAccessServices({ ...base, feed, isKeyNeeded: isKeyNeeded(options) });
  const { keys, sessions, pairing, extensions } = people;
  const signInPath = (options.webui ?? true) === true ? "/#/sign-in/" : `${SIGN_IN_PATH}#`;
  const actions = { signInPath, ...people, ...care };
  const parts = { actions, ages, storage, budget, service, logger, inFlight, ...people };
  const { respond, respondWithin } = createPipelines(options, parts);
  const nodeHandler = createNodeHandler(respond, logger);
  const listeners = new Set<ListeningSocket>();
  let stopLoading: (() => Promise<void>) | undefined;
  const shutdown = createShutdown({ stop, storage, onClosed: () => announcer.announce("close", {}) });
  function inProcess(acting: Service): InProcessApi {
    const allow = (origin: string): Promise<void> => inFlight.during(() => extensions.allow(origin));
    const calls = createInProcessCalls({ service: acting, parts: actions, during: inFlight.during }, { allow });
    return createInProcess(calls, { service: acting, storage, clock }, inFlight);
  }

  async function stop(): Promise<void> {
    // First: a request may wait for a retention run.
    const scheduleClosed = schedule.close();
    feed.close();
    await Promise.all(Array.from(listeners, (listener) => listener.close()));
    await inFlight.settled();
    await Promise.all([keys.settled(), sessions.settled(), scheduleClosed, stopLoading?.()]);
    foreign.close();
    await ages.close();
  }

  function startMaintenance(): void {
    if (shutdown.hasStarted()) return;
    schedule.start();
    stopLoading ??= loadDeferredModules();
  }

  return {
    as: (identity) => inProcess(service.actingFor(OPERATOR, checkIdentity(identity))),
    [FORGET_ACCESS]() {
      for (const kept of [keys, sessions, pairing, extensions, service, ages, feed]) kept.forget();
    },
    [START_MAINTENANCE]: startMaintenance,
    [END_FEEDS]: () => feed.close(),
    [ACTIVITY]: inFlight.activity,
    nodeHandler,
    async maintain() {
      shutdown.assertRunning();
      return inFlight.during(() => schedule.runNow());
    },
    async listen(listenOptions = {}) {
      checkListenOptions(listenOptions);
      shutdown.assertRunning();
      await storage.ready();
      shutdown.assertRunning();
      // Ignore background errors; the next foreground read reports them.
      service.ready()?.catch(() => undefined);
      const setup = { logger, hasProxy: options.trustProxy ?? false };
      const listener = await listen(nodeHandler, listenOptions, setup);
      listeners.add(listener);
      startMaintenance();
      warnOfOpenAddress(listener, { ...options, isKeyNeeded: isKeyNeeded(options) }, logger);
      if (!shutdown.hasStarted()) return listener;
      await listener.close();
      throw serverClosed();
    },
    usage: () => inFlight.during(() => storage.usage()),
    on(name, listener) {
      shutdown.assertRunning();
      return foreign.on(name, listener);
    },
    close: shutdown.close,
    destroy: shutdown.destroy,
    [Symbol.asyncDispose]: shutdown.close,
    ...inProcess(service),
    ...makeWebDoors(respond, respondWithin, { logger, precompressed: options.precompressed ?? false }),
  };
}

function createService(
  options: ActivityServerOptions,
  parts: Omit<WriteParts, "hostname" | "version" | "testing" | "hooks">,
): Service {
  return new Service({
    hostname: options.hostname ?? machineName(),
    version: `v${VERSION} (${runtimeName()})`,
    testing: options.testing ?? false,
    hooks: options.hooks ?? {},
    ...parts,
  });
}
