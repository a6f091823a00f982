import type { CallId } from "../api/calls.js";
import type { Keys } from "../service/access/keys.js";
import type { Identity } from "../service/identity/identity.js";
import { accessActions } from "./access.js";
import type { Actions } from "./action.js";
import { identityActions } from "./identity.js";
import { keyActions } from "./keys.js";
import { trashActions } from "./trash.js";

/** What actions need besides the service. */
export interface ActionParts {
  readonly keys: Keys;
  readonly identity: Identity;
}

/** An action for each operation that a method calls. */
export function actionsOf({ keys, identity }: ActionParts): Actions<CallId> {
  return {
    ...identityActions(identity),
    ...accessActions,
    ...keyActions(keys),
    ...trashActions,
  };
}
