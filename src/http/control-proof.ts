// How a server and the tools of its operator prove to each other that they know the control token, without sending it
// (docs/operations.md#the-control-token).
import { hmacSha256 } from "../util/hmac.js";
import { randomSecret } from "../util/random-secret.js";
import { sameText } from "../util/same-text.js";

/** From this length on a token is proved: a shorter one could be guessed by whoever has a proof. */
const SHORTEST_TOKEN = 32;

const SCHEME = "Control ";
const PROOF = /^Control ([\w-]{16,128})\.([0-9a-f]{64})$/;

/** What a request asks for. */
export interface Aimed {
  readonly method: string;
  /** With the query string. */
  readonly target: string;
}

/** @returns what a server answers to a challenge; `undefined` for a token that is too short for it */
export function serverProof(token: string, challenge: string): string | undefined {
  return token.length < SHORTEST_TOKEN ? undefined : hmacSha256(token, `server ${challenge}`);
}

/** The header `Authorization` of one request: no other one can be sent with it. */
export function requestProof(token: string, aimed: Aimed): string {
  const nonce = randomSecret();
  return `${SCHEME}${nonce}.${proofOf(token, nonce, aimed)}`;
}

/** Whether such a header was made with a token, for this request. */
export function isRequestProof(token: string, authorization: string, aimed: () => Aimed): boolean {
  if (!authorization.startsWith(SCHEME)) return false;
  const [, nonce, proof] = PROOF.exec(authorization) ?? [];
  return nonce !== undefined && proof !== undefined && sameText(proof, proofOf(token, nonce, aimed()));
}

function proofOf(token: string, nonce: string, { method, target }: Aimed): string {
  return hmacSha256(token, `request ${nonce} ${method} ${target}`);
}
