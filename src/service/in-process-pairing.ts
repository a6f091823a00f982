import type { ExtensionInfo, Extensions } from "./access/extensions.js";
import { isExtensionOrigin } from "./access/extensions.js";
import type { Pairing, PairingApproval, PairingQuestion } from "./access/pairing.js";
import { invalid, shown } from "./validation.js";

/** What the owner changes about a key that is asked for. */
export interface PairingChangesInput {
  /** Fewer than were asked for, or narrower ones. @default all that were asked for */
  readonly scopes?: readonly string[];
  /** @default the name that was asked for, with a number behind it where that is taken */
  readonly name?: string;
}

/** Who asks for a key or to be let in, for the program that a server lives in (docs/keys.md#pairing). */
export interface InProcessPairing {
  /** Those that wait for an answer, the oldest first. */
  list(): Promise<PairingQuestion[]>;
  /**
   * Lets the asker collect its key, or the extension report.
   *
   * @throws ActivityError `INVALID_INPUT` for more than was asked for, or a name in use; `NO_SUCH_PAIRING`
   */
  approve(code: string, changes?: PairingChangesInput): Promise<PairingApproval>;
  /** An extension does not ask again. @throws ActivityError `NO_SUCH_PAIRING` */
  refuse(code: string): Promise<void>;
}

/** Browser extensions that somebody has decided about (docs/security.md#browser-extensions). */
export interface InProcessExtensions {
  list(): Promise<ExtensionInfo[]>;
  /** Lets an extension report, without a question. @throws ActivityError `INVALID_INPUT` for what is no such origin */
  allow(origin: string): Promise<void>;
  /** From now on the extension is refused, and asks again. */
  forget(origin: string): Promise<void>;
}

type During = { during<T>(work: () => Promise<T>): Promise<T> };

export function createInProcessPairing(pairing: Pairing, { during }: During): InProcessPairing {
  return {
    list: () => during(async () => pairing.list()),
    approve: (code, changes = {}) => during(() => pairing.approve(code, changes)),
    refuse: (code) => during(() => pairing.refuse(code)),
  };
}

export function createInProcessExtensions(extensions: Extensions, { during }: During): InProcessExtensions {
  return {
    list: () => during(() => extensions.list()),
    allow: (origin) =>
      during(async () => {
        if (typeof origin === "string" && isExtensionOrigin(origin)) return extensions.decide(origin, true);
        throw invalid(`origin is ${shown(origin)}; that of an extension such as chrome-extension://… is expected`);
      }),
    forget: (origin) => during(() => extensions.forgetOrigin(origin)),
  };
}
