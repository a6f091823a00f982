import type { RequestListener, Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { prepareNodeServer } from "./node-server.js";

/** Where to listen. */
export interface ListenOptions {
  /** 0 takes a free port. @default 5600 */
  readonly port?: number;
  /** A name or address of this machine; anything but loopback is reachable from outside. @default "127.0.0.1" */
  readonly host?: string;
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
  { port = 5600, host = "127.0.0.1" }: ListenOptions,
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
  return listenerOf(server, host);
}

/** Sets up a server that listens. @param host what was asked for */
export function listenerOf(server: Server, host: string): ListeningSocket {
  prepareNodeServer(server);
  const silent = watchSilent(server);
  const { port, address } = server.address() as AddressInfo;
  let closing: Promise<void> | undefined;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    port,
    address,
    close() {
      closing ??= closeServer(server, silent);
      return closing;
    },
  };
}

/** Connections over which no request has begun. Node does not count them as idle. */
function watchSilent(server: Server): ReadonlySet<Socket> {
  const silent = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    silent.add(socket);
    socket.once("close", () => silent.delete(socket));
  });
  server.on("request", ({ socket }) => silent.delete(socket));
  return silent;
}

function closeServer(server: Server, silent: ReadonlySet<Socket>): Promise<void> {
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
    for (const socket of silent) socket.destroy();
  });
}
