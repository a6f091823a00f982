import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Expression, Program, Statement } from "../../src/query/ast.js";
import { tokenize } from "../../src/query/lexer.js";
import { MAX_NESTING, parseProgram } from "../../src/query/parser.js";
import { QueryError } from "../../src/query/query-error.js";
import { randomOf } from "../contract/case.js";
import { randomProgram } from "./programs.js";
import { serializeProgram } from "./serialize-program.js";
import { loadQueryFiles } from "./vectors.js";

const test = suite("parsing and printing of programs");

/** A program without places and text: what it says. */
function meaning({ statements }: Pick<Program, "statements">): unknown {
  return JSON.parse(JSON.stringify(statements, (key, value) => (key === "offset" ? undefined : value)));
}

function errorOf(text: string): QueryError {
  try {
    parseProgram(text);
  } catch (thrown) {
    if (thrown instanceof QueryError) return thrown;
    throw thrown;
  }
  throw new Error(`it is a program: ${text}`);
}

/** The value of `RETURN = <text>`. */
function valueIn(text: string): Expression {
  const [statement] = parseProgram(`RETURN = ${text}`).statements;
  return (statement as Extract<Statement, { kind: "assignment" }>).value;
}

test("a text is cut into tokens with their places", () => {
  const shown = tokenize('a1 = f("x;#y", 1.5)==2. ; # rest "\n_é').map(
    ({ kind, text, offset }) => `${offset} ${kind} ${text}`,
  );
  assert.equal(shown, [
    "0 name a1",
    "3 sign =",
    "5 name f",
    "6 sign (",
    "7 string x;#y",
    "13 sign ,",
    "15 number 1.5",
    "18 sign )",
    "19 sign ==",
    "21 number 2.",
    "24 sign ;",
    "35 name _é",
    "37 end ",
  ]);
});

/** Strings as they stand in a program, and what they hold (docs/reference/compatibility.md#strings). */
const STRINGS: readonly (readonly [literal: string, content: string])[] = [
  [`""`, ""],
  [`''`, ""],
  [`"it's"`, "it's"],
  [`'say "x"'`, 'say "x"'],
  [String.raw`"a\"b"`, 'a"b'],
  [String.raw`'a\'b'`, "a'b"],
  [String.raw`"a\'b"`, String.raw`a\'b`],
  [String.raw`"\n\\d\u00e9"`, String.raw`\n\\d\u00e9`],
  [String.raw`"a\\"b"`, String.raw`a\"b`],
  ['"line\r\nbreak; # [{("', "line\r\nbreak; # [{("],
  ['"\u{1f600}\u0000"', "\u{1f600}\u0000"],
];

for (const [literal, content] of STRINGS) {
  test(`the string ${JSON.stringify(literal)} holds ${JSON.stringify(content)}`, () => {
    assert.equal(meaning({ statements: [{ kind: "bare", value: valueIn(literal), offset: 0 }] }), [
      { kind: "bare", value: { kind: "literal", value: content } },
    ]);
    assert.equal(meaning(parseProgram(serializeProgram(parseProgram(literal)))), meaning(parseProgram(literal)));
  });
}

/** Texts that say the same. */
const SAME: readonly (readonly [string, string])[] = [
  ["RETURN = 1", "return 1;"],
  ["RETURN=1", ";;\n RETURN\t=\r\n1 ; ; # end"],
  ["RETURN = f(1,[2],{'a':3})", 'RETURN = f ( 1 , [ 2 ] , { "a" : 3 } ) ;'],
  ["RETURN = 1 + 2 * 3", "RETURN = (1)+(2)*3"],
  ["RETURN = (1 + 2) * 3", "RETURN = ((1 + 2)) * 3;"],
  ["a = True; b = None;", "a = true; b = null;"],
  ["if true {} else {a = 1}", "if true { } else { a = 1; };"],
  ["RETURN = 007.50", "RETURN = 7.5"],
  ["iffy = 1; trueish = 2; TRUE = 3", "iffy=1;trueish=2;TRUE=3"],
];

for (const [one, other] of SAME) {
  test(`${JSON.stringify(one)} says the same as ${JSON.stringify(other)}`, () =>
    assert.equal(meaning(parseProgram(one)), meaning(parseProgram(other))));
}

test("operators bind equally and group to the left", () => {
  const chain = valueIn("4 + 2 * 3 == 18");
  assert.is(chain.kind, "chain");
  assert.is(serializeProgram(parseProgram("RETURN = 4 + (2 * 3) == (18)")), "RETURN = 4 + (2 * 3) == 18;\n");
});

test("a program is serialized with a statement a line and blocks indented", () => {
  const text = "if a==1 {x='y'} elif (b) {if c {};} else {f();return [x,{'k':null}]}";
  const printed = [
    "if a == 1 {",
    '  x = "y";',
    "} elif b {",
    "  if c {",
    "  }",
    "} else {",
    "  f();",
    '  RETURN = [x, {"k": null}];',
    "}",
    "",
  ];
  assert.is(serializeProgram(parseProgram(text)), printed.join("\n"));
});

const NUMBERS = ["0", "0.1", "123456789012345680000", "1".repeat(300), "0.0000001", `0.${"0".repeat(94)}12345`];

for (const digits of [...NUMBERS, `0.${"0".repeat(319)}4`]) {
  test(`the number ${digits.length < 30 ? digits : `${digits.slice(0, 20)}… of ${digits.length} digits`} is printed exactly`, () =>
    assert.equal(meaning(parseProgram(serializeProgram(parseProgram(digits)))), meaning(parseProgram(digits))));
}

