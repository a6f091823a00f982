import type { CallId } from "../api/calls.js";
import type { Extensions } from "../service/access/extensions.js";
import type { Keys } from "../service/access/keys.js";
import type { Pairing } from "../service/access/pairing.js";
import type { Identity } from "../service/identity/identity.js";
import { accessActions } from "./access.js";
import type { Actions } from "./action.js";
import { editingActions } from "./editing.js";
import { identityActions } from "./identity.js";
import { keyActions } from "./keys.js";
import { pairingActions } from "./pairing.js";
import { trashActions } from "./trash.js";

/** What actions need besides the service. */
export interface ActionParts {
  readonly keys: Keys;
  readonly pairing: Pairing;
  readonly extensions: Extensions;
  readonly identity: Identity;
}

/** An action for each operation that a method calls. */
export function actionsOf({ keys, pairing, extensions, identity }: ActionParts): Actions<CallId> {
  return {
    ...identityActions(identity),
    ...accessActions,
    ...keyActions(keys),
    ...pairingActions(pairing, extensions),
    ...editingActions,
    ...trashActions,
  };
}
