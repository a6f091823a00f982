import { DISCLOSURES, type Disclosure, type KeyScope } from "../../domain/key-scope.js";
import type { Micros } from "../../domain/time.js";
import { fieldUnfit, mustBe } from "../../errors.js";
import type { BucketView } from "../../query/view.js";
import { globTest } from "../../util/glob.js";

/** A kind of access to a bucket. `write` includes the other two. */
export type Verb = "read" | "append" | "write";

/** The credentials of a request; a control token and an `apiKey` do not identify a caller. */
export type Caller =
  | { readonly kind: "key"; readonly name: string; readonly origin: string | null }
  | { readonly kind: "session"; readonly id: string; readonly expires: Micros };

/** The rights of a caller. */
export interface Grants {
  /**
   * `operator`: unrestricted, by an admin key for example. `anybody`: without credentials, if none are needed.
   * `key`: limited by the scopes of a key.
   */
  readonly standing: "operator" | "anybody" | "key";
  allows(verb: Verb, bucketId: string): boolean;
  /** The buckets that the caller can see; `undefined` = all of them. */
  readonly view: BucketView | undefined;
  /** `undefined` if no key and no session was recognized. */
  readonly caller?: Caller;
  /**
   * What assistants may learn with a key; `undefined` if nothing. Other standings need it only for queries, which even
   * unrestricted callers must allow.
   */
  readonly assistant?: AssistantGrants | undefined;
  /** Whether a key has only assistant scopes, so that it may only call `/mcp`. */
  readonly isAssistantOnly?: boolean;
}

/** The rights of an assistant. */
export interface AssistantGrants {
  readonly disclosure: Disclosure;
  /** What it can see and write. Without `read:` scopes, an assistant scope shows all buckets. */
  readonly grants: Grants;
}

/** Unrestricted rights: for the process itself, and for a proven operator. */
export const OPERATOR: Grants = { standing: "operator", allows: () => true, view: undefined };

/** The rights of callers without credentials, on a server that needs none. */
export const ANYBODY: Grants = { standing: "anybody", allows: () => true, view: undefined };

const MAX_SCOPES = 100;
const LONGEST_SCOPE = 300;
const SCOPE = /^(?:admin|assistant:(?:categories|apps|sites|titles|query)|(read|append|write):(.+))$/su;
const ASSISTANT = "assistant:";
const EXPECTED =
  "read:GLOB, append:GLOB, write:GLOB or admin, where GLOB is a bucket id in which * matches any characters, " +
  `or one of ${DISCLOSURES.map((level) => `${ASSISTANT}${level}`).join(", ")}`;

/** The scopes that include a verb. */
const SCOPES_WITH: Readonly<Record<Verb, readonly string[]>> = {
  read: ["read", "write"],
  append: ["append", "write"],
  write: ["write"],
};

/** @throws ActivityError `INVALID_INPUT` with the scope and the known scopes */
export function parseScopes(value: unknown): readonly KeyScope[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw mustBe("scopes", `a list of at least one of ${EXPECTED}`, value);
  }
  if (value.length > MAX_SCOPES)
    throw fieldUnfit("scopes", `must be at most ${MAX_SCOPES} scopes, got ${value.length}`);
  for (const [index, scope] of value.entries()) {
    const field = `scopes[${index}]`;
    if (typeof scope !== "string" || !SCOPE.test(scope)) throw mustBe(field, EXPECTED, scope);
    const { length } = scope;
    if (length > LONGEST_SCOPE) throw fieldUnfit(field, `must be at most ${LONGEST_SCOPE} characters, got ${length}`);
  }
  return [...new Set(value as readonly KeyScope[])];
}

/** The combined rights of some scopes. @param scopes as returned by `parseScopes` */
export function combineScopes(scopes: readonly string[]): Grants {
  const disclosure = findDisclosure(scopes);
  if (scopes.includes("admin")) {
    return disclosure === "query" ? { ...OPERATOR, assistant: { disclosure, grants: OPERATOR } } : OPERATOR;
  }
  const tests = {
    read: createTests(scopes, "read"),
    append: createTests(scopes, "append"),
    write: createTests(scopes, "write"),
  };
  const allows: Grants["allows"] = (verb, bucketId) => tests[verb].some((test) => test(bucketId));
  const readable = listGlobs(scopes, "read").sort();
  const view: BucketView = {
    key: JSON.stringify(readable),
    isEmpty: readable.length === 0,
    sees: (bucketId) => allows("read", bucketId),
  };
  const grants: Grants = { standing: "key", allows, view };
  const seesAll = disclosure !== undefined && !scopes.some((scope) => scope.startsWith("read:"));
  const seeing: Grants = { ...grants, allows: (verb, id) => verb === "read" || allows(verb, id), view: undefined };
  const mayLearn = disclosure !== undefined || readable.length > 0;
  return {
    ...grants,
    assistant: mayLearn ? { disclosure: disclosure ?? "categories", grants: seesAll ? seeing : grants } : undefined,
    isAssistantOnly: scopes.every((scope) => scope.startsWith(ASSISTANT)),
  };
}

/** What an assistant may learn with some rights. @returns `undefined` if nothing */
export function assistantGrants(grants: Grants): AssistantGrants | undefined {
  if (grants.standing === "key" || grants.assistant !== undefined) return grants.assistant;
  return { disclosure: grants.standing === "operator" ? "titles" : "categories", grants };
}

/** The highest level of some scopes. */
function findDisclosure(scopes: readonly string[]): Disclosure | undefined {
  return DISCLOSURES.findLast((level) => scopes.includes(`${ASSISTANT}${level}`));
}

/**
 * The first of some scopes that another list does not include.
 *
 * @param scopes as returned by `parseScopes`, like `within`
 */
export function findScopeBeyond(scopes: readonly string[], within: readonly string[]): string | undefined {
  if (within.includes("admin")) return undefined;
  const highest = DISCLOSURES.findLastIndex((level) => within.includes(`${ASSISTANT}${level}`));
  return scopes.find((scope) => {
    if (scope.startsWith(ASSISTANT)) {
      return DISCLOSURES.findIndex((level) => scope === `${ASSISTANT}${level}`) > highest;
    }
    const [, verb = "", glob = ""] = SCOPE.exec(scope) ?? [];
    // Only a star matches a star, so the comparison of patterns covers all their matches.
    const includesScope = (wide: string): boolean =>
      (wide.startsWith(`${verb}:`) || wide.startsWith("write:")) && globTest(wide.slice(wide.indexOf(":") + 1))(glob);
    return scope === "admin" || !within.some(includesScope);
  });
}

function createTests(scopes: readonly string[], verb: Verb): readonly ((bucketId: string) => boolean)[] {
  return listGlobs(scopes, verb).map(globTest);
}

function listGlobs(scopes: readonly string[], verb: Verb): string[] {
  return scopes.flatMap((scope) => {
    const [, given = "", glob = ""] = SCOPE.exec(scope) ?? [];
    return SCOPES_WITH[verb].includes(given) ? [glob] : [];
  });
}
