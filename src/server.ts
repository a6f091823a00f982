import type { H3 } from "h3";
import { createApp } from "./http/app.js";
import { createGuard } from "./http/guard.js";
import { type Listener, type ListenOptions, listen } from "./http/listen.js";
import { createNodeHandler, foldSlashes, type NodeHandler } from "./http/node.js";
import { createPipeline } from "./http/pipeline.js";
import { resourcesOf } from "./http/route.js";
import { bucketRoutes } from "./http/routes/buckets.js";
import { eventRoutes } from "./http/routes/events.js";
import { infoRoutes } from "./http/routes/info.js";
import { settingsRoutes } from "./http/routes/settings.js";
import { transferRoutes } from "./http/routes/transfer.js";
import { createTally } from "./http/tally.js";
import { openWebFolder } from "./http/web-folder.js";
import { guarded, type Logger, silentLogger } from "./logger.js";
import { ActivityService } from "./service.js";
import type { Storage } from "./storage.js";
import { VERSION } from "./version.js";

/** How a server behaves. Everything but `storage` has a default. */
export interface ActivityServerOptions {
  /** Where buckets, events, settings and the device id live. The server closes it in `close()`. */
  readonly storage: Storage;
  /** Gets a line for each fault of the server. `console` and pino loggers fit. @default silent */
  readonly logger?: Logger;
  /** Now, in Unix milliseconds: the creation time of buckets that bring none. @default Date.now */
  readonly clock?: () => number;
  /** What info reports, and what a bucket's hostname `!local` becomes. @default the machine's host name */
  readonly hostname?: string;
  /** Buckets can be deleted without `force=1`, and origins of the web UI in development are trusted. @default false */
  readonly testing?: boolean;
  /**
   * Names that a Host header may hold, without port; `false` switches the check off. The check is what keeps a foreign
   * page from reaching the server under a name of its own (DNS rebinding).
   * @default the loopback names and the bound address while the socket is bound to loopback, otherwise no check
   */
  readonly allowedHosts?: readonly string[] | false;
  /** Origins whose pages may call everything, as browsers send them; `*` = all. @default [] */
  readonly cors?: readonly string[];
  /** Regular expressions for such origins; each must match the whole origin. @default [] */
  readonly corsRegex?: readonly string[];
  /** Every path under `/api/` but info then needs `Authorization: Bearer <key>`. Empty = none. @default none */
  readonly apiKey?: string;
  /** Largest request body in bytes; above it 413. @default 32 MiB */
  readonly bodyLimitBytes?: number;
  /** Largest import in bytes; above it 413. @default 1 GiB */
  readonly importLimitBytes?: number;
  /** A folder with the built files of a web UI, to be served beside the API. @default none */
  readonly webui?: string;
}

/** A server for activity: embed it by `app`, `fetch` or `nodeHandler`, or let it listen itself. */
export interface ActivityServer extends AsyncDisposable {
  /** The h3 app with all routes. */
  readonly app: H3;
  /** Answers a web-standard request; never rejects. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** A request listener for `node:http` and for frameworks built on it. */
  readonly nodeHandler: NodeHandler;
  /**
   * Opens a socket. May be called several times.
   *
   * @throws Error with a `code` of Node's, such as `EADDRINUSE`
   */
  listen(options?: ListenOptions): Promise<Listener>;
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
  const { storage, testing = false, apiKey } = options;
  const logger = guarded(options.logger ?? silentLogger);
  const guard = createGuard({
    allowedHosts: options.allowedHosts,
    cors: options.cors ?? [],
    corsRegex: options.corsRegex ?? [],
    testing,
    apiKey: apiKey === "" ? undefined : apiKey,
  });
  const service = new ActivityService({
    storage,
    hostname: options.hostname ?? machineName(),
    version: `v${VERSION} (node)`,
    testing,
    clock: options.clock ?? Date.now,
  });
  const limits = {
    bodyLimitBytes: options.bodyLimitBytes ?? 32 * MIB,
    importLimitBytes: options.importLimitBytes ?? 1024 * MIB,
  };
  const tally = createTally();
  const pipeline = tally.counting(createPipeline({ guard, service, limits, logger }));
  const resources = resourcesOf([...infoRoutes, ...bucketRoutes, ...eventRoutes, ...settingsRoutes, ...transferRoutes]);
  const webFolder = options.webui === undefined ? undefined : openWebFolder(options.webui);
  const app = createApp(resources.values(), pipeline, webFolder);
  const nodeHandler = createNodeHandler({ fetch: async (request) => app.fetch(request), pipeline, resources });
  const listeners = new Set<Listener>();
  let closing: Promise<void> | undefined;

  async function shutDown(): Promise<void> {
    await Promise.all(Array.from(listeners, (listener) => listener.close()));
    await tally.settled();
    await storage.close();
  }

  function close(): Promise<void> {
    closing ??= shutDown();
    return closing;
  }

  return {
    app,
    fetch: async (request) => app.fetch(withFoldedPath(request)),
    nodeHandler,
    async listen(listenOptions = {}) {
      if (closing !== undefined) throw new TypeError("the server is closed");
      const listener = await listen(nodeHandler, listenOptions);
      listeners.add(listener);
      if (closing === undefined) return listener;
      await listener.close();
      throw new TypeError("the server was closed while it began to listen");
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function checkOptions(options: ActivityServerOptions): void {
  const { storage, bodyLimitBytes, importLimitBytes, cors, corsRegex, allowedHosts, apiKey } = options;
  if (typeof storage?.readEvents !== "function") {
    throw new TypeError("createActivityServer needs a storage, e.g. memory() or await leveldb({ path })");
  }
  for (const [name, value] of Object.entries({ bodyLimitBytes, importLimitBytes })) {
    if (value !== undefined && !(value > 0)) throw new TypeError(`${name} is ${value}; a number of bytes is expected`);
  }
  for (const [name, value] of Object.entries({ cors, corsRegex, allowedHosts: allowedHosts || undefined })) {
    // A text would be taken for the list of its characters.
    const isList = Array.isArray(value) && value.every((item) => typeof item === "string");
    if (value !== undefined && !isList) throw new TypeError(`${name} is ${value}; a list of texts is expected`);
  }
  for (const method of ["info", "warn", "error"] as const) {
    if (options.logger !== undefined && typeof options.logger[method] !== "function") {
      throw new TypeError(`logger has no method ${method}; console or a pino logger is expected`);
    }
  }
  if (apiKey !== undefined && typeof apiKey !== "string") throw new TypeError("apiKey is no text");
}

/** Outside Node there is no such name; the option gives one. */
function machineName(): string {
  return globalThis.process?.getBuiltinModule?.("node:os")?.hostname() ?? "unknown";
}

function withFoldedPath(request: Request): Request {
  const hasDoubled = request.url.indexOf("//", request.url.indexOf("://") + 3) >= 0;
  return hasDoubled ? new Request(foldSlashes(request.url), request) : request;
}
