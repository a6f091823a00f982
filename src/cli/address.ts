import { isIP } from "node:net";
import { networkInterfaces } from "node:os";

/** What the listener can bind: a name or an address, without brackets, zone or port. */
const HOST_NAME = /^(?!-)[\d.:A-Za-z-]{1,63}(?<!-)$/;

/** @returns the host as it can be bound, or `undefined` when it is none */
export function parseHost(text: string): string | undefined {
  const host = text.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  if (!HOST_NAME.test(host)) return undefined;
  return host.includes(":") && isIP(host) !== 6 ? undefined : host;
}

/**
 * Whether a host can only be reached from this machine. Names other than `localhost` count as reachable, whatever they
 * resolve to at the moment.
 */
export function isLoopbackHost(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

/** Whether a host stands for all addresses of this machine. */
export function isAnyHost(host: string): boolean {
  return host === "0.0.0.0" || (isIP(host) === 6 && /^[0:]+$/.test(host));
}

/** An address that reaches a server which is bound to `host`, from this machine. */
export function reachable(host: string): string {
  if (!isAnyHost(host)) return host;
  return isIP(host) === 6 ? "::1" : "127.0.0.1";
}

export function urlOf(host: string, port: number, scheme: "http" | "https" = "http"): string {
  return `${scheme}://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

/** Where a server that is bound to `host` is reached, the address to use from this machine first. */
export function reachableHosts(host: string): string[] {
  const hosts = [reachable(host)];
  if (isAnyHost(host)) {
    for (const address of Object.values(networkInterfaces()).flatMap((list) => list ?? [])) {
      const linkLocal = /^(fe80:|169\.254\.)/i.test(address.address);
      if (address.internal || linkLocal || (address.family === "IPv6" && isIP(host) === 4)) continue;
      hosts.push(address.address);
    }
  }
  return [...new Set(hosts)];
}

/** All URLs of a server that is bound to `host`, the one to use from this machine first. */
export function urlsOf(host: string, port: number, scheme: "http" | "https" = "http"): string[] {
  return reachableHosts(host).map((name) => urlOf(name, port, scheme));
}
