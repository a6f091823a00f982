import type { RequestListener, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Logger, silentLogger } from "../logger.js";
import { type ConnectionLimits, type LimitedConnections, limitConnections } from "./connections.js";
import { prepareNodeServer } from "./node-server.js";

/** Where to listen. */
export interface ListenOptions {
  /** 0 takes a free port. @default 5600 */
  readonly port?: number;
  /** A name or address of this machine; anything but loopback is reachable from outside. @default "127.0.0.1" */
  readonly host?: string;
  /** How many connections it takes, and how long one may be silent. @default 512, 64 from one address, 30 seconds */
  readonly connections?: ConnectionLimits;
}

/** What a socket is to know beside the place. */
export interface SocketSetup {
  /** Hears of connections that could not be accepted. @default silent */
  readonly logger?: Logger;
  /** Whether all connections come from a trusted proxy. @default false */
  readonly hasProxy?: boolean;
}

/** An open socket. */
export interface ListeningSocket {
  readonly url: string;
  readonly port: number;
  /** The address that it is bound to: what `host` leads to. */
  readonly address: string;
  /**
   * Stops accepting and resolves when the requests under way are answered; one that takes longer than 4 s is cut. May
   * be called twice.
   */
  close(): Promise<void>;
}

/** How long a closing server waits for requests under way, in milliseconds; then their connections are cut. */
const GRACE_MILLIS = 4000;

/** How often a closing server looks for connections that have become idle, in milliseconds. */
const SWEEP_MILLIS = 20;

/** Serves a handler over HTTP/1.1. Only on Node. */
export async function listen(
  handler: RequestListener,
  { port = 5600, host = "127.0.0.1", connections = {} }: ListenOptions,
  setup: SocketSetup = {},
): Promise<ListeningSocket> {
  const http = globalThis.process?.getBuiltinModule?.("http");
  if (http === undefined) throw new TypeError("listen() needs Node; elsewhere use fetch()");
  const server = http.createServer(handler);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  return listenerOf(server, { host, connections }, setup);
}

/** Sets up a server that listens. */
export function listenerOf(
  server: Server,
  { host, connections }: Required<Pick<ListenOptions, "host" | "connections">>,
  { logger = silentLogger, hasProxy = false }: SocketSetup = {},
): ListeningSocket {
  prepareNodeServer(server);
  const limited = limitConnections(server, connections, hasProxy);
  reportOnce(server, logger);
  const { port, address } = server.address() as AddressInfo;
  let closing: Promise<void> | undefined;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    port,
    address,
    close() {
      closing ??= closeServer(server, limited);
      return closing;
    },
  };
}

/** Without a listener an error of accepting, such as having no file descriptor left, would end the process. */
function reportOnce(server: Server, logger: Logger): void {
  let isReported = false;
  server.on("error", (error: NodeJS.ErrnoException) => {
    if (isReported) return;
    isReported = true;
    logger.warn(`a connection could not be accepted (${error.code ?? error.message}); this is said once`);
  });
}

function closeServer(server: Server, limited: LimitedConnections): Promise<void> {
  return new Promise((resolve) => {
    // A connection that was busy stays open after its response, for a next request that will not come.
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MILLIS);
    const cut = setTimeout(() => server.closeAllConnections(), GRACE_MILLIS);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
    limited.closeSilent();
  });
}
