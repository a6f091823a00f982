import type { Need } from "../api/operation.js";
import { ANYBODY, type Grants, OPERATOR } from "../service/access/grants.js";
import type { Keys } from "../service/access/keys.js";
import type { Sessions } from "../service/access/sessions.js";
import { parseSessionProof, type SessionProof } from "../util/session-proof.js";
import type { Waiting } from "../util/waiting.js";
import type { Control } from "./control.js";
import type { Aimed } from "./control-proof.js";
import type { Guard } from "./guard.js";
import type { RequestContext } from "./request-context.js";
import { isSameOrigin, SESSION_HEADER, sessionCookies } from "./session-cookie.js";

/** What the credentials of requests open (docs/keys.md). */
export interface Credentials {
  /**
   * To wait for before the methods below, in the same turn.
   *
   * @param need what decides besides the request's credentials
   */
  ready(request: RequestContext, need?: Need): Waiting;
  /** `undefined`: credentials are needed, or those that came open nothing. */
  grantsOf(request: RequestContext): Grants | undefined;
  /** Whether the credentials of these grants are still valid: no key was revoked, no session ended. */
  isInForce(grants: Grants): boolean;
  /** Whether a request brings credentials, right or wrong. */
  areGiven(request: RequestContext): boolean;
  /** Whether there is anything that opens more than nothing does: a key, or what operators have. */
  isArmed(): boolean;
  /** Whether there are keys, and so somebody who is not just anybody. */
  hasKeys(): boolean;
}

export interface CredentialsOptions {
  readonly guard: Guard;
  readonly control: Control;
  readonly keys: Keys;
  readonly sessions: Sessions;
  /** Whether credentials are needed for whatever is not open. With an API key they always are. */
  readonly isRequired: boolean;
  /** Whether the cookie of a session counts without a proof of its page. */
  readonly cookieAlone: boolean;
}

/** For calls that come from the program itself. */
export const OF_OPERATOR: Credentials = {
  ready: () => undefined,
  grantsOf: () => OPERATOR,
  isInForce: () => true,
  areGiven: () => false,
  isArmed: () => true,
  hasKeys: () => false,
};

const SCHEME = "Bearer ";
/** What proxies ask browsers for and pass on: passwords and tickets of theirs, none of which can be a key. */
const OF_PROXIES = /^(?:basic|digest|negotiate|ntlm)(?: |$)/i;
/** Two headers that somebody has joined: the key behind the comma is no part of a password. */
const JOINED = /,\s*(?:basic|bearer|control|digest|negotiate|ntlm)(?: |$)/i;

/** Decides by the header Authorization, the only place for a key; without it by a session. */
export function createCredentials({
  guard,
  control,
  keys,
  sessions,
  isRequired,
  cookieAlone,
}: CredentialsOptions): Credentials {
  const nobody = isRequired ? undefined : ANYBODY;

  /** Where nothing is asked of anybody and there are no keys, a header that somebody else wants means nothing. */
  function unknown(): Grants | undefined {
    return isRequired || keys.exist() ? undefined : ANYBODY;
  }

  /** Whether it depends on keys what a caller without credentials may do. */
  function dependsOnKeys(need: Need | undefined): boolean {
    return !isRequired && (need === "owner" || (need === "operator" && !control.exists));
  }

  function isOfControl(request: RequestContext, authorization: string): boolean {
    return !request.isRepeated?.("authorization") && control.allows(authorization, () => aimOf(request));
  }

  /** Proofs count for one request, which may be asked about several times. */
  const proofs = new WeakMap<RequestContext, SessionProof>();

  function madeProof(request: RequestContext, header: string): SessionProof | undefined {
    const port = guard.askedPort(request, request.host.node?.socket);
    return port === undefined ? undefined : parseSessionProof(header, { ...aimOf(request), port });
  }

  function proofOf(request: RequestContext): SessionProof | undefined {
    const header = request.header(SESSION_HEADER);
    if (header === undefined) return undefined;
    const proof = proofs.get(request) ?? madeProof(request, header);
    if (proof !== undefined) proofs.set(request, proof);
    return proof;
  }

  /** A session opens everything. One that does not count is nothing at all. */
  function bySession(request: RequestContext): Grants | undefined {
    const proof = proofOf(request);
    if (proof === undefined && (!cookieAlone || request.header(SESSION_HEADER) !== undefined)) return nobody;
    if (request.isRepeated?.(SESSION_HEADER) || !isSameOrigin(request, guard)) return nobody;
    const cookies = sessionCookies(request, guard);
    if (cookies.length === 0) return nobody;
    const found = sessions.recognize({ cookies, proof, address: request.remoteAddress });
    if (found === undefined) return nobody;
    return { ...OPERATOR, caller: { kind: "session", id: found.id, expires: found.expires } };
  }

  function bringsSession(request: RequestContext): boolean {
    return request.header(SESSION_HEADER) !== undefined || (cookieAlone && sessionCookies(request, guard).length > 0);
  }

  return {
    ready(request, need) {
      const authorization = request.header("authorization");
      if (authorization === undefined || isOfProxy(request, authorization)) {
        const waiting = bringsSession(request) ? sessions.ready() : undefined;
        if (!dependsOnKeys(need)) return waiting;
        return waiting === undefined ? keys.ready() : waiting.then(() => keys.ready());
      }
      const waiting = keys.ready();
      if (waiting === undefined || !isOfControl(request, authorization)) return waiting;
      // What the operator has needs no records: it works even if the storage fails.
      waiting.catch(() => undefined);
      return undefined;
    },
    grantsOf(request) {
      const authorization = request.header("authorization");
      if (authorization === undefined || isOfProxy(request, authorization)) return bySession(request);
      // Which of two counts would be a guess, and another one than that of a proxy before.
      if (request.isRepeated?.("authorization")) return unknown();
      const presented = { origin: request.header("origin"), address: request.remoteAddress };
      // First what comes with every heartbeat.
      const recent = keys.recall(authorization, presented);
      if (recent !== undefined) return recent;
      if (isOfControl(request, authorization)) return OPERATOR;
      return keys.recognize(authorization, presented) ?? unknown();
    },
    isInForce(grants) {
      const { caller } = grants;
      if (caller === undefined) return true;
      return caller.kind === "key" ? keys.isInForce(grants) : sessions.isInForce(caller.id);
    },
    areGiven: (request) => bringsKey(request) || bringsSession(request),
    isArmed: () => control.exists || isRequired || keys.exist(),
    hasKeys: () => isRequired || keys.exist(),
  };
}

function aimOf({ method, path, search }: RequestContext): Aimed {
  return { method, target: search === "" ? path : `${path}?${search}` };
}

/** Whether the header `Authorization` is meant for a proxy in front alone: then it says nothing about a key. */
function isOfProxy(request: RequestContext, authorization: string): boolean {
  if (authorization.startsWith(SCHEME) || !OF_PROXIES.test(authorization)) return false;
  return !JOINED.test(authorization) && !request.isRepeated?.("authorization");
}

function bringsKey(request: RequestContext): boolean {
  const authorization = request.header("authorization");
  return authorization !== undefined && !isOfProxy(request, authorization);
}
