import { quote } from "../errors.js";
import type { Branch, Call, ChainLink, Expression, Operator, Program, Statement } from "./ast.js";
import { READ_BUCKET, RESULT } from "./ast.js";
import { isName, type Token, tokenize } from "./lexer.js";
import { locateError, QuerySyntaxError } from "./query-error.js";

/** Deepest nesting of brackets, calls and blocks: parsing and evaluation are recursive. */
export const MAX_NESTING = 200;

/** Maximum length of a program, in characters. */
export const MAX_LENGTH: number = 1024 * 1024;

const OPERATORS: ReadonlySet<string> = new Set(["+", "-", "*", "/", "%", "=="]);
const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["True", true],
  ["false", false],
  ["False", false],
  ["null", null],
  ["None", null],
]);
const KEYWORDS: ReadonlySet<string> = new Set([...CONSTANTS.keys(), "if", "elif", "else", "return"]);

/** Whether programs can have a variable of this name. */
export function isVariableName(name: string): boolean {
  return isName(name) && !KEYWORDS.has(name);
}

/**
 * Parses a program (docs/reference/compatibility.md#grammar).
 *
 * @throws QueryError `QueryParseException`
 */
export function parseProgram(text: string): Program {
  try {
    if (text.length > MAX_LENGTH) {
      const fault = { name: "programTooLong", values: { limit: MAX_LENGTH } };
      throw new QuerySyntaxError(
        "QueryParseException",
        `the program is longer than ${MAX_LENGTH} characters`,
        0,
        fault,
      );
    }
    const parser = createParser(tokenize(text));
    const statements = parser.program();
    if (statements.length === 0) {
      throw new QuerySyntaxError("QueryParseException", "the program is empty", 0, "programEmpty");
    }
    return { text, statements, bucketIds: [...parser.bucketIds] };
  } catch (thrown) {
    throw thrown instanceof QuerySyntaxError ? locateError(thrown, text) : thrown;
  }
}

interface Parser {
  program(): Statement[];
  /** IDs of the buckets in literal reads so far. */
  readonly bucketIds: ReadonlySet<string>;
}

