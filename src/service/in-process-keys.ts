import type { KeyInfo } from "./access/key-record.js";
import type { Keys, NewKey } from "./access/keys.js";
import { microsOf, type TimeInput } from "./input-coercion.js";
import { invalid, shown } from "./validation.js";

/** A key to be made. */
export interface KeyInput {
  /** 1 to 64 letters, digits and signs of `. _ -`; unique among the keys that are not revoked. */
  readonly name: string;
  /** `read:GLOB`, `append:GLOB`, `write:GLOB`, `admin`; together they are a union (docs/keys.md#scopes). */
  readonly scopes: readonly string[];
  /** From then on it opens nothing. @default never */
  readonly expires?: TimeInput | null;
  /** The one web origin that may use it. @default any */
  readonly origin?: string | null;
}

/** The keys of a server, for the program that it lives in (docs/keys.md). Times are in microseconds. */
export interface InProcessKeys {
  /**
   * Makes a key.
   *
   * @returns the key, which is told this once, and what is kept of it
   * @throws ActivityError `INVALID_INPUT`, also for a name that is in use
   */
  add(key: KeyInput): Promise<NewKey>;
  /** All of them, the revoked and expired ones included, the oldest first. */
  list(): Promise<KeyInfo[]>;
  /** Makes a key useless at once. @throws ActivityError `INVALID_INPUT`, `NO_SUCH_KEY` */
  revoke(name: string): Promise<void>;
}

/** Puts the keys into the forms of a program. */
export function createInProcessKeys(
  keys: Keys,
  { during }: { during<T>(work: () => Promise<T>): Promise<T> },
): InProcessKeys {
  return {
    add: (given) =>
      during(async () => {
        if (typeof given !== "object" || given === null) {
          throw invalid(`the key is ${shown(given)}; an object of name and scopes is expected`);
        }
        const { name, scopes, expires = null, origin = null } = given;
        return keys.add({ name, scopes, expires: expires === null ? null : microsOf(expires, "expires"), origin });
      }),
    list: () => during(() => keys.list()),
    revoke: (name) => during(() => keys.revoke(name)),
  };
}
