import { type Assertion, contains, type Node } from "./ast.js";
import { asciiPart, type CharSet, type Ranges } from "./char-set.js";
import { DIGIT, WORD } from "./properties.js";

/**
 * Serializes patterns for the engine's own `RegExp`, in two forms:
 *
 * - `plain`: correct for every text. Only for patterns without lookarounds and word boundaries, which the engine gets
 *   wrong inside surrogate pairs, and without large Unicode classes, which take milliseconds to compile.
 * - `ascii`: correct for ASCII texts only, and fast with everything.
 */
export type NativeForm = "plain" | "ascii";

/** Classes with more ranges compile slowly. */
const MAX_RANGES = 64;

/** The pattern in JavaScript; `undefined` if it does not fit the form. */
export function nativeExpression(root: Node, form: NativeForm): RegExp | undefined {
  if (contains(root, (node) => !fitsForm(node, form))) return undefined;
  try {
    return new RegExp(printNode(root, form), form === "plain" ? "u" : "");
  } catch {
    return undefined; // The syntax is valid, so the pattern is too large for the engine.
  }
}

function fitsForm(node: Node, form: NativeForm): boolean {
  switch (node.kind) {
    case "set":
      return form === "ascii" || fitsPlainForm(node.set);
    case "assertion":
      return ASSERTIONS[form][node.what] !== undefined;
    case "lookaround":
      return form === "ascii";
    case "backreference":
    case "atomic":
    case "condition":
      return false;
    default:
      return true;
  }
}

/** Whether a class under the `u` flag can express the set and is not too large. */
export function fitsPlainForm(set: CharSet): boolean {
  return hasPlainMembers(set.kind === "not" ? set.of : set);
}

function hasPlainMembers(set: CharSet): boolean {
  switch (set.kind) {
    case "property":
      return set === DIGIT;
    case "ranges":
      return set.ranges.length <= 2 * MAX_RANGES;
    case "not":
      return set.of === DIGIT;
    case "either":
      return set.parts.every(hasPlainMembers);
    default:
      return false;
  }
}

function printNode(node: Node, form: NativeForm): string {
  switch (node.kind) {
    case "empty":
      return "";
    case "set":
      return form === "plain" ? printSet(node.set) : printAsciiSet(node.set);
    case "assertion":
      return ASSERTIONS[form][node.what] ?? "";
    case "sequence":
      return node.items.map((item) => printPart(item, form)).join("");
    case "choice":
      return node.options.map((option) => printNode(option, form)).join("|");
    case "repeat":
      return `(?:${printNode(node.body, form)})${printCount(node.min, node.max)}`;
    case "lookaround":
      return `(?${node.behind ? "<" : ""}${node.negative ? "!" : "="}${printNode(node.body, form)})`;
    default:
      throw new Error(`${node.kind} cannot be serialized`);
  }
}

function printPart(node: Node, form: NativeForm): string {
  const text = printNode(node, form);
  return node.kind === "choice" ? `(?:${text})` : text;
}

/** Ignores greediness, which does not affect whether there is a match. */
function printCount(min: number, max: number): string {
  if (max === Number.POSITIVE_INFINITY) return min === 0 ? "*" : min === 1 ? "+" : `{${min},}`;
  return `{${min},${max}}`;
}

const EDGES = { "text-start": "^", "text-end": "$", "line-start": "(?:^|(?<=\\n))", "line-end": "(?:$|(?=\\n))" };
const ASSERTIONS: Readonly<Record<NativeForm, Readonly<Partial<Record<Assertion, string>>>>> = {
  plain: EDGES,
  ascii: {
    ...EDGES,
    "word-boundary": "\\b",
    "no-word-boundary": "\\B",
    "word-start": "\\b(?=\\w)",
    "word-end": "\\b(?<=\\w)",
    "no-word-before": "(?<!\\w)",
    "no-word-after": "(?!\\w)",
  },
};

function printAsciiSet(set: CharSet): string {
  return set === WORD ? "\\w" : printRanges(asciiPart(set));
}

function printSet(set: CharSet): string {
  if (set.kind === "ranges") return printRanges(set.ranges);
  return set.kind === "not" ? `[^${printMembers(set.of)}]` : `[${printMembers(set)}]`;
}

function printMembers(set: CharSet): string {
  switch (set.kind) {
    case "property":
      return set.source;
    case "ranges":
      return printPairs(set.ranges);
    case "not":
      return "\\P{Nd}";
    case "either":
      return set.parts.map(printMembers).join("");
    default:
      throw new Error(`${set.kind} cannot be serialized`);
  }
}

function printRanges(ranges: Ranges): string {
  const [first, last] = ranges;
  if (first !== undefined && first === last && ranges.length === 2) return printPoint(first);
  return `[${printPairs(ranges)}]`;
}

function printPairs(ranges: Ranges): string {
  let text = "";
  for (let index = 0; index < ranges.length; index += 2) {
    const [first, last] = [ranges[index] as number, ranges[index + 1] as number];
    text += first === last ? printPoint(first) : `${printPoint(first)}-${printPoint(last)}`;
  }
  return text;
}

/** Prints letters and digits verbatim, and the rest as escapes that cannot join a neighbor into a surrogate pair. */
function printPoint(codePoint: number): string {
  if (codePoint >= 0x80) return `\\u{${codePoint.toString(16)}}`;
  const isPlain =
    (codePoint >= 0x30 && codePoint <= 0x39) || ((codePoint | 0x20) >= 0x61 && (codePoint | 0x20) <= 0x7a);
  return isPlain ? String.fromCharCode(codePoint) : `\\x${codePoint.toString(16).padStart(2, "0")}`;
}
