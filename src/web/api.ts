// The way to the server that the page came from.

import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { createClient } from "../client/client.js";
import type { ActivityClient } from "../client/client-types.js";
import { type ActivityClientError, isActivityClientError } from "../client/errors.js";
import { isJsonObject, type JsonObject } from "../domain/json.js";
import { createSessionProof, SESSION_MILLIS } from "../util/session-proof.js";
import { PageError } from "./page-error.js";
import { common } from "./texts/common.js";
import { saidBy } from "./texts/said-by.js";
import { t } from "./texts/shell.js";
import type { Said } from "./texts/text.js";

// Links of the page begin at a slash, and the address may lack it.
if (!location.pathname.endsWith("/")) {
  history.replaceState(history.state, "", `${location.pathname}/${location.search}${location.hash}`);
}

/** Where the server is mounted, without a slash at its end: the page lies there, whatever prefix is in front. */
export const apiBase: string = new URL(".", location.href.split(/[?#]/, 1)[0]).href.replace(/\/+$/, "");

/** Only for this tab, and only until it is closed: pages of the same origin could read more. */
const KEPT_KEY = "activity-server.key";
/** For all tabs: it counts only together with a cookie that no page can read. Not that of a server beside this one. */
const KEPT_SESSION = `activity-server.session ${new URL(apiBase).pathname}`;

/**
 * Desktop shells open `/#/...?token=KEY`. Only the fragment is read: servers and proxies log the rest of an address.
 * The token must not stay there, since it is copied and kept in histories. A link never replaces what the owner has.
 */
function takeToken(): void {
  const [path = "", query = ""] = location.hash.split(/\?(.*)/s);
  const params = new URLSearchParams(query);
  const token = params.get("token");
  if (token === null) return;
  const isFree = (sessionStorage.getItem(KEPT_KEY) ?? "") === "" && (localStorage.getItem(KEPT_SESSION) ?? "") === "";
  if (token !== "" && isFree) sessionStorage.setItem(KEPT_KEY, token);
  params.delete("token");
  const rest = params.toString();
  history.replaceState(history.state, "", `${location.pathname}${location.search}${path}${rest && `?${rest}`}`);
}
takeToken();

const key: Signal<string> = signal(sessionStorage.getItem(KEPT_KEY) ?? "");
/** Why a call without the right key was refused. */
export interface KeyWanted {
  /** What the server said, or the page. */
  readonly say: Said;
  /** Whether there was a key, but another one. */
  readonly wasGiven: boolean;
}

/** Set while the server answers nobody who is not signed in and has no key; `undefined` while it does. */
export const keyWanted: Signal<KeyWanted | undefined> = signal(undefined);

/** Grows when the session turns out to have ended. */
export const sessionLosses: Signal<number> = signal(0);

/** Whether the server wants credentials for everything, as far as it has said. */
export const areNeeded: Signal<boolean> = signal(false);

/** What may need credentials where nothing else does: the place that asks says so, and the page goes on. */
const FOR_OWNERS = new RegExp(
  `/api/0/(${[
    "keys|sessions|pairing|extensions",
    "retention|privacy|trash|redirects|undo|hosts",
    "buckets/[^/]+/(access|rename|host|merge)$",
  ].join("|")})`,
);
/** Signing in: what is refused there says nothing of what the page has. */
const OF_SESSION = /\/api\/0\/session$/;

/** Grows when the server answers again, and when it was given a key: what failed can be tried once more. */
export const recoveries: Signal<number> = signal(0);

/** Whether the last call got an answer. */
export const isReachable: Signal<boolean> = signal(true);

/** Sends the key with every call from now on. */
export function giveKey(given: string): void {
  keepKey(given);
  goOn();
}

function keepKey(given: string): void {
  key.value = given;
  if (given === "") sessionStorage.removeItem(KEPT_KEY);
  else sessionStorage.setItem(KEPT_KEY, given);
}

/** Lets everything be asked for that was not given without credentials. */
export function goOn(): void {
  keyWanted.value = undefined;
  recoveries.value++;
}

/** What is kept of the session that is going on, `""` for none. Other tabs may begin and end one at any time. */
export function sessionSecret(): string {
  return localStorage.getItem(KEPT_SESSION) ?? "";
}

/** Keeps a session; an empty one is forgotten. */
export function keepSession(secret: string): void {
  if (secret === "") localStorage.removeItem(KEPT_SESSION);
  else localStorage.setItem(KEPT_SESSION, secret);
}

/** Forgets key and session. */
export function forgetCredentials(): void {
  keepSession("");
  keepKey("");
}

/** Whether another tab has signed in or out. */
export function isOfSession({ key: changed }: StorageEvent): boolean {
  return changed === KEPT_SESSION;
}

/** Whether there is a key. */
export const isKeyGiven: ReadonlySignal<boolean> = computed(() => key.value !== "");

/** What is kept of a session: its secret, and how far the clock of the server is ahead, in milliseconds. */
const KEPT = /^([\w-]+)(?:\.(-?\d+))?$/;

/** Keeps the session that the server has begun just now. */
export function beginSession(secret: string, expires: string): void {
  keepAhead(secret, Date.parse(expires) - SESSION_MILLIS);
}

/** @param millis the time of the server */
function keepAhead(secret: string, millis: number): void {
  keepSession(`${secret}.${Math.round(millis - Date.now())}`);
}

/** What the clocks may differ by before it is kept: that tells all tabs. */
const CLOCK_MILLIS = 1000;

/** Follows a clock that was changed since the session began. */
function followClock({ values }: JsonObject): void {
  const time = isJsonObject(values) ? values["time"] : undefined;
  const [, secret, ahead = "0"] = KEPT.exec(sessionSecret()) ?? [];
  if (secret === undefined || typeof time !== "number") return;
  if (Math.abs(time - Date.now() - Number(ahead)) > CLOCK_MILLIS) keepAhead(secret, time);
}

/** Whether there is a key or a session. */
export function hasCredentials(): boolean {
  return key.value !== "" || sessionSecret() !== "";
}

/**
 * What shows key and session to the server for one request; nothing while there is neither. The secret of the session
 * is never sent: another program may have the port of the server.
 */
export function keyHeaders(method: string, url: string): Readonly<Record<string, string>> {
  const [, secret, ahead = "0"] = KEPT.exec(sessionSecret()) ?? [];
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
 * The global `fetch` with key and session, for what the client has no method for.
 *
 * @param path below the server, such as `api/0/import`
 */
export function ask(path: string, init: RequestInit = {}): Promise<Response> {
  return send(`${apiBase}/${path}`, init);
}

/** A request with what shows key and session. */
function shownWith(init: RequestInit, shown: ReturnType<typeof keyHeaders>): RequestInit {
  const headers = new Headers(init.headers);
  for (const [name, value] of Object.entries(shown)) headers.set(name, value);
  return { ...init, headers };
}

/** How often a request is sent again with another proof: the first may be older than a server that has restarted. */
const MOST_TRIES = 4;
const RETRY_MILLIS = 250;

async function send(url: string, init: RequestInit, tries = 0): Promise<Response> {
  const given = `${key.value} ${sessionSecret()}`;
  const shown = keyHeaders(init.method ?? "GET", url);
  let response: Response;
  try {
    response = await fetch(url, shownWith(init, shown));
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
      // The session itself is right, and goes on.
      if (tries === MOST_TRIES) return response;
      followClock(refusal);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MILLIS * 2 ** tries));
      return send(url, init, tries + 1);
    }
    if (OF_SESSION.test(url)) return response;
    // The refusal of an older key says nothing about the present one, which may have come meanwhile.
    if (`${key.value} ${sessionSecret()}` !== given) return send(url, init);
    noteRefusal(refusal, shown, FOR_OWNERS.test(url) && !areNeeded.value);
  }
  return response;
}

/** @param isBeside whether the page goes on without what was refused */
function noteRefusal({ message, fault }: JsonObject, shown: ReturnType<typeof keyHeaders>, isBeside: boolean): void {
  const wasGiven = "authorization" in shown;
  const wasSignedIn = !wasGiven && "x-activity-session" in shown;
  if (wasSignedIn) {
    keepSession("");
    sessionLosses.value++;
  }
  // What was sent without anything, since the session had ended meanwhile, says less than the end of that.
  const isKnown = keyWanted.value !== undefined && !wasGiven && !wasSignedIn;
  if (isBeside || isKnown) return;
  // The program around the server has words of its own.
  const own = typeof message === "string" && fault !== "keyNeeded" ? message : undefined;
  keyWanted.value = { say: () => (wasSignedIn ? t("sessionEnded") : (own ?? t("keyAsked"))), wasGiven };
}

async function bodyOf(response: Response): Promise<JsonObject> {
  const body: unknown = await response.json().catch(() => undefined);
  return isJsonObject(body) ? body : {};
}

/** Calls the server that the page came from. */
export const client: ActivityClient = createClient({
  url: apiBase,
  fetch: (url, init) => send(url, init),
  timeoutMillis: 120_000,
});

/** The same, for what is asked for before anybody wants it: nobody is told of what fails then. */
export const clientAhead: ActivityClient = createClient({
  url: apiBase,
  fetch: (url, init) => fetch(url, shownWith(init, keyHeaders(init.method ?? "GET", url))),
  timeoutMillis: 120_000,
  retries: 0,
});

/** What a failure has to say to people: the server's own words where there are some, behind what a refusal means. */
export function messageOfFailure(error: unknown): string {
  if (error instanceof PageError) return error.say();
  if (!isActivityClientError(error)) return error instanceof Error ? error.message : String(error);
  switch (error.code) {
    case "REFUSED":
      return refusalText(error);
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

function refusalText(error: ActivityClientError): string {
  if (isGone(error)) return common("gone");
  const { status, serverMessage: message } = error;
  // What signing in fails by says all.
  const meaning = OF_SESSION.test(error.url ?? "") ? undefined : meaningOf(error);
  if (message === undefined) return meaning ?? common("badStatus", { status: String(status) });
  return meaning === undefined ? saidBy(error, message) : common("withDetail", { meaning, message });
}

/** Whether it failed since the trash no longer holds what was to be restored. */
export function isGone(error: unknown): boolean {
  return isActivityClientError(error) && error.status === 404 && /\/api\/0\/(trash|undo)\//.test(error.url ?? "");
}

/** What it means that somebody may not do something; `undefined` for other failures. */
export function meaningOf({ status }: ActivityClientError): string | undefined {
  if (status === 401) return common("needsSignIn");
  return status === 403 ? common("notAllowed") : undefined;
}
