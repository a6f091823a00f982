import type { RequestListener, Server } from "node:http";
import type { ConnectionLimits } from "../http/connections.js";
import { type ListeningSocket, listen, listenerOf } from "../http/listen.js";
import type { Logger } from "../logger.js";
import { isAnyHost, isLoopbackHost } from "./address.js";
import { LaunchError } from "./launch-error.js";
import { loadOptional } from "./packages.js";
import { checkPort, portFailure, portTaken } from "./port.js";

/** Where the launcher listens, and how it shows that. */
export interface ListenWishes {
  readonly host: string;
  /** 0 = any free one. */
  readonly port: number;
  /** Show the URL as a QR code, when other machines can reach it. */
  readonly qr: boolean;
  /** Copy the URL to the clipboard. */
  readonly clipboard: boolean;
  readonly connections?: ConnectionLimits;
  /** Hears of connections that could not be accepted. */
  readonly logger?: Logger;
}

/** A socket of the launcher. */
export interface Listening extends ListeningSocket {
  /** Prints the URLs, if that was asked for. */
  show(): void;
}

/**
 * Listens on the port that was asked for, never on another one.
 *
 * @throws LaunchError that says who has it, as far as that can be found out
 */
export async function listenOn(handler: RequestListener, wishes: ListenWishes): Promise<Listening> {
  const { host, port, qr, clipboard } = wishes;
  await checkPort(host, port);
  const opened = qr || clipboard ? listenAndShow(handler, wishes) : listenQuietly(handler, wishes);
  const listener = await opened.catch(async (error: unknown) => {
    throw await portFailure(error, host, port);
  });
  const { address } = listener;
  const isExposed = isLoopbackHost(host) && !/^(127\.|::1$|::ffff:127\.)/.test(address);
  if (!isExposed && (port === 0 || listener.port === port)) return listener;
  await listener.close();
  if (!isExposed) throw await portTaken(host, port);
  throw new LaunchError(`${host} leads to ${address}, which other machines can reach; say --host 127.0.0.1`);
}

async function listenQuietly(handler: RequestListener, wishes: ListenWishes): Promise<Listening> {
  return { ...(await listen(handler, wishes, wishes)), show: () => undefined };
}

/**
 * Listens by listhen, which prints the URLs. Loading it takes as long as the rest of a start. Everything that it would
 * guess from NODE_ENV, HOST, PORT, the terminal or the command line is fixed.
 */
async function listenAndShow(
  handler: RequestListener,
  { host, port, qr, clipboard, connections = {}, logger }: ListenWishes,
): Promise<Listening> {
  const { listen: listenBy } = await loadOptional(() => import("listhen"));
  const { server, showURL } = await listenBy(handler, {
    hostname: host,
    // No second choice: without `random: false` and an empty range it would move to 3000 or to a random port.
    port: { port, random: port === 0, alternativePortRange: [1, 0], verbose: false },
    // Otherwise it takes `--host` in the arguments as a wish for all interfaces, or turns 0.0.0.0 into localhost.
    public: isAnyHost(host),
    isTest: false,
    isProd: false,
    showURL: false,
    qr,
    clipboard,
    open: false,
    tunnel: false,
    https: false,
    autoClose: false,
  });
  return {
    ...listenerOf(server as Server, { host, connections }, logger === undefined ? {} : { logger }),
    show: () => void showURL(),
  };
}
