/** Who may talk to the server (contract rest.md 3). Pure decisions; `pipeline.ts` turns them into answers. */
export interface AccessRules {
  /** Names that the Host header may hold; `undefined` = the loopback names, while bound to loopback; `false` = any. */
  readonly allowedHosts: readonly string[] | false | undefined;
  /** Origins to trust, exactly as browsers send them; `*` trusts all. */
  readonly cors: readonly string[];
  /** Regular expressions for origins to trust; each must match the whole origin. */
  readonly corsRegex: readonly string[];
  readonly testing: boolean;
  /** `undefined` = no key is asked for. */
  readonly apiKey: string | undefined;
}

/**
 * What an origin may do: `trusted` everything, `watcher` only what a watcher needs, `foreign` nothing.
 */
export type OriginStanding = "trusted" | "watcher" | "foreign";

/** Prepared rules, to be asked once a request. */
export interface Guard {
  /** @returns whether a request with this Host header may be served */
  allowsHost(host: string | undefined, boundAddress: string | undefined): boolean;
  originStanding(origin: string, host: string | undefined, boundAddress?: string): OriginStanding;
  /** @returns whether this Authorization header opens the API */
  allowsKey(authorization: string | undefined): boolean;
}

const LOOPBACK_NAMES = ["localhost", "127.0.0.1", "[::1]"];
const STORE_EXTENSION = "chrome-extension://nglaklhklhcoonedhgnpgddginnjdadi";
const DEVELOPMENT_UI = ["http://127.0.0.1:27180", "http://localhost:27180"];

/** A name or address, then perhaps a port, and nothing else. */
const HOST_HEADER = /^(\[[0-9a-f:.]+\]|[^\s:/?#@[\]\\]+)(?::(\d*))?$/i;

/**
 * Prepares rules.
 *
 * @throws SyntaxError for a regular expression that cannot be read
 */
export function createGuard(rules: AccessRules): Guard {
  const { allowedHosts, testing, apiKey } = rules;
  const origins = new Set(testing ? [...rules.cors, ...DEVELOPMENT_UI] : rules.cors);
  const patterns = rules.corsRegex.map(anchored);
  const namedHosts = new Set((allowedHosts || LOOPBACK_NAMES).map((name) => name.toLowerCase()));

  return {
    allowsHost(host, boundAddress) {
      if (allowedHosts === false) return true;
      if (allowedHosts === undefined && !isLoopback(boundAddress)) return true;
      const name = HOST_HEADER.exec(host ?? "")?.[1]?.toLowerCase();
      if (name === undefined) return false;
      return namedHosts.has(name) || (allowedHosts === undefined && name === boundAddress);
    },

    originStanding(origin, host, boundAddress) {
      if (origins.has("*") || origins.has(origin)) return "trusted";
      if (patterns.some((pattern) => pattern.test(origin))) return "trusted";
      const isOurs = (name: string): boolean =>
        namedHosts.has(name) || (allowedHosts === undefined && name === boundAddress);
      if (isOwnOrigin(origin, host, isOurs)) return "trusted";
      if (origin === STORE_EXTENSION || origin.startsWith("moz-extension://")) return "watcher";
      return testing && origin.startsWith("chrome-extension://") ? "watcher" : "foreign";
    },

    allowsKey(authorization) {
      return apiKey === undefined || sameText(authorization ?? "", `Bearer ${apiKey}`);
    },
  };
}

function anchored(source: string): RegExp {
  // Read alone first: a stray bracket could otherwise close the group and with it the anchors.
  return new RegExp(`^(?:${new RegExp(source).source})$`);
}

/** The server's own pages: one of its names, at the port that the request was sent to. */
function isOwnOrigin(origin: string, host: string | undefined, isOurs: (name: string) => boolean): boolean {
  const own = origin.startsWith("http://") ? HOST_HEADER.exec(origin.slice("http://".length)) : null;
  const asked = HOST_HEADER.exec(host ?? "");
  if (own === null || asked === null) return false;
  return isOurs((own[1] as string).toLowerCase()) && (own[2] || "80") === (asked[2] || "80");
}

/** Whether an address, as sockets report it, can only be reached from this machine. */
export function isLoopback(address: string | undefined): boolean {
  if (address === undefined) return false;
  return (
    address === "::1" || address.startsWith("127.") || address.startsWith("::ffff:127.") || address === "localhost"
  );
}

/** Compares in a time that tells nothing about where two texts differ. */
function sameText(given: string, wanted: string): boolean {
  let difference = given.length ^ wanted.length;
  for (let index = 0; index < wanted.length; index++) difference |= given.charCodeAt(index) ^ wanted.charCodeAt(index);
  return difference === 0;
}
