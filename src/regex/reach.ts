import type { Node } from "./ast.js";

/** A character has up to two UTF-16 units. */
const LONGEST_CHARACTER = 2;

/**
 * Maximum number of UTF-16 units on either side of its start that a match can depend on; infinite for unlimited
 * repetitions. Windows of a long text that overlap by this many units can be searched separately.
 */
export function reachOf(node: Node): number {
  switch (node.kind) {
    case "empty":
      return 0;
    case "set":
    case "assertion":
      return LONGEST_CHARACTER;
    case "sequence":
      return node.items.reduce((sum, item) => sum + reachOf(item), 0);
    case "choice":
      return node.options.reduce((most, option) => Math.max(most, reachOf(option)), 0);
    case "group":
    case "lookaround":
      return reachOf(node.body);
    case "repeat":
      // Zero times infinity is not a number.
      return node.max === 0 ? 0 : node.max * Math.max(1, reachOf(node.body));
    default:
      return Number.POSITIVE_INFINITY;
  }
}
