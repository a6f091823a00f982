import type { CallId } from "../api/calls.js";
import type { People } from "../service/access/people.js";
import type { Care } from "../service/care.js";
import type { Actions } from "./action.js";
import { bucketActions } from "./buckets.js";
import { eventActions } from "./events.js";
import { identityActions } from "./identity.js";
import { keyActions } from "./keys.js";
import { pairingActions } from "./pairing.js";
import { privacyActions } from "./privacy.js";
import { retentionActions } from "./retention.js";
import { sessionActions } from "./sessions.js";
import { settingsActions } from "./settings.js";
import { trashActions } from "./trash.js";

/** What actions need besides the service. */
export interface ActionParts extends Care, People {
  /** Where the page is that takes the token of a link, up to the token. */
  readonly signInPath: string;
}

/** An action for each operation that a method calls. */
export function actionsOf(parts: ActionParts): Actions<CallId> {
  return {
    getInfo: (_, service) => service.info(),
    ...bucketActions,
    ...identityActions(parts.identity),
    ...keyActions(parts.keys),
    ...pairingActions(parts.pairing, parts.extensions),
    ...eventActions,
    ...privacyActions(parts),
    ...retentionActions(parts.retention),
    ...sessionActions(parts.sessions, parts.signInPath),
    ...settingsActions,
    ...trashActions,
  };
}
