// Proofs with which a page shows that it knows the secret of its session, without sending it
// (docs/reference/keys.md#sessions). Used by the server and by its pages.

import { equalsInConstantTime } from "./constant-time.js";
import { hmacSha256 } from "./hmac.js";
import { randomSecret } from "./random-secret.js";
import { sha256 } from "./sha256.js";

/** The request that a proof belongs to. */
export interface ProvedRequest {
  readonly method: string;
  /** Path and query string, as the page or the server sees them. */
  readonly target: string;
  /** The port of the page's address; `""` for the default one of its scheme. */
  readonly port: string;
}

/** A proof from a request. */
export interface SessionProof {
  /** When the page created it, in Unix milliseconds of the server. */
  readonly millis: number;
  /** Unique. */
  readonly nonce: string;
  /** @param secretHash SHA-256 of the secret, in hexadecimal */
  matches(secretHash: string): boolean;
}

/** Lifetime of a session after its start or last use. Pages derive the server's time from it. */
export const SESSION_MILLIS: number = 30 * 24 * 60 * 60 * 1000;

const PROOF = /^(\d{1,15})\.([\w-]{43})\.([0-9a-f]{64})$/;

/**
 * Creates the value of the header `X-Activity-Session` for one request.
 *
 * @param secret of the session
 * @param millis the time of the server
 */
export function createSessionProof(secret: string, request: ProvedRequest, millis: number): string {
  const digest = sha256();
  digest.update(new TextEncoder().encode(secret));
  const signed = `${Math.round(millis)}.${randomSecret()}`;
  return `${signed}.${sign(digest.hex(), signed, request)}`;
}

/** @returns `undefined` for an invalid header */
export function parseSessionProof(header: string, request: ProvedRequest): SessionProof | undefined {
  const [, millis, nonce, signature] = PROOF.exec(header) ?? [];
  if (millis === undefined || nonce === undefined || signature === undefined) return undefined;
  return {
    millis: Number(millis),
    nonce,
    matches: (secretHash) => equalsInConstantTime(signature, sign(secretHash, `${millis}.${nonce}`, request)),
  };
}

/** The server stores only the hash, so the hash is the key. */
function sign(secretHash: string, signed: string, { method, target, port }: ProvedRequest): string {
  return hmacSha256(secretHash, `session ${signed} ${method.toUpperCase()} ${port} ${seenAlike(target)}`);
}

const API = "/api/0/";

/**
 * A target as both ends see it. Frameworks and proxies remove prefixes and slashes, and encode characters differently.
 */
function seenAlike(target: string): string {
  const at = target.indexOf("?");
  const path = decoded(at < 0 ? target : target.slice(0, at)).replace(/\/{2,}/g, "/");
  const below = path.includes(API) ? path.slice(path.lastIndexOf(API)) : path.slice(path.lastIndexOf("/"));
  const search = at < 0 ? "" : decoded(target.slice(at + 1).replaceAll("+", " "));
  return `${below.replace(/\/$/, "")}?${search}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
