import type { RequestListener } from "node:http";
import type { ConnectionLimits } from "../http/connections.js";
import { type ListeningSocket, listen } from "../http/listen.js";
import type { CertificateFacts, TlsOptions } from "../http/tls.js";
import type { Logger } from "../logger.js";
import { checkPort, portFailure, portTaken, socketFailure } from "./port.js";

/** The address of the CLI's server, and how to show it. */
export interface ListenWishes {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** A Unix socket to listen on instead. */
  readonly socketPath?: string | undefined;
  /** `undefined` = plain HTTP. */
  readonly certificate?: TlsOptions | undefined;
  /** Called with each new certificate. */
  readonly onCertificate?: (facts: CertificateFacts) => void;
  /** Shows the URL as a QR code, if other machines can reach it. */
  readonly qr: boolean;
  /** Copies the URL to the clipboard. */
  readonly clipboard: boolean;
  readonly connections?: ConnectionLimits;
  /** Receives connections that could not be accepted. */
  readonly logger?: Logger;
}

/** A socket of the launcher. */
export interface Listening extends ListeningSocket {
  /** Prints the URLs, if requested. */
  show(): void;
}

/**
 * Listens on the requested port or Unix socket, never on another one.
 *
 * @throws LaunchError that names the program on it, if known
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
