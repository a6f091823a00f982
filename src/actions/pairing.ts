import type { Extensions } from "../service/access/extensions.js";
import type { Pairing } from "../service/access/pairing.js";
import type { Actions } from "./action.js";

type PairingId = "listPairing" | "approvePairing" | "refusePairing" | "listExtensions" | "forgetExtension";

/** docs/keys.md#pairing. */
export function pairingActions(pairing: Pairing, extensions: Extensions): Actions<PairingId> {
  return {
    listPairing: async () => pairing.list(),
    approvePairing: ({ params, body }) => pairing.approve(params.code, body),
    refusePairing: ({ params }) => pairing.refuse(params.code),
    listExtensions: () => extensions.list(),
    forgetExtension: ({ params }) => extensions.forgetOrigin(params.extensionOrigin),
  };
}
