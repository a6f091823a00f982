import type { EventBatch } from "../../domain/batch.js";
import type { JsonObject } from "../../domain/json.js";
import { type CompiledCategory, compileFilter } from "../../filter/compile.js";
import type { Term } from "../../filter/term.js";
import type { ActivityFilter } from "../../report/activity.js";
import { filterByData } from "../../transforms/data.js";
import type { Steps } from "../../transforms/steps.js";

/** Keys of pages and files that windows get for a filter, so that every condition applies to windows. */
const PAGE_KEYS: readonly string[] = ["url", "$domain", "$path", "$protocol"];
const FILE_KEYS: readonly string[] = ["file", "project", "language", "branch"];
/** Keys that a condition without a key searches as well. */
const TEXT_KEYS: readonly string[] = ["url", "file", "project"];

/** A filter of a report. */
export interface FilterParts extends ActivityFilter {
  /** Keeps events that meet all conditions, for buckets of other types. */
  keep(events: EventBatch): Steps<EventBatch>;
}

type Test = (data: JsonObject) => boolean | undefined;

/**
 * @param rule an additional condition for windows
 * @returns `undefined` without conditions
 * @throws ActivityError `INVALID_INPUT` for an invalid pattern
 */
export function filterParts(
  given: readonly Term[],
  categories: readonly CompiledCategory[],
  rule?: Test,
): FilterParts | undefined {
  if (given.length === 0) return rule && ofRule(rule);
  const terms = given.map(withSite);
  const ofKeys = (keys: readonly string[]): Term[] => terms.filter((term) => keys.includes(keyOf(term) ?? ""));
  const test = (some: readonly Term[]): Test | undefined => {
    if (some.length === 0) return undefined;
    const filter = compileFilter(some, categories);
    return (data) => filter.test(data);
  };
  const all = both(rule, test(terms)) as Test;
  return {
    // Categories and rules do not depend on details of pages and files.
    category: both(rule, test(terms.filter(({ kind }) => kind === "category"))),
    detailed: test(terms.filter(({ kind }) => kind !== "category")),
    pageKeys: keysIn(terms, PAGE_KEYS),
    fileKeys: keysIn(terms, FILE_KEYS),
    pages: test(ofKeys(PAGE_KEYS)),
    files: test(ofKeys(FILE_KEYS)),
    all,
    keep: (events) => filterByData(events, all),
  };
}

function ofRule(rule: Test): FilterParts {
  return { category: rule, pageKeys: [], fileKeys: [], all: rule, keep: (events) => filterByData(events, rule) };
}

function both(one: Test | undefined, other: Test | undefined): Test | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return (data) => {
    const first = one(data);
    return first === true ? other(data) : first;
  };
}

/** `site` is another name of `$domain`. */
function withSite(term: Term): Term {
  return keyOf(term) === "site" ? ({ ...term, path: ["$domain"] } as Term) : term;
}

/** The key of a condition; `undefined` for all keys. */
function keyOf(term: Term): string | undefined {
  return term.kind === "category" ? undefined : term.path?.join(".");
}

function keysIn(terms: readonly Term[], known: readonly string[]): readonly string[] {
  const hasText = terms.some((term) => term.kind !== "category" && term.path === undefined);
  const named = new Set(terms.map(keyOf));
  return known.filter((key) => named.has(key) || (hasText && TEXT_KEYS.includes(key)));
}
