import type { RequestListener } from "node:http";
import type { ConnectionLimits } from "../http/connections.js";
import { type ListeningSocket, listen } from "../http/listen.js";
import type { CertificateFacts, TlsOptions } from "../http/tls.js";
import type { Logger } from "../logger.js";
import { checkPort, portFailure, portTaken, socketFailure } from "./port.js";

/** Where the launcher listens, and how it shows that. */
export interface ListenWishes {
  readonly host: string;
  /** 0 = any free one. */
  readonly port: number;
  /** A Unix socket to listen on instead. */
  readonly socketPath?: string | undefined;
  /** `undefined` = plain HTTP. */
  readonly certificate?: TlsOptions | undefined;
  /** Hears of each certificate that is used from now on. */
  readonly onCertificate?: (facts: CertificateFacts) => void;
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
 * Listens on the port or the Unix socket that was asked for, never on another one.
 *
 * @throws LaunchError that says who has it, as far as that can be found out
 */
export async function listenOn(handler: RequestListener, wishes: ListenWishes): Promise<Listening> {
  const { host, port, qr, clipboard, socketPath } = wishes;
  if (socketPath !== undefined) return await listenOnSocket(handler, socketPath, wishes);
  await checkPort(host, port);
  const opened = qr || clipboard ? (await import("./listhen.js")).listenAndShow : listenQuietly;
  const listener = await opened(handler, wishes).catch(async (error: unknown) => {
    throw await portFailure(error, host, port);
  });
  if (port === 0 || listener.port === port) return listener;
  await listener.close();
  throw await portTaken(host, port);
}

async function listenOnSocket(handler: RequestListener, socketPath: string, wishes: ListenWishes): Promise<Listening> {
  const { connections = {} } = wishes;
  try {
    return { ...(await listen(handler, { socketPath, connections }, wishes)), show: () => undefined };
  } catch (error) {
    throw await socketFailure(error, socketPath);
  }
}

async function listenQuietly(handler: RequestListener, wishes: ListenWishes): Promise<Listening> {
  const { host, port, connections = {}, certificate } = wishes;
  const options = { host, port, connections, ...(certificate === undefined ? {} : { tls: certificate }) };
  return { ...(await listen(handler, options, wishes)), show: () => undefined };
}
