import { equalsInConstantTime } from "../util/constant-time.js";
import { type Aimed, isRequestProof, serverProof } from "./control-proof.js";

/** The owner's credentials that do not depend on the storage. */
export interface ControlSecrets {
  /** From the option `apiKey`; `undefined` if there is none. */
  readonly apiKey: string | undefined;
  /** Allows everything, like the API key; for the owner's tools. `undefined` if there is none. */
  readonly controlToken: string | undefined;
}

/** The owner's secrets, compared for each request. */
export interface Control {
  /** Whether there is any. */
  readonly exists: boolean;
  /** @returns whether this Authorization header contains one of them, or a proof of it; `false` if there are none */
  allows(authorization: string, aimed: () => Aimed): boolean;
  /** @returns a proof that this server knows the control token; `undefined` without one, or with a short one */
  prove(challenge: string): string | undefined;
}

export function createControl({ apiKey, controlToken }: ControlSecrets): Control {
  const headers = [apiKey, controlToken].filter((secret) => secret !== undefined).map((secret) => `Bearer ${secret}`);
  const isProof = (authorization: string, aimed: () => Aimed): boolean =>
    controlToken !== undefined && isRequestProof(controlToken, authorization, aimed);
  return {
    exists: headers.length > 0,
    allows: (authorization, aimed) =>
      headers.some((header) => equalsInConstantTime(authorization, header)) || isProof(authorization, aimed),
    prove: (challenge) => (controlToken === undefined ? undefined : serverProof(controlToken, challenge)),
  };
}