test("every recorded program that can be read is the same program when serialized and read again", () => {
  let read = 0;
  for (const { name: file, cases } of loadQueryFiles()) {
    for (const { name, query, expect } of cases) {
      if (expect.target.error?.type === "QueryParseException") continue;
      const program = readIfPossible(query.join("\n"));
      if (program === undefined) continue;
      const printed = serializeProgram(program);
      assert.equal(meaning(parseProgram(printed)), meaning(program), `${file} ${name}`);
      assert.is(serializeProgram(parseProgram(printed)), printed, `${file} ${name}`);
      read++;
    }
  }
  assert.ok(read > 560, `only ${read} were read`);
});

function readIfPossible(text: string): Program | undefined {
  try {
    return parseProgram(text);
  } catch (thrown) {
    if (thrown instanceof QueryError) return undefined;
    throw thrown;
  }
}

test("random programs are the same when serialized and read again", () => {
  for (let seed = 1; seed <= 500; seed++) {
    const text = randomProgram(randomOf(seed));
    const program = parseProgram(text);
    assert.equal(meaning(parseProgram(serializeProgram(program))), meaning(program), `seed ${seed}: ${text}`);
  }
});

test("a damaged program is read or refused with a place inside of it, never anything else", () => {
  const signs = [..."()[]{},;=+-\"'\\#@ \n1a", "if", "==", "\ud800"];
  for (let seed = 1; seed <= 2000; seed++) {
    const random = randomOf(seed);
    const text = randomProgram(random);
    const at = Math.floor(random() * text.length);
    const sign = signs[Math.floor(random() * signs.length)] as string;
    const damaged = text.slice(0, at) + (random() < 0.7 ? sign : "") + text.slice(at + Math.floor(random() * 3));
    try {
      parseProgram(damaged);
    } catch (thrown) {
      assert.instance(thrown, QueryError, damaged);
      const { type, place, message } = thrown as QueryError;
      assert.is(type, "QueryParseException", message);
      const lines = damaged.split("\n");
      assert.ok(place.line >= 1 && place.line <= lines.length, message);
      assert.ok(place.column >= 1 && place.column <= (lines[place.line - 1] as string).length + 1, message);
    }
  }
});

/** Texts that are no programs, the place of the mistake, and a part of the message. */
const WRONG: readonly (readonly [text: string, line: number, column: number, message: RegExp])[] = [
  ["", 1, 1, /empty/],
  ["\n", 1, 1, /empty/],
  [" # only a comment", 1, 1, /empty/],
  ["RETURN = ", 1, 10, /expected a value, got the end/],
  ["RETURN = 1 2", 1, 12, /expected ';' or an operator, got '2'/],
  ["a = 1;\nRETURN = [1,];", 2, 13, /expected a value, got '\]'/],
  ["a = 1;\r\nRETURN = @;", 2, 10, /unexpected character "@"/],
  ["RETURN = \u{1f600};", 1, 10, /unexpected character/],
  ["RETURN = -1", 1, 10, /expected a value, got '-'/],
  ['RETURN = "abc', 1, 10, /no closing "/],
  [String.raw`RETURN = "C:\"`, 1, 10, /no closing "/],
  ["RETURN = {a: 1}", 1, 11, /expected a string as the key, got 'a'/],
  ['RETURN = {"a" 1}', 1, 15, /expected ':'/],
  ["RETURN = f(1", 1, 13, /expected ',' or '\)', got the end/],
  ["RETURN = (1]", 1, 12, /'\)' or an operator/],
  ["true = 1", 1, 1, /'true' cannot be assigned/],
  ["if true RETURN = 1", 1, 9, /'\{' or an operator/],
  ["if true { RETURN = 1", 1, 21, /expected '\}', got the end/],
  ["else {}", 1, 1, /expected a value, got 'else'/],
  ["}", 1, 1, /expected a value/],
  [`RETURN = ${"9".repeat(400)}`, 1, 10, /too large/],
  [`RETURN = ${"[".repeat(MAX_NESTING + 1)}`, 1, 10 + MAX_NESTING, /nested more than/],
];

for (const [text, line, column, message] of WRONG) {
  test(`${JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)} is refused at its place`, () => {
    const error = errorOf(text);
    assert.is(error.type, "QueryParseException");
    assert.is(error.code, "QUERY_FAILED");
    assert.match(error.message, message);
    assert.equal(error.place, { line, column });
    assert.match(error.message, `(line ${line}, column ${column})`);
  });
}

test("a message shows the line with a caret under the place", () => {
  assert.is(
    errorOf("a = 1;\n\tRETURN = [1 2];\nb = 3;").message,
    "expected ',' or ']', got '2' (line 2, column 14)\n  \tRETURN = [1 2];\n  \t            ^",
  );
});

test("of a long line a message shows the part around the place", () => {
  const { message } = errorOf(`RETURN = [${"1, ".repeat(10_000)}@]`);
  const [, shown = "", caret = ""] = message.split("\n");
  assert.ok(message.length < 300, `${message.length} characters`);
  assert.is(shown[caret.indexOf("^")], "@");
});

test("a message shows of a long word or number that is out of place only the beginning", () => {
  for (const long of ["n".repeat(100_000), "9".repeat(300)]) {
    const { message } = errorOf(`RETURN = 1 ${long};`);
    assert.match(message, `got '${long.slice(0, 100)}`);
    assert.match(message, "…'");
    assert.ok(message.length < 500, `${message.length} characters`);
  }
});

test("what nests as deeply as it may is read and serialized", () => {
  const text = `RETURN = ${"[".repeat(MAX_NESTING)}${"]".repeat(MAX_NESTING)}`;
  assert.equal(meaning(parseProgram(serializeProgram(parseProgram(text)))), meaning(parseProgram(text)));
});

test.run();
