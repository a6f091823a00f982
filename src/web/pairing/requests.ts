// Pairing requests: programs that want a key, and extensions that want to report.
import { type Signal, signal } from "@preact/signals";
import { isActivityClientError } from "../../client/errors.js";
import type { ClientPairingQuestion, KeyScope } from "../../client/index.js";
import { client, isKeyGiven, missingCredentials } from "../api.js";
import { isReset } from "../live/changes.js";
import { isFeedAlive, onFeed } from "../live/feed.js";
import { pollWhileShown } from "../poll.js";
import { recoveries } from "../recoveries.js";
import { session } from "../session.js";

export const pairingRequests: Signal<readonly ClientPairingQuestion[]> = signal([]);

/** Time for a program to collect its key, in milliseconds, before the list of keys is reloaded. */
const COLLECTING = 60_000;
let allowedAt = 0;
/** Time between two polls without the live feed, in milliseconds. */
const EVERY = 10_000;

/** Increases with each decision, and when a key may be collected, since keys and extensions have changed then. */
export const answered: Signal<number> = signal(0);

/** Increases when the list must be read again. */
export const pairingNews: Signal<number> = signal(0);

onFeed((message) => {
  if (message.type !== "pairing" && !isReset(message)) return;
  pairingNews.value++;
  if (message.type === "pairing" && message.action !== "requested") answered.value++;
});

/** Loads the requests, again when they expire, and repeatedly while there is no live feed. @returns stops it */
export function pollPairingRequests(): () => void {
  // The feed usually starts soon: what was loaded before it would have to be loaded again.
  let isDue = isFeedAlive.peek();
  return pollWhileShown(async (signal) => {
    if (isDue) await loadPairingRequests(signal);
    isDue = true;
  }, pauseUntilPoll);
}

/** The feed reports everything but the expiry of a request. @returns milliseconds */
function pauseUntilPoll(): number | undefined {
  if (!isFeedAlive.peek()) return EVERY;
  const ends = pairingRequests.peek().map(({ expires }) => Date.parse(expires));
  return ends.length > 0 ? Math.max(EVERY, Math.min(...ends) - Date.now()) : undefined;
}

/** Value of `recoveries` when the server rejected the request. */
let refusedAt: number | undefined;

/** Whether to poll. Avoids rejections, which appear in the browser console. */
function mayPoll(): boolean {
  const facts = session.value;
  if (facts === undefined || missingCredentials.value !== undefined || refusedAt === recoveries.value) return false;
  return facts.signed_in || isKeyGiven.value || !(facts.required || facts.has_keys);
}

/** Loads the pairing requests, but not again with a rejected key. @throws ActivityClientError */
async function loadPairingRequests(signal?: AbortSignal): Promise<void> {
  if (!mayPoll()) return;
  try {
    pairingRequests.value = await client.pairing.list({ signal });
    if (Date.now() - allowedAt < COLLECTING) answered.value++;
  } catch (error) {
    if (!isActivityClientError(error) || error.code !== "REFUSED") throw error;
    pairingRequests.value = [];
    refusedAt = recoveries.value;
  }
}

/** @throws ActivityClientError */
export async function allow({ code, kind }: ClientPairingQuestion, scopes: readonly string[]): Promise<void> {
  await client.pairing.approve(code, kind === "key" ? { scopes: [...scopes] as KeyScope[] } : {});
  allowedAt = Date.now();
  dropRequest(code);
}

/** @throws ActivityClientError */
export async function refuse({ code }: ClientPairingQuestion): Promise<void> {
  await client.pairing.refuse(code);
  dropRequest(code);
}

function dropRequest(answeredCode: string): void {
  pairingRequests.value = pairingRequests.value.filter(({ code }) => code !== answeredCode);
  answered.value++;
}
