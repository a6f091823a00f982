import type { RequestListener, Server } from "node:http";
import type Https from "node:https";
import type { AddressInfo, Server as NetServer } from "node:net";
import { quote, shownValue } from "../errors.js";
import { type Logger, silentLogger } from "../logger.js";
import { bind } from "./bind.js";
import { type ConnectionLimits, type LimitedConnections, limitConnections } from "./connections.js";
import { prepareNodeServer } from "./node-server.js";
import { type CertificateFacts, type PreparedTls, prepareTls, type TlsOptions } from "./tls.js";
import { listenOnPath } from "./unix-socket.js";

/** The address and limits of a server. */
export interface ListenOptions {
  /** 0 takes a free port. @default 5600 */
  readonly port?: number | undefined;
  /**
   * A name or address of this machine. Anything but loopback is reachable from outside. `localhost` binds both of its
   * addresses.
   * @default "127.0.0.1"
   */
  readonly host?: string | undefined;
  /** Serves HTTPS with this certificate, TLS 1.2 or 1.3. @default plain HTTP */
  readonly tls?: TlsOptions | undefined;
  /**
   * Listens on a Unix socket at this path instead. Only the user of this process can connect to it. Excludes `port`,
   * `host` and `tls`. @default none
   */
  readonly socketPath?: string | undefined;
  /** How many connections it accepts, and how long one may be silent. @default 512, 64 from one address, 30 seconds */
  readonly connections?: ConnectionLimits | undefined;
}

/** Settings of a socket other than its address. */
export interface SocketSetup {
  /** Receives connections that could not be accepted. @default silent */
  readonly logger?: Logger;
  /** Whether all connections come from a trusted proxy. @default false */
  readonly hasProxy?: boolean;
  /** Called with each new certificate, including the first. @default none */
  readonly onCertificate?: ((facts: CertificateFacts) => void) | undefined;
  /** How often to check for a new certificate, in milliseconds. @default 5000 */
  readonly reloadMillis?: number | undefined;
}

/** An open socket. */
export interface ListeningSocket {
  /**
   * Contains the host only if it is an address, if both addresses of `localhost` are bound, or with TLS, where the
   * certificate proves the name. Otherwise it contains the bound address: another program may listen on the name's
   * other addresses. For a Unix socket it is `http://localhost`; send requests through the socket.
   */
  readonly url: string;
  /** 0 for a Unix socket. */
  readonly port: number;
  /** The bound address: an address of `host`, or the path of a Unix socket. */
  readonly address: string;
  /**
   * Stops accepting and resolves when all requests in progress have responses. A request that takes longer than 4 s is
   * cut off. You may call it twice.
   */
  close(): Promise<void>;
}

/** How long a closing server waits for requests in progress, in milliseconds. Then it cuts their connections. */
const GRACE_MILLIS = 4000;

/** How often a closing server checks for idle connections, in milliseconds. */
const SWEEP_MILLIS = 20;

const OPTIONS: { readonly [Name in keyof Required<ListenOptions>]: true } = {
  port: true,
  host: true,
  tls: true,
  socketPath: true,
  connections: true,
};

/** Refuses options that `listen()` would ignore: it would listen on another address. @throws TypeError */
export function checkListenOptions(options: ListenOptions): void {
  const given: unknown = options;
  if (typeof given !== "object" || given === null) {
    const fix =
      typeof given === "string" && !/^\d+$/.test(given) ? `socketPath: ${quote(given)}` : `port: ${given ?? 5600}`;
    throw new TypeError(`listen() must get an object, got ${shownValue(given)}; write listen({ ${fix} })`);
  }
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(OPTIONS, name));
  if (unknown === undefined) return;
  throw new TypeError(`listen() has no option ${unknown}; its options are ${Object.keys(OPTIONS).join(", ")}`);
}

