// Requests to the server that served the page.

import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { createClient } from "../client/client.js";
import type { ActivityClient } from "../client/client-types.js";
import { type ActivityClientError, isActivityClientError } from "../client/errors.js";
import { isJsonObject, type JsonObject } from "../domain/json.js";
import { createSessionProof, SESSION_MILLIS } from "../util/session-proof.js";
import { PageError } from "./page-error.js";
import { recoveries } from "./recoveries.js";
import { common } from "./texts/common.js";
import { t } from "./texts/shell.js";
import type { LazyText } from "./texts/text.js";
import { translateMessage } from "./texts/translate-message.js";

// Links of the page begin at a slash, and the address may lack it.
if (!location.pathname.endsWith("/")) {
  history.replaceState(history.state, "", `${location.pathname}/${location.search}${location.hash}`);
}

/** Base URL of the server without a trailing slash, derived from the page's address, whatever the prefix. */
export const apiBase: string = new URL(".", location.href.split(/[?#]/, 1)[0]).href.replace(/\/+$/, "");

/** Stored per tab until it is closed, since pages of the same origin could read longer-lived storage. */
const KEY_STORAGE = "activity-server.key";
/** Shared by all tabs. Only valid together with an HttpOnly cookie. The path separates servers of the same origin. */
const SESSION_STORAGE = `activity-server.session ${new URL(apiBase).pathname}`;

/**
 * Takes the key from `/#/...?token=KEY` of desktop shells, and removes it from the address, which is copied and logged.
 * It never replaces existing credentials. Servers and proxies do not see the fragment.
 */
function takeToken(): void {
  const [path = "", query = ""] = location.hash.split(/\?(.*)/s);
  const params = new URLSearchParams(query);
  const token = params.get("token");
  if (token === null) return;
  const isFree =
    (sessionStorage.getItem(KEY_STORAGE) ?? "") === "" && (localStorage.getItem(SESSION_STORAGE) ?? "") === "";
  if (token !== "" && isFree) sessionStorage.setItem(KEY_STORAGE, token);
  params.delete("token");
  const rest = params.toString();
  history.replaceState(history.state, "", `${location.pathname}${location.search}${path}${rest && `?${rest}`}`);
}
takeToken();

const key: Signal<string> = signal(sessionStorage.getItem(KEY_STORAGE) ?? "");
/** Why a call without a valid key was rejected. */
export interface MissingCredentials {
  /** Message of the server or the page. */
  readonly say: LazyText;
  /** Whether a key was sent. */
  readonly wasGiven: boolean;
}

/** Set while the server requires credentials that the page does not have. */
export const missingCredentials: Signal<MissingCredentials | undefined> = signal(undefined);

/** Increases when the session turns out to have ended. */
export const sessionLosses: Signal<number> = signal(0);

/** Whether the server requires credentials for everything, as far as known. */
export const areCredentialsRequired: Signal<boolean> = signal(false);

/** Routes that may require credentials even if others do not. The rest of the page continues. */
const OWNER_ROUTES = new RegExp(
  `/api/0/(${[
    "keys|sessions|pairing|extensions|assistant",
    "retention|privacy|trash|redirects|undo|hosts|machine",
    "buckets/[^/]+/(access|rename|host|merge)$",
  ].join("|")})`,
);
/** The sign-in route, whose rejections do not mean that the page's credentials are invalid. */
const SESSION_ROUTE = /\/api\/0\/session$/;

/** Whether the last call got a response. */
export const isReachable: Signal<boolean> = signal(true);

/** Sends the key with every call from now on. */
export function setKey(given: string): void {
  keepKey(given);
  retryRejected();
}

function keepKey(given: string): void {
  key.value = given;
  if (given === "") sessionStorage.removeItem(KEY_STORAGE);
  else sessionStorage.setItem(KEY_STORAGE, given);
}

/** Retries everything that was rejected without credentials. */
export function retryRejected(): void {
  missingCredentials.value = undefined;
  recoveries.value++;
}

/** The stored secret of the current session; `""` for none. Other tabs may start and end sessions at any time. */
export function sessionSecret(): string {
  return localStorage.getItem(SESSION_STORAGE) ?? "";
}

export function keepSession(secret: string): void {
  if (secret === "") localStorage.removeItem(SESSION_STORAGE);
  else localStorage.setItem(SESSION_STORAGE, secret);
}

export function forgetCredentials(): void {
  keepSession("");
  keepKey("");
}

/** Whether another tab has signed in or out. */
export function isSessionEvent({ key: changed }: StorageEvent): boolean {
  return changed === SESSION_STORAGE;
}

export const isKeyGiven: ReadonlySignal<boolean> = computed(() => key.value !== "");

/** Form of a stored session: its secret, and the server clock's lead in milliseconds. */
const STORED_SESSION = /^([\w-]+)(?:\.(-?\d+))?$/;

/** Stores a session that the server just created. */
export function beginSession(secret: string, expires: string): void {
  storeClockLead(secret, Date.parse(expires) - SESSION_MILLIS);
}

/** @param millis time of the server */
function storeClockLead(secret: string, millis: number): void {
  keepSession(`${secret}.${Math.round(millis - Date.now())}`);
}

/** Clock difference in milliseconds that is stored. Storing it notifies all tabs. */
const CLOCK_MILLIS = 1000;

/** Adjusts to a clock that was changed after the session started. */
function adjustClock({ values }: JsonObject): void {
  const time = isJsonObject(values) ? values["time"] : undefined;
  const [, secret, ahead = "0"] = STORED_SESSION.exec(sessionSecret()) ?? [];
  if (secret === undefined || typeof time !== "number") return;
  if (Math.abs(time - Date.now() - Number(ahead)) > CLOCK_MILLIS) storeClockLead(secret, time);
}

/** Whether there is a key or a session. */
export function hasCredentials(): boolean {
  return key.value !== "" || sessionSecret() !== "";
}

/** Identifies the credentials of this tab. */
export function credentials(): string {
  return `${key.value} ${STORED_SESSION.exec(sessionSecret())?.[1] ?? ""}`;
}

/**
 * Authentication headers of one request; empty without credentials. Never contains the session's secret, since another
 * program may use the server's port.
 */
export function keyHeaders(method: string, url: string): Readonly<Record<string, string>> {
  const [, secret, ahead = "0"] = STORED_SESSION.exec(sessionSecret()) ?? [];
  const { pathname, search } = new URL(url);
  return {
    ...(key.value !== "" && { authorization: `Bearer ${key.value}` }),
    ...(secret !== undefined && {
      "x-activity-session": createSessionProof(
        secret,
        { method, target: pathname + search, port: location.port },
        Date.now() + Number(ahead),
      ),
    }),
  };
}

/**
 * Calls `fetch` with credentials, for requests without a client method.
 *
 * @param path relative to the server, such as `api/0/import`
 */
export function ask(path: string, init: RequestInit = {}): Promise<Response> {
  return send(`${apiBase}/${path}`, init);
}

/** Adds authentication headers to a request. */
function withHeaders(init: RequestInit, shown: ReturnType<typeof keyHeaders>): RequestInit {
  const headers = new Headers(init.headers);
  for (const [name, value] of Object.entries(shown)) headers.set(name, value);
  return { ...init, headers };
}

/** Maximum number of attempts with a new proof: the first one may be outdated after a server restart. */
const MAX_TRIES = 4;
const RETRY_MILLIS = 250;

export async function send(url: string, init: RequestInit, tries = 0): Promise<Response> {
  const given = credentials();
  const shown = keyHeaders(init.method ?? "GET", url);
  let response: Response;
  try {
    response = await fetch(url, withHeaders(init, shown));
  } catch (thrown) {
    if (!init.signal?.aborted) isReachable.value = false;
    throw thrown;
  }
  if (!isReachable.value) {
    isReachable.value = true;
    recoveries.value++;
  }
  if (response.status === 401) {
    const refusal = await bodyOf(response.clone());
    if (refusal["fault"] === "staleProof") {
      // The session itself is valid and continues.
      if (tries === MAX_TRIES) return response;
      adjustClock(refusal);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MILLIS * 2 ** tries));
      return send(url, init, tries + 1);
    }
    if (SESSION_ROUTE.test(url)) return response;
    // The rejection of an old key does not apply to a key entered in the meantime.
    if (credentials() !== given) return send(url, init);
    recordRejection(refusal, shown, OWNER_ROUTES.test(url) && !areCredentialsRequired.value);
  }
  return response;
}

/** @param isBeside whether the rest of the page continues */
function recordRejection(
  { message, fault }: JsonObject,
  shown: ReturnType<typeof keyHeaders>,
  isBeside: boolean,
): void {
  const wasGiven = "authorization" in shown;
  const wasSignedIn = !wasGiven && "x-activity-session" in shown;
  if (wasSignedIn) {
    keepSession("");
    sessionLosses.value++;
  }
  // A request without credentials, because the session had just ended, is less specific than that event.
  const isKnown = missingCredentials.value !== undefined && !wasGiven && !wasSignedIn;
  if (isBeside || isKnown) return;
  // The embedding app may have a custom message.
  const own = typeof message === "string" && fault !== "keyNeeded" ? message : undefined;
  missingCredentials.value = { say: () => (wasSignedIn ? t("sessionEnded") : (own ?? t("keyAsked"))), wasGiven };
}

async function bodyOf(response: Response): Promise<JsonObject> {
  const body: unknown = await response.json().catch(() => undefined);
  return isJsonObject(body) ? body : {};
}

/** The client for the server that served the page. */
export const client: ActivityClient = createClient({
  url: apiBase,
  fetch: (url, init) => send(url, init),
  timeoutMillis: 120_000,
});

/** The client for prefetching, whose failures are not shown. */
export const clientAhead: ActivityClient = createClient({
  url: apiBase,
  fetch: (url, init) => fetch(url, withHeaders(init, keyHeaders(init.method ?? "GET", url))),
  timeoutMillis: 120_000,
  retries: 0,
});

/** The message of a failure: for a rejection its meaning, then the server's message if there is one. */
export function describeFailure(error: unknown): string {
  if (error instanceof PageError) return error.say();
  if (!isActivityClientError(error)) return error instanceof Error ? error.message : String(error);
  switch (error.code) {
    case "REFUSED":
      return describeRejection(error);
    case "UNREACHABLE":
      return common("unreachable");
    case "TIMEOUT":
      return common("timeout");
    case "MALFORMED_RESPONSE":
      return common("notThisServer");
    default:
      return error.message;
  }
}

function describeRejection(error: ActivityClientError): string {
  if (isGone(error)) return common("gone");
  const { status, serverMessage: message } = error;
  // The message of a failed sign-in is sufficient.
  const meaning = SESSION_ROUTE.test(error.url ?? "") ? undefined : explainRejection(error);
  if (message === undefined) return meaning ?? common("badStatus", { status: String(status) });
  return meaning === undefined ? translateMessage(error, message) : common("withDetail", { meaning, message });
}

/** Whether it failed because the trash entry no longer exists. */
export function isGone(error: unknown): boolean {
  return isActivityClientError(error) && error.status === 404 && /\/api\/0\/(trash|undo)\//.test(error.url ?? "");
}

/** The meaning of a missing permission; `undefined` for other failures. */
export function explainRejection({ status }: ActivityClientError): string | undefined {
  if (status === 401) return common("needsSignIn");
  return status === 403 ? common("notAllowed") : undefined;
}
