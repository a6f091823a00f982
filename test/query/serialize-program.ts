import type { Expression, Program, Statement } from "../../src/query/ast.js";

/**
 * Serializes a program in one normal form: a statement a line, blocks indented by two blanks. Read again it is the same
 * program; comments and the layout of the original are gone.
 */
export function serializeProgram({ statements }: Pick<Program, "statements">): string {
  return serializeStatements(statements, "");
}

function serializeStatements(statements: readonly Statement[], indent: string): string {
  return statements.map((statement) => `${indent}${serializeStatement(statement, indent)}\n`).join("");
}

function serializeStatement(statement: Statement, indent: string): string {
  switch (statement.kind) {
    case "assignment":
      return `${statement.name} = ${serializeExpression(statement.value)};`;
    case "bare":
      return `${serializeExpression(statement.value)};`;
    case "if": {
      const block = (body: readonly Statement[]): string => `{\n${serializeStatements(body, `${indent}  `)}${indent}}`;
      const branches = statement.branches.map(
        ({ condition, body }) => `if ${serializeExpression(condition)} ${block(body)}`,
      );
      const rest = statement.otherwise === undefined ? "" : ` else ${block(statement.otherwise)}`;
      return branches.join(" el") + rest;
    }
  }
}

function serializeExpression(expression: Expression): string {
  switch (expression.kind) {
    case "literal":
      return serializeLiteral(expression.value);
    case "variable":
      return expression.name;
    case "call":
      return `${expression.name}(${expression.args.map(serializeExpression).join(", ")})`;
    case "list":
      return `[${expression.items.map(serializeExpression).join(", ")}]`;
    case "dict": {
      const members = expression.members.map(([key, value]) => `${serializeText(key)}: ${serializeExpression(value)}`);
      return `{${members.join(", ")}}`;
    }
    case "chain": {
      const rest = expression.rest.map(({ operator, operand }) => ` ${operator} ${serializeOperand(operand)}`);
      return serializeOperand(expression.first) + rest.join("");
    }
  }
}

function serializeOperand(expression: Expression): string {
  return expression.kind === "chain" ? `(${serializeExpression(expression)})` : serializeExpression(expression);
}

function serializeLiteral(value: number | string | boolean | null): string {
  if (typeof value === "string") return serializeText(value);
  return typeof value === "number" ? serializeNumber(value) : String(value);
}

/** All digits of a number, since the grammar has no exponents. */
function serializeNumber(value: number): string {
  const [, whole, fraction = "", exponent] = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  if (whole === undefined || exponent === undefined) return String(value);
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `0.${"0".repeat(-point)}${digits}`;
  return digits.length <= point ? digits.padEnd(point, "0") : `${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** Every text that a program can hold can be serialized: whichever quote stands in it gets its backslash. */
function serializeText(text: string): string {
  return `"${text.replaceAll('"', '\\"')}"`;
}
