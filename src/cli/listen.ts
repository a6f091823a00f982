import type { RequestListener } from "node:http";
import type { ConnectionLimits } from "../http/connections.js";
import { type ListeningSocket, listen } from "../http/listen.js";
import type { CertificateFacts, TlsOptions } from "../http/tls.js";
import type { Logger } from "../logger.js";
import { checkPort, explainListenError, explainSocketError, portTakenError } from "./port.js";

/** The address of the CLI's server, and how to show it. */
export interface CliListenOptions {
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
export interface CliListener extends ListeningSocket {
  /** Prints the URLs, if requested. */
  show(): void;
}

/**
 * Listens on the requested port or Unix socket, never on another one.
 *
 * @throws LaunchError that names the program on it, if known
 */
export async function listenOn(handler: RequestListener, settings: CliListenOptions): Promise<CliListener> {
  const { host, port, qr, clipboard, socketPath } = settings;
  if (socketPath !== undefined) return await listenOnSocket(handler, socketPath, settings);
  await checkPort(host, port);
  const listenWith = qr || clipboard ? (await import("./listhen.js")).listenAndShow : listenWithoutDisplay;
  const listener = await listenWith(handler, settings).catch(async (error: unknown) => {
    throw await explainListenError(error, host, port);
  });
  if (port === 0 || listener.port === port) return listener;
  await listener.close();
  throw await portTakenError(host, port);
}

async function listenOnSocket(
  handler: RequestListener,
  socketPath: string,
  settings: CliListenOptions,
): Promise<CliListener> {
  const { connections = {} } = settings;
  try {
    return { ...(await listen(handler, { socketPath, connections }, settings)), show: () => undefined };
  } catch (error) {
    throw await explainSocketError(error, socketPath);
  }
}

async function listenWithoutDisplay(handler: RequestListener, settings: CliListenOptions): Promise<CliListener> {
  const { host, port, connections = {}, certificate } = settings;
  const options = { host, port, connections, ...(certificate === undefined ? {} : { tls: certificate }) };
  return { ...(await listen(handler, options, settings)), show: () => undefined };
}
