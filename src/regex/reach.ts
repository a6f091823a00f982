import type { Node } from "./ast.js";

/** A character may take two units. */
const LONGEST_CHARACTER = 2;

/**
 * How many UTF-16 units a match can look at on either side of the place where it begins, at the very most; infinite for
 * repetitions without an end. A long text can be searched piece by piece when its pieces overlap by so many.
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
      // Nothing at all, without an end, is not a number.
      return node.max === 0 ? 0 : node.max * Math.max(1, reachOf(node.body));
    default:
      return Number.POSITIVE_INFINITY;
  }
}
