// Who waits for an answer of the owner: programs that want a key, and extensions that want to report.
import { type Signal, signal } from "@preact/signals";
import { isActivityClientError } from "../../client/errors.js";
import type { ClientPairingQuestion } from "../../client/index.js";
import { client, isKeyGiven, keyWanted, recoveries } from "../api.js";
import { session } from "../session.js";

export const questions: Signal<readonly ClientPairingQuestion[]> = signal([]);

/** How long an asker may take to collect its key, in milliseconds, for the list of keys to show it by itself. */
const COLLECTING = 60_000;
let allowedAt = 0;

/** Grows with each answer, and when a key may have been collected: keys and extensions are others then. */
export const answered: Signal<number> = signal(0);

/** What `recoveries` was when the server refused to tell. */
let refusedAt: number | undefined;

/** Whether it is worth asking: a refusal would be written into the console of the browser. */
function mayAsk(): boolean {
  const facts = session.value;
  if (facts === undefined || keyWanted.value !== undefined || refusedAt === recoveries.value) return false;
  return facts.signed_in || isKeyGiven.value || !(facts.required || facts.has_keys);
}

/** Asks who waits; not again with a key that may not know. @throws ActivityClientError */
export async function loadQuestions(signal?: AbortSignal): Promise<void> {
  if (!mayAsk()) return;
  try {
    questions.value = await client.pairing.list({ signal });
    if (Date.now() - allowedAt < COLLECTING) answered.value++;
  } catch (error) {
    if (!isActivityClientError(error) || error.code !== "REFUSED") throw error;
    questions.value = [];
    refusedAt = recoveries.value;
  }
}

/** @throws ActivityClientError */
export async function allow({ code, kind }: ClientPairingQuestion, scopes: readonly string[]): Promise<void> {
  await client.pairing.approve(code, kind === "key" ? { scopes: [...scopes] } : {});
  allowedAt = Date.now();
  over(code);
}

/** @throws ActivityClientError */
export async function refuse({ code }: ClientPairingQuestion): Promise<void> {
  await client.pairing.refuse(code);
  over(code);
}

function over(answeredCode: string): void {
  questions.value = questions.value.filter(({ code }) => code !== answeredCode);
  answered.value++;
}
