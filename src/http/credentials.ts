import { ANYBODY, type Grants, OPERATOR } from "../service/access/grants.js";
import type { Keys } from "../service/access/keys.js";
import type { Sessions } from "../service/access/sessions.js";
import { parseSessionProof, type SessionProof } from "../util/session-proof.js";
import type { Waiting } from "../util/waiting.js";
import type { Control } from "./control.js";
import type { Aimed } from "./control-proof.js";
import type { Guard } from "./guard.js";
import type { RouteNeed } from "./permission.js";
import type { RequestContext } from "./request-context.js";
import { isSameOrigin, SESSION_HEADER, sessionCookies } from "./session-cookie.js";

/** Resolves the credentials of requests to grants (docs/guides/keys.md). */
export interface Credentials {
  /**
   * Await this before you call the methods below, in the same turn.
   *
   * @param need what else decides about the request
   */
  ready(request: RequestContext, need?: RouteNeed): Waiting;
  /** `undefined` if credentials are needed and missing or wrong. */
  grantsOf(request: RequestContext): Grants | undefined;
  /** Whether these grants are still valid: no key was revoked, no session ended. */
  isInForce(grants: Grants): boolean;
  /** Whether a request has credentials, right or wrong. */
  areGiven(request: RequestContext): boolean;
  /** Whether any credentials exist: a key, or a secret of the owner. */
  isArmed(): boolean;
  /** Whether keys exist, so that callers can differ. */
  hasKeys(): boolean;
}

export interface CredentialsOptions {
  readonly guard: Guard;
  readonly control: Control;
  readonly keys: Keys;
  readonly sessions: Sessions;
  /** Whether every route that is not open needs credentials. With an API key, this is always the case. */
  readonly isRequired: boolean;
  /** Whether a session cookie is valid without a proof of its page. */
  readonly cookieAlone: boolean;
}

/** For calls from inside the process. */
export const OF_OPERATOR: Credentials = {
  ready: () => undefined,
  grantsOf: () => OPERATOR,
  isInForce: () => true,
  areGiven: () => false,
  isArmed: () => true,
  hasKeys: () => false,
};

const SCHEME = "Bearer ";
/** Schemes of proxies: browsers send passwords and tickets for them, which are never keys. */
const OF_PROXIES = /^(?:basic|digest|negotiate|ntlm)(?: |$)/i;
/** Two headers joined by a comma: the key after it is not part of a password. */
const JOINED = /,\s*(?:basic|bearer|control|digest|negotiate|ntlm)(?: |$)/i;

/** Checks the header Authorization, the only place for a key; without it, the session. */
export function createCredentials({
  guard,
  control,
  keys,
  sessions,
  isRequired,
  cookieAlone,
}: CredentialsOptions): Credentials {
  const nobody = isRequired ? undefined : ANYBODY;

  /** If the server needs no credentials and has no keys, another program's header is ignored. */
  function unknown(): Grants | undefined {
    return isRequired || keys.hasKeys() ? undefined : ANYBODY;
  }

  /** Whether keys decide about a caller without credentials. */
  function dependsOnKeys(need: RouteNeed | undefined): boolean {
    return !isRequired && (need === "owner" || (need === "operator" && !control.exists));
  }

  function isOfControl(request: RequestContext, authorization: string): boolean {
    return !request.isRepeated?.("authorization") && control.allows(authorization, () => aimOf(request));
  }

  function parseProof(request: RequestContext, header: string): SessionProof | undefined {
    const port = guard.requestedPort(request, request.host.node?.socket);
    return port === undefined ? undefined : parseSessionProof(header, { ...aimOf(request), port });
  }

  function proofOf(request: RequestContext): SessionProof | undefined {
    const header = request.header(SESSION_HEADER);
    if (header === undefined) return undefined;
    const proof = proofs.get(request) ?? parseProof(request, header);
    if (proof !== undefined) proofs.set(request, proof);
    return proof;
  }

  /** A session allows everything. An invalid one is ignored. */
  function recognizeSession(request: RequestContext): Grants | undefined {
    const proof = proofOf(request);
    if (proof === undefined && (!cookieAlone || request.header(SESSION_HEADER) !== undefined)) return nobody;
    if (request.isRepeated?.(SESSION_HEADER) || !isSameOrigin(request, guard)) return nobody;
    const cookies = sessionCookies(request, guard);
    if (cookies.length === 0) return nobody;
    const found = sessions.recognize({ cookies, proof, address: request.remoteAddress });
    if (found === undefined) return nobody;
    return { ...OPERATOR, caller: { kind: "session", id: found.id, expires: found.expires } };
  }

  function sendsSession(request: RequestContext): boolean {
    return request.header(SESSION_HEADER) !== undefined || (cookieAlone && sessionCookies(request, guard).length > 0);
  }

  return {
    ready(request, need) {
      const authorization = request.header("authorization");
      if (authorization === undefined || isOfProxy(request, authorization)) {
        const waiting = sendsSession(request) ? sessions.ready() : undefined;
        if (!dependsOnKeys(need)) return waiting;
        return waiting === undefined ? keys.ready() : waiting.then(() => keys.ready());
      }
      const waiting = keys.ready();
      if (waiting === undefined || !isOfControl(request, authorization)) return waiting;
      // The owner's credentials need no records: they work even if the storage fails.
      waiting.catch(() => undefined);
      return undefined;
    },
    grantsOf(request) {
      const authorization = request.header("authorization");
      if (authorization === undefined || isOfProxy(request, authorization)) return recognizeSession(request);
      // Do not guess which of two headers applies; a proxy may have checked the other one.
      if (request.isRepeated?.("authorization")) return unknown();
      const presented = { origin: request.header("origin"), address: request.remoteAddress };
      // Heartbeats come first: their keys are remembered.
      const recent = keys.recognizeRecent(authorization, presented);
      if (recent !== undefined) return recent;
      if (isOfControl(request, authorization)) return OPERATOR;
      return keys.recognize(authorization, presented) ?? unknown();
    },
    isInForce(grants) {
      const { caller } = grants;
      if (caller === undefined) return true;
      return caller.kind === "key" ? keys.isValid(grants) : sessions.isValid(caller.id);
    },
    areGiven: (request) => sendsKey(request) || sendsSession(request),
    isArmed: () => control.exists || isRequired || keys.hasKeys(),
    hasKeys: () => isRequired || keys.hasKeys(),
  };
}

function aimOf({ method, path, search }: RequestContext): Aimed {
  return { method, target: search === "" ? path : `${path}?${search}` };
}

/** Whether the header `Authorization` is only for a proxy and contains no key. */
function isOfProxy(request: RequestContext, authorization: string): boolean {
  if (authorization.startsWith(SCHEME) || !OF_PROXIES.test(authorization)) return false;
  return !JOINED.test(authorization) && !request.isRepeated?.("authorization");
}

function sendsKey(request: RequestContext): boolean {
  const authorization = request.header("authorization");
  return authorization !== undefined && !isOfProxy(request, authorization);
}

/** Proofs are valid for one request, which may be checked several times. */
const proofs: WeakMap<RequestContext, SessionProof> = new WeakMap();
