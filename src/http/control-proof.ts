// Mutual proofs that a server and the owner's tools know the control token, without sending it
// (docs/reference/control-token.md).

import { equalsInConstantTime } from "../util/constant-time.js";
import { hmacSha256 } from "../util/hmac.js";
import { randomSecret } from "../util/random-secret.js";

/** Tokens of at least this length are proved. A shorter one could be guessed from a proof. */
const SHORTEST_TOKEN = 32;

const SCHEME = "Control ";
const PROOF = /^Control ([\w-]{16,128})\.([0-9a-f]{64})$/;

/** The method and target of a request. */
export interface Aimed {
  readonly method: string;
  /** With the query string. */
  readonly target: string;
}

/** @returns the server's reply to a challenge; `undefined` if the token is too short */
export function serverProof(token: string, challenge: string): string | undefined {
  return token.length < SHORTEST_TOKEN ? undefined : hmacSha256(token, `server ${challenge}`);
}

/** The header `Authorization` for one request. It is invalid for any other request. */
export function requestProof(token: string, aimed: Aimed): string {
  const nonce = randomSecret();
  return `${SCHEME}${nonce}.${proofOf(token, nonce, aimed)}`;
}

/** Whether such a header was created with a token, for this request. */
export function isRequestProof(token: string, authorization: string, aimed: () => Aimed): boolean {
  if (!authorization.startsWith(SCHEME)) return false;
  const [, nonce, proof] = PROOF.exec(authorization) ?? [];
  return nonce !== undefined && proof !== undefined && equalsInConstantTime(proof, proofOf(token, nonce, aimed()));
}

function proofOf(token: string, nonce: string, { method, target }: Aimed): string {
  return hmacSha256(token, `request ${nonce} ${method} ${target}`);
}
