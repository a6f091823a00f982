import type { H3 } from "h3";
import { serverClosed } from "./errors.js";
import { HookedService } from "./hooked-service.js";
import { createApp, createFetch } from "./http/app.js";
import { createGuard } from "./http/guard.js";
import { type Listener, type ListenOptions, listen } from "./http/listen.js";
import { createNodeHandler, type NodeHandler } from "./http/node.js";
import { createPipeline } from "./http/pipeline.js";
import { resourcesOf } from "./http/route.js";
import { createRouter } from "./http/router.js";
import { bucketRoutes } from "./http/routes/buckets.js";
import { eventRoutes } from "./http/routes/events.js";
import { infoRoutes } from "./http/routes/info.js";
import { queryRoutes } from "./http/routes/query.js";
import { settingsRoutes } from "./http/routes/settings.js";
import { transferRoutes } from "./http/routes/transfer.js";
import { createTally } from "./http/tally.js";
import { openWebFolder } from "./http/web-folder.js";
import { createInProcess, type InProcess } from "./in-process.js";
import { guarded, type Logger, silentLogger } from "./logger.js";
import { type Announcer, createAnnouncer, type NoticeListener, type Notices } from "./notices.js";
import { type ActivityServerOptions, basePathOf, checkOptions } from "./options.js";
import { DEFAULT_LIMITS } from "./query/budget.js";
import { VERSION } from "./version.js";

/**
 * A server for activity: embed it by `app`, `fetch` or `nodeHandler`, let it listen itself, or call it in process.
 */
export interface ActivityServer extends InProcess, AsyncDisposable {
  /** The h3 app with all routes. */
  readonly app: H3;
  /** Answers a web-standard request; never rejects. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** A request listener for `node:http` and for frameworks built on it. */
  readonly nodeHandler: NodeHandler;
  /**
   * Opens a socket. May be called several times.
   *
   * @throws Error with a `code` of Node's, such as `EADDRINUSE`; ActivityError `STORAGE_CLOSED` after `close()`
   */
  listen(options?: ListenOptions): Promise<Listener>;
  /**
   * Calls back after a write is durable, whichever way it came. A listener that fails is logged, and changes nothing.
   *
   * @returns ends the listening
   * @throws ActivityError `INVALID_INPUT` for an unknown name, `STORAGE_CLOSED` after `close()`
   */
  on<Name extends keyof Notices>(name: Name, listener: NoticeListener<Name>): () => void;
  /** Stops accepting, finishes what runs, closes the storage. May be called twice. */
  close(): Promise<void>;
}

const MIB = 1024 * 1024;

/**
 * Makes a server over a storage. Nothing listens and nothing is written until it is asked to.
 *
 * @throws TypeError for options that cannot work
 */
export function createActivityServer(options: ActivityServerOptions): ActivityServer {
  checkOptions(options);
  const { storage } = options;
  const logger = guarded(options.logger ?? silentLogger);
  const announcer = createAnnouncer(logger);
  const service = serviceOf(options, announcer);
  const tally = createTally();
  const { app, fetch, nodeHandler, ownHandler } = transportsOf(options, { service, logger, tally });
  const listeners = new Set<Listener>();
  let closing: Promise<void> | undefined;

  async function shutDown(): Promise<void> {
    await Promise.all(Array.from(listeners, (listener) => listener.close()));
    await tally.settled();
    await storage.close();
    announcer.announce("close", {});
  }

  function close(): Promise<void> {
    closing ??= shutDown();
    return closing;
  }

  return {
    ...createInProcess(service, tally),
    app,
    fetch,
    nodeHandler,
    async listen(listenOptions = {}) {
      if (closing !== undefined) throw serverClosed();
      const listener = await listen(ownHandler, listenOptions);
      listeners.add(listener);
      if (closing === undefined) return listener;
      await listener.close();
      throw serverClosed();
    },
    on(name, listener) {
      if (closing !== undefined) throw serverClosed();
      return announcer.on(name, listener);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function serviceOf(options: ActivityServerOptions, announcer: Announcer): HookedService {
  return new HookedService({
    storage: options.storage,
    hostname: options.hostname ?? machineName(),
    version: `v${VERSION} (node)`,
    testing: options.testing ?? false,
    clock: options.clock ?? Date.now,
    queryLimits: { ...DEFAULT_LIMITS, ...options.queryLimits },
    hooks: options.hooks ?? {},
    announcer,
  });
}

interface Parts {
  readonly service: HookedService;
  readonly logger: Logger;
  readonly tally: ReturnType<typeof createTally>;
}

/** Every way in from outside, over the one pipeline. */
function transportsOf(options: ActivityServerOptions, { service, logger, tally }: Parts): Transports {
  const { apiKey, authorize, webui } = options;
  const guard = createGuard({
    allowedHosts: options.allowedHosts,
    cors: options.cors ?? [],
    corsRegex: options.corsRegex ?? [],
    testing: options.testing ?? false,
    trustProxy: options.trustProxy ?? false,
    trustAnyOwnName: authorize !== undefined && !Array.isArray(options.allowedHosts),
    apiKey: apiKey === "" ? undefined : apiKey,
  });
  const limits = {
    bodyLimitBytes: options.bodyLimitBytes ?? 32 * MIB,
    importLimitBytes: options.importLimitBytes ?? 1024 * MIB,
  };
  const pipeline = tally.counting(createPipeline({ guard, authorize, service, limits, logger }));
  const resources = resourcesOf([
    ...infoRoutes,
    ...bucketRoutes,
    ...eventRoutes,
    ...queryRoutes,
    ...settingsRoutes,
    ...transferRoutes,
  ]);
  const router = createRouter(resources.values(), basePathOf(options.basePath));
  const webFolder = webui === undefined ? undefined : openWebFolder(webui);
  const app = createApp({ resources: resources.values(), router, pipeline, webFolder });
  const fetch = createFetch(app);
  const parts = { fetch, pipeline, router, logger };
  return {
    app,
    fetch,
    nodeHandler: createNodeHandler({ ...parts, isAtRoot: false }),
    ownHandler: createNodeHandler({ ...parts, isAtRoot: true }),
  };
}

interface Transports extends Pick<ActivityServer, "app" | "fetch" | "nodeHandler"> {
  /** The listener of the server's own sockets. */
  readonly ownHandler: NodeHandler;
}

/** Outside Node there is no such name; the option gives one. */
function machineName(): string {
  return globalThis.process?.getBuiltinModule?.("os")?.hostname() ?? "unknown";
}
