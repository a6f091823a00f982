import type { DomainOf } from "../../api/codec.js";
import { randomSecret } from "../../util/random-secret.js";
import { hashOf } from "./key-record.js";

/** A link by which somebody signs in once. */
export type SignInLink = DomainOf<"SignInLink">;

const LINK_MICROS = 60_000_000;
/** More would only hold memory; the oldest goes first. */
const MOST_LINKS = 20;

/** Links that nobody has used yet. In memory: a link does not outlive the server that made it. */
export class SignInLinks {
  /** When each expires, by the hash of its token: equal hashes say nothing about how near a guess came. */
  readonly #expiries: Map<string, number> = new Map();

  /** The token has 258 random bits. */
  create(now: number): Omit<SignInLink, "path"> {
    const token = randomSecret();
    const expires = now + LINK_MICROS;
    const [oldest] = this.#expiries.keys();
    if (oldest !== undefined && this.#expiries.size >= MOST_LINKS) this.#expiries.delete(oldest);
    this.#expiries.set(hashOf(token), expires);
    return { token, expires };
  }

  /** Uses a link up. Of several who try at the same time one succeeds. */
  take(token: string, now: number): boolean {
    const hash = hashOf(token);
    const expires = this.#expiries.get(hash) ?? 0;
    this.#expiries.delete(hash);
    return now < expires;
  }
}
