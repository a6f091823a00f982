import { isJsonObject, type JsonObject, type JsonValue, sameJson } from "../domain/json.js";
import type { Path } from "../domain/json-path.js";
import { canonicalGlobTest } from "../util/glob.js";
import { LazyMap } from "../util/lazy-collections.js";
import { type Condition, compileCondition, type Steps } from "./condition.js";
import type { ReadAction, ReadRule } from "./rule.js";

/** Effect of the rules on an event. */
export type Outcome =
  | { readonly kind: "keep" }
  /** @property rules the matching rules; the last one dropped the event */
  | { readonly kind: "drop"; readonly rules: readonly ReadRule[] }
  | { readonly kind: "change"; readonly data: JsonObject; readonly rules: readonly ReadRule[] };

interface CompiledRule {
  readonly rule: ReadRule;
  readonly isAbout: (bucketId: string) => boolean;
  readonly meets: Condition;
}

/** Cached rules of a bucket. */
interface BucketRules {
  readonly rules: readonly CompiledRule[];
  /** The last data tested, since heartbeats mostly repeat them. */
  data: JsonObject | undefined;
  outcome: Outcome;
}

const KEEP: Outcome = { kind: "keep" };
/** Maximum number of cached buckets. */
const MAX_BUCKETS = 1000;

/** Compiled rules, applied in order, each to the previous result. */
export class RuleSet {
  readonly #rules: readonly CompiledRule[];
  readonly #buckets: LazyMap<string, BucketRules> = new LazyMap();

  constructor(rules: readonly ReadRule[]) {
    this.#rules = rules.map((rule) => ({
      rule,
      isAbout: canonicalGlobTest(rule.buckets),
      meets: compileCondition(rule),
    }));
  }

  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  /** Whether any rule applies to a bucket. */
  appliesTo(bucketId: string): boolean {
    return this.#rulesOf(bucketId).rules.length > 0;
  }

  /** @returns `undefined` if a pattern needs more than one time slice: call `outcomeInSlices` instead */
  outcomeNow(bucketId: string, data: JsonObject): Outcome | undefined {
    const bucket = this.#rulesOf(bucketId);
    if (bucket.rules.length === 0) return KEEP;
    if (bucket.data !== undefined && (bucket.data === data || sameJson(bucket.data, data))) return bucket.outcome;
    const first = decide(bucket.rules, data).next();
    if (first.done !== true) return undefined;
    bucket.data = data;
    bucket.outcome = first.value;
    return first.value;
  }

  /** Computes the outcome in time slices, with other work in between. */
  async outcomeInSlices(bucketId: string, data: JsonObject): Promise<Outcome> {
    const steps = decide(this.#rulesOf(bucketId).rules, data);
    for (;;) {
      await nextTurn();
      const step = steps.next();
      if (step.done === true) return step.value;
    }
  }

  #rulesOf(bucketId: string): BucketRules {
    let bucket = this.#buckets.get(bucketId);
    if (bucket === undefined) {
      if (this.#buckets.size >= MAX_BUCKETS) this.#buckets.clear();
      bucket = { rules: this.#rules.filter(({ isAbout }) => isAbout(bucketId)), data: undefined, outcome: KEEP };
      this.#buckets.set(bucketId, bucket);
    }
    return bucket;
  }
}

function* decide(rules: readonly CompiledRule[], given: JsonObject): Steps<Outcome> {
  let data = given;
  const met: ReadRule[] = [];
  for (const { rule, meets } of rules) {
    const answer = meets(data);
    if (!(typeof answer === "boolean" ? answer : yield* answer)) continue;
    if (rule.action.kind === "drop") return { kind: "drop", rules: [...met, rule] };
    const changed = applyAction(rule.action, data);
    if (changed === data) continue;
    met.push(rule);
    data = changed;
  }
  return data === given ? KEEP : { kind: "change", data, rules: met };
}

/** @returns `data` itself if nothing changes */
function applyAction(action: Exclude<ReadAction, { kind: "drop" }>, data: JsonObject): JsonObject {
  if (action.kind === "replace") return sameJson(data, action.data) ? data : action.data;
  return action.paths.reduce((changed, path) => redactPath(changed, path, action.with), data);
}

function redactPath(data: JsonObject, [key = "", ...inner]: Path, value: JsonValue): JsonObject {
  if (!Object.hasOwn(data, key)) return data;
  const held = data[key] as JsonValue;
  const next = inner.length === 0 ? value : isJsonObject(held) ? redactPath(held, inner, value) : held;
  if (sameJson(held, next)) return data;
  // Via entries, since `__proto__` is an ordinary key.
  return Object.fromEntries(Object.entries(data).map(([name, member]) => [name, name === key ? next : member]));
}

/** Resolves after other pending work. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof globalThis.setImmediate === "function") globalThis.setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}
