import type { Expression, Program, Statement } from "./ast.js";

/**
 * Prints a program in one normal form: a statement a line, blocks indented by two blanks. Read again it is the same
 * program; comments and the layout of the original are gone.
 */
export function serializeProgram({ statements }: Pick<Program, "statements">): string {
  return printStatements(statements, "");
}

function printStatements(statements: readonly Statement[], indent: string): string {
  return statements.map((statement) => `${indent}${printStatement(statement, indent)}\n`).join("");
}

function printStatement(statement: Statement, indent: string): string {
  switch (statement.kind) {
    case "assignment":
      return `${statement.name} = ${printExpression(statement.value)};`;
    case "bare":
      return `${printExpression(statement.value)};`;
    case "if": {
      const block = (body: readonly Statement[]): string => `{\n${printStatements(body, `${indent}  `)}${indent}}`;
      const branches = statement.branches.map(
        ({ condition, body }) => `if ${printExpression(condition)} ${block(body)}`,
      );
      const rest = statement.otherwise === undefined ? "" : ` else ${block(statement.otherwise)}`;
      return branches.join(" el") + rest;
    }
  }
}

function printExpression(expression: Expression): string {
  switch (expression.kind) {
    case "literal":
      return printLiteral(expression.value);
    case "variable":
      return expression.name;
    case "call":
      return `${expression.name}(${expression.args.map(printExpression).join(", ")})`;
    case "list":
      return `[${expression.items.map(printExpression).join(", ")}]`;
    case "dict": {
      const members = expression.members.map(([key, value]) => `${printText(key)}: ${printExpression(value)}`);
      return `{${members.join(", ")}}`;
    }
    case "chain": {
      const rest = expression.rest.map(({ operator, operand }) => ` ${operator} ${printOperand(operand)}`);
      return printOperand(expression.first) + rest.join("");
    }
  }
}

function printOperand(expression: Expression): string {
  return expression.kind === "chain" ? `(${printExpression(expression)})` : printExpression(expression);
}

function printLiteral(value: number | string | boolean | null): string {
  if (typeof value === "string") return printText(value);
  return typeof value === "number" ? printNumber(value) : String(value);
}

/** All digits of a number, since the grammar has no exponents. */
function printNumber(value: number): string {
  const [, whole, fraction = "", exponent] = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  if (whole === undefined || exponent === undefined) return String(value);
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `0.${"0".repeat(-point)}${digits}`;
  return digits.length <= point ? digits.padEnd(point, "0") : `${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** Every text that a program can hold can be printed: whichever quote stands in it gets its backslash. */
function printText(text: string): string {
  return `"${text.replaceAll('"', '\\"')}"`;
}
