import { EMPTY, type Node } from "./ast.js";
import { asciiPart, type CharSet, setOf, union } from "./char-set.js";
import { fitsPlainForm } from "./native.js";
import { ANY } from "./properties.js";
import { simplify } from "./simplify.js";

/** Any text, which is more than what a group took. */
const ANYTHING: Node = {
  kind: "repeat",
  body: { kind: "set", set: ANY },
  min: 0,
  max: Number.POSITIVE_INFINITY,
  lazy: false,
  at: 0,
};

/**
 * A pattern that the engine can search for in every text, and that is found wherever the given one is: without
 * lookarounds, word boundaries and the like, and with larger sets. Most rules match few texts, and where this is not
 * found, nothing slower needs to look.
 */
export function loosen(root: Node): Node {
  return simplify(looser(root));
}

function looser(node: Node): Node {
  switch (node.kind) {
    case "set":
      return fitsPlainForm(node.set) ? node : { kind: "set", set: largerSet(node.set) };
    case "assertion":
      return node.what.startsWith("text") || node.what.startsWith("line") ? node : EMPTY;
    case "sequence":
      return { kind: "sequence", items: node.items.map(looser) };
    case "choice":
      return { kind: "choice", options: node.options.map(looser) };
    case "repeat":
    case "group":
      return { ...node, body: looser(node.body) };
    case "atomic":
      return looser(node.body);
    case "backreference":
      return ANYTHING;
    case "condition":
      return { kind: "choice", options: [looser(node.yes), looser(node.no)] };
    default:
      return EMPTY;
  }
}

const NOT_ASCII = setOf([[0x80, 0x10ffff]]);
const LARGER_SETS = new WeakMap<CharSet, CharSet>();

/** The set and all that is not ASCII. */
function largerSet(set: CharSet): CharSet {
  let larger = LARGER_SETS.get(set);
  if (larger === undefined) {
    larger = union([{ kind: "ranges", ranges: asciiPart(set) }, NOT_ASCII]);
    LARGER_SETS.set(set, larger);
  }
  return larger;
}
