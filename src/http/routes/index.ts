import type { ActionParts } from "../../actions/index.js";
import type { OperationId } from "../../api/operations.js";
import type { AccessServices } from "../../service/access/access-services.js";
import type { TrustedClock } from "../../service/trusted-clock.js";
import { invalid } from "../../service/validation.js";
import type { Storage } from "../../storage/storage.js";
import type { MemoryBudget } from "../../util/memory-budget.js";
import type { Control } from "../control.js";
import type { Credentials } from "../credentials.js";
import type { Guard } from "../guard.js";
import type { Handlers } from "../route.js";
import { actionHandlers } from "./action-handlers.js";
import { bucketHandlers } from "./buckets.js";
import { documentHandlers } from "./document.js";
import { eventHandlers } from "./events.js";
import { feedHandlers } from "./feed.js";
import { pairingHandlers } from "./pairing.js";
import { queryHandlers } from "./query.js";
import { searchHandlers } from "./search.js";
import { sessionHandlers } from "./sessions.js";
import { storageHandlers } from "./storage.js";
import { transferHandlers } from "./transfer.js";

/** The needs of handlers in addition to the service, which each request has. */
export interface HandlerParts extends AccessServices {
  readonly actions: ActionParts;
  readonly storage: Storage;
  readonly budget: MemoryBudget;
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
  const { keys, sessions, pairing, guard, credentials, version, isRequired } = parts;
  const carriedOut = actionHandlers(parts.actions);
  return {
    ...carriedOut,
    ...documentHandlers({ version, needsKey: isRequired }),
    ...bucketHandlers,
    ...eventHandlers,
    ...feedHandlers,
    ...queryHandlers,
    ...searchHandlers,
    async refuseSetting() {
      throw invalid("a setting needs a key: POST /api/0/settings/<key>");
    },
    ...transferHandlers,
    ...sessionHandlers({ sessions, keys, guard, isRequired }),
    ...pairingHandlers({ pairing, credentials, approve: carriedOut.approvePairing }),
    ...storageHandlers(parts, `activity-server ${version}`),
  };
}
