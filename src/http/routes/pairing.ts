import { ActivityError } from "../../errors.js";
import type { Pairing } from "../../service/access/pairing.js";
import type { Credentials } from "../credentials.js";
import { unauthorized } from "../permission.js";
import type { Handler, Handlers } from "../route.js";
import { encoded, readBody } from "./action-handlers.js";

export interface PairingRoutesOptions {
  readonly pairing: Pairing;
  readonly credentials: Pick<Credentials, "ready" | "isArmed">;
  /** Approves a pairing for any caller. */
  readonly approve: Handler;
}

/** docs/reference/keys.md#pairing. */
export function pairingHandlers(
  options: PairingRoutesOptions,
): Handlers<"requestPairing" | "collectPairing" | "approvePairing"> {
  const { pairing, credentials, approve } = options;
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
