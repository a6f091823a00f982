import type { DomainOf, InputOf } from "../../api/codec.js";
import { readFilters } from "../../privacy/read-filters.js";
import { readRules } from "../../privacy/read-rules.js";
import type { ReadRule } from "../../privacy/rule.js";
import { RuleSet } from "../../privacy/rule-set.js";
import type { Work } from "../../query/work.js";
import type { Storage } from "../../storage/storage.js";
import { canonicalGlobTest } from "../../util/glob.js";
import { readIfExists } from "../each-bucket.js";
import { FILTERS_KEY, RULES_KEY } from "./active-rules.js";
import { type BatchOutcomes, decideOutcomes } from "./outcomes.js";

/** The rules to try, and the buckets. */
export type PrivacyPreviewInput = InputOf<"PrivacyTrial">;
/** Counts of events that rules would drop or change. */
export type PrivacyCounts = Omit<DomainOf<"BucketPrivacy">, "bucketId">;
/** An event, and the part that all rules together would leave. */
export type PrivacyExample = DomainOf<"PrivacyExample">;
/** The effect of one rule. */
export type RulePreview = DomainOf<"RulePreview">;
/** The effect of all rules. */
export type PrivacyPreview = DomainOf<"PrivacyPreview">;

/** Rules, and their names in messages and responses. */
export interface NamedRules {
  readonly set: RuleSet;
  readonly names: ReadonlyMap<ReadRule, string>;
}

/** Tries privacy rules on stored data (docs/guides/privacy.md#trying-rules-out). */
export class PrivacyTrial {
  readonly #storage: Storage;
  readonly #startWork: () => Pick<Work, "check">;

  /** @param startWork starts work on stored events */
  constructor(storage: Storage, startWork: () => Pick<Work, "check">) {
    this.#storage = storage;
    this.#startWork = startWork;
  }

  /**
   * Counts the effect of rules on stored events; changes nothing.
   *
   * @throws ActivityError `INVALID_INPUT` with the position, `QUERY_TOO_LARGE`
   */
  async preview({ rules, buckets, events, examples }: DomainOf<"PrivacyTrial">): Promise<PrivacyPreview> {
    const { check } = this.#startWork();
    const isAbout = canonicalGlobTest(buckets);
    const limit = events === "all" ? Number.POSITIVE_INFINITY : events;
    const counter = new PreviewCounter(examples);
    const { set, names } = await loadRules(this.#storage, rules);
    for (const { id } of await this.#storage.listBuckets()) {
      if (isAbout(id) && set.appliesTo(id)) await this.#previewBucket(id, { set, limit, counter, check });
    }
    return counter.result(names);
  }

  async #previewBucket(bucketId: string, { set, limit, counter, check }: Trial): Promise<void> {
    const read = await readIfExists(this.#storage, bucketId, Number.isFinite(limit) ? { limit } : {});
    if (read === undefined) return;
    counter.startBucket(bucketId);
    for await (const outcomes of decideOutcomes(read.batches, bucketId, set, check)) counter.add(bucketId, outcomes);
  }
}

interface Trial {
  readonly set: RuleSet;
  readonly limit: number;
  readonly counter: PreviewCounter;
  readonly check: () => void;
}

/** Counts the outcomes of events. */
class PreviewCounter {
  readonly #mostExamples: number;
  readonly #rules: Map<ReadRule, { dropped: number; changed: number; examples: PrivacyExample[] }> = new Map();
  readonly #buckets: { bucketId: string; events: number; dropped: number; changed: number }[] = [];

  constructor(mostExamples: number) {
    this.#mostExamples = mostExamples;
  }

  startBucket(bucketId: string): void {
    this.#buckets.push({ bucketId, events: 0, dropped: 0, changed: 0 });
  }

  add(bucketId: string, { batch, matches: met }: BatchOutcomes): void {
    const bucket = this.#buckets.at(-1);
    if (bucket === undefined) return;
    bucket.events += batch.length;
    for (const { row, outcome } of met) {
      const isDropped = outcome.kind === "drop";
      bucket[isDropped ? "dropped" : "changed"]++;
      const last = outcome.rules.at(-1);
      for (const rule of outcome.rules) {
        const of = this.#countsOf(rule);
        of[isDropped && rule === last ? "dropped" : "changed"]++;
        if (of.examples.length >= this.#mostExamples) continue;
        const event = batch.eventAt(row);
        const after = isDropped ? null : { ...event, data: outcome.data };
        of.examples.push({ bucketId, before: event, after });
      }
    }
  }

  result(names: NamedRules["names"]): PrivacyPreview {
    const sum = (field: "events" | "dropped" | "changed"): number =>
      this.#buckets.reduce((total, bucket) => total + bucket[field], 0);
    const rules = Array.from(names, ([rule, name]) => ({ rule: name, ...this.#countsOf(rule) }));
    return { events: sum("events"), dropped: sum("dropped"), changed: sum("changed"), rules, buckets: this.#buckets };
  }

  #countsOf(rule: ReadRule) {
    const known = this.#rules.get(rule) ?? { dropped: 0, changed: 0, examples: [] };
    this.#rules.set(rule, known);
    return known;
  }
}

/**
 * Returns the given rules, or the rules in the settings.
 *
 * @throws ActivityError `INVALID_INPUT` with the position
 */
export async function loadRules(storage: Storage, given: DomainOf<"PrivacyTrial">["rules"]): Promise<NamedRules> {
  const names = new Map<ReadRule, string>();
  const name = (rules: readonly ReadRule[], list: string): void => {
    for (const rule of rules) names.set(rule, `${list}[${rule.index}]`);
  };
  if (given !== undefined) name(readRules(given, "rules"), "rules");
  else {
    const [rules = [], filters = []] = await Promise.all(
      [RULES_KEY, FILTERS_KEY].map((key) => storage.settings.get(key)),
    );
    name(readRules(rules ?? [], RULES_KEY), RULES_KEY);
    name(readFilters(filters ?? [], FILTERS_KEY), FILTERS_KEY);
  }
  return { set: new RuleSet([...names.keys()]), names };
}
