import type { Server } from "node:http";
import type { AddressInfo, ListenOptions, Server as NetServer, Socket } from "node:net";
import { errorCode, hasCode } from "../errors.js";

/** The addresses of `localhost`. Another user of the machine could take the one that is left out. */
const LOOPBACKS = ["127.0.0.1", "::1"] as const;

/** Error codes for an address that the machine does not have. */
export const NO_ADDRESS: ReadonlySet<string> = new Set(["EADDRNOTAVAIL", "EAFNOSUPPORT", "EINVAL"]);

/** How many free ports to try until both addresses have one. */
const MAX_TRIES = 10;

/** The host and port of a server. */
export interface BindTarget {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
}

/**
 * Binds a server to a host, and for `localhost` to both loopback addresses.
 *
 * @returns the second socket, whose connections go to the server; `undefined` without one
 */
export async function bind(server: Server, { host, port }: BindTarget): Promise<NetServer | undefined> {
  if (host !== "localhost") {
    await listening(server, { host, port });
    return undefined;
  }
  const [first, second] = LOOPBACKS;
  for (let tries = 1; ; tries++) {
    try {
      await listening(server, { host: first, port });
    } catch (error) {
      if (!NO_ADDRESS.has(errorCode(error))) throw error;
      await listening(server, { host: second, port });
      return undefined;
    }
    try {
      return await bindSecondLoopback(server);
    } catch (error) {
      await new Promise((resolve) => server.close(resolve));
      if (port !== 0 || !hasCode(error, "EADDRINUSE") || tries === MAX_TRIES) throw error;
    }
  }
}

/**
 * Binds the second loopback address to the port of a server that listens on the first one.
 *
 * @returns `undefined` if the machine does not have that address
 */
export async function bindSecondLoopback(server: Server): Promise<NetServer | undefined> {
  const { createServer } = globalThis.process.getBuiltinModule("net");
  // The same options as in `node:http`.
  const secondSocket = createServer({ allowHalfOpen: !("setSecureContext" in server), noDelay: true });
  secondSocket.on("connection", (socket: Socket) => void server.emit("connection", socket));
  try {
    await listening(secondSocket, { host: LOOPBACKS[1], port: (server.address() as AddressInfo).port });
  } catch (error) {
    if (NO_ADDRESS.has(errorCode(error))) return undefined;
    throw error;
  }
  secondSocket.on("error", (error) => void server.emit("error", error));
  return secondSocket;
}

function listening(server: NetServer, options: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(options, () => {
      server.off("error", reject);
      resolve();
    });
  });
}