/** Serves a handler over HTTP/1.1. Only on Node. */
export async function listen(
  handler: RequestListener,
  options: ListenOptions,
  setup: SocketSetup = {},
): Promise<ListeningSocket> {
  const { port = 5600, host = "127.0.0.1", connections = {}, socketPath } = options;
  const load = globalThis.process?.getBuiltinModule;
  const http = load?.("http");
  if (load === undefined || http === undefined) throw new TypeError("listen() needs Node; elsewhere use fetch()");
  if (socketPath !== undefined) {
    refuseBeside(options);
    const server = http.createServer(handler);
    const unlink = await listenOnPath(server, socketPath);
    return listenerOf(server, { place: { socketPath, unlink }, connections }, setup);
  }
  const tls = options.tls === undefined ? undefined : await tlsOf(options.tls, setup);
  const server = tls === undefined ? http.createServer(handler) : secureServer(load("https"), tls, handler);
  const secondSocket = await bind(server, { host, port });
  return listenerOf(server, { place: { host, secondSocket, isTls: tls !== undefined }, connections }, setup);
}

/** Prepares TLS for a socket. @throws TypeError for an unusable certificate */
export function tlsOf(
  options: TlsOptions,
  { logger = silentLogger, onCertificate, reloadMillis }: SocketSetup,
): Promise<PreparedTls> {
  return prepareTls(options, { logger, onCertificate, reloadMillis });
}

function secureServer(https: typeof Https, tls: PreparedTls, handler: RequestListener): Server {
  const server = https.createServer(tls.context, tls.handlerOf(handler));
  tls.attach(server);
  return server;
}

/** @throws TypeError for options that a Unix socket does not have */
function refuseBeside({ port, host, tls }: ListenOptions): void {
  const [name] = Object.entries({ port, host, tls }).find(([, value]) => value !== undefined) ?? [];
  if (name !== undefined) throw new TypeError(`\`socketPath\` and \`${name}\` are given; a Unix socket has no ${name}`);
}

/** The bound address of a server. */
type Place =
  | { readonly host: string; readonly secondSocket: NetServer | undefined; readonly isTls: boolean }
  | { readonly socketPath: string; readonly unlink: () => Promise<void> };

/** Sets up a listening server. */
export function listenerOf(
  server: Server,
  { place, connections }: { readonly place: Place; readonly connections: ConnectionLimits },
  { logger = silentLogger, hasProxy = false }: SocketSetup = {},
): ListeningSocket {
  prepareNodeServer(server);
  const limited = limitConnections(server, connections, hasProxy);
  reportOnce(server, logger);
  let closing: Promise<void> | undefined;
  return {
    ...addressesOf(server, place),
    close() {
      closing ??= closeServer(server, limited, place);
      return closing;
    },
  };
}

function addressesOf(server: Server, place: Place): Omit<ListeningSocket, "close"> {
  if ("socketPath" in place) return { url: "http://localhost", port: 0, address: place.socketPath };
  const { port, address } = server.address() as AddressInfo;
  const { host, secondSocket, isTls } = place;
  const name = isTls || secondSocket !== undefined ? host : address;
  return { url: `${isTls ? "https" : "http"}://${name.includes(":") ? `[${name}]` : name}:${port}`, port, address };
}

/** Without a listener, an error while accepting (such as no free file descriptor) would end the process. */
function reportOnce(server: Server, logger: Logger): void {
  let isReported = false;
  server.on("error", (error: NodeJS.ErrnoException) => {
    if (isReported) return;
    isReported = true;
    logger.warn(`a connection could not be accepted (${error.code ?? error.message}); this is logged once`);
  });
}

async function closeServer(server: Server, limited: LimitedConnections, place: Place): Promise<void> {
  // Unlink while still listening: the next server at this path must not lose its socket.
  if ("socketPath" in place) await place.unlink().catch(() => undefined);
  const secondSocket = "secondSocket" in place ? place.secondSocket : undefined;
  const isBesideClosed = new Promise<void>((resolve) => {
    if (secondSocket === undefined) resolve();
    else secondSocket.close(() => resolve());
  });
  await new Promise<void>((resolve) => {
    // A busy connection stays open after its response, for a next request that never comes.
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MILLIS);
    const cut = setTimeout(() => server.closeAllConnections(), GRACE_MILLIS);
    const isClosed = new Promise<void>((done) => server.close(() => done()));
    void Promise.all([isClosed, isBesideClosed]).then(() => {
      clearInterval(sweep);
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
    limited.closeSilent();
  });
}
