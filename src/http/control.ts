import { sameText } from "../util/same-text.js";
import { type Aimed, isRequestProof, serverProof } from "./control-proof.js";

/** What operators prove themselves by, beside the keys of the storage. */
export interface ControlSecrets {
  /** Of the option `apiKey`; `undefined` = there is none. */
  readonly apiKey: string | undefined;
  /** Opens everything like the key, for the tools of the operator; `undefined` = there is none. */
  readonly controlToken: string | undefined;
}

/** Secrets of operators, to be compared once a request. */
export interface Control {
  /** Whether there is any. */
  readonly exists: boolean;
  /** @returns whether this Authorization header holds one of them, or a proof of it; never where there is none */
  allows(authorization: string, aimed: () => Aimed): boolean;
  /** @returns a proof that this server knows the control token; `undefined` where there is none, or a short one */
  prove(challenge: string): string | undefined;
}

export function createControl({ apiKey, controlToken }: ControlSecrets): Control {
  const headers = [apiKey, controlToken].filter((secret) => secret !== undefined).map((secret) => `Bearer ${secret}`);
  const isProof = (authorization: string, aimed: () => Aimed): boolean =>
    controlToken !== undefined && isRequestProof(controlToken, authorization, aimed);
  return {
    exists: headers.length > 0,
    allows: (authorization, aimed) =>
      headers.some((header) => sameText(authorization, header)) || isProof(authorization, aimed),
    prove: (challenge) => (controlToken === undefined ? undefined : serverProof(controlToken, challenge)),
  };
}
