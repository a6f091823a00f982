import { ActivityError } from "../../errors.js";
import { unauthorized } from "../permission.js";
import type { Handler, Handlers } from "../route.js";
import { encoded, readBody } from "./action-handlers.js";
import type { HandlerParts } from "./parts.js";

/** docs/reference/keys.md#pairing. @param approve approves a pairing for any caller */
export function pairingHandlers(
  { pairing, credentials }: HandlerParts,
  approve: Handler,
): Handlers<"requestPairing" | "collectPairing" | "approvePairing"> {
  return {
    async requestPairing(request, context) {
      const asked = await readBody("PairingRequest", request, context);
      const source = { origin: request.header("origin"), address: request.remoteAddress };
      return encoded("NewPairing", pairing.request(asked, source));
    },

    async collectPairing(request, context) {
      const { secret } = await readBody("PairingSecret", request, context);
      const outcome = await pairing.collect(secret);
      if (outcome !== undefined) return encoded("PairingOutcome", outcome);
      await context.slowDown();
      throw new ActivityError("NO_SUCH_PAIRING", "no pairing request has this secret; it was decided or has expired");
    },

    /** A key may allow more than a caller without one has, so not every caller may create one. */
    async approvePairing(request, context) {
      const isAnybody = (await context.callerGrants())?.standing === "anybody";
      const isKey = isAnybody && pairing.getKind(context.params.get("code") as string) === "key";
      await credentials.ready(request, "operator");
      if (isKey && credentials.isArmed()) throw unauthorized();
      return approve(request, context);
    },
  };
}
