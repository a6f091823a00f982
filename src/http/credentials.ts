import { ANYBODY, type Grants, OPERATOR } from "../service/access/grants.js";
import type { Keys } from "../service/access/keys.js";
import type { Guard } from "./guard.js";
import type { RequestContext } from "./request-context.js";

/** What the credentials of requests open (docs/keys.md). */
export interface Credentials {
  /** `undefined`: credentials are needed, or those that came open nothing. A promise only where keys are read first. */
  grantsOf(request: RequestContext): Grants | undefined | Promise<Grants | undefined>;
  /** Whether there is anything that opens more than nothing does: a key, or what operators have. */
  isArmed(): boolean | Promise<boolean>;
  /** Whether there are keys, and so somebody who is not just anybody. */
  hasKeys(): boolean | Promise<boolean>;
}

export interface CredentialsOptions {
  readonly guard: Guard;
  readonly keys: Keys;
  /** Whether credentials are needed for whatever is not open. With an API key they always are. */
  readonly isRequired: boolean;
}

/** For calls that come from the program itself. */
export const OF_OPERATOR: Credentials = { grantsOf: () => OPERATOR, isArmed: () => true, hasKeys: () => false };

const SCHEME = "Bearer ";

/** Decides by the header Authorization, the only place for a key. */
export function createCredentials({ guard, keys, isRequired }: CredentialsOptions): Credentials {
  /** Where nothing is asked of anybody and there are no keys, a header that somebody else wants means nothing. */
  function unknown(): Grants | undefined | Promise<Grants | undefined> {
    if (isRequired) return undefined;
    const exist = keys.exist();
    return typeof exist === "boolean" ? strangerBeside(exist) : exist.then(strangerBeside);
  }

  return {
    grantsOf(request) {
      const authorization = request.header("authorization");
      if (authorization === undefined) return isRequired ? undefined : ANYBODY;
      // Which of two counts would be a guess, and another one than that of a proxy before.
      if (request.isRepeated?.("authorization")) return unknown();
      if (guard.allowsControl(authorization)) return OPERATOR;
      if (!authorization.startsWith(SCHEME)) return unknown();
      const presented = { origin: request.header("origin"), address: request.remoteAddress };
      const grants = keys.recognize(authorization.slice(SCHEME.length), presented);
      if (grants === undefined) return unknown();
      return "then" in grants ? grants.then((found) => found ?? unknown()) : grants;
    },
    isArmed: () => guard.hasControl || isRequired || keys.exist(),
    hasKeys: () => isRequired || keys.exist(),
  };
}

function strangerBeside(keysExist: boolean): Grants | undefined {
  return keysExist ? undefined : ANYBODY;
}
