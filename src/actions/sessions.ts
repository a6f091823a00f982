import type { Sessions } from "../service/access/sessions.js";
import type { Actions } from "./action.js";

/** docs/keys.md#signing-in. @param signInPath where the page is that takes a token, up to the token */
export function sessionActions(
  sessions: Sessions,
  signInPath: string,
): Actions<"createSignInLink" | "listSessions" | "endSession"> {
  return {
    async createSignInLink() {
      const link = sessions.createLink();
      return { ...link, path: signInPath + link.token };
    },
    listSessions: (_, { caller }) => sessions.list(caller?.kind === "session" ? caller.id : undefined),
    endSession: ({ params }) => sessions.end(params.sessionId),
  };
}
