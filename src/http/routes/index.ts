import { type ActionParts, actionsOf } from "../../actions/index.js";
import type { OperationId } from "../../api/operations.js";
import type { TrustedClock } from "../../service/trusted-clock.js";
import type { Storage } from "../../storage/storage.js";
import type { Control } from "../control.js";
import type { Credentials } from "../credentials.js";
import type { Guard } from "../guard.js";
import type { Handlers } from "../route.js";
import { bucketHandlers } from "./buckets.js";
import { handlersFrom } from "./carried-out.js";
import { documentHandlers } from "./document.js";
import { editingHandlers } from "./editing.js";
import { eventHandlers } from "./events.js";
import { pairingHandlers } from "./pairing.js";
import { queryHandlers } from "./query.js";
import { searchHandlers } from "./search.js";
import { sessionHandlers } from "./sessions.js";
import { settingsHandlers } from "./settings.js";
import { storageHandlers } from "./storage.js";
import { timelineHandlers } from "./timeline.js";
import { transferHandlers } from "./transfer.js";

/** What handlers need besides the service, which each request brings. */
export interface HandlerParts extends ActionParts {
  readonly storage: Storage;
  readonly ages: TrustedClock;
  readonly guard: Guard;
  readonly control: Control;
  readonly credentials: Credentials;
  readonly version: string;
  /** Whether every request needs a key. */
  readonly isRequired: boolean;
}

/** A handler for each operation of the API. */
export function handlersOf(parts: HandlerParts): Handlers<OperationId> {
  const { storage, keys, sessions, pairing, guard, control, credentials, version, isRequired } = parts;
  const carriedOut = handlersFrom(actionsOf(parts));
  return {
    ...carriedOut,
    ...documentHandlers({ version, needsKey: isRequired }),
    ...bucketHandlers,
    ...eventHandlers,
    ...editingHandlers,
    ...timelineHandlers,
    ...queryHandlers,
    ...searchHandlers,
    ...settingsHandlers,
    ...transferHandlers,
    ...sessionHandlers({ sessions, keys, guard, isRequired }),
    ...pairingHandlers({ pairing, credentials, approve: carriedOut.approvePairing }),
    ...storageHandlers(storage, control, parts.ages, `activity-server ${version}`),
  };
}
