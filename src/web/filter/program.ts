// Program lines that filter `events`, which must already have categories. Details of pages and files are merged into
// the windows first, so that every condition applies to windows. Pure.

import type { Term } from "../../filter/term.js";
import { composed } from "../../util/composed.js";
import { isWithin, UNCATEGORIZED } from "../categories.js";
import { printName, printText, printTexts } from "../program-text.js";
import { escaped } from "./escaped.js";

/** A filter, with the categories that it may name. */
export interface Filtering {
  readonly terms: readonly Term[];
  readonly names: readonly (readonly string[])[];
}

/** Other data of a host, in addition to `events`. */
export interface OtherData {
  /** Whether `browser_events` contains pages. */
  readonly hasPages: boolean;
  /** Bucket IDs of editors. */
  readonly editors: readonly string[];
}

/** Fields of pages and files that can filter windows. */
const OF_PAGES: ReadonlySet<string> = new Set(["url", "$domain", "$path", "$protocol"]);
const OF_FILES: ReadonlySet<string> = new Set(["file", "project", "language", "branch"]);
/** Additional fields that a condition without a field searches. */
const FOR_TEXTS = { pages: ["url"], files: ["file", "project"] } as const;

/** Whether a filter has any condition. */
export function isFiltering(filtering: Filtering | undefined): filtering is Filtering {
  return filtering !== undefined && filtering.terms.length > 0;
}

/** Merges details into windows. Requires `events`, and `browser_events` if there are pages. */
export function enrichingLines({ terms }: Filtering, { hasPages, editors }: OtherData): string[] {
  const pages = keysIn(terms, OF_PAGES, FOR_TEXTS.pages);
  const files = keysIn(terms, OF_FILES, FOR_TEXTS.files);
  const lines: string[] = [];
  if (hasPages && pages.length > 0) {
    lines.push(`events = merge_subwatcher_fields(events, browser_events, ${printTexts(pages)});`);
  }
  if (editors.length > 0 && files.length > 0) {
    lines.push("seen_edits = [];");
    for (const id of editors) lines.push(`seen_edits = concat(seen_edits, flood(query_bucket(${printText(id)})));`);
    lines.push(`events = merge_subwatcher_fields(events, sort_by_timestamp(seen_edits), ${printTexts(files)});`);
  }
  return lines;
}

/** Keeps events that meet all conditions. */
export function keepingLines({ terms, names }: Filtering, list = "events"): string[] {
  const rules = terms.flatMap((term, index) => {
    const rule = ruleOf(term);
    return rule === undefined ? [] : [{ tag: `f${String(index).padStart(3, "0")}`, not: term.not, rule }];
  });
  const lines = terms.flatMap((term) => exactLine(term, names, list));
  if (rules.length > 0) {
    const printed = rules.map(({ tag, rule }) => `["${tag}", ${rule}]`).join(", ");
    lines.push(`${list} = tag(${list}, [${printed}]);`);
    const wanted = printTexts(rules.filter(({ not }) => !not).map(({ tag }) => tag));
    lines.push(`${list} = filter_keyvals(${list}, "$tags", [${wanted}]);`);
  }
  return lines;
}

/** Filters pages or files by the conditions that only apply to them. */
export function keepingOwnLines({ terms, names }: Filtering, list: "browser_events" | "edits"): string[] {
  const own = list === "edits" ? OF_FILES : OF_PAGES;
  return keepingLines({ terms: terms.filter((term) => own.has(keyOf(term) ?? "")), names }, list);
}

/** The field of a condition; `undefined` for all fields. */
function keyOf(term: Term): string | undefined {
  if (term.kind === "category" || term.path === undefined) return undefined;
  const key = term.path.join(".");
  return key === "site" ? "$domain" : key;
}

function keysIn(terms: readonly Term[], known: ReadonlySet<string>, ofTexts: readonly string[]): readonly string[] {
  const named = terms.map((term) => keyOf(term) ?? "").filter((key) => known.has(key));
  const hasTexts = terms.some((term) => term.kind !== "category" && term.path === undefined);
  return [...new Set([...named, ...(hasTexts ? ofTexts : [])])];
}

function exactLine(term: Term, names: Filtering["names"], list: string): string[] {
  const keep = term.not ? "exclude_keyvals" : "filter_keyvals";
  if (term.kind === "category") {
    const within = namesWithin(term.name, names).map(printName).join(", ");
    return [`${list} = ${keep}(${list}, "$category", [${within}]);`];
  }
  if (term.kind !== "equals" || needsPattern(term.value)) return [];
  const values = [printText(term.value), ...literalsOf(term.value)].join(", ");
  return [`${list} = ${keep}(${list}, ${printText(keyOf(term) ?? "")}, [${values}]);`];
}

/** The existing categories equal to or below one. */
export function namesWithin(ancestor: readonly string[], names: Filtering["names"]): readonly (readonly string[])[] {
  const wanted = ancestor.map(composed);
  return [...names, [UNCATEGORIZED]].filter((name) => isWithin(name.map(composed), wanted));
}

/** The pattern rule for a condition; `undefined` if it has no pattern. */
function ruleOf(term: Term): string | undefined {
  switch (term.kind) {
    case "contains":
      return printRule(escaped(term.text), true, keyOf(term));
    case "matches":
      return printRule(term.pattern, term.ignoreCase, keyOf(term));
    case "equals":
      return needsPattern(term.value) ? printRule(`^${escaped(term.value)}$`, false, keyOf(term)) : undefined;
    default:
      return undefined;
  }
}

function printRule(pattern: string, ignoresCase: boolean, key?: string): string {
  const members = ['"type": "regex"', `"regex": ${printText(pattern, "pattern")}`];
  if (ignoresCase) members.push('"ignore_case": true');
  if (key !== undefined) members.push(`"select_keys": ${printTexts([key])}`);
  return `{${members.join(", ")}}`;
}

/**
 * Whether a value needs a pattern: a string that ends in a backslash has no literal, and only a pattern matches both of
 * two equivalent forms.
 */
function needsPattern(text: string): boolean {
  return text.endsWith("\\") || composed(text) !== text.normalize("NFD");
}

/** Other JSON values that are displayed like this string. */
function literalsOf(text: string): readonly string[] {
  return /^(?:true|false|(?:0|[1-9]\d{0,14})(?:\.\d{1,6})?)$/.test(text) ? [text] : [];
}
