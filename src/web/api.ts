// The way to the server that the page came from.
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { createClient } from "../client/client.js";
import type { ActivityClient } from "../client/client-types.js";
import { isActivityClientError } from "../client/errors.js";

/** Where the server is mounted, without a slash at its end: the page lies there, whatever prefix is in front. */
export const apiBase: string = new URL(".", location.href.split(/[?#]/, 1)[0]).href.replace(/\/+$/, "");

/** Only for this tab, and only until it is closed: pages of the same origin could read more. */
const KEPT_KEY = "activity-server.key";

/** Desktop shells open `/?token=KEY#/...`. It must not stay in the address, which is copied and kept in histories. */
function takeToken(): void {
  const search = new URLSearchParams(location.search);
  const token = search.get("token");
  if (token === null) return;
  if (token !== "") sessionStorage.setItem(KEPT_KEY, token);
  search.delete("token");
  const rest = search.toString();
  history.replaceState(history.state, "", `${location.pathname}${rest && `?${rest}`}${location.hash}`);
}
takeToken();

const key: Signal<string> = signal(sessionStorage.getItem(KEPT_KEY) ?? "");
/** Why a call without the right key was refused. */
export interface KeyWanted {
  /** What the server said. */
  readonly message: string;
  /** Whether there was a key, but another one. */
  readonly wasGiven: boolean;
}

const refused: Signal<KeyWanted | undefined> = signal(undefined);

/** Set when the server asks for the API key; `undefined` while it does not. */
export const keyWanted: ReadonlySignal<KeyWanted | undefined> = refused;

/** Grows when the server answers again, and when it was given a key: what failed can be tried once more. */
export const recoveries: Signal<number> = signal(0);

/** Whether the last call got an answer. */
export const isReachable: Signal<boolean> = signal(true);

/** Sends the key with every call from now on; an empty one is forgotten. */
export function giveKey(given: string): void {
  key.value = given;
  if (given === "") sessionStorage.removeItem(KEPT_KEY);
  else sessionStorage.setItem(KEPT_KEY, given);
  refused.value = undefined;
  recoveries.value++;
}

/** Whether there is a key. */
export const isKeyGiven: ReadonlySignal<boolean> = computed(() => key.value !== "");

/** What shows the key to the server, for requests that are not made here; nothing while there is none. */
export function keyHeaders(): Readonly<Record<string, string>> {
  return key.value === "" ? {} : { authorization: `Bearer ${key.value}` };
}

/**
 * The global `fetch` with the key, for what the client has no method for.
 *
 * @param path below the server, such as `api/0/import`
 */
export function ask(path: string, init: RequestInit = {}): Promise<Response> {
  return send(`${apiBase}/${path}`, init);
}

async function send(url: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  const sentKey = key.value;
  if (sentKey !== "") headers.set("authorization", `Bearer ${sentKey}`);
  let response: Response;
  try {
    response = await fetch(url, { ...init, headers });
  } catch (thrown) {
    if (!init.signal?.aborted) isReachable.value = false;
    throw thrown;
  }
  if (!isReachable.value) {
    isReachable.value = true;
    recoveries.value++;
  }
  if (response.status === 401) {
    const message = await messageOf(response.clone());
    // The refusal of an older key says nothing about the present one, which may have come meanwhile.
    if (sentKey !== key.value) return send(url, init);
    refused.value = { message, wasGiven: sentKey !== "" };
  }
  return response;
}

async function messageOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => undefined);
  const message = typeof body === "object" && body !== null && "message" in body ? body.message : undefined;
  return typeof message === "string" ? message : "The server asks for an API key.";
}

/** Calls the server that the page came from. */
export const client: ActivityClient = createClient({ url: apiBase, fetch: send, timeoutMillis: 120_000 });

/** What a failure has to say to people: the server's own words where there are some. */
export function messageOfFailure(error: unknown): string {
  if (!isActivityClientError(error)) return error instanceof Error ? error.message : String(error);
  switch (error.code) {
    case "REFUSED":
      return error.serverMessage ?? `The server answered with the status ${error.status}.`;
    case "UNREACHABLE":
      return "The server does not answer.";
    case "TIMEOUT":
      return "The server has not answered in time.";
    case "MALFORMED_RESPONSE":
      return "Something answered that is not this server.";
    default:
      return error.message;
  }
}
