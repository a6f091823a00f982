import { LazyMap } from "../../util/lazy-collections.js";
import type { SessionProof } from "../../util/session-proof.js";

/** Maximum difference between a proof's time and the server's. Pages create another proof after a rejection. */
const WINDOW_MILLIS = 5 * 60_000;
/** Limits the memory; the oldest nonce is dropped first. */
const MAX_NONCES = 10_000;

/**
 * Accepts each proof for one request only, and no proof older than the server: a program that used the port before
 * could have collected it.
 */
export class ReplayGuard {
  readonly #clock: () => number;
  #startedAt: number;
  /** Expiry times of nonces, in the order of their requests. */
  readonly #nonces: LazyMap<string, number> = new LazyMap();

  /** @param clock returns Unix milliseconds */
  constructor(clock: () => number) {
    this.#clock = clock;
    this.#startedAt = Math.floor(clock());
  }

  /** @returns whether a proof is valid; from then on the same object stays valid */
  accept(proof: SessionProof): boolean {
    if (acceptedProofs.has(proof)) return true;
    const now = this.#clock();
    // Otherwise no proof would be valid after the clock was set back.
    this.#startedAt = Math.min(this.#startedAt, Math.floor(now));
    const { millis, nonce } = proof;
    if (millis < this.#startedAt || Math.abs(now - millis) > WINDOW_MILLIS) return false;
    for (const [oldest, end] of this.#nonces) {
      if (end >= now && this.#nonces.size < MAX_NONCES) break;
      this.#nonces.delete(oldest);
    }
    if (this.#nonces.has(nonce)) return false;
    this.#nonces.set(nonce, millis + WINDOW_MILLIS);
    acceptedProofs.add(proof);
    return true;
  }
}

/** Accepted proofs, for requests that are checked again. */
const acceptedProofs: WeakSet<SessionProof> = new WeakSet();
