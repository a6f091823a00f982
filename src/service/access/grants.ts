import type { BucketView } from "../../query/view.js";
import { invalid, shown } from "../validation.js";
import { globTest } from "./glob.js";

/** What can be done with a bucket. `write` holds the other two. */
export type Verb = "read" | "append" | "write";

/** What a caller may do. */
export interface Grants {
  /**
   * `operator`: everything, bound by nothing, by an admin key for example. `anybody`: no credentials, where none are
   * needed. `key`: what the scopes of a key say.
   */
  readonly standing: "operator" | "anybody" | "key";
  allows(verb: Verb, bucketId: string): boolean;
  /** The buckets that exist for the caller; `undefined` = all of them. */
  readonly view: BucketView | undefined;
}

/** Everything: for the program itself, and for who proves to be its operator. */
export const OPERATOR: Grants = { standing: "operator", allows: () => true, view: undefined };

/** For callers without credentials, where none are needed. */
export const ANYBODY: Grants = { standing: "anybody", allows: () => true, view: undefined };

const MOST_SCOPES = 100;
const LONGEST_SCOPE = 300;
const SCOPE = /^(?:admin|(read|append|write):(.+))$/su;
const EXPECTED =
  "a scope is read:GLOB, append:GLOB, write:GLOB or admin, where GLOB is a bucket id in which * stands for any text";

/** Which scopes give a verb. */
const GIVEN_BY: Readonly<Record<Verb, readonly string[]>> = {
  read: ["read", "write"],
  append: ["append", "write"],
  write: ["write"],
};

/** @throws ActivityError `INVALID_INPUT` that names the scope and what scopes there are */
export function checkedScopes(value: unknown): readonly string[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw invalid(`scopes is ${shown(value)}; a list of at least one scope is expected: ${EXPECTED}`);
  }
  if (value.length > MOST_SCOPES) throw invalid(`scopes has ${value.length} members; at most ${MOST_SCOPES} are kept`);
  for (const [index, scope] of value.entries()) {
    if (typeof scope !== "string" || !SCOPE.test(scope))
      throw invalid(`scopes[${index}] is ${shown(scope)}; ${EXPECTED}`);
    if (scope.length > LONGEST_SCOPE) throw invalid(`scopes[${index}] is longer than ${LONGEST_SCOPE} characters`);
  }
  return [...new Set(value as readonly string[])];
}

/** What scopes allow, all together. @param scopes as `checkedScopes` gives them */
export function grantsOf(scopes: readonly string[]): Grants {
  if (scopes.includes("admin")) return OPERATOR;
  const tests = { read: testsOf(scopes, "read"), append: testsOf(scopes, "append"), write: testsOf(scopes, "write") };
  const allows: Grants["allows"] = (verb, bucketId) => tests[verb].some((test) => test(bucketId));
  const key = JSON.stringify(globsOf(scopes, "read").sort());
  return { standing: "key", allows, view: { key, sees: (bucketId) => allows("read", bucketId) } };
}

function testsOf(scopes: readonly string[], verb: Verb): readonly ((bucketId: string) => boolean)[] {
  return globsOf(scopes, verb).map(globTest);
}

function globsOf(scopes: readonly string[], verb: Verb): string[] {
  return scopes.flatMap((scope) => {
    const [, given = "", glob = ""] = SCOPE.exec(scope) ?? [];
    return GIVEN_BY[verb].includes(given) ? [glob] : [];
  });
}