function createParser(tokens: readonly Token[]): Parser {
  const bucketIds = new Set<string>();
  let index = 0;
  let depth = 0;

  const current = (): Token => tokens[index] as Token;
  const isSign = (text: string, { kind, text: found } = current()): boolean => kind === "sign" && found === text;
  const isWord = (text: string): boolean => current().kind === "name" && current().text === text;

  function take(): Token {
    const token = current();
    if (token.kind !== "end") index++;
    return token;
  }

  /** @param sign the expected symbol, if it is one */
  function unexpected(wanted: string, sign?: string): never {
    const { kind, text, offset } = current();
    const found = kind === "end" ? "the end of the program" : kind === "string" ? "a string" : quote(text);
    const fault =
      kind === "end"
        ? { name: "programCutOff", values: {} }
        : sign === undefined
          ? { name: "unexpected", values: { found: quote(text) } }
          : { name: "signExpected", values: { sign: quote(sign), found: quote(text) } };
    throw new QuerySyntaxError("QueryParseException", `expected ${wanted}, got ${found}`, offset, fault);
  }

  function expectSign(text: string, wanted = `'${text}'`): void {
    if (!isSign(text)) unexpected(wanted, text);
    take();
  }

  /** Parses a construct that can contain itself. */
  function nested<T>(read: () => T): T {
    if (depth >= MAX_NESTING) {
      const fault = { name: "tooDeep", values: { limit: MAX_NESTING } };
      const message = `nested more than ${MAX_NESTING} levels deep`;
      throw new QuerySyntaxError("QueryParseException", message, current().offset, fault);
    }
    depth++;
    const found = read();
    depth--;
    return found;
  }

  function statements(isEnd: () => boolean): Statement[] {
    const found: Statement[] = [];
    while (!isEnd()) {
      if (isSign(";")) take();
      else if (isWord("if")) found.push(nested(ifStatement));
      else {
        found.push(simpleStatement());
        if (!isEnd()) expectSign(";", "';' or an operator");
      }
    }
    return found;
  }

  function simpleStatement(): Statement {
    const { kind, text: name, offset } = current();
    if (kind === "name" && name === "return") {
      take();
      return { kind: "assignment", name: RESULT, value: expression(), offset };
    }
    const next = tokens[index + 1];
    if (kind === "name" && next !== undefined && isSign("=", next)) {
      if (KEYWORDS.has(name)) {
        const fault = { name: "notAssignable", values: { name } };
        throw new QuerySyntaxError("QueryParseException", `'${name}' cannot be assigned`, offset, fault);
      }
      take();
      take();
      return { kind: "assignment", name, value: expression(), offset };
    }
    return { kind: "bare", value: expression(), offset };
  }

  function ifStatement(): Statement {
    const { offset } = current();
    const branches: Branch[] = [];
    do {
      const place = take().offset;
      branches.push({ condition: expression(), body: block(), offset: place });
    } while (isWord("elif"));
    if (!isWord("else")) return { kind: "if", branches, otherwise: undefined, offset };
    take();
    return { kind: "if", branches, otherwise: block(), offset };
  }

  function block(): Statement[] {
    expectSign("{", "'{' or an operator");
    const found = statements(() => isSign("}") || current().kind === "end");
    expectSign("}");
    return found;
  }

  function expression(): Expression {
    const first = operand();
    const rest: ChainLink[] = [];
    while (current().kind === "sign" && OPERATORS.has(current().text)) {
      const { text, offset } = take();
      rest.push({ operator: text as Operator, operand: operand(), offset });
    }
    return rest.length === 0 ? first : { kind: "chain", first, rest, offset: first.offset };
  }

  function operand(): Expression {
    const { kind, text, offset } = current();
    if (kind === "number") {
      take();
      return { kind: "literal", value: parseNumber(text, offset), offset };
    }
    if (kind === "string") {
      take();
      return { kind: "literal", value: text, offset };
    }
    if (kind === "name") return nameExpression();
    if (isSign("[")) return nested(list);
    if (isSign("{")) return nested(dict);
    if (isSign("(")) return nested(inParentheses);
    return unexpected("a value");
  }

  function nameExpression(): Expression {
    const { text: name, offset } = current();
    const constant = CONSTANTS.get(name);
    if (constant !== undefined) {
      take();
      return { kind: "literal", value: constant, offset };
    }
    if (KEYWORDS.has(name)) unexpected("a value");
    take();
    return isSign("(") ? nested(() => call(name, offset)) : { kind: "variable", name, offset };
  }

  function call(name: string, offset: number): Call {
    take();
    const args = itemsUpTo(")", expression);
    const [first] = args;
    if (name === READ_BUCKET && first?.kind === "literal" && typeof first.value === "string")
      bucketIds.add(first.value);
    return { kind: "call", name, args, offset };
  }

  function list(): Expression {
    const { offset } = take();
    return { kind: "list", items: itemsUpTo("]", expression), offset };
  }

  function dict(): Expression {
    const { offset } = take();
    return { kind: "dict", members: itemsUpTo("}", member), offset };
  }

  function member(): readonly [string, Expression] {
    if (current().kind !== "string") unexpected("a string as the key");
    const key = take().text;
    expectSign(":");
    return [key, expression()];
  }

  function inParentheses(): Expression {
    take();
    const inner = expression();
    expectSign(")", "')' or an operator");
    return inner;
  }

  function itemsUpTo<T>(close: string, read: () => T): T[] {
    const items: T[] = [];
    if (isSign(close)) {
      take();
      return items;
    }
    for (;;) {
      items.push(read());
      if (isSign(",")) take();
      else {
        expectSign(close, `',' or '${close}'`);
        return items;
      }
    }
  }

  return { program: () => statements(() => current().kind === "end"), bucketIds };
}

function parseNumber(digits: string, offset: number): number {
  const value = Number(digits);
  if (Number.isFinite(value)) return value;
  throw new QuerySyntaxError("QueryParseException", "this number is too large", offset, "tooLarge");
}
