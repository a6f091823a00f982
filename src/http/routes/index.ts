import type { OperationId } from "../../api/operations.js";
import { invalid } from "../../service/validation.js";
import type { Handlers } from "../route.js";
import { actionHandlers } from "./action-handlers.js";
import { bucketHandlers } from "./buckets.js";
import { documentHandlers } from "./document.js";
import { eventHandlers } from "./events.js";
import { feedHandlers } from "./feed.js";
import { pairingHandlers } from "./pairing.js";
import type { HandlerParts } from "./parts.js";
import { queryHandlers } from "./query.js";
import { searchHandlers } from "./search.js";
import { sessionHandlers } from "./sessions.js";
import { storageHandlers } from "./storage.js";
import { transferHandlers } from "./transfer.js";

export function handlersOf(parts: HandlerParts): Handlers<OperationId> {
  const { version, isRequired } = parts;
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
    ...sessionHandlers(parts),
    ...pairingHandlers(parts, carriedOut.approvePairing),
    ...storageHandlers(parts),
  };
}
