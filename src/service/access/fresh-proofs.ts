import type { SessionProof } from "../../util/session-proof.js";

/** How far the time of a proof may be from that of the server. Pages make another proof after a refusal. */
const WINDOW_MILLIS = 5 * 60_000;
/** More would only fill memory; the oldest goes first. */
const MOST_NONCES = 10_000;

/**
 * Accepts each proof for one request only, and none that is older than the server: a program that had the port before
 * could have collected it.
 */
export class FreshProofs {
  readonly #clock: () => number;
  #began: number;
  /** When a nonce may be forgotten, in the order of their requests. */
  readonly #nonces: Map<string, number> = new Map();
  /** Proofs of requests that are asked about again. */
  readonly #accepted: WeakSet<SessionProof> = new WeakSet();

  /** @param clock now, in Unix milliseconds */
  constructor(clock: () => number) {
    this.#clock = clock;
    this.#began = Math.floor(clock());
  }

  /** @returns whether a proof counts; the same object does from then on */
  accept(proof: SessionProof): boolean {
    if (this.#accepted.has(proof)) return true;
    const now = this.#clock();
    // After a step back of the clock no proof would count.
    this.#began = Math.min(this.#began, Math.floor(now));
    const { millis, nonce } = proof;
    if (millis < this.#began || Math.abs(now - millis) > WINDOW_MILLIS) return false;
    for (const [oldest, end] of this.#nonces) {
      if (end >= now && this.#nonces.size < MOST_NONCES) break;
      this.#nonces.delete(oldest);
    }
    if (this.#nonces.has(nonce)) return false;
    this.#nonces.set(nonce, millis + WINDOW_MILLIS);
    this.#accepted.add(proof);
    return true;
  }
}
