// Conditions of filters, as users write them and chips show them. docs/reference/filters.md
import type { Path } from "../domain/json-path.js";
import { ActivityError, quote } from "../errors.js";

/** The test of a condition. */
export type TermTest =
  /** The value of a key, as a string, equals `value`. */
  | { readonly kind: "equals"; readonly path: Path; readonly value: string }
  /** A string under a key contains `text`, ignoring case; without a path, any string of the data. */
  | { readonly kind: "contains"; readonly path?: Path | undefined; readonly text: string }
  /** A pattern matches a string under a key; without a path, any string of the data. */
  | {
      readonly kind: "matches";
      readonly path?: Path | undefined;
      readonly pattern: string;
      readonly ignoreCase: boolean;
    }
  /** The category is this one or a subcategory. */
  | { readonly kind: "category"; readonly name: readonly string[] };

/** A condition of a filter. Data pass a filter if they meet all of its conditions. */
export type Term = TermTest & {
  /** Whether to negate the test. */
  readonly not: boolean;
};

/** An invalid condition. The message includes the position. */
export class TermError extends ActivityError {
  /** Position in the condition, in UTF-16 units from 0. */
  readonly at: number;

  /** @param field the parameter that contained the text */
  constructor(text: string, at: number, problem: string, field: "filter" | "group" = "filter") {
    super("INVALID_INPUT", `${field} ${quote(text)}: ${problem}, at character ${at + 1}`);
    this.at = at;
  }
}

const CATEGORY = "category:";
const QUOTED = '"(?:[^"\\\\]|\\\\.)*"';
const NAME = "[\\p{L}\\p{N}_$-]+";
/** A key, or keys separated by dots, before an operator. */
const PATH = new RegExp(`(?:${QUOTED}|${NAME})(?:\\.(?:${QUOTED}|${NAME}))*(?=[=~])`, "uy");
const PATH_PART = new RegExp(`${QUOTED}|${NAME}`, "gu");
const WHOLE_NAME = new RegExp(`^${NAME}$`, "u");
const LEVEL = new RegExp(`\\s*(${QUOTED}|[^\\s">](?:[^">]*[^\\s">])?)\\s*(?:>|$)`, "y");
const PATTERN = /^\/(.+)\/(i?)$/s;

/** Parses a condition. Patterns are checked later, when they are compiled. @throws TermError with the position */
export function parseTerm(text: string): Term {
  const end = text.trimEnd().length;
  let at = skipSpace(text, 0);
  const not = text[at] === "!";
  if (not) at = skipSpace(text, at + 1);
  if (at >= end) throw new TermError(text, at, "expected a string, KEY=VALUE, KEY~TEXT or category:NAME");
  if (not && text[at] === "!")
    throw new TermError(text, at, "expected a single !; put a string that starts with ! in quotes");
  return { ...parseTest(text, at, end), not };
}

function parseTest(text: string, at: number, end: number): TermTest {
  if (text.startsWith(CATEGORY, at)) return { kind: "category", name: parseLevels(text, at + CATEGORY.length, end) };
  PATH.lastIndex = at;
  const key = PATH.exec(text)?.[0];
  if (key === undefined) return parseSearch(text, at, end);
  const path = parsePathParts(text, at, key);
  const sign = at + key.length;
  const from = Math.min(end, skipSpace(text, sign + 1));
  if (text[sign] === "=") return { kind: "equals", path, value: parseValue(text, from, end) };
  return parseSearch(text, from, end, path);
}

function parsePathParts(text: string, at: number, written: string): Path {
  return (written.match(PATH_PART) ?? []).map((part) => (part[0] === '"' ? unquote(text, at, part) : part));
}

/** Parses the key to group by, or keys separated by dots. @throws TermError */
export function parsePath(text: string): Path {
  PATH.lastIndex = 0;
  const written = PATH.exec(`${text}=`)?.[0];
  if (written === text) return parsePathParts(text, 0, text);
  const expected = "expected a key, or keys separated by dots; put other keys in quotes";
  throw new TermError(text, 0, expected, "group");
}

/** Parses a search: in a key, or without a path in all strings. */
function parseSearch(text: string, at: number, end: number, path?: Path): TermTest {
  const where = path === undefined ? {} : { path };
  const raw = text.slice(at, end);
  const [, pattern, flag] = PATTERN.exec(raw) ?? [];
  if (pattern !== undefined) return { kind: "matches", ...where, pattern, ignoreCase: flag === "i" };
  if (path !== undefined && raw[0] === "/") {
    throw new TermError(text, at, "a pattern must end with / or /i; put a string that starts with / in quotes");
  }
  const searched = parseValue(text, at, end);
  if (searched === "") throw new TermError(text, at, "expected a string to search");
  return { kind: "contains", ...where, text: searched };
}

/** Parses a plain or quoted string. */
function parseValue(text: string, at: number, end: number): string {
  const raw = text.slice(at, end);
  return raw[0] === '"' ? unquote(text, at, raw) : raw;
}

function unquote(text: string, at: number, quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    const fix = 'a string that starts with " must end with it; write \\" and \\\\ for " and \\ inside';
    throw new TermError(text, at, fix);
  }
}

function parseLevels(text: string, from: number, end: number): readonly string[] {
  const written = text.slice(0, end);
  const levels: string[] = [];
  let at = from;
  do {
    LEVEL.lastIndex = at;
    const [all, level] = LEVEL.exec(written) ?? [];
    if (all === undefined || level === undefined) {
      throw new TermError(text, Math.min(at, end), "expected the name of a category, with > between its levels");
    }
    levels.push(level[0] === '"' ? unquote(text, at, level) : level);
    at += all.length;
  } while (at < end || written[end - 1] === ">");
  return levels;
}

function skipSpace(text: string, at: number): number {
  return text.length - text.slice(at).trimStart().length;
}

/** Formats a condition so that `parseTerm` returns an equal one. */
export function formatTerm(term: Term): string {
  return `${term.not ? "!" : ""}${formatTest(term)}`;
}

function formatTest(test: TermTest): string {
  if (test.kind === "category") return CATEGORY + formatCategory(test.name);
  if (test.kind === "equals") return `${formatPath(test.path)}=${quoteIf(/^"/, test.value)}`;
  const key = test.path === undefined ? "" : `${formatPath(test.path)}~`;
  if (test.kind === "matches") return `${key}/${test.pattern}/${test.ignoreCase ? "i" : ""}`;
  if (test.path !== undefined) return `${key}${quoteIf(/^["/]/, test.text)}`;
  PATH.lastIndex = 0;
  const isOther = PATH.test(test.text) || PATTERN.test(test.text) || test.text.startsWith(CATEGORY);
  return isOther ? JSON.stringify(test.text) : quoteIf(/^["!]/, test.text);
}

/** Formats the name of a category, with `>` between its levels. */
export function formatCategory(name: readonly string[]): string {
  return name.map((level) => quoteIf(/^$|[">]/, level)).join(" > ");
}

/** Formats keys separated by dots, quoted where necessary. */
export function formatPath(path: Path): string {
  return path.map((key) => (WHOLE_NAME.test(key) ? key : JSON.stringify(key))).join(".");
}

/** Quotes a string that would parse as something else, or that has spaces at its ends. */
function quoteIf(looksOther: RegExp, text: string): string {
  return looksOther.test(text) || text.trim() !== text ? JSON.stringify(text) : text;
}
