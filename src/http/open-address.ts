import type { Logger } from "../logger.js";
import { isLoopback } from "./guard.js";
import type { ListeningSocket } from "./listen.js";

/** The settings that restrict access. */
interface Protection {
  readonly authorize?: unknown;
  readonly allowedHosts?: readonly string[] | false | undefined;
  readonly isKeyNeeded: boolean;
}

/** Warns about a socket that other machines can reach without credentials. */
export function warnOfOpenAddress(
  { url, port, address }: ListeningSocket,
  { authorize, allowedHosts, isKeyNeeded }: Protection,
  logger: Logger,
): void {
  // A Unix socket has no port and belongs to one user.
  if (port === 0 || isLoopback(address) || isKeyNeeded || authorize !== undefined) return;
  const pages = Array.isArray(allowedHosts) ? "" : "; web pages can, too, as `allowedHosts` lists no names";
  logger.warn(
    `${url} accepts connections from other machines without a key: ` +
      `anyone who reaches it can read and change everything${pages}. ` +
      'Set `auth: "required"`, or listen on 127.0.0.1',
  );
}
