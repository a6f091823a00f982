import type { RequestListener, Server } from "node:http";
import { isAnyHost, isLoopbackHost } from "./address.js";
import { LaunchError } from "./launch-error.js";
import { loadOptional } from "./packages.js";
import { portTaken } from "./port.js";

export interface Listening {
  readonly server: Server;
  readonly port: number;
  /** Stops accepting, drops idle connections, resolves when the last request is answered. */
  close(): Promise<void>;
}

type Listhen = typeof import("listhen");

/**
 * Loads listhen, and listens by it when it is told where, with everything fixed that it would otherwise guess from
 * NODE_ENV, HOST, PORT, the terminal or the command line.
 */
export function beginToListen(): (host: string, port: number, handler: RequestListener) => Promise<Listening> {
  const loading = loadOptional<Listhen>(() => import("listhen"));
  // It is waited for later, or not at all when the start fails before.
  loading.catch(() => undefined);
  return async (host, port, handler) => listenBy(await loading, host, port, handler);
}

async function listenBy({ listen }: Listhen, host: string, port: number, handler: RequestListener): Promise<Listening> {
  const listener = await listen(handler, {
    hostname: host,
    // No second choice: without `random: false` and an empty range it would move to 3000 or to a random port; with
    // NODE_ENV=production and port 0 it would take 3000.
    port: {
      port,
      random: port === 0,
      alternativePortRange: [1, 0],
      verbose: false,
    },
    // Otherwise it takes `--host` in the arguments or NODE_ENV=production as a wish for all interfaces, or turns
    // 0.0.0.0 into localhost.
    public: isAnyHost(host),
    isTest: true,
    isProd: false,
    showURL: false,
    open: false,
    clipboard: false,
    qr: false,
    tunnel: false,
    https: false,
    autoClose: false,
  }).catch(async (error: unknown) => {
    throw error instanceof Error && error.name === "GetPortError" ? await portTaken(host, port) : error;
  });

  const server = listener.server as Server;
  const { port: actualPort, address } = listener.address;
  const drifted = port !== 0 && actualPort !== port;
  const exposed = isLoopbackHost(host) && !/^(127\.|::1$|::ffff:127\.)/.test(address);
  if (drifted || exposed) {
    await listener.close();
    throw drifted
      ? await portTaken(host, port)
      : new LaunchError(`${host} leads to ${address}, which other machines can reach; say --host 127.0.0.1`);
  }
  return { server, port: actualPort, close: () => listener.close() };
}
