import { QuerySyntaxError } from "./query-error.js";

/** A token of the source. */
export interface Token {
  readonly kind: "name" | "number" | "string" | "sign" | "end";
  /** A name or symbol verbatim, the content of a string, or the digits of a number. */
  readonly text: string;
  readonly offset: number;
  /** Index after its last character. */
  readonly end: number;
}

/** Maximum number of tokens, so that parsing does not block other requests. A thousand rules take a third of it. */
export const MAX_TOKENS = 50_000;

const BLANK = /[ \t\r\n]*(?:#[^\r\n]*[ \t\r\n]*)*/y;
const NAME = /[\p{L}_][\p{L}\p{Nd}_]*/uy;
const NUMBER = /\d+(?:\.\d*)?/y;
const SIGNS: ReadonlySet<string> = new Set("-+*/%=;,:()[]{}");
const SIGN = /==|[-+*/%=;,:()[\]{}]/y;

/**
 * Splits a program into tokens (docs/reference/compatibility.md#grammar). The last one has the kind `end`.
 *
 * @throws QuerySyntaxError for a character outside the grammar and an unterminated string
 */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let at = endOfMatch(BLANK, text, 0);
  while (at < text.length) {
    if (tokens.length === MAX_TOKENS) {
      const fault = { name: "programTooLong", values: { limit: MAX_TOKENS } };
      const message = `the program has more than ${MAX_TOKENS} words and symbols`;
      throw new QuerySyntaxError("QueryParseException", message, at, fault);
    }
    const token = readToken(text, at);
    tokens.push(token);
    at = endOfMatch(BLANK, text, token.end);
  }
  tokens.push({ kind: "end", text: "", offset: text.length, end: text.length });
  return tokens;
}

/** Whether a string is one name, as in the grammar. */
export function isName(text: string): boolean {
  return text !== "" && endOfMatch(NAME, text, 0) === text.length;
}

function readToken(text: string, offset: number): Token {
  const first = text[offset] as string;
  if (first === '"' || first === "'") return readString(text, offset, first);
  // The first character determines the kind: programs with rules have many thousands of tokens.
  if (SIGNS.has(first)) return readMatch("sign", SIGN, text, offset);
  if (first >= "0" && first <= "9") return readMatch("number", NUMBER, text, offset);
  const name = readMatch("name", NAME, text, offset);
  if (name.end > offset) return name;
  const character = String.fromCodePoint(text.codePointAt(offset) as number);
  const sign = JSON.stringify(character);
  const fault = { name: "signUnknown", values: { sign } };
  throw new QuerySyntaxError("QueryParseException", `unexpected character ${sign}`, offset, fault);
}

function readMatch(kind: Token["kind"], pattern: RegExp, text: string, offset: number): Token {
  const end = endOfMatch(pattern, text, offset);
  return { kind, text: text.slice(offset, end), offset, end };
}

/**
 * Reads a string. It ends at the next matching quote without a backslash before it. An escaped quote is the only
 * escape, so that regular expressions keep all of theirs.
 */
function readString(text: string, offset: number, quote: string): Token {
  let close = text.indexOf(quote, offset + 1);
  while (close > 0 && text[close - 1] === "\\") close = text.indexOf(quote, close + 1);
  if (close < 0) {
    const fault = { name: "openText", values: { quote } };
    throw new QuerySyntaxError("QueryParseException", `this string has no closing ${quote}`, offset, fault);
  }
  const content = text.slice(offset + 1, close).replaceAll(`\\${quote}`, quote);
  return { kind: "string", text: content, offset, end: close + 1 };
}

/** Index after the match of a sticky pattern at a position; the position itself if there is no match. */
function endOfMatch(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
