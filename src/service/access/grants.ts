import type { Micros } from "../../domain/time.js";
import { fieldUnfit, mustBe } from "../../errors.js";
import type { BucketView } from "../../query/view.js";
import { globTest } from "../../util/glob.js";

/** What can be done with a bucket. `write` holds the other two. */
export type Verb = "read" | "append" | "write";

/** Whose credentials a request came with; a control token and an `apiKey` are nobody's. */
export type Caller =
  | { readonly kind: "key"; readonly name: string; readonly origin: string | null }
  | { readonly kind: "session"; readonly id: string; readonly expires: Micros };

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
  /** `undefined` where no key and no session was recognized. */
  readonly caller?: Caller;
}

/** Everything: for the program itself, and for who proves to be its operator. */
export const OPERATOR: Grants = { standing: "operator", allows: () => true, view: undefined };

/** For callers without credentials, where none are needed. */
export const ANYBODY: Grants = { standing: "anybody", allows: () => true, view: undefined };

const MOST_SCOPES = 100;
const LONGEST_SCOPE = 300;
const SCOPE = /^(?:admin|(read|append|write):(.+))$/su;
const EXPECTED =
  "read:GLOB, append:GLOB, write:GLOB or admin, where GLOB is a bucket id in which * stands for any text";

/** Which scopes give a verb. */
const GIVEN_BY: Readonly<Record<Verb, readonly string[]>> = {
  read: ["read", "write"],
  append: ["append", "write"],
  write: ["write"],
};

/** @throws ActivityError `INVALID_INPUT` that names the scope and what scopes there are */
export function checkedScopes(value: unknown): readonly string[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw mustBe("scopes", `a list of at least one of ${EXPECTED}`, value);
  }
  if (value.length > MOST_SCOPES)
    throw fieldUnfit("scopes", `must be at most ${MOST_SCOPES} scopes, got ${value.length}`);
  for (const [index, scope] of value.entries()) {
    const field = `scopes[${index}]`;
    if (typeof scope !== "string" || !SCOPE.test(scope)) throw mustBe(field, EXPECTED, scope);
    const { length } = scope;
    if (length > LONGEST_SCOPE) throw fieldUnfit(field, `must be at most ${LONGEST_SCOPE} characters, got ${length}`);
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

/**
 * The first of some scopes that another list does not hold.
 *
 * @param scopes as `checkedScopes` gives them, like `within`
 */
export function scopeBeyond(scopes: readonly string[], within: readonly string[]): string | undefined {
  if (within.includes("admin")) return undefined;
  return scopes.find((scope) => {
    const [, verb = "", glob = ""] = SCOPE.exec(scope) ?? [];
    // A star is matched by a star alone, so whatever stands for it is matched as well.
    const holds = (wide: string): boolean =>
      (wide.startsWith(`${verb}:`) || wide.startsWith("write:")) && globTest(wide.slice(wide.indexOf(":") + 1))(glob);
    return scope === "admin" || !within.some(holds);
  });
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
