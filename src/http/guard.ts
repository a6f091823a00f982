import type { Socket } from "node:net";
import { isExtensionOrigin } from "../service/access/extensions.js";
import { memoize } from "../util/memoize.js";
import { originPattern } from "./origin-pattern.js";
import type { RequestContext } from "./request-context.js";

/**
 * Access by host and origin (docs/reference/access.md#who-may-call-what). Pure decisions; `pipeline.ts` turns them into
 * responses.
 */
export interface AccessRules {
  /**
   * Names allowed in the Host header, `<ip>` for every address; `undefined` = the loopback names, while bound to
   * loopback; `false` = any.
   */
  readonly allowedHosts: readonly string[] | false | undefined;
  /** Trusted origins, exactly as browsers send them; `*` trusts all. */
  readonly cors: readonly string[];
  /** Regular expressions for trusted origins; each must match the whole origin. */
  readonly corsRegex: readonly string[];
  readonly testing: boolean;
  /** Whether to trust X-Forwarded-Host and X-Forwarded-Proto. */
  readonly trustProxy: boolean;
  /**
   * Whether pages of whatever host name the request was sent to are the server's own. Safe if the embedder requires a
   * session, because a page that points its own name to this server does not have one.
   */
  readonly trustAnyOwnName: boolean;
}

/** The rights of an origin: `trusted` has all, `watcher` those that a watcher needs, `foreign` none. */
export type OriginStanding = "trusted" | "watcher" | "foreign";

/** The parts of a request that the rules check. */
export type ConnectionFacts = Pick<RequestContext, "header" | "boundAddress" | "isEncrypted">;

/** Prepared rules, checked for each request. */
export interface Guard {
  /** @returns the header with a host that this server does not have; `undefined` if the request is allowed */
  wrongHost(asked: ConnectionFacts): NamedHost | undefined;
  originStanding(origin: string, asked: ConnectionFacts): OriginStanding;
  /** @returns whether the origin is one of the server's own pages */
  isOwnOrigin(origin: string, asked: ConnectionFacts): boolean;
  /**
   * The missing setting if a proxy causes the refusal of the server's own pages. It only chooses the words of a
   * refusal.
   */
  proxyRemedy(origin: string, asked: ConnectionFacts): ProxyRemedy | undefined;
  /** @returns whether the client sent the request over TLS, as far as that is known */
  isSecure(asked: ConnectionFacts): boolean;
  /**
   * The port that the page requested, `""` for default ports. `undefined` if a program of this machine requested
   * another port than its connection's: such a page does not come from this server.
   */
  requestedPort(asked: ConnectionFacts, socket: SocketEnds | undefined): string | undefined;
}

/** A header with the host of the request. */
export interface NamedHost {
  readonly header: "Host" | "X-Forwarded-Host";
  readonly value: string;
}

/**
 * `trust`: the proxy sends the origin's host, and `trustProxy` is off. `list`: the client requested the origin's host,
 * which is not in `allowedHosts`. `port`: the host is listed, but the proxy sends another port. `forward`: the proxy
 * does not send the origin's host.
 */
export type ProxyRemedy = "trust" | "list" | "port" | "forward";

/** Both ends of a connection, as far as they are known. */
export type SocketEnds = Partial<Pick<Socket, "localAddress" | "localPort" | "remoteAddress">>;

/** Allows everything: for calls from inside the process. */
export const NO_GUARD: Guard = {
  wrongHost: () => undefined,
  originStanding: () => "trusted",
  isOwnOrigin: () => true,
  proxyRemedy: () => undefined,
  isSecure: () => false,
  requestedPort: () => "",
};

const LOOPBACK_NAMES: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);
const STORE_EXTENSION = "chrome-extension://nglaklhklhcoonedhgnpgddginnjdadi";
const DEVELOPMENT_UI = ["http://127.0.0.1:27180", "http://localhost:27180"];

/** In a list of names: every address. An attacker can point a name to this server, but not an address. */
const ANY_ADDRESS = "<ip>";
const ADDRESS = /^(?:\d+(?:\.\d+){3}|\[.*\])$/;

const ORIGIN = /^(https?):\/\/(.*)$/s;

const USUAL_PORTS: ReadonlySet<string> = new Set(["", "80", "443"]);

