import { childrenOf, type Node, type Repeat } from "./ast.js";
import { SIZE_LIMIT } from "./limits.js";
import { RegexSyntaxError } from "./syntax-error.js";

/**
 * Estimates the number of instructions with all repetitions expanded, and rejects patterns that are too large, such as
 * `(a{1000}){1000}`.
 */
export function checkSize(node: Node): number {
  let size = ownSize(node);
  if (node.kind === "repeat") {
    size += sizeOfCopies(node, checkSize(node.body));
  } else {
    for (const child of childrenOf(node)) size += checkSize(child);
  }
  if (size > SIZE_LIMIT) throw tooLarge(node.kind === "repeat" ? node.at : 0);
  return size;
}

function ownSize(node: Node): number {
  switch (node.kind) {
    case "sequence":
      return 0;
    case "choice":
      return node.options.length;
    case "repeat":
    case "group":
      return 2;
    default:
      return 1;
  }
}

function sizeOfCopies({ min, max }: Repeat, body: number): number {
  if (!Number.isFinite(max)) return Math.max(min, 1) * body;
  return min * body + (max - min) * (body + 1);
}

function tooLarge(at: number): RegexSyntaxError {
  return new RegexSyntaxError("patternTooLarge", { limit: SIZE_LIMIT }, at);
}
