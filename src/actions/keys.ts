import type { KEY_OPERATIONS } from "../api/subjects/keys.js";
import type { Keys } from "../service/access/keys.js";
import type { Actions } from "./action.js";

/** docs/keys.md. */
export function keyActions(keys: Keys): Actions<keyof typeof KEY_OPERATIONS> {
  return {
    listKeys: () => keys.list(),
    createKey: ({ body }) => keys.add(body),
    revokeKey: ({ params }) => keys.revoke(params.keyName),
  };
}
