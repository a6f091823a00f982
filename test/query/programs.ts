// Random programs: all of the grammar, and such that can be carried out.
import { intOf } from "../contract/case.js";

const NAMES = ["a", "b1", "_c", "events", "iffy", "RETURN", "é"];
const TEXTS = ["", "app", "it's", 'say "x"', "back\\slash.", "line\nbreak", "# no; comment", "\u{1f600}", '\\"', "\\'"];
const NUMBERS = ["0", "1", "2.5", "3.", "0.000000123", "98765432109876543210"];
const OPERATORS = ["+", "-", "*", "/", "%", "=="];
const BLANKS = [" ", " ", "", "\n", "\t", "\r\n", " # why\n"];

/** One of a list. */
export function pick<T>(random: () => number, items: readonly T[]): T {
  return items[intOf(random, 0, items.length - 1)] as T;
}

/** A program in any layout that the grammar allows (docs/reference/compatibility.md#grammar). It may make no sense. */
export function randomProgram(random: () => number): string {
  const text = statements(random, intOf(random, 1, 6), 0);
  return text === "" ? "a;" : text;
}

function statements(random: () => number, count: number, depth: number): string {
  return Array.from({ length: count }, () => statement(random, depth)).join("");
}

function statement(random: () => number, depth: number): string {
  const kind = random();
  const value = expression(random, depth);
  if (depth < 3 && kind < 0.2) {
    const block = (): string => `{${statements(random, intOf(random, 0, 2), depth + 1)}}`;
    const others = Array.from({ length: intOf(random, 0, 2) }, () => `elif ${expression(random, depth)} ${block()}`);
    return `if ${value} ${block()} ${others.join(" ")} ${random() < 0.5 ? `else ${block()}` : ""} `;
  }
  const blank = (): string => pick(random, BLANKS);
  if (kind < 0.7) return `${pick(random, NAMES)}${blank()}=${blank()}${value}${blank()};${blank()}`;
  return kind < 0.8 ? `return ${value};` : `${value};`;
}

function expression(random: () => number, depth: number): string {
  const links = random() < 0.3 ? intOf(random, 1, 3) : 0;
  const blank = (): string => pick(random, BLANKS);
  let text = operand(random, depth + 1);
  for (let link = 0; link < links; link++) {
    text += `${blank()}${pick(random, OPERATORS)}${blank()}${operand(random, depth + 1)}`;
  }
  return text;
}

function operand(random: () => number, depth: number): string {
  const kinds = depth > 4 ? 5 : 9;
  const items = (read: () => string): string => Array.from({ length: intOf(random, 0, 3) }, read).join(" ,\n");
  const inner = (): string => expression(random, depth);
  switch (intOf(random, 1, kinds)) {
    case 1:
      return pick(random, NUMBERS);
    case 2:
    case 3:
      return literal(random);
    case 4:
      return pick(random, ["true", "False", "null", "None"]);
    case 5:
      return pick(random, NAMES);
    case 6:
      return `${pick(random, NAMES)} (${items(inner)})`;
    case 7:
      return `[${items(inner)}]`;
    case 8:
      return `{${items(() => `${literal(random)}: ${inner()}`)}}`;
    default:
      return `(${inner()})`;
  }
}

/** A string that holds one of the texts, between either quotes. */
function literal(random: () => number): string {
  const quote = pick(random, ['"', "'"]);
  return quote + pick(random, TEXTS).replaceAll(quote, `\\${quote}`) + quote;
}
