import type { CallId } from "../api/calls.js";
import type { Extensions } from "../service/access/extensions.js";
import type { Keys } from "../service/access/keys.js";
import type { Pairing } from "../service/access/pairing.js";
import type { Care } from "../service/care.js";
import { accessActions } from "./access.js";
import type { Actions } from "./action.js";
import { editingActions } from "./editing.js";
import { identityActions } from "./identity.js";
import { keyActions } from "./keys.js";
import { pairingActions } from "./pairing.js";
import { privacyActions } from "./privacy.js";
import { trashActions } from "./trash.js";

/** What actions need besides the service. */
export interface ActionParts extends Care {
  readonly keys: Keys;
  readonly pairing: Pairing;
  readonly extensions: Extensions;
}

/** An action for each operation that a method calls. */
export function actionsOf({ keys, pairing, extensions, ...care }: ActionParts): Actions<CallId> {
  return {
    ...identityActions(care.identity),
    ...accessActions,
    ...keyActions(keys),
    ...pairingActions(pairing, extensions),
    ...editingActions,
    ...privacyActions(care),
    ...trashActions,
  };
}
