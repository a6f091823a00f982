// The alternatives of a rule's pattern as conditions in words. Pure.
import type { JsonObject } from "../../domain/json.js";
import { ignoresCase, rulePattern } from "../../filter/categories.js";
import { caseless, composed } from "../../util/composed.js";
import type { CategoryRule } from "../categories.js";
import { escaped } from "./escaped.js";
import { foldedPattern } from "./fold.js";

/**
 * Kinds of conditions in words. `word` is `contains` without parts of longer words, `like` is `is` with any numbers,
 * and `tickets` has the key of a project.
 */
export const CONDITION_KINDS = ["contains", "word", "is", "starts", "ends", "like", "tickets", "pattern"] as const;

/** One alternative of a rule. */
export interface Condition {
  readonly kind: (typeof CONDITION_KINDS)[number];
  readonly text: string;
  /** Whether it ignores case although its rule does not. */
  readonly isCaseless?: true;
}

/** Flags for the rest of a pattern, and references to groups: alternatives with them depend on each other. */
const DEPENDENT = /\(\?[a-zA-Z-]+\)|\(\?P=|\(\?\(|\\[1-9kg]/;

/** Splits a pattern into conditions; a pattern that cannot be split safely is one of them. */
export function readConditions(regex: string): readonly Condition[] {
  if (regex === "") return [];
  const whole: readonly Condition[] = [{ kind: "pattern", text: regex }];
  if (DEPENDENT.test(regex)) return whole;
  const alternatives = splitAlternatives(regex);
  return alternatives === undefined || alternatives.includes("") ? whole : alternatives.map(readCondition);
}

/** The alternatives of the top level; `undefined` for unbalanced brackets. */
function splitAlternatives(regex: string): readonly string[] | undefined {
  const found: string[] = [];
  let depth = 0;
  let start = 0;
  // An escaped character, a class of characters, or one character.
  for (const { 0: part, index } of regex.matchAll(/\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|./gsu)) {
    // A bracket in a class is a nested class in some dialects.
    if (part === "\\" || part === "[" || (part.startsWith("[") && part.includes("[", 1))) return undefined;
    if (part === "(") depth++;
    if (part === ")" && --depth < 0) return undefined;
    if (part !== "|" || depth > 0) continue;
    found.push(regex.slice(start, index));
    start = index + 1;
  }
  return depth === 0 ? [...found, regex.slice(start)] : undefined;
}

function readCondition(source: string): Condition {
  const inner = /^\(\?i:(.*)\)$/s.exec(source)?.[1];
  const within = inner === undefined ? undefined : readConditions(inner);
  const [only, ...more] = within ?? [];
  if (only !== undefined && more.length === 0 && only.kind !== "pattern") return { ...only, isCaseless: true };
  return readWords(source) ?? { kind: "pattern", text: source };
}

function readWords(source: string): Condition | undefined {
  const ticket = /^\\b([\p{Lu}\p{N}_]+)-\\d\+\\b$/u.exec(source)?.[1];
  if (ticket !== undefined) return { kind: "tickets", text: ticket };
  const word = unescaped(source.replace(/^\\b|\\b$/g, ""));
  if (word && printWord(word) === source && word !== source) return { kind: "word", text: word };
  const [, start, body = "", end] = /^(\^?)(.*?)((?<!\\)(?:\\\\)*\$)?$/s.exec(source) ?? [];
  const tail = end ?? "";
  const [isStart, isEnd] = [start !== "", tail !== ""];
  const literal = body + tail.slice(0, -1);
  const text = unescaped(literal);
  if (text === "") return undefined;
  if (text !== undefined) return { kind: isStart ? (isEnd ? "is" : "starts") : isEnd ? "ends" : "contains", text };
  const parts = literal.split("\\d+").map(unescaped);
  // Next to each other, two numbers would be printed as one.
  const isApart = !parts.slice(1, -1).includes("");
  const isNumbered = isStart && isEnd && isApart && parts.every((part) => part !== undefined && !/\d/.test(part));
  return isNumbered ? { kind: "like", text: parts.join("1") } : undefined;
}

/** The string that a pattern without operators matches; otherwise `undefined`. */
function unescaped(source: string): string | undefined {
  if (!/^(?:[^\\^$.*+?()[\]{}|]|\\[^\p{L}\p{N}_\s])*$/u.test(source)) return undefined;
  return source.replace(/\\(.)/gsu, "$1");
}

/** The pattern of conditions; those without a text are left out, since they would match everything. */
export function printConditions(conditions: readonly Condition[]): string {
  return conditions
    .filter(({ text }) => text !== "")
    .map((condition) => (condition.isCaseless ? `(?i:${printCondition(condition)})` : printCondition(condition)))
    .join("|");
}

function printCondition({ kind, text }: Condition): string {
  switch (kind) {
    case "contains":
      return escaped(text);
    case "word":
      return printWord(text);
    case "is":
      return `^${escaped(text)}$`;
    case "starts":
      return `^${escaped(text)}`;
    case "ends":
      return `${escaped(text)}$`;
    case "like":
      return `^${foldedPattern(text)}$`;
    case "tickets":
      return `\\b${escaped(text)}-\\d+\\b`;
    default:
      return text;
  }
}

/** Boundaries only next to ASCII: next to other letters, browsers see none where servers do. */
function printWord(text: string): string {
  return `${/^\w/.test(text) ? "\\b" : ""}${escaped(text)}${/\w$/.test(text) ? "\\b" : ""}`;
}

/** The boundaries of a pattern as servers see them: browsers only know those of ASCII. */
function withUnicodeBoundaries(pattern: string): string {
  return pattern.replace(/^\\b/, "(?<![\\p{L}\\p{N}_])").replace(/\\b$/, "(?![\\p{L}\\p{N}_])");
}

/** Whether a condition matches data of an event; `undefined` for patterns, which only the server can evaluate. */
export function matchesData(condition: Condition, data: JsonObject, ignoreCase: boolean): boolean | undefined {
  const { kind, text } = condition;
  if (kind === "pattern") return undefined;
  const fold = ignoreCase || condition.isCaseless === true ? caseless : composed;
  const wanted = fold(text);
  const values = Object.values(data).flatMap((value) => (typeof value === "string" ? [fold(value)] : []));
  return values.some((value) => {
    if (kind === "contains") return value.includes(wanted);
    if (kind === "is") return value === wanted;
    if (kind === "starts") return value.startsWith(wanted);
    if (kind === "ends") return value.endsWith(wanted);
    return new RegExp(withUnicodeBoundaries(fold(printCondition({ kind, text }))), "u").test(value);
  });
}

/** The condition of a rule that matches data: the first one in words, otherwise the first pattern. */
export function matchingCondition(rule: CategoryRule, data: JsonObject): Condition | undefined {
  const conditions = readConditions(rulePattern(rule) ?? "");
  const tried = conditions.map((condition) => matchesData(condition, data, ignoresCase(rule)));
  const found = tried.includes(true) ? tried.indexOf(true) : tried.indexOf(undefined);
  return conditions[found];
}
