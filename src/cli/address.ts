import { isIP } from "node:net";
import { networkInterfaces } from "node:os";

/** A host that the listener can bind: a name or an address, without brackets, zone or port. */
const HOST_NAME = /^(?!-)[\d.:A-Za-z-]{1,63}(?<!-)$/;

/** @returns the host in a form to bind, or `undefined` if it is invalid */
export function parseHost(text: string): string | undefined {
  const host = text.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  if (!HOST_NAME.test(host)) return undefined;
  return host.includes(":") && isIP(host) !== 6 ? undefined : host;
}

/**
 * Whether a host is only reachable from this machine. Names other than `localhost` count as reachable, whatever they
 * resolve to.
 */
export function isLoopbackHost(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

/** Whether a host means all addresses of this machine. */
export function isAnyHost(host: string): boolean {
  return host === "0.0.0.0" || (isIP(host) === 6 && /^[0:]+$/.test(host));
}

/** An address that reaches a server bound to `host` from this machine. */
export function reachableHost(host: string): string {
  if (!isAnyHost(host)) return host;
  return isIP(host) === 6 ? "::1" : "127.0.0.1";
}

export function formatUrl(host: string, port: number, scheme: "http" | "https" = "http"): string {
  return `${scheme}://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

/** The hosts that reach a server bound to `host`, the one for this machine first. */
export function reachableHosts(host: string): string[] {
  const hosts = [reachableHost(host)];
  if (isAnyHost(host)) {
    for (const address of Object.values(networkInterfaces()).flatMap((list) => list ?? [])) {
      const linkLocal = /^(fe80:|169\.254\.)/i.test(address.address);
      if (address.internal || linkLocal || (address.family === "IPv6" && isIP(host) === 4)) continue;
      hosts.push(address.address);
    }
  }
  return [...new Set(hosts)];
}

/** All URLs of a server bound to `host`, the one for this machine first. */
export function listUrls(host: string, port: number, scheme: "http" | "https" = "http"): string[] {
  return reachableHosts(host).map((name) => formatUrl(name, port, scheme));
}
