import { hostname } from "node:os";
import { isLoopbackHost } from "./address.js";
import type { LaunchOptions } from "./options.js";

/** Host names that are allowed on every address. */
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/**
 * The host names of requests to accept. A server without a key that other machines can reach must not accept a name
 * that an attacker points to it: a page could read everything under that name (DNS rebinding). An address cannot be
 * pointed anywhere.
 *
 * @param machine name of this machine
 * @returns `undefined` for the server's default
 */
export function allowedHostNames(
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

/** The names of a machine in its own network. */
export function machineNames(machine: string): string[] {
  const short = machine.toLowerCase().split(".", 1)[0] as string;
  return short === "" ? [] : [machine.toLowerCase(), short, `${short}.local`];
}
