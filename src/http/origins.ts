import { ActivityError } from "../errors.js";
import { type Extensions, isExtensionOrigin } from "../service/access/extensions.js";
import type { Keys } from "../service/access/keys.js";
import type { Pairing } from "../service/access/pairing.js";
import type { Waiting } from "../util/waiting.js";
import type { Credentials } from "./credentials.js";
import type { Guard, ProxyRemedy } from "./guard.js";
import type { HttpResponse, RequestContext } from "./request-context.js";
import { type Resource, type Route, routeFor } from "./route.js";

/** Decides about requests with an origin (docs/reference/access.md#who-may-call-what). */
export interface OriginCheck {
  /**
   * @returns `undefined` if the origin may call this regardless of records
   * @throws ActivityError `FORBIDDEN` for an origin that may not call this
   */
  check(origin: string, resource: Resource | undefined, request: RequestContext): Waiting;
  /**
   * @returns `undefined` if the extension may write this bucket regardless of records
   * @throws ActivityError `FORBIDDEN` for an extension that may not write this bucket
   */
  checkBucket(origin: string, bucketId: string | undefined, request: RequestContext): Waiting;
}

/** Prefix of the bucket IDs of ActivityWatch's browser extension. */
const WEB_WATCHER = "aw-watcher-web-";

export interface OriginOptions {
  readonly guard: Guard;
  readonly credentials: Credentials;
  readonly keys: Pick<Keys, "ready" | "hasKeyFor">;
  readonly extensions: Pick<Extensions, "ready" | "allows">;
  readonly pairing: Pick<Pairing, "noticeExtension">;
}

/** For calls from inside the process. */
export const ANY_ORIGIN: OriginCheck = { check: () => undefined, checkBucket: () => undefined };

export function createOriginCheck({ guard, credentials, keys, extensions, pairing }: OriginOptions): OriginCheck {
  /**
   * Checks an origin that the rules do not allow: a key may be for it, or the owner may have allowed the extension to
   * report.
   */
  async function checkRecords(origin: string, route: Route | undefined, request: RequestContext): Promise<void> {
    await Promise.all([keys.ready(), extensions.ready()]);
    if (keys.hasKeyFor(origin)) {
      // A preflight has no key; the request after it does.
      if (request.method === "OPTIONS" || (await isOfKey(origin, request))) return;
    }
    if (guard.originStanding(origin, request) === "watcher") throw forbidden(ONLY_WATCHING);
    const isAllowed = isExtensionOrigin(origin) ? extensions.allows(origin) : false;
    if (isAllowed) {
      if (route?.watcher) return;
      throw forbidden(ONLY_WATCHING);
    }
    if (isAllowed === undefined && route?.watcher) pairing.noticeExtension(origin, request.remoteAddress);
    throw forbidden(`nothing; ${remedy(origin, request)}`);
  }

  /** Trusting your own pages by `cors` is not enough: they cannot sign in then. */
  function remedy(origin: string, request: RequestContext): string {
    const needed = guard.proxyRemedy(origin, request);
    return needed === undefined ? TRUST_IT : REMEDIES[needed];
  }

  /** The owner may have allowed an extension that the rules also allow, or created a key for it. */
  async function checkTrust(origin: string, request: RequestContext): Promise<void> {
    await extensions.ready();
    if (!extensions.allows(origin) && !(await isOfKey(origin, request))) throw forbidden(ONLY_WEB);
  }

  async function isOfKey(origin: string, request: RequestContext): Promise<boolean> {
    await credentials.ready(request);
    const caller = credentials.grantsOf(request)?.caller;
    return caller?.kind === "key" && caller.origin === origin;
  }

  return {
    check(origin, resource, request) {
      const standing = guard.originStanding(origin, request);
      if (standing === "trusted") return undefined;
      const preflight = request.method === "OPTIONS" ? request.header("access-control-request-method") : undefined;
      const route = routeFor(resource, preflight ?? request.method);
      if (standing === "watcher" && route?.watcher) return undefined;
      if (route?.asker && isExtensionOrigin(origin)) return undefined;
      return checkRecords(origin, route, request);
    },

    checkBucket(origin, bucketId, request) {
      const isOfBrowser = bucketId === undefined || bucketId.startsWith(WEB_WATCHER);
      if (isOfBrowser || guard.originStanding(origin, request) !== "watcher") return undefined;
      return checkTrust(origin, request);
    },
  };
}

const ONLY_WATCHING = "only the routes that a watcher needs";
const TRUST_IT = "list it in `cors` to trust it";
const REMEDIES: { readonly [Remedy in ProxyRemedy]: string } = {
  trust: "your proxy forwards its host, so set `trustProxy` and list the host in `allowedHosts`",
  list: "your proxy forwards its host, so list the host in `allowedHosts`",
  port: "your proxy changes the port, so forward the host with the port that the browser sent",
  forward: `${TRUST_IT}. For your own pages behind a proxy, forward Host, or X-Forwarded-Host with \`trustProxy\``,
};
const ONLY_WEB = `this route only for buckets whose ID begins with ${WEB_WATCHER}; list it in \`cors\` to trust it`;

function forbidden(hint: string): ActivityError {
  return new ActivityError("FORBIDDEN", `this origin may call ${hint}`);
}

const ALLOWED_METHODS = "GET, POST, PUT, DELETE, HEAD, OPTIONS";

/** The response to `OPTIONS`: browsers ask which requests an origin may send. */
export function preflightResponse(resource: Resource | undefined, request: RequestContext): HttpResponse {
  const headers: Record<string, string> = { allow: resource?.allow ?? ALLOWED_METHODS };
  if (request.header("origin") !== undefined) {
    headers["access-control-allow-methods"] = ALLOWED_METHODS;
    const asked = request.header("access-control-request-headers");
    if (asked !== undefined) headers["access-control-allow-headers"] = asked;
    if (request.header("access-control-request-private-network") === "true") {
      headers["access-control-allow-private-network"] = "true";
    }
  }
  return { status: 204, headers, body: null };
}