/** Headers that only proxies send. */
const FORWARDING_HEADERS = ["x-forwarded-host", "x-forwarded-proto", "x-forwarded-for", "forwarded"];

/** A name or address, optionally followed by a port. */
const HOST_HEADER = /^(\[[0-9a-f:.]+\]|[^\s:/?#@[\]\\]+)(?::(\d*))?$/i;

/**
 * Prepares rules.
 *
 * @throws SyntaxError for an invalid regular expression
 */
export function createGuard(rules: AccessRules): Guard {
  const { testing } = rules;
  const origins = new Set(testing ? [...rules.cors, ...DEVELOPMENT_UI] : rules.cors);
  const patterns = rules.corsRegex.map(originPattern);
  const names = createNames(rules);

  return {
    originStanding(origin, asked) {
      if (origins.has("*") || origins.has(origin)) return "trusted";
      if (patterns.some((matches) => matches(origin))) return "trusted";
      if (names.isOwnOrigin(origin, asked)) return "trusted";
      if (origin === STORE_EXTENSION) return "watcher";
      // A matching prefix is not enough: the value may be two joined headers.
      if (!isExtensionOrigin(origin)) return "foreign";
      return origin.startsWith("moz-") || (testing && origin.startsWith("chrome-")) ? "watcher" : "foreign";
    },
    ...names,
  };
}

/** The checks that depend on the server's names. */
function createNames({ allowedHosts, trustProxy, trustAnyOwnName }: AccessRules): Omit<Guard, "originStanding"> {
  const listed = new Set((allowedHosts || []).map((name) => name.toLowerCase()));
  const takesAddresses = listed.delete(ANY_ADDRESS);
  const hostName = memoize((host) => parseHostName(host) ?? "");

  /** Whether this server is known to have a name. */
  function isOurs(name: string, { boundAddress, isEncrypted }: ConnectionFacts): boolean {
    if (listed.has(name)) return true;
    if (!Array.isArray(allowedHosts) && LOOPBACK_NAMES.has(name)) return true;
    // Applies even with a list, because `listen()` returns that address. Not over TLS, where the certificate has a
    // name.
    const isBound = name === boundAddress || name === `[${boundAddress}]`;
    return isBound && (allowedHosts === undefined || !isEncrypted);
  }

  /** A proxy on this machine may put the address of its upstream into Host; the other header has the public name. */
  function isOursBehindProxy(name: string, asked: ConnectionFacts): boolean {
    return isOurs(name, asked) || (isLoopback(asked.boundAddress) && LOOPBACK_NAMES.has(name));
  }

  /** The name and port that the client requested from a trusted proxy. */
  function forwardedHost(asked: ConnectionFacts): string | undefined {
    const forwarded = trustProxy ? firstValueIn(asked.header("x-forwarded-host")) : undefined;
    // A page can send this header only to its own name, so the name in Host must be ours first.
    return isOursBehindProxy(parseHostName(asked.header("host")) ?? "", asked) ? forwarded : undefined;
  }

  function isSecure(asked: ConnectionFacts): boolean {
    return asked.isEncrypted || (trustProxy && firstValueIn(asked.header("x-forwarded-proto")) === "https");
  }

  function isOwnOrigin(origin: string, asked: ConnectionFacts): boolean {
    const [, scheme, rest = ""] = ORIGIN.exec(origin) ?? [];
    const own = HOST_HEADER.exec(rest);
    const forwarded = forwardedHost(asked);
    const host = HOST_HEADER.exec(forwarded ?? asked.header("host") ?? "");
    if (own === null || host === null) return false;
    const name = (own[1] as string).toLowerCase();
    const isEncrypted = isSecure(asked);
    // An attacker on the network can serve plain pages of this name. Without a socket the scheme may be a guess.
    if (scheme === "http" && asked.isEncrypted && asked.boundAddress !== undefined) return false;
    const isSame = name === (host[1] as string).toLowerCase();
    // Only the requested address: other addresses belong to other machines. Without a list, each is ours.
    const isAddress = (takesAddresses || !Array.isArray(allowedHosts)) && ADDRESS.test(name);
    const isAsked = isSame && (trustAnyOwnName || isAddress);
    // A listed name is ours over TLS as well: a TLS proxy may not send the scheme.
    if (scheme !== (isEncrypted ? "https" : "http") && !listed.has(name) && !isAsked) return false;
    const port = scheme === "https" ? "443" : "80";
    return (isOurs(name, asked) || isAsked) && (own[2] || port) === (host[2] || port);
  }

  function wrongHost(asked: ConnectionFacts): NamedHost | undefined {
    if (allowedHosts === false) return undefined;
    const host = asked.header("host") ?? "";
    const name = hostName(host);
    const forwarded = trustProxy ? firstValueIn(asked.header("x-forwarded-host")) : undefined;
    // Without a list, a socket that is not bound to loopback has any name of its machine.
    if (allowedHosts !== undefined || isLoopback(asked.boundAddress)) {
      const isOk = forwarded === undefined ? isAllowed(name, asked) : isOursBehindProxy(name, asked);
      if (name === "" || !isOk) return { header: "Host", value: host };
    }
    if (forwarded === undefined) return undefined;
    if (allowedHosts !== undefined) {
      return listed.has(parseHostName(forwarded) ?? "") ? undefined : { header: "X-Forwarded-Host", value: forwarded };
    }
    // A page can also point its own name to the proxy (DNS rebinding) and send a loopback name in this header, to which
    // some proxies append the page's name. So without a list, all values must be ours.
    const values = valuesIn(asked.header("x-forwarded-host"));
    const wrong = values.find((value) => !isOurs(parseHostName(value) ?? "", asked));
    return wrong === undefined ? undefined : { header: "X-Forwarded-Host", value: wrong };
  }

  function isAllowed(name: string, asked: ConnectionFacts): boolean {
    return isOurs(name, asked) || (takesAddresses && ADDRESS.test(name));
  }

  function proxyRemedy(origin: string, asked: ConnectionFacts): ProxyRemedy | undefined {
    const name = parseHostName(ORIGIN.exec(origin)?.[2]);
    if (name === undefined) return undefined;
    if (!hasForwardingHeader(asked)) {
      // nginx replaces Host by default and adds no header. The browser or the list still shows that the page is ours.
      const isOurPage = asked.header("sec-fetch-site") === "same-origin" || listed.has(name);
      return isOurPage && name !== parseHostName(asked.header("host")) ? "forward" : undefined;
    }
    const isForwarded = name === parseHostName(firstValueIn(asked.header("x-forwarded-host")));
    if (isForwarded && !trustProxy) return "trust";
    if (!isForwarded && name !== parseHostName(asked.header("host"))) return "forward";
    return listed.has(name) ? "port" : "list";
  }

  function askedPort(asked: ConnectionFacts, socket: SocketEnds | undefined): string | undefined {
    const port = HOST_HEADER.exec(forwardedHost(asked) ?? asked.header("host") ?? "")?.[2] ?? "";
    if (USUAL_PORTS.has(port)) return "";
    return trustProxy || !isOfThisMachine(socket) || port === String(socket?.localPort) ? port : undefined;
  }

  return { wrongHost, isOwnOrigin, isSecure, proxyRemedy, requestedPort: askedPort };
}

/** Whether a proxy has passed on the request, as far as its headers show. */
export function hasForwardingHeader(asked: Pick<ConnectionFacts, "header">): boolean {
  return FORWARDING_HEADERS.some((header) => asked.header(header) !== undefined);
}

/** Whether a program of this machine has opened the connection: at its loopback address or another one of its own. */
export function isOfThisMachine({ localAddress, remoteAddress }: SocketEnds = {}): boolean {
  return isLoopback(remoteAddress) || (remoteAddress !== undefined && remoteAddress === localAddress);
}

/** Returns the name or address in a Host header, without the port. */
export function parseHostName(host: string | undefined): string | undefined {
  return HOST_HEADER.exec(host ?? "")?.[1]?.toLowerCase();
}

/** With several proxies in a row, the client called the first one, which wrote the first value. */
function firstValueIn(header: string | undefined): string | undefined {
  return valuesIn(header)[0];
}

function valuesIn(header: string | undefined): readonly string[] {
  return header?.split(",").map((value) => value.trim().toLowerCase()) ?? [];
}

/** Whether an address, as sockets report it, is only reachable from this machine. */
export function isLoopback(address: string | undefined): boolean {
  if (address === undefined) return false;
  return (
    address === "::1" || address.startsWith("127.") || address.startsWith("::ffff:127.") || address === "localhost"
  );
}
