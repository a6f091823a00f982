import type { SessionInfo, Sessions } from "./access/sessions.js";
import type { SignInLink } from "./access/sign-in-links.js";

/** Who is signed in at a page of a server, for the program that it lives in (docs/keys.md#signing-in). */
export interface InProcessSessions {
  /**
   * Makes a link by which somebody signs in: once, for a minute. The dashboard takes the token in the address
   * `#/sign-in/<token>`.
   */
  createLink(): Promise<SignInLink>;
  /** Those that are going on, the oldest first. */
  list(): Promise<SessionInfo[]>;
  /** Ends a session at once. @throws ActivityError `NO_SUCH_SESSION` */
  end(id: string): Promise<void>;
}

export function createInProcessSessions(
  sessions: Sessions,
  { during }: { during<T>(work: () => Promise<T>): Promise<T> },
): InProcessSessions {
  return {
    createLink: () => during(async () => sessions.createLink()),
    list: () => during(() => sessions.list()),
    end: (id) => during(() => sessions.end(id)),
  };
}
