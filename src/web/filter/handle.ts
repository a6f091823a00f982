// Creates conditions from rows. Pure.
import type { JsonValue } from "../../domain/json.js";
import { formatTerm, parseTerm, type Term } from "../../filter/term.js";
import { isWithin } from "../categories.js";
import { escaped } from "./escaped.js";

/** Longer strings are matched by their start, since addresses contain conditions; in characters. */
const MAX_EXACT = 300;
const BEGINNING = 120;

/** The condition that a field has a value; `undefined` without a usable value. */
export function createCondition(key: string, value: JsonValue | undefined): string | undefined {
  const text = typeof value === "number" || typeof value === "boolean" ? String(value) : value;
  if (typeof text !== "string" || text.trim() === "") return undefined;
  if (text.length <= MAX_EXACT) return formatTerm({ kind: "equals", path: [key], value: text, not: false });
  const pattern = `^${escaped(text.slice(0, BEGINNING))}`;
  return formatTerm({ kind: "matches", path: [key], pattern, ignoreCase: false, not: false });
}

/** The condition that a field has one of several values. */
export function createAnyCondition(key: string, values: readonly string[]): string {
  const pattern = `^(?:${values.map(escaped).join("|")})$`;
  return formatTerm({ kind: "matches", path: [key], pattern, ignoreCase: false, not: false });
}

/** The condition for a category and its subcategories. */
export function createCategoryCondition(name: readonly string[]): string {
  return formatTerm({ kind: "category", name, not: false });
}

/** Adds a condition to a filter, and removes a wider one that it replaces. */
export function addCondition(filter: readonly string[], added: string): readonly string[] {
  const term = tryParseTerm(added);
  const kept = filter.filter((text) => text !== added && !isWider(tryParseTerm(text), term));
  return [...kept, added];
}

/** Negates a condition. */
export function negated(text: string): string {
  const term = tryParseTerm(text);
  return term === undefined ? text : formatTerm({ ...term, not: !term.not });
}

/** Whether a condition includes the other one, e.g. for a parent category. */
function isWider(term: Term | undefined, other: Term | undefined): boolean {
  if (term?.kind !== "category" || other?.kind !== "category") return false;
  return !term.not && !other.not && isWithin(other.name, term.name);
}

function tryParseTerm(text: string): Term | undefined {
  try {
    return parseTerm(text);
  } catch {
    return undefined;
  }
}
