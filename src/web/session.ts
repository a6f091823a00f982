// Signing in with a link of `activity-server open`, and signing out (docs/reference/keys.md#sessions).

import { type Signal, signal } from "@preact/signals";
import type { ClientSessionState } from "../client/index.js";
import {
  areCredentialsRequired,
  beginSession,
  client,
  forgetCredentials,
  isKeyGiven,
  isSessionEvent,
  keepSession,
  missingCredentials,
  retryRejected,
  sessionLosses,
  sessionSecret,
} from "./api.js";
import { PageError } from "./page-error.js";
import { navigate, parsePlace, SIGN_IN_LINK } from "./router.js";
import { t } from "./texts/shell.js";

/** The session, and whether one is required; `undefined` until known. */
export const session: Signal<ClientSessionState | undefined> = signal(undefined);

/** Why a sign-in link failed. */
export const signInFailure: Signal<unknown> = signal(undefined);

/** The place before signing in, since the link opens another tab. */
const KEPT_PLACE = "activity-server.place";

/** Loads the session, and requests credentials if the server requires them. Never rejects. */
export async function loadSession(): Promise<void> {
  const secret = sessionSecret();
  try {
    const facts = await client.sessions.current();
    session.value = facts;
    // The session has ended, unless another tab has signed in since. With a key, the server does not check sessions.
    if (!facts.signed_in && !isKeyGiven.value && sessionSecret() === secret) keepSession("");
    areCredentialsRequired.value = facts.required;
    if (facts.required && !facts.signed_in && !isKeyGiven.value) {
      missingCredentials.value ??= { say: () => t("signedInOnly"), wasGiven: false };
    }
  } catch {
    // Views show failures.
  }
}

/**
 * Signs in if the address contains a sign-in link, and removes it from the address, which may be copied. Never rejects.
 */
export async function enter(before: string = localStorage.getItem(KEPT_PLACE) ?? ""): Promise<void> {
  const token = SIGN_IN_LINK.exec(location.hash)?.[1];
  if (token === undefined) return loadSession();
  const { path, params } = parsePlace(SIGN_IN_LINK.test(before) ? "" : before);
  navigate(path, Object.fromEntries(params), { replace: true });
  signInFailure.value = undefined;
  try {
    const { secret, expires } = await client.sessions.signIn(decodeURIComponent(token));
    // A key would take precedence.
    forgetCredentials();
    beginSession(secret, expires);
    missingCredentials.value = undefined;
  } catch (error) {
    signInFailure.value = error;
  }
  await loadSession();
  if (signInFailure.value === undefined && session.value?.signed_in === false) {
    signInFailure.value = new PageError(() => t("noCookie"));
  }
}

/** Ends the session, deletes the key and clears all loaded data. @throws ActivityClientError */
export async function signOut(): Promise<void> {
  await client.sessions.signOut();
  forgetCredentials();
  location.reload();
}

/** Watches for sign-in links and other tabs. */
export function followSession(): void {
  addEventListener("hashchange", async ({ oldURL }) => {
    if (!SIGN_IN_LINK.test(location.hash)) return;
    await enter(new URL(oldURL).hash);
    if (missingCredentials.value === undefined) retryRejected();
  });
  addEventListener("storage", async (event) => {
    if (!isSessionEvent(event)) return;
    missingCredentials.value = undefined;
    await loadSession();
    if (missingCredentials.value === undefined) retryRejected();
  });
  sessionLosses.subscribe((count) => {
    if (count > 0) void loadSession();
  });
  missingCredentials.subscribe((wanted) => {
    if (wanted === undefined) localStorage.removeItem(KEPT_PLACE);
    else localStorage.setItem(KEPT_PLACE, location.hash);
  });
}
