import { hostname } from "node:os";
import { isLoopbackHost } from "./address.js";
import type { LaunchOptions } from "./options.js";

/** What the Host header may hold wherever a server listens. */
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/**
 * The names that requests may be sent to. A server that other machines reach without a key must not answer to a name
 * that somebody else leads to it: a page could read everything under that name (DNS rebinding). An address is nobody's
 * name.
 *
 * @param machine name of this machine
 * @returns `undefined` = what the server takes by default
 */
export function hostNames(
  options: Pick<LaunchOptions, "host" | "apiKeyFile" | "allowedHosts">,
  machine: string = hostname(),
): string[] | undefined {
  const { host, apiKeyFile, allowedHosts } = options;
  const isExposed = !isLoopbackHost(host);
  if (allowedHosts.length === 0 && (!isExposed || apiKeyFile !== undefined)) return undefined;
  const bound = host.includes(":") ? `[${host}]` : host;
  const own = isExposed ? ["<ip>", ...machineNames(machine)] : [];
  return [...new Set([...LOOPBACK, bound, ...own, ...allowedHosts])];
}

/** The names that a machine has in its own network. */
export function machineNames(machine: string): string[] {
  const short = machine.toLowerCase().split(".", 1)[0] as string;
  return short === "" ? [] : [machine.toLowerCase(), short, `${short}.local`];
}
