import type { DomainOf } from "../../api/codec.js";
import { LazyMap } from "../../util/lazy-collections.js";
import { randomSecret } from "../../util/random-secret.js";
import { hashSecret } from "./key-record.js";

/** A link that signs in once. */
export type SignInLink = DomainOf<"SignInLink">;

const LINK_MICROS = 60_000_000;
/** Limits the memory; the oldest link is dropped first. */
const MAX_LINKS = 20;

/** Unused links. In memory: a link does not outlive the server that created it. */
export class SignInLinks {
  /** Expiry times by the hash of the token: comparing hashes reveals nothing about a guess. */
  readonly #expiries: LazyMap<string, number> = new LazyMap();

  /** The token has 258 random bits. */
  create(now: number): Omit<SignInLink, "path"> {
    const token = randomSecret();
    const expires = now + LINK_MICROS;
    const [oldest] = this.#expiries.keys();
    if (oldest !== undefined && this.#expiries.size >= MAX_LINKS) this.#expiries.delete(oldest);
    this.#expiries.set(hashSecret(token), expires);
    return { token, expires };
  }

  /** Uses a link. If several callers try at the same time, one succeeds. */
  take(token: string, now: number): boolean {
    const hash = hashSecret(token);
    const expires = this.#expiries.get(hash) ?? 0;
    this.#expiries.delete(hash);
    return now < expires;
  }
}
